"""FindLine: a few letters that narrow a list as one types."""

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy

from ui.widgets.theme import px

SETTLE = 120  # ms without a keystroke before the list is narrowed


class FindLine(QLineEdit):
    """`wanted(text)` soon after typing; `down` when the keyboard wants to go on into the list."""

    wanted = Signal(str)
    down = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setPlaceholderText(name)
        self.setAccessibleName(name)
        self.setClearButtonEnabled(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE)
        self._timer.timeout.connect(lambda: self.wanted.emit(self.text()))
        self.textChanged.connect(lambda _: self._timer.start())

    def sizeHint(self) -> QSize:
        return QSize(px(200), max(px(30), super().sizeHint().height()))

    def start(self) -> None:
        """Put the keyboard into it, with what was typed selected."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def set_silently(self, text: str) -> None:
        """Show a text; nothing is emitted."""
        self.blockSignals(True)
        self.setText(text)
        self.blockSignals(False)
        self._timer.stop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            event.accept()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.down.emit()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Escape empties the line first; only then does it leave the place, as the window has it."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() == Qt.Key.Key_Escape
            and self.text()
        ):
            event.accept()
            return True
        return super().event(event)
