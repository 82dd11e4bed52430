"""Chips: small buttons with a menu, for sorting and narrowing a list."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy

from ui.widgets import icons
from ui.widgets.basics import restyle
from ui.widgets.theme import icon_size, px

Choices = Sequence[tuple[str, str]]
"""(value, words) in the order of the menu; the first is the one that doesn't narrow."""


class ChoiceChip(QPushButton):
    """Shows the choice in words; the menu has all of them. `chosen(value)` when a person chose.

    name: what is chosen ("State"), said by screen readers. quiet: a sort chip never looks narrowed.
    """

    chosen = Signal(str)

    def __init__(self, name: str, choices: Choices, *, quiet: bool = False, tip: str = "") -> None:
        super().__init__()
        self._name = name
        self._quiet = quiet
        self._choices: list[tuple[str, str]] = []
        self._value = ""
        self.setProperty("kind", "chip")
        self.setAutoDefault(False)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands after the words
        self.setToolTip(tip or name)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._menu = QMenu(self)
        self._menu.setAccessibleName(name)
        self.setMenu(self._menu)
        self.set_choices(choices)
        self._measure()

    @property
    def value(self) -> str:
        return self._value

    @property
    def can_choose(self) -> bool:
        """Whether there is more than one choice."""
        return len(self._choices) > 1

    def set_choices(self, choices: Choices) -> None:
        """Replace the menu; the present value stays where it is still there."""
        self._choices = list(choices)
        self._menu.clear()
        group = QActionGroup(self._menu)
        for value, words in self._choices:
            action = QAction(words, group, checkable=True)
            action.setData(value)
            action.triggered.connect(lambda _=False, value=value: self._choose(value))
            self._menu.addAction(action)
        known = {value for value, _ in self._choices}
        self.set_value(self._value if self._value in known else self._choices[0][0])

    def set_value(self, value: str) -> None:
        """Show this choice; nothing is emitted."""
        self._value = value
        words = dict(self._choices)[value]
        self.setText(words)
        self.setAccessibleName(f"{self._name}: {words}")
        for action in self._menu.actions():
            action.setChecked(action.data() == value)
        narrowed = not self._quiet and value != self._choices[0][0]
        self.setProperty("narrowed", "true" if narrowed else "false")
        self.setIcon(icons.icon("chevron-down", "on" if narrowed else "muted"))
        restyle(self)

    def _choose(self, value: str) -> None:
        self.set_value(value)
        self.chosen.emit(value)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._measure()
        super().changeEvent(event)

    def _measure(self) -> None:
        self.setIconSize(icon_size(12))
        self.setMinimumHeight(px(28))
