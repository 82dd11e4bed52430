"""One open workspace in the window: its places, its tasks, its progress. Closing it leaves nothing of the workspace."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from core.services.workspace import Workspace
from core.tasks import TaskScope
from ui.commands.place import (
    ExportTaker,
    Navigator,
    PaperTaker,
    Place,
    PlaceContext,
    PlaceView,
    Problems,
    SearchPlace,
    SearchView,
    Undo,
)
from ui.qt.scope import ViewScope
from ui.shell.activity import ActivityPresenter
from ui.shell.counts import CountsPresenter

GRACE = 3.0  # seconds that writes may take when their workspace closes; only taking papers in lasts longer


class Session(QObject):
    """`built(id)` when a place exists. Views are made when first shown; `counts` has the numbers for the rail."""

    built = Signal(str)

    def __init__(
        self,
        workspace: Workspace,
        places: Sequence[Place],
        search: SearchPlace,
        problems: Problems,
        navigator: Navigator,
        offer_undo: Callable[[Undo], None],
    ) -> None:
        super().__init__()
        self.workspace = workspace
        self.reads = TaskScope("reads", problems.report)
        self.writes = TaskScope("writes", problems.report)
        self._places = {place.id: place for place in places}
        self._search = search
        self._context = PlaceContext(workspace, self.reads, self.writes, problems, navigator, offer_undo)
        self._views: dict[str, PlaceView] = {}
        scope = ViewScope(self.reads, problems.report)
        self.activity = ActivityPresenter(workspace, scope)
        self.counts = CountsPresenter(workspace, places, scope)

    def view(self, id: str) -> PlaceView:
        """The place with this id, built where it isn't yet."""
        if id not in self._views:
            build = self._search.build if id == self._search.id else self._places[id].build
            view = build(self._context)
            self._views[id] = view
            self.built.emit(id)
        return self._views[id]

    @property
    def search(self) -> SearchView:
        view = self.view(self._search.id)
        assert isinstance(view, SearchView)
        return view

    @property
    def papers(self) -> PaperTaker:
        view = self.view("papers")
        assert isinstance(view, PaperTaker)
        return view

    @property
    def conversations(self) -> ExportTaker:
        view = self.view("conversations")
        assert isinstance(view, ExportTaker)
        return view

    def start(self) -> None:
        """Follow what goes on."""
        self.reads.start(self.activity.start())
        self.counts.start()

    async def close(self) -> None:
        """Cancel what is read, let what is written finish, drop every view. The workspace itself is closed after this.

        Taking in many papers is stopped after the one at hand: what was taken stays.
        """
        self.blockSignals(True)
        self.activity.close()
        self.counts.close()
        for view in self._views.values():
            view.close()
        await self.reads.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                await self.writes.finish()
        await self.writes.close()
        for view in self._views.values():
            for part in (view.page, view.inspector):
                if part is not None:
                    part.hide()
                    part.deleteLater()
            view.deleteLater()
        self._views.clear()
        self.activity.deleteLater()
        self.counts.deleteLater()
        self.deleteLater()
