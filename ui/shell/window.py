"""The main window: the frame with a desk (what is open in it), its commands, and the way in and out."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QResizeEvent,
)

from core.services.workspaces import Workspaces
from ui.commands.menus import build_menus
from ui.commands.place import Place, SearchPlace, Undo
from ui.qt import settings as declared
from ui.qt.settings import Settings
from ui.shell.acts import Acts
from ui.shell.desk import Desk
from ui.shell.drops import DropTarget
from ui.shell.frame import Frame
from ui.shell.problems import OnDefect
from ui.shell.window_commands import window_commands
from ui.widgets.theme import Theme

MakeSample = Callable[[], Awaitable[Path]]
"""Makes the sample workspace where it isn't yet; answers its folder."""


class MainWindow(Frame):
    """`quit_wanted` when the person closes the window; the owner then awaits `shut` and ends the loop.

    Open a workspace with `await window.desk.open(path)`, or `await window.desk.open_last()` at start.
    """

    quit_wanted = Signal()

    def __init__(
        self,
        workspaces: Workspaces,
        places: Sequence[Place],
        search: SearchPlace,
        settings: Settings,
        theme: Theme,
        *,
        parent_folder: Path,
        make_sample: MakeSample,
        on_defect: OnDefect,
        version: str,
    ) -> None:
        super().__init__(places, settings, theme, on_defect)
        self.setAcceptDrops(True)
        self.desk = Desk(self, workspaces, places, search, make_sample)
        self.acts = Acts(self, self.desk, workspaces, parent_folder, version)
        self.drops = DropTarget(self.light, self.desk.workspace_name, self.acts.take)
        self.registry.put("window", window_commands(self.acts, places))
        build_menus(self.menuBar(), self.registry)
        self._connect()
        self.restore_geometry()
        theme.changed.connect(self.measure)
        self.measure()

    def _connect(self) -> None:
        desk, acts, scope = self.desk, self.acts, self.scope
        self.undos.offered.connect(self._offer)
        self.rail.place_wanted.connect(desk.show)
        self.rail.switch_wanted.connect(scope.slot(acts.switch))
        self.top.run_wanted.connect(self.run)
        self.top.search.asked.connect(desk.ask)
        self.top.search.left.connect(desk.leave_search)
        self.top.search.down.connect(desk.focus_found)
        self.top.search.mode_changed.connect(lambda mode: self.settings.set(declared.MODE, mode))
        self.body.width_changed.connect(lambda width: self.settings.set(declared.INSPECTOR_WIDTH, width))
        self.foot.attention_wanted.connect(desk.show_attention)
        for page in (self.start_page, self.switcher_card):
            page.picked.connect(lambda known: scope.run(acts.folders.pick, known))
            page.create_wanted.connect(scope.slot(acts.create))
            page.open_wanted.connect(scope.slot(acts.open_folder))
        self.start_page.sample_wanted.connect(scope.slot(desk.open_sample))

    def _offer(self, undo: Undo) -> None:
        self.toast.say(undo.said, lambda: self.scope.run(self.acts.take_back, undo))

    # ---- Qt's events ------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fold_rail_for_width()
        for card in (self.palette_card, self.switcher_card):
            card.close_card()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.drops.enter(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self.drops.move(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.drops.leave()

    def dropEvent(self, event: QDropEvent) -> None:
        self.drops.drop(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange and hasattr(self, "light"):
            self.light.hide()

    def closeEvent(self, event: QCloseEvent) -> None:
        """The window goes when its owner has shut it in order."""
        event.ignore()
        self.quit_wanted.emit()

    async def shut(self) -> None:
        """Save what comes back next time, close the workspace, end every task of the window, and take it away."""
        self.save_geometry()
        self.hide()
        await self.desk.leave()
        await self.tasks.close()
        self.registry.drop("window")
        self.theme.changed.disconnect(self.measure)
        self.deleteLater()
