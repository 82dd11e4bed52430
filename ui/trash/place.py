"""The trash, as a place of the window."""

from ui.commands.place import Place
from ui.trash.view import TrashView

PLACE = Place(
    id="trash",
    title="Trash",
    icon="trash-2",
    section="Library",
    technical="What was forgotten, deleted or removed; erased after 30 days",
    build=TrashView,
    rows=lambda workspace: workspace.trashed,
    kinds=frozenset({"trash"}),
)
