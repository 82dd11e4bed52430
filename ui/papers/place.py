"""Papers, as a place of the window."""

from ui.commands.place import Place
from ui.papers.view import PapersView

PLACE = Place(
    id="papers",
    title="Papers",
    icon="paperclip",
    section="Library",
    technical="Artifacts: the bytes that came in, and what was read out of them",
    build=PapersView,
    rows=lambda workspace: workspace.papers.rows,
    kinds=frozenset({"paper"}),
)
