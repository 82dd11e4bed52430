"""FindBar: words to find in what is shown, how often they stand there, and ways to the next and the one before."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit

from ui.widgets.basics import IconButton, label, number
from ui.widgets.theme import px

SETTLE = 150  # ms without a keystroke before the text is looked through


class FindBar(QFrame):
    """`wanted(text)` soon after typing; `step(1 | -1)` for the next or the one before; `left` when it was closed."""

    wanted = Signal(str)
    step = Signal(int)
    left = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.line = QLineEdit()
        self.line.setPlaceholderText(name)
        self.line.setAccessibleName(name)
        self.line.setClearButtonEnabled(True)
        self.line.setMinimumHeight(px(30))
        self.line.installEventFilter(self)
        self.count = label("", "secondary")
        self.before = IconButton("chevron-up", "Find the one before", lambda: self.step.emit(-1))
        self.next = IconButton("chevron-down", "Find the next", lambda: self.step.emit(1))
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(px(4))
        box.addWidget(self.line, 1)
        for widget in (self.count, self.before, self.next):
            box.addWidget(widget)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE)
        self._timer.timeout.connect(lambda: self.wanted.emit(self.line.text()))
        self.line.textChanged.connect(lambda _: self._timer.start())
        self.show_place(0, 0)

    def start(self) -> None:
        """Put the keyboard into it, with what was typed selected."""
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()

    def show_place(self, place: int, count: int) -> None:
        """Which of how many hits is shown; place counts from 1, 0 for none yet."""
        typed = bool(self.line.text().strip())
        words = "Not here" if typed and not count else f"{number(place)} of {number(count)}" if count else ""
        self.count.setText(words)
        self.count.setVisible(bool(words))
        for button in (self.before, self.next):
            button.setEnabled(count > 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            if event.key() == Qt.Key.Key_Escape and self.line.text():
                event.accept()  # first it empties the line; only then it is the window's
                return True
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._pressed(event)
        return super().eventFilter(watched, event)

    def _pressed(self, event: QKeyEvent) -> bool:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            if self._timer.isActive():  # typed just now: look first
                self._timer.stop()
                self.wanted.emit(self.line.text())
            else:
                self.step.emit(-1 if back else 1)
            return True
        if event.key() == Qt.Key.Key_Escape:
            self._timer.stop()
            self.line.clear()
            self._timer.stop()
            self.wanted.emit("")
            self.left.emit()
            return True
        return False
