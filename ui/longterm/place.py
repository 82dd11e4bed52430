"""Long-term memory, as a place of the window."""

from ui.commands.place import Place
from ui.longterm.view import LongTermView

PLACE = Place(
    id="longterm",
    title="Long-term",
    icon="database",
    section="Memory",
    technical="Semantic scope: records in four tiers, with their salience",
    build=LongTermView,
    rows=lambda workspace: workspace.records,
    kinds=frozenset({"record"}),
)
