"""The top: one search box over everything in the workspace, and the main action of the place."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit

from core.domain.query import Mode
from ui.commands.command import Command
from ui.commands.registry import keys_shown
from ui.widgets.basics import Button, IconButton, IconLabel, label, restyle
from ui.widgets.chips import ChoiceChip
from ui.widgets.theme import px

MODES = (
    (Mode.BOTH.value, "Words and meaning"),
    (Mode.WORDS.value, "Words only"),
    (Mode.MEANING.value, "Meaning only"),
)


class SearchBox(QFrame):
    """`asked(text, mode)` on each change; `left()` on Escape; `down()` when the keyboard goes to what was found."""

    asked = Signal(str, object)
    left = Signal()
    down = Signal()
    mode_changed = Signal(str)

    def __init__(self, mode: str) -> None:
        super().__init__()
        self.setObjectName("search")
        self.line = QLineEdit()
        self.line.setProperty("bare", "true")
        self.line.setPlaceholderText("Search everything in this workspace")
        self.line.setAccessibleName("Search everything in this workspace")
        self.line.textChanged.connect(self._ask)
        self.line.installEventFilter(self)
        self.clear = IconButton("x", "Clear the search", self.leave)
        self.clear.hide()
        self.mode = ChoiceChip(
            "Search by", MODES, quiet=True, tip="Search by words, by meaning, or both (full text, vectors, fusion)"
        )
        self.mode.set_value(mode)
        self.mode.chosen.connect(self._mode_chosen)
        self.key = label("Ctrl K", "caption")
        self._box = QHBoxLayout(self)
        self._box.addWidget(IconLabel("search", "muted", 16))
        self._box.addWidget(self.line, 1)
        self._box.addWidget(self.clear)
        self._box.addWidget(self.mode)
        self._box.addWidget(self.key)
        self.measure()

    def measure(self) -> None:
        self._box.setContentsMargins(px(12), 0, px(12), 0)
        self._box.setSpacing(px(8))
        self.setFixedHeight(px(38))

    @property
    def text(self) -> str:
        return self.line.text()

    def ask_again(self) -> None:
        self.asked.emit(self.text, Mode(self.mode.value))

    def start(self) -> None:
        """Put the keyboard here, with what was typed selected."""
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()

    def leave(self) -> None:
        """Empty the box; the place from before is shown again."""
        self.line.clear()
        self.left.emit()

    def set_silently(self, text: str) -> None:
        self.line.blockSignals(True)
        self.line.setText(text)
        self.line.blockSignals(False)
        self.clear.setVisible(bool(text))

    def _ask(self, text: str) -> None:
        self.clear.setVisible(bool(text))
        self.ask_again()

    def _mode_chosen(self, value: str) -> None:
        self.mode_changed.emit(value)
        self.ask_again()
        self.line.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.setProperty("within", "true" if event.type() == QEvent.Type.FocusIn else "false")
            restyle(self)
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.text.strip():
                self.down.emit()
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.leave()
                return True
        return False


class TopBar(QFrame):
    """Search box and main action. `run_wanted(Command)` when the button is clicked."""

    run_wanted = Signal(object)

    def __init__(self, mode: str) -> None:
        super().__init__()
        self.setObjectName("top")
        self.search = SearchBox(mode)
        self.main: Button | None = None
        self._box = QHBoxLayout(self)
        self._box.addWidget(self.search, 1)
        self.measure()

    def measure(self) -> None:
        self._box.setContentsMargins(px(16), px(9), px(16), px(9))
        self._box.setSpacing(px(8))
        self.search.measure()

    def show_main(self, command: Command | None) -> None:
        """Show the one main action of the place, or none."""
        if self.main is not None:
            self._box.removeWidget(self.main)
            self.main.hide()
            self.main.deleteLater()
            self.main = None
        if command is None:
            return
        keys = keys_shown(command)
        tip = f"{command.help} ({keys})" if keys else command.help
        self.main = Button(
            command.title.rstrip("…"), lambda: self.run_wanted.emit(command), kind="primary", icon=command.icon, tip=tip
        )
        self.main.setMinimumHeight(px(36))
        self._box.addWidget(self.main)

    def focus_part(self) -> None:
        self.search.start()
