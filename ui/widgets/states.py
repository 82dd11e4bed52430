"""What stands in the place of a list or beside a thing: empty, nothing found, a problem with a way on, a banner."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from ui.widgets.basics import RESCALED, Button, IconButton, IconLabel, column, label
from ui.widgets.theme import px

Way = tuple[str, Callable[[], object]]
"""A way on: words of the button, and what it does."""


@dataclass(frozen=True, slots=True)
class Empty:
    """sentence: what lives here. hint: how else it gets here. way: the one action that fills it."""

    icon: str
    sentence: str
    hint: str = ""
    way: Way | None = None


class EmptyState(QWidget):
    """One sentence, one action, a hint; in the middle of a list that has nothing to show."""

    def __init__(self, empty: Empty) -> None:
        super().__init__()
        self.icon = IconLabel(empty.icon, "muted", 32)
        self.sentence = label(empty.sentence, "heading", wrap=True)
        self.hint = label(empty.hint, "muted", wrap=True)
        for text in (self.sentence, self.hint):
            text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._measure()
        box = QVBoxLayout(self)
        box.setContentsMargins(px(24), px(24), px(24), px(24))
        box.setSpacing(px(8))
        box.addStretch(2)
        box.addWidget(self.icon, 0, Qt.AlignmentFlag.AlignHCenter)
        box.addSpacing(px(4))
        box.addLayout(_centred(self.sentence))
        box.addLayout(_centred(self.hint))
        self.hint.setVisible(bool(empty.hint))
        self.button: Button | None = None
        if empty.way is not None:
            self.button = Button(empty.way[0], empty.way[1], kind="primary")
            box.addSpacing(px(8))
            box.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        box.addStretch(3)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in RESCALED:
            self._measure()

    def _measure(self) -> None:
        for text in (self.sentence, self.hint):
            text.setMinimumWidth(px(220))
            text.setMaximumWidth(px(520))

    def say(self, sentence: str, hint: str = "") -> None:
        self.sentence.setText(sentence)
        self.hint.setText(hint)
        self.hint.setVisible(bool(hint))


def _centred(text: QLabel) -> QHBoxLayout:
    """A wrapped label in the middle, as wide as it may be: alignment alone would leave it at its narrowest."""
    box = QHBoxLayout()
    box.addStretch(1)
    box.addWidget(text, 100)
    box.addStretch(1)
    return box


class ProblemNote(QFrame):
    """A sentence beside the thing it is about, with a way on where there is one, and closed with ×.

    quiet: no problem, but something worth knowing.
    """

    closed = Signal()

    def __init__(self, sentence: str, way: Way | None = None, *, quiet: bool = False) -> None:
        super().__init__()
        self.setProperty("card" if quiet else "problem", "true")
        self.text = label(sentence, wrap=True, selectable=True)
        self.text.setAccessibleName(sentence)
        box = QHBoxLayout(self)
        box.setContentsMargins(px(12), px(8), px(8), px(8))
        box.setSpacing(px(8))
        icon = ("info", "muted") if quiet else ("circle-alert", "danger")
        box.addWidget(IconLabel(*icon), 0, Qt.AlignmentFlag.AlignTop)
        box.addWidget(self.text, 1)
        if way is not None:
            box.addWidget(Button(way[0], way[1], kind="link"))
        box.addWidget(IconButton("x", "Close this message", self._close), 0, Qt.AlignmentFlag.AlignTop)

    def _close(self) -> None:
        self.hide()
        self.closed.emit()


class Banner(QFrame):
    """Across the window: something about this computer or this workspace, until it is settled or put away.

    kind: "fault" (something can't be done) | "note" (worth knowing).
    """

    closed = Signal()

    def __init__(self, sentence: str, way: Way | None = None, *, kind: str = "fault") -> None:
        super().__init__()
        self.setProperty("banner", kind)
        self.sentence = sentence
        text = label(sentence, wrap=True, selectable=True)
        box = QHBoxLayout(self)
        box.setContentsMargins(px(16), px(8), px(12), px(8))
        box.setSpacing(px(12))
        icon = ("triangle-alert", "danger") if kind == "fault" else ("info", "warn")
        box.addWidget(IconLabel(*icon))
        box.addWidget(text, 1)
        if way is not None:
            box.addWidget(Button(way[0], way[1]))
        box.addWidget(IconButton("x", "Put this message away", self._close))

    def _close(self) -> None:
        self.closed.emit()
        self.hide()
        self.deleteLater()


class Problem(QWidget):
    """In the place of a list that can't be read: what happened, and “Try again”."""

    def __init__(self, again: Callable[[], object]) -> None:
        super().__init__()
        self.sentence = label("", "heading", wrap=True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.sentence.setMinimumWidth(px(220))
        self.sentence.setMaximumWidth(px(440))
        button = Button("Try again", again)
        box = QVBoxLayout(self)
        box.setContentsMargins(px(24), px(24), px(24), px(24))
        inner = column(spacing=12)
        inner.addWidget(IconLabel("triangle-alert", "danger", 32), 0, Qt.AlignmentFlag.AlignHCenter)
        inner.addLayout(_centred(self.sentence))
        inner.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        box.addStretch(2)
        box.addLayout(inner)
        box.addStretch(3)

    def say(self, sentence: str) -> None:
        self.sentence.setText(sentence)
