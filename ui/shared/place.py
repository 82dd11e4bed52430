"""Shared entries, as a place of the window."""

from ui.commands.place import Place
from ui.shared.view import SharedView

PLACE = Place(
    id="shared",
    title="Shared",
    icon="globe",
    section="Memory",
    technical="Workspace scope: typed keys that the whole workspace shares",
    build=SharedView,
    rows=lambda workspace: workspace.shared_rows,
    kinds=frozenset({"shared"}),
)
