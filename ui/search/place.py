"""What was found, as a place of the window; it is not in the rail."""

from ui.commands.place import SearchPlace
from ui.search.view import SearchPlaceView

PLACE = SearchPlace(id="search", build=SearchPlaceView)
