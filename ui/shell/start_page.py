"""What the window shows while no workspace is open: create one, open one, or look at the sample."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from core.domain.workspaces import KnownWorkspace
from ui.shell.switcher import WORDS
from ui.widgets.basics import RESCALED, Button, ElidedLabel, IconLabel, empty_layout, label
from ui.widgets.states import ProblemNote
from ui.widgets.theme import px


class StartPage(QScrollArea):
    """`picked(KnownWorkspace)`; `create_wanted`, `open_wanted`, `sample_wanted`."""

    picked = Signal(object)
    create_wanted = Signal()
    open_wanted = Signal()
    sample_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        content = QWidget()
        self._note: ProblemNote | None = None
        self._problems = QVBoxLayout()
        self.new_button = Button("New workspace…", self.create_wanted.emit, kind="primary", icon="plus")
        self.open_button = Button("Open a folder…", self.open_wanted.emit, icon="folder-open")
        self.sample_button = Button("Look at a sample", self.sample_wanted.emit, icon="stethoscope")
        self._known_title = label("Workspaces on this computer", "section")
        self._known = QVBoxLayout()
        self._known.setSpacing(px(6))
        self._lay_out(content)
        self.setWidget(content)
        content.setAutoFillBackground(False)  # setWidget switched it on

    def _lay_out(self, content: QWidget) -> None:
        inner = QVBoxLayout()
        inner.setSpacing(px(8))
        title = label("Your papers and your memory, on this computer", "title", wrap=True)
        sentence = label(
            "A workspace is a folder with everything in it: papers, conversations, what is worth remembering. "
            "You can move it, copy it and put it away as one thing.",
            "muted",
            wrap=True,
        )
        inner.addWidget(IconLabel("archive", "accent", 36))
        inner.addSpacing(px(4))
        inner.addWidget(title)
        inner.addWidget(sentence)
        inner.addLayout(self._problems)
        inner.addSpacing(px(8))
        ways = QHBoxLayout()
        ways.setSpacing(px(8))
        for button in (self.new_button, self.open_button, self.sample_button):
            ways.addWidget(button)
        ways.addStretch(1)
        inner.addLayout(ways)
        inner.addSpacing(px(16))
        inner.addWidget(self._known_title)
        inner.addLayout(self._known)
        middle = self._middle = QWidget()
        middle.setLayout(inner)
        middle.setMaximumWidth(px(560))
        across = QHBoxLayout()
        across.addStretch(1)
        across.addWidget(middle, 100)
        across.addStretch(1)
        box = QVBoxLayout(content)
        box.setContentsMargins(px(24), px(24), px(24), px(24))
        box.addStretch(2)
        box.addLayout(across)
        box.addStretch(3)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in RESCALED:
            self._middle.setMaximumWidth(px(560))

    def fill(self, known: Sequence[KnownWorkspace]) -> None:
        """List the workspaces; one that can't be opened says why and has a way on when it is chosen."""
        empty_layout(self._known)
        self._known_title.setVisible(bool(known))
        for each in known:
            self._known.addWidget(self._entry(each))

    def _entry(self, known: KnownWorkspace) -> QFrame:
        card = QFrame()
        card.setProperty("card", "true")
        line = QHBoxLayout(card)
        line.setContentsMargins(px(12), px(8), px(8), px(8))
        line.setSpacing(px(12))
        line.addWidget(
            IconLabel("folder" if not known.reason else "triangle-alert", "warn" if known.reason else "accent")
        )
        words = QVBoxLayout()
        words.setSpacing(px(2))
        words.addWidget(ElidedLabel(known.name, "strong"))
        state = WORDS[known.state]
        words.addWidget(ElidedLabel(f"{state}. {known.path}" if state else str(known.path), "secondary"))
        line.addLayout(words, 1)
        button = Button("Open" if not known.reason else "What now?", lambda: self.picked.emit(known))
        button.setAccessibleName(f"{button.text()}: {known.name}" + (f". {state}" if state else ""))
        line.addWidget(button)
        return card

    def say(self, sentence: str) -> None:
        """Say why a workspace could not be opened; the next one takes its place."""
        self.unsay()
        self._note = ProblemNote(sentence)
        self._problems.addWidget(self._note)

    def unsay(self) -> None:
        if self._note is not None:
            self._note.hide()
            self._note.deleteLater()
            self._note = None
