"""What is said above a list after something was taken in or written out, and which parts of it were left out."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from ui.qt.dialogs import Sheet, shown
from ui.widgets.basics import Button, IconButton, IconLabel, label, number
from ui.widgets.theme import px

LISTED = 200


class OutcomeNote(QFrame):
    """A quiet line above the list, put away with ×. way: words of a link and what it does."""

    def __init__(self, sentence: str, way: tuple[str, Callable[[], object]] | None = None) -> None:
        super().__init__()
        self.setProperty("card", "true")
        self.sentence = label(sentence, wrap=True)
        box = QHBoxLayout(self)
        box.setContentsMargins(px(12), px(4), px(8), px(4))
        box.setSpacing(px(8))
        box.addWidget(IconLabel("inbox"))
        box.addWidget(self.sentence, 1)
        if way is not None:
            box.addWidget(Button(way[0], way[1], kind="link"))
        box.addWidget(IconButton("x", "Put this message away", self.dismiss))

    def dismiss(self) -> None:
        self.hide()
        self.deleteLater()


async def show_reasons(parent: QWidget, title: str, sentence: str, reasons: Sequence[tuple[str, str]]) -> None:
    """List things with the reason for each. reasons: (name, sentence)."""
    sheet = Sheet(parent, title, sentence)
    inner = QWidget()
    box = QVBoxLayout(inner)
    box.setContentsMargins(0, 0, px(8), 0)
    box.setSpacing(px(2))
    for name, reason in reasons[:LISTED]:
        box.addWidget(label(name, "strong", wrap=True, selectable=True))
        box.addWidget(label(reason, "secondary", wrap=True, selectable=True))
        box.addSpacing(px(8))
    if len(reasons) > LISTED:
        box.addWidget(label(f"and {number(len(reasons) - LISTED)} more.", "muted"))
    box.addStretch(1)
    area = QScrollArea()
    area.setWidget(inner)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setAccessibleName(title)
    area.setMinimumHeight(px(240))
    sheet.body.addWidget(area)
    sheet.add_button("Close", 0, default=True).setFocus()
    await shown(sheet)
