"""Notes that were used often: a quiet notice above the list, and a dialog to decide about each."""

from collections.abc import Awaitable, Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from core.domain.history import Promotion
from ui.longterm import words
from ui.qt import figures
from ui.qt.dialogs import Sheet, shown
from ui.qt.scope import ViewScope
from ui.widgets.basics import Button, IconLabel, label, row
from ui.widgets.flow import FlowLayout
from ui.widgets.theme import px

Act = Callable[[Sequence[Promotion]], Awaitable[object]]


class ProposalNote(QFrame):
    """Hidden while nothing is proposed. look: opens the dialog."""

    def __init__(self, writes: ViewScope, accept: Act, refuse: Act, look: Callable[[], Awaitable[object]]) -> None:
        super().__init__()
        self.setProperty("card", "true")
        self._proposals: Sequence[Promotion] = ()
        self.sentence = label("", wrap=True)
        self.keep = Button("Keep", tip="Makes them facts, which fade over months (promotes them to the semantic tier)")
        self.keep.clicked.connect(writes.slot(lambda: accept(self._proposals), about=self.keep))
        self.each = Button("Look at each…", kind="link")
        self.each.clicked.connect(writes.slot(look, about=self.each))
        self.leave = Button(
            "Not now", kind="link", tip="They are proposed again when they were used as often once more"
        )
        self.leave.clicked.connect(writes.slot(lambda: refuse(self._proposals), about=self.leave))
        buttons = FlowLayout(spacing=4)
        for button in (self.keep, self.each, self.leave):
            buttons.addWidget(button)
        below = QVBoxLayout()
        below.setSpacing(px(4))
        below.addWidget(self.sentence)
        below.addLayout(buttons)
        box = QHBoxLayout(self)
        box.setContentsMargins(px(12), px(8), px(12), px(8))
        box.setSpacing(px(8))
        box.addWidget(IconLabel("sticky-note"), 0, Qt.AlignmentFlag.AlignTop)
        box.addLayout(below, 1)
        self.hide()

    def show_proposals(self, proposals: Sequence[Promotion]) -> None:
        self._proposals = list(proposals)
        if proposals:
            self.sentence.setText(words.proposed(proposals))
            self.keep.setText("Keep it" if len(proposals) == 1 else "Keep all")
            self.keep.setAccessibleName(f"{self.keep.text()}. {self.sentence.text()}")
            self.each.setVisible(len(proposals) > 1)
        self.setVisible(bool(proposals))


class ProposalSheet(Sheet):
    """Each proposal with what it says; what was decided goes away from it."""

    def __init__(
        self, parent: QWidget, proposals: Sequence[Promotion], writes: ViewScope, accept: Act, refuse: Act
    ) -> None:
        super().__init__(
            parent, "Notes that were used often", "A note fades within hours; kept as a fact it fades over months."
        )
        inner = QWidget()
        self._box = QVBoxLayout(inner)
        self._box.setContentsMargins(0, 0, px(8), 0)
        self._box.setSpacing(px(12))
        self._left = len(proposals)
        for proposal in proposals:
            self._box.addWidget(self._entry(proposal, writes, accept, refuse))
        self._box.addStretch(1)
        area = QScrollArea()
        area.setWidget(inner)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName("Notes that were used often")
        area.setMinimumHeight(px(280))
        self.body.addWidget(area)
        self.add_button("Close", 0, default=True)

    def _entry(self, proposal: Promotion, writes: ViewScope, accept: Act, refuse: Act) -> QWidget:
        record, entry = proposal.record, QWidget()
        box = QVBoxLayout(entry)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(px(2))
        box.addWidget(label(record.title, "strong", wrap=True))
        box.addWidget(label(words.first_line(record.value)[:300], "secondary", wrap=True))
        box.addWidget(label(f"Used {figures.of_things(record.access_count, 'time', 'times')}", "caption"))
        keep, leave = Button("Keep as a fact"), Button("Leave as a note", kind="link")
        for button, act in ((keep, accept), (leave, refuse)):
            button.setAccessibleName(f"{button.text()}: {record.title}")
            button.clicked.connect(writes.slot(self._decide, act, proposal, entry, about=button))
        box.addLayout(row(keep, leave, 1))
        return entry

    async def _decide(self, act: Act, proposal: Promotion, entry: QWidget) -> None:
        await act([proposal])
        entry.hide()
        self._left -= 1
        if not self._left:
            self.done(1)


async def decide(parent: QWidget, proposals: Sequence[Promotion], writes: ViewScope, accept: Act, refuse: Act) -> None:
    """Open the dialog and wait for its end."""
    await shown(ProposalSheet(parent, proposals, writes, accept, refuse))
