"""What is said after papers were taken in: a summary above the list, and which files were not taken."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from core.domain.papers import Taken
from ui.qt import figures
from ui.qt.dialogs import Sheet, shown
from ui.widgets.basics import Button, IconButton, IconLabel, label
from ui.widgets.theme import px

LISTED = 200


class IntakeNote(QFrame):
    """A quiet line above the list, put away with ×. which: shows the files that were not taken."""

    def __init__(self, sentence: str, which: Callable[[], object] | None) -> None:
        super().__init__()
        self.setProperty("card", "true")
        self.sentence = label(sentence, wrap=True)
        box = QHBoxLayout(self)
        box.setContentsMargins(px(12), px(4), px(8), px(4))
        box.setSpacing(px(8))
        box.addWidget(IconLabel("inbox"))
        box.addWidget(self.sentence, 1)
        if which is not None:
            box.addWidget(Button("Which ones?", which, kind="link"))
        box.addWidget(IconButton("x", "Put this message away", self.dismiss))

    def dismiss(self) -> None:
        self.hide()
        self.deleteLater()


async def show_refused(parent: QWidget, answers: Sequence[Taken]) -> None:
    """List what was here already or can't be taken, each with its reason."""
    sheet = Sheet(parent, "Not taken in", "These files were left out. Nothing happened to the files themselves.")
    inner = QWidget()
    box = QVBoxLayout(inner)
    box.setContentsMargins(0, 0, px(8), 0)
    box.setSpacing(px(2))
    for answer in answers[:LISTED]:
        box.addWidget(label(answer.source, "strong", wrap=True, selectable=True))
        box.addWidget(label(answer.sentence, "secondary", wrap=True, selectable=True))
        box.addSpacing(px(8))
    if len(answers) > LISTED:
        box.addWidget(label(f"and {figures.count(len(answers) - LISTED)} more.", "muted"))
    box.addStretch(1)
    area = QScrollArea()
    area.setWidget(inner)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setAccessibleName("Files that were not taken in")
    area.setMinimumHeight(px(240))
    sheet.body.addWidget(area)
    sheet.add_button("Close", 0, default=True).setFocus()
    await shown(sheet)
