"""The main window: rail, search, list, details, foot. It shows a Session and knows places only through their
contract.
"""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from core.services.workspaces import Workspaces
from core.tasks import TaskScope
from ui.commands.command import Command
from ui.commands.menus import build_menus
from ui.commands.place import Place, SearchPlace, Undo
from ui.commands.registry import Registry
from ui.qt import settings as declared
from ui.qt.scope import ViewScope
from ui.qt.settings import Settings, fit, geometry_from, geometry_text
from ui.shell.activity import ActivityFoot
from ui.shell.acts import Acts
from ui.shell.body import Body
from ui.shell.desk import Desk
from ui.shell.drops import DropLight, DropTarget
from ui.shell.palette import CommandPalette
from ui.shell.problems import OnDefect, WindowProblems
from ui.shell.rail import FOLDED, Rail
from ui.shell.start_page import StartPage
from ui.shell.switcher import SwitcherCard
from ui.shell.toast import Toast
from ui.shell.top import TopBar
from ui.shell.undo import UndoStack
from ui.shell.window_commands import window_commands
from ui.widgets.states import Banner, Way
from ui.widgets.theme import Theme, px

FIRST_SIZE = (1280, 800)
NARROW = 760  # px at 100 %: below that the rail folds by itself

MakeSample = Callable[[], Awaitable[Path]]
"""Makes the sample workspace where it isn't yet; answers its folder."""


class MainWindow(QMainWindow):
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
        super().__init__()
        self.setWindowTitle("Muniment")
        self.setAcceptDrops(True)
        self.settings, self.theme, self.version = settings, theme, version
        self.problems = WindowProblems(self.say, self.show_banner, on_defect)
        self.tasks = TaskScope("window", self.problems.report)
        self.scope = ViewScope(self.tasks, self.problems.report)
        self.undos = UndoStack(self)
        self.undos.offered.connect(self._offer)
        self._lay_out(places)
        self.registry = Registry(self, self.run)
        self.palette_card = CommandPalette(self, self.registry)
        self.switcher_card = SwitcherCard(self)
        self.desk = Desk(self, workspaces, places, search, make_sample)
        self.acts = Acts(self, self.desk, workspaces, parent_folder)
        self.drops = DropTarget(self.light, self.desk.workspace_name, self.acts.take)
        self.registry.put("window", window_commands(self.acts, places))
        build_menus(self.menuBar(), self.registry)
        self._connect()
        self.restore_geometry()
        theme.changed.connect(self._measure)
        self._measure()

    def _lay_out(self, places: Sequence[Place]) -> None:
        centre = QWidget()
        centre.setObjectName("window")
        self.rail = Rail(places)
        self.top = TopBar(self.settings.get(declared.MODE))
        self.body = Body(
            self.settings.get(declared.INSPECTOR_WIDTH), folded=self.settings.get(declared.INSPECTOR_FOLDED)
        )
        self.start_page = StartPage()
        self.foot = ActivityFoot()
        self.banners = QVBoxLayout()
        self.banners.setSpacing(0)
        right = QVBoxLayout()
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        right.addWidget(self.top)
        right.addLayout(self.banners)
        right.addWidget(self.body, 1)
        right.addWidget(self.foot)
        across = QHBoxLayout(centre)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        across.addWidget(self.rail)
        across.addLayout(right, 1)
        self.setCentralWidget(centre)
        self.toast = Toast(self.body)
        self.light = DropLight(self.body)

    def _connect(self) -> None:
        desk, acts, scope = self.desk, self.acts, self.scope
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

    # ---- what is said -----------------------------------------------------------------------------------------------

    def say(self, sentence: str) -> None:
        """One sentence at the foot, for ten seconds."""
        self.toast.say(sentence)

    def show_banner(self, sentence: str, kind: str = "fault", way: Way | None = None) -> None:
        """Across the window, until it is put away; the same sentence stands there once."""
        for index in range(self.banners.count()):
            there = self.banners.itemAt(index).widget()
            if isinstance(there, Banner) and there.sentence == sentence:
                return
        self.banners.addWidget(Banner(sentence, way, kind=kind))

    def clear_banners(self) -> None:
        while (item := self.banners.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()

    def _offer(self, undo: Undo) -> None:
        self.toast.say(undo.said, lambda: self.scope.run(self.acts.take_back, undo))

    def run(self, command: Command) -> None:
        """Do a command; what goes wrong is said where the keyboard is."""
        self.scope.run(command.run, about=QApplication.focusWidget())

    # ---- measures ---------------------------------------------------------------------------------------------------

    def _measure(self) -> None:
        """After a change of scale: every part takes its measures again."""
        self.rail.measure()
        self.top.measure()
        self.setMinimumSize(px(480), px(360))
        self._fold_rail_for_width()

    def _fold_rail_for_width(self) -> None:
        wanted = self.settings.get(declared.RAIL_FOLDED) or self.width() < px(NARROW)
        if wanted != self.rail.folded:
            self.rail.fold(wanted)

    def fold_rail(self) -> None:
        self.settings.set(declared.RAIL_FOLDED, not self.rail.folded)
        self.rail.fold(not self.rail.folded)

    def restore_geometry(self) -> None:
        """Where the window was, if that is on a screen now."""
        screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
        primary = QGuiApplication.primaryScreen().availableGeometry()
        screens.sort(key=lambda area: area != primary)
        wanted = geometry_from(self.settings.get(declared.GEOMETRY))
        self.setGeometry(fit(wanted, screens, FIRST_SIZE))
        if self.settings.get(declared.MAXIMIZED):
            self.setWindowState(self.windowState() | Qt.WindowState.WindowMaximized)

    def save_geometry(self) -> None:
        normal: QRect = self.normalGeometry() if self.isMaximized() else self.geometry()
        self.settings.set(declared.GEOMETRY, geometry_text(normal))
        self.settings.set(declared.MAXIMIZED, self.isMaximized())
        self.settings.set(declared.INSPECTOR_FOLDED, self.body.folded)
        self.settings.save()

    def card_place(self) -> QRect:
        """Where the list of workspaces opens: beside the rail, below its button."""
        left = px(12) if not self.rail.folded else px(FOLDED)
        top = self.rail.mapTo(self, self.rail.switcher.geometry().bottomLeft()).y() + px(4)
        height = min(self.switcher_card.wanted_height(), self.height() - top - px(24))
        return QRect(left, top, min(px(380), self.width() - left - px(12)), height)

    # ---- Qt's events ------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold_rail_for_width()
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
        self.theme.changed.disconnect(self._measure)
        self.deleteLater()
