"""A sentence at the foot for ten seconds, with Undo where something can be taken back."""

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton

from ui.shell.body import Body
from ui.widgets.basics import label
from ui.widgets.theme import px

SECONDS = 10


class Toast(QFrame):
    """Floats over the list, not over the details. While the keyboard or the mouse is on it, it stays."""

    gone = Signal()

    def __init__(self, over: Body) -> None:
        super().__init__(over)
        self.setObjectName("toast")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.text = label("", wrap=True)
        self.button = QPushButton("Undo")
        self.button.setAutoDefault(False)
        self._act: Callable[[], object] | None = None
        self.button.clicked.connect(self._clicked)
        box = self._box = QHBoxLayout(self)
        box.setContentsMargins(px(16), px(6), px(8), px(6))
        box.setSpacing(px(12))
        box.addWidget(self.text, 1)
        box.addWidget(self.button)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SECONDS * 1000)
        self._timer.timeout.connect(self._time_is_up)
        over.arranged.connect(self.place)
        self.hide()

    def say(self, sentence: str, act: Callable[[], object] | None = None, word: str = "Undo") -> None:
        """Show a sentence, in place of the one before; `act` is what the button does."""
        self._act = act
        self.text.setText(sentence)
        self.setAccessibleName(sentence)
        self.button.setVisible(act is not None)
        self.button.setText(word)
        self.button.setAccessibleName(f"{word}: {sentence}")
        self.show()
        self.place()
        self._timer.start()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, sentence))

    def put_away(self) -> None:
        self._timer.stop()
        self._act = None
        self.hide()
        self.gone.emit()

    def _clicked(self) -> None:
        act = self._act
        self.put_away()
        if act is not None:
            act()

    def _time_is_up(self) -> None:
        if self.underMouse() or self.button.hasFocus():
            self._timer.start()
            return
        self.put_away()

    def place(self) -> None:
        """Stand in the middle of the foot of what it floats over."""
        if self.isHidden():
            return
        over = self.parentWidget()
        assert isinstance(over, Body)
        around = over.pages.geometry()
        self.raise_()
        width = min(around.width() - px(32), max(px(320), self._wanted_width()))
        self.setFixedWidth(max(px(160), width))
        self._box.activate()
        height = self.heightForWidth(self.width()) if self.hasHeightForWidth() else self.sizeHint().height()
        self.resize(self.width(), max(height, self.minimumSizeHint().height()))
        self.move(around.left() + (around.width() - self.width()) // 2, around.bottom() - self.height() - px(15))

    def _wanted_width(self) -> int:
        words = self.text.fontMetrics().horizontalAdvance(self.text.text()) + px(48)
        button = self.button.sizeHint().width() + px(12) if self._act is not None else 0
        return min(px(620), words + button)
