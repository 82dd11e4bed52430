"""What an assistant would be given for a question, with the reason for each memory. Looking counts as no use."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QLineEdit, QScrollArea, QVBoxLayout, QWidget

from core.domain.memory import Record
from ui.longterm import words
from ui.longterm.presenter import LongTermPresenter
from ui.qt.dialogs import Sheet, shown
from ui.qt.scope import ViewScope
from ui.widgets.basics import Button, empty_layout, label, row
from ui.widgets.theme import px

SETTLE = 200  # ms without a keystroke before the question is asked


class AskingSheet(Sheet):
    """`chosen` is the memory that the person wants to see, if any."""

    def __init__(self, parent: QWidget, presenter: LongTermPresenter, reads: ViewScope) -> None:
        super().__init__(
            parent,
            "What an assistant would find",
            "Ask as an assistant asks. What is found here doesn't count as used.",
        )
        self._presenter = presenter
        self._reads = reads
        self.chosen: Record | None = None
        self.line = QLineEdit()
        self.line.setAccessibleName("Question")
        self.line.setPlaceholderText("Which door do patients in a wheelchair use?")
        self.line.setMinimumHeight(px(30))
        inner = QWidget()
        self._found = QVBoxLayout(inner)
        self._found.setContentsMargins(0, 0, px(8), 0)
        self._found.setSpacing(px(2))
        self.area = QScrollArea()
        self.area.setWidget(inner)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setAccessibleName("What is found")
        self.area.setMinimumHeight(px(320))
        self.body.addWidget(self.line)
        self.body.addWidget(self.area)
        self.add_button("Close", 0)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE)
        self._timer.timeout.connect(self.ask)
        self.line.textChanged.connect(lambda _: self._timer.start())
        self.line.setFocus()

    def ask(self) -> None:
        """Ask what is typed now; the latest question wins."""
        self._reads.start(self._ask(self.line.text()), about=self, latest=f"asking {id(self)}")

    async def _ask(self, question: str) -> None:
        self._show(await self._presenter.recall(question) if question.strip() else [], question)

    def _show(self, records: Sequence[Record], question: str) -> None:
        empty_layout(self._found)
        for place, record in enumerate(records, 1):
            open = Button(f"{place}. {record.title}", kind="link", tip="Show it in the list")
            open.clicked.connect(lambda _=False, record=record: self._choose(record))
            self._found.addLayout(row(open, 1))
            self._found.addWidget(label(words.first_line(record.value)[:300], "secondary", wrap=True))
            if record.why is not None:
                reason = label(words.reason(record.why), "caption", wrap=True)
                reason.setToolTip(f"Score {record.score or 0:.3f}: relevance {record.why.relevance:.2f} × salience")
                self._found.addWidget(reason)
            self._found.addSpacing(px(10))
        if question.strip() and not records:
            self._found.addWidget(label("Nothing that is remembered answers this.", "muted", wrap=True))
        self._found.addStretch(1)

    def _choose(self, record: Record) -> None:
        self.chosen = record
        self.done(1)


async def ask(parent: QWidget, presenter: LongTermPresenter, reads: ViewScope) -> Record | None:
    """Open the dialog; the memory that the person wants to see, if any."""
    sheet = AskingSheet(parent, presenter, reads)
    return sheet.chosen if await shown(sheet) else None
