"""The frame of the window: its parts and where they stand, what is said in it, its measures. It knows no workspace."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from core.tasks import TaskScope
from ui.commands.command import Command
from ui.commands.place import Place
from ui.commands.registry import Registry
from ui.qt import settings as declared
from ui.qt.scope import ViewScope
from ui.qt.settings import Settings, fit, geometry_from, geometry_text
from ui.shell.activity import ActivityFoot
from ui.shell.body import Body
from ui.shell.drops import DropLight
from ui.shell.palette import CommandPalette
from ui.shell.problems import OnDefect, WindowProblems
from ui.shell.rail import FOLDED, Rail
from ui.shell.start_page import StartPage
from ui.shell.switcher import SwitcherCard
from ui.shell.toast import Toast
from ui.shell.top import TopBar
from ui.shell.undo import UndoStack
from ui.widgets.states import Banner, Way
from ui.widgets.theme import Theme, px

FIRST_SIZE = (1280, 800)
NARROW = 760  # px at 100 %: below that the rail folds by itself


class Frame(QMainWindow):
    """Parts: rail, top, banners, body (list and details), foot; over them toast, light, palette_card, switcher_card."""

    def __init__(self, places: Sequence[Place], settings: Settings, theme: Theme, on_defect: OnDefect) -> None:
        super().__init__()
        self.setWindowTitle("Muniment")
        self.settings, self.theme = settings, theme
        self.problems = WindowProblems(self.say, self.show_banner, on_defect)
        self.tasks = TaskScope("window", self.problems.report)
        self.scope = ViewScope(self.tasks, self.problems.report)
        self.undos = UndoStack(self)
        self._lay_out(places)
        self.registry = Registry(self, self.run)
        self.palette_card = CommandPalette(self, self.registry)
        self.switcher_card = SwitcherCard(self)

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

    # ---- what is said -----------------------------------------------------------------------------------------------

    def say(self, sentence: str) -> None:
        """One sentence at the foot, for ten seconds."""
        self.toast.say(sentence)

    def show_banner(self, sentence: str, kind: str = "fault", way: Way | None = None) -> None:
        """Across the window, until it is put away; the same sentence stands there once."""
        for index in range(self.banners.count()):
            item = self.banners.itemAt(index)
            there = item.widget() if item is not None else None
            if isinstance(there, Banner) and there.sentence == sentence:
                return
        self.banners.addWidget(Banner(sentence, way, kind=kind))

    def clear_banners(self) -> None:
        while (item := self.banners.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()

    def run(self, command: Command) -> None:
        """Do a command; what goes wrong is said where the keyboard is."""
        self.scope.run(command.run, about=QApplication.focusWidget())

    # ---- measures ---------------------------------------------------------------------------------------------------

    def measure(self) -> None:
        """After a change of scale: every part takes its measures again."""
        self.rail.measure()
        self.top.measure()
        self.setMinimumSize(px(480), px(360))
        self.fold_rail_for_width()

    def fold_rail_for_width(self) -> None:
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
