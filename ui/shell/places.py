"""The places of the window, in the order of the rail. A new feature adds its own here."""

from ui.commands.place import Place, SearchPlace
from ui.conversations.place import PLACE as CONVERSATIONS
from ui.folders.place import PLACE as FOLDERS
from ui.jobs.place import JOBS, SCRATCHPAD
from ui.longterm.place import PLACE as LONGTERM
from ui.papers.place import PLACE as PAPERS
from ui.search.place import PLACE as FOUND
from ui.shared.place import PLACE as SHARED
from ui.trash.place import PLACE as TRASH

PLACES: tuple[Place, ...] = (CONVERSATIONS, SHARED, JOBS, SCRATCHPAD, LONGTERM, PAPERS, FOLDERS, TRASH)
SEARCH: SearchPlace = FOUND
