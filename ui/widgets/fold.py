"""Fold: a heading that opens what stands under it; what is costly is made only then."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from ui.widgets import icons
from ui.widgets.basics import Button, column, empty_layout
from ui.widgets.theme import px


class Fold(QWidget):
    """`build(fold)` is called when it is opened for the first time; it fills `inner`. `toggled(open)`."""

    toggled = Signal(bool)

    def __init__(self, words: str, build: Callable[["Fold"], object], *, tip: str = "") -> None:
        super().__init__()
        self._words = words
        self._build: Callable[[Fold], object] | None = build
        self.open = False
        self.button = Button(words, self.toggle, kind="plain", tip=tip)
        self.button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._below = QWidget()
        self.inner = QVBoxLayout(self._below)
        self.inner.setContentsMargins(px(8), px(4), 0, 0)
        self.inner.setSpacing(px(6))
        self._below.setVisible(False)
        self.setLayout(column(self.button, self._below, spacing=0))
        self._say()

    def toggle(self) -> None:
        self.set_open(not self.open)
        self.toggled.emit(self.open)

    def set_open(self, open: bool) -> None:
        """Open or close it; nothing is emitted."""
        self.open = open
        self._below.setVisible(open)
        self._say()
        if open and self._build is not None:
            build, self._build = self._build, None
            build(self)

    def clear(self) -> None:
        """Take out what stands under the heading."""
        empty_layout(self.inner)

    def _say(self) -> None:
        self.button.setIcon(icons.icon("chevron-down" if self.open else "chevron-right", "muted"))
        self.button.setAccessibleName(f"{self._words}, {'open' if self.open else 'closed'}")
