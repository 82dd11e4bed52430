"""How many things each place holds, for the rail. Places that were never shown are counted as well."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from core.services.workspace import Workspace
from ui.commands.place import Place
from ui.qt.presenter import Presenter
from ui.qt.scope import ViewScope


class CountsPresenter(Presenter):
    """`counted(place, count)`: after `start`, and after each change that concerns a place."""

    counted = Signal(str, int)

    def __init__(
        self, workspace: Workspace, places: Sequence[Place], scope: ViewScope, parent: QObject | None = None
    ) -> None:
        super().__init__(scope, parent)
        self._workspace = workspace
        self._places = list(places)
        self._counting: set[str] = set()
        self._again: set[str] = set()
        for place in self._places:
            self.listen(workspace.events, place.kinds, lambda place=place: self._count(place))

    def start(self) -> None:
        for place in self._places:
            self._count(place)

    def _count(self, place: Place) -> None:
        """Count now, or once more after the count that runs: a long one is never cut short by the next change."""
        if place.id in self._counting:
            self._again.add(place.id)
        elif self.scope.start(self._read(place)):
            self._counting.add(place.id)

    async def _read(self, place: Place) -> None:
        try:
            self.counted.emit(place.id, await place.rows(self._workspace).count())
        finally:
            self._counting.discard(place.id)
        if place.id in self._again:
            self._again.discard(place.id)
            self._count(place)
