"""Which workspace is open in the window and which of its places is shown. Implements `ui.commands.place.Navigator`."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from core.domain.passages import Kind
from core.domain.query import Mode
from core.domain.workspaces import KnownWorkspace
from core.errors import MunimentError
from core.services.workspaces import Workspaces
from ui.commands.place import Place, PlaceView, SearchPlace
from ui.qt import settings as declared
from ui.shell.frame import Frame
from ui.shell.session import Session
from ui.widgets.list_page import ListPage

PLACE_OF = {
    Kind.PAPER: "papers",
    Kind.RECORD: "longterm",
    Kind.MESSAGE: "conversations",
    Kind.SHARED: "shared",
}
log = logging.getLogger("muniment")


class Desk(QObject):
    """`switched` when another workspace (or none) is open."""

    switched = Signal()

    def __init__(
        self,
        window: Frame,
        workspaces: Workspaces,
        places: Sequence[Place],
        search: SearchPlace,
        make_sample: Callable[[], Awaitable[Path]],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._workspaces = workspaces
        self._places = list(places)
        self._search = search
        self._make_sample = make_sample
        self._switching = asyncio.Lock()
        self._place = ""
        self._before_search = ""
        self.known: list[KnownWorkspace] = []
        self.session: Session | None = None

    # ---- workspaces -------------------------------------------------------------------------------------------------

    def workspace_name(self) -> str | None:
        return self.session.workspace.info.name if self.session is not None else None

    async def open_last(self) -> None:
        """At start: the workspace that was open last, or the page that offers to create one."""
        last = await self._workspaces.last_opened()
        if last is not None:
            await self.open(last)
        else:
            self._show_start()
            await self.refresh()

    async def open(self, path: Path) -> None:
        """Close what is open and open this one. What stands in the way is said on the page without a workspace."""
        async with self._switching:
            if self.session is not None and self.session.workspace.info.path == path:
                return
            started = time.perf_counter()
            await self._close()
            try:
                workspace = await self._workspaces.open(path)
            except Exception as error:
                await self.refresh()
                self._show_start()
                if not isinstance(error, MunimentError):
                    raise
                self._window.start_page.say(error.sentence)
                return
            window = self._window
            self.session = Session(workspace, self._places, self._search, window.problems, self, window.undos.offer)
            self._enter(self.session)
            log.info("workspace shown after %.0f ms", (time.perf_counter() - started) * 1000)
        await self.refresh()

    def _enter(self, session: Session) -> None:
        window, workspace = self._window, session.workspace
        session.counts.counted.connect(window.rail.set_count)
        session.built.connect(self._place_built)
        window.setWindowTitle(f"{workspace.info.name} — Muniment")
        window.rail.show_workspace(workspace.info)
        window.top.setVisible(True)
        window.foot.show_presenter(session.activity)
        for note in workspace.notes:
            window.show_banner(note, "note")
        wanted = window.settings.get(declared.LAST_PLACE)
        known = [place.id for place in self._places]
        self.show(wanted if wanted in known else "papers" if "papers" in known else known[0])
        self.focus_list()
        session.start()
        self.switched.emit()

    async def leave(self) -> None:
        """Close the open workspace; the page without one is shown."""
        async with self._switching:
            await self._close()
            await self._workspaces.close_current()
            self._show_start()

    async def _close(self) -> None:
        session, self.session = self.session, None
        if session is None:
            return
        window = self._window
        for dialog in window.findChildren(QDialog):
            dialog.reject()  # who awaits it goes on, and asks the workspace for nothing
        window.registry.drop("place")
        window.top.show_main(None)
        window.top.search.set_silently("")
        window.foot.show_presenter(None)
        window.undos.clear()
        window.toast.put_away()
        window.clear_banners()
        self._place = self._before_search = ""
        await session.close()

    async def open_sample(self) -> None:
        await self.open(await self._make_sample())

    async def refresh(self) -> None:
        """Read the list of workspaces again."""
        self.known = await self._workspaces.list()
        self._window.start_page.fill(self.known)
        self._window.switcher_card.fill(self.known)
        if self.session is not None:
            info = self.session.workspace.info
            self._window.setWindowTitle(f"{info.name} — Muniment")
            self._window.rail.switcher.show_workspace(info)

    def _show_start(self) -> None:
        window = self._window
        window.setWindowTitle("Muniment")
        window.rail.show_workspace(None)
        window.rail.choose("")
        window.top.setVisible(False)
        window.start_page.unsay()
        window.body.show_place(window.start_page, None)
        window.start_page.new_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self.switched.emit()

    # ---- places -----------------------------------------------------------------------------------------------------

    @property
    def place(self) -> str:
        """The id of the place that is shown; "" for none."""
        return self._place

    @property
    def view(self) -> PlaceView | None:
        return self.session.view(self._place) if self.session is not None and self._place else None

    def show(self, place: str, id: str | None = None, passage: int | None = None) -> None:
        """Go to a place; with `id`, select that thing and bring it into view."""
        session, window = self.session, self._window
        if session is None:
            return
        view = session.view(place)
        if place != self._place:
            self._place = place
            focus = QApplication.focusWidget()
            held = focus is not None and window.body.pages.isAncestorOf(focus)
            window.body.show_place(view.page, view.inspector)
            commands = view.commands()
            window.registry.put("place", commands, view.page)
            main = next((command for command in commands if command.main), None)
            window.top.show_main(main or window.registry.find(view.main_command))
            window.rail.choose("" if place == self._search.id else place)
            if held or QApplication.focusWidget() is not focus:
                self.focus_list()  # the keyboard was in the list, or Qt put it somewhere: it belongs in the list
        if place != self._search.id:
            self._before_search = place
            window.top.search.set_silently("")
            window.settings.set(declared.LAST_PLACE, place)
        if id is not None:
            view.select(id, passage)

    def show_passage(self, passage: int) -> None:
        """Find out what the passage is a piece of, and open it there."""
        if self.session is not None:
            self._window.scope.start(self._show_passage(self.session, passage), latest="passage")

    async def _show_passage(self, session: Session, passage: int) -> None:
        found = await session.workspace.search.passage(passage)
        self.show(PLACE_OF[found.kind], found.owner, passage)
        self.focus_list()

    def show_attention(self) -> None:
        """The papers that need a person."""
        self.show("papers")
        if self.view is not None:
            self.view.show_attention()

    def focus_list(self) -> None:
        """Put the keyboard into the list; where there is none to show, on the way on that stands in its place."""
        view = self.view
        if view is None or (isinstance(view.page, ListPage) and view.page.focus_part()):
            return
        view.focus_list()
        focus = QApplication.focusWidget()
        if focus is None or not view.page.isAncestorOf(focus):
            first = next((w for w in view.page.findChildren(QWidget) if _can_have_keyboard(w)), None)
            if first is not None:
                first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _place_built(self, id: str) -> None:
        """On a narrow window, opening a row lays the details over the list."""
        if self.session is None:
            return
        view = self.session.view(id)
        if isinstance(view.page, ListPage):
            view.page.opened.connect(lambda _: self._window.body.open_side())
        fold = getattr(view.inspector, "fold_wanted", None)
        if fold is not None:
            fold.connect(self._window.body.toggle_side)

    # ---- search -----------------------------------------------------------------------------------------------------

    def ask(self, text: str, mode: Mode) -> None:
        """As one types: show what is found; with nothing typed, the place from before."""
        if self.session is None:
            return
        if not text.strip():
            self.leave_search()
            return
        self.session.search.ask(text, mode)
        self.show(self._search.id)

    def leave_search(self) -> None:
        """Back to the place from before, with the keyboard in its list."""
        if self.session is None or self._place != self._search.id:
            return
        self.show(self._before_search)

    def focus_found(self) -> None:
        if self.session is not None and self._place == self._search.id:
            self.session.search.focus_first()


def _can_have_keyboard(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled() and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
