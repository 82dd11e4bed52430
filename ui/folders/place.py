"""Watched folders, as a place of the window."""

from ui.commands.place import Place
from ui.folders.view import FoldersView

PLACE = Place(
    id="folders",
    title="Folders",
    icon="folder-input",
    section="Library",
    technical="Watched folders: where papers come from by themselves",
    build=FoldersView,
    rows=lambda workspace: workspace.folders.rows,
    kinds=frozenset({"folder"}),
)
