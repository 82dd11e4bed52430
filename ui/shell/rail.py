"""The rail at the left: workspace, places by section with their counts, and what leaves the computer."""

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from core.domain.workspaces import WorkspaceInfo
from ui.commands.place import Place
from ui.shell.nav import NavButton
from ui.shell.switcher import SwitcherButton
from ui.widgets.basics import IconLabel, label
from ui.widgets.theme import px

WIDTH = 224
FOLDED = 64


class Rail(QFrame):
    """`place_wanted(id)`; `switch_wanted()`. Folds to icons."""

    place_wanted = Signal(str)
    switch_wanted = Signal()

    def __init__(self, places: Iterable[Place]) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setAccessibleName("Places")
        self._folded = False
        self._headings: list[QWidget] = []
        self.buttons: dict[str, NavButton] = {}
        self.switcher = SwitcherButton()
        self.switcher.clicked.connect(self.switch_wanted)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._foot = QWidget()
        line = QHBoxLayout(self._foot)
        line.setContentsMargins(px(8), 0, 0, 0)
        line.setSpacing(px(6))
        line.addWidget(IconLabel("shield-check", "muted", 14))
        self._promise = label("Nothing leaves this computer.", "caption")
        line.addWidget(self._promise, 1)
        self._foot.setToolTip("Muniment opens no network connection.")
        self._lay_out(list(places))
        self.measure()

    def _lay_out(self, places: list[Place]) -> None:
        entries = QWidget()
        inner = QVBoxLayout(entries)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(px(2))
        section = ""
        for position, place in enumerate(places, 1):
            if place.section != section:
                section = place.section
                heading = label(section, "section")
                heading.setContentsMargins(px(8), px(12), 0, px(2))
                self._headings.append(heading)
                inner.addWidget(heading)
            button = NavButton(place.title, place.icon, place.technical, f"Alt+{position}" if position <= 9 else "")
            button.clicked.connect(lambda _=False, id=place.id: self.place_wanted.emit(id))
            self._group.addButton(button)
            self.buttons[place.id] = button
            inner.addWidget(button)
        inner.addStretch(1)
        area = QScrollArea()
        area.setWidget(entries)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.viewport().setAutoFillBackground(False)
        entries.setAutoFillBackground(False)  # setWidget switched it on
        self._entries = entries
        box = QVBoxLayout(self)
        box.setContentsMargins(px(12), px(12), px(12), px(12))
        box.setSpacing(px(4))
        box.addWidget(self.switcher)
        box.addWidget(area, 1)
        box.addWidget(self._foot)

    def show_workspace(self, info: WorkspaceInfo | None) -> None:
        self.switcher.show_workspace(info)
        self._entries.setVisible(info is not None)
        for button in self.buttons.values():
            button.set_count(-1)

    def choose(self, id: str) -> None:
        """Mark a place as the one that is shown; "" marks none."""
        self._group.setExclusive(False)
        for place, button in self.buttons.items():
            button.setChecked(place == id)
        self._group.setExclusive(True)

    def set_count(self, id: str, count: int) -> None:
        self.buttons[id].set_count(count)

    @property
    def folded(self) -> bool:
        return self._folded

    def fold(self, folded: bool) -> None:
        self._folded = folded
        self.switcher.set_folded(folded)
        for button in self.buttons.values():
            button.set_folded(folded)
        for heading in self._headings:
            heading.setVisible(not folded)
        self._promise.setVisible(not folded)
        self.measure()

    def measure(self) -> None:
        """Take the width that the present scale asks for."""
        self.setFixedWidth(px(FOLDED if self._folded else WIDTH))

    def focus_part(self) -> None:
        chosen = self._group.checkedButton()
        (chosen or self.switcher).setFocus(Qt.FocusReason.ShortcutFocusReason)
