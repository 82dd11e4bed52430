"""Inspector: the right side of a place. Title, tags, text, sections, and at its foot what can be done."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLayout, QScrollArea, QVBoxLayout, QWidget

from ui.widgets.basics import IconButton, IconLabel, empty_layout, label, tag
from ui.widgets.flow import FlowLayout
from ui.widgets.states import ProblemNote, Way
from ui.widgets.theme import px


class Inspector(QFrame):
    """Filled anew for each thing: `begin`, `add_…`, `set_actions`. `fold_wanted` when the person closes it."""

    fold_wanted = Signal()

    def __init__(self, name: str, nothing: str) -> None:
        """name: for screen readers ("Paper"). nothing: the sentence when nothing is selected."""
        super().__init__()
        self.setObjectName("inspector")
        self.setAccessibleName(f"{name}, details")
        self._nothing = nothing
        self.title = label("", "heading", wrap=True, selectable=True)
        self._fold = IconButton(
            "panel-right", "Fold the details away", self.fold_wanted.emit, tip="Fold the details away (F9)"
        )
        self._tags = FlowLayout(spacing=6)
        self._body = QVBoxLayout()
        self._body.setSpacing(0)
        self._actions = FlowLayout(spacing=8)
        self._note: ProblemNote | None = None
        self._lay_out()
        self.clear()

    def _lay_out(self) -> None:
        content = QWidget()
        inner = QVBoxLayout(content)
        inner.setContentsMargins(px(16), px(12), px(12), px(16))
        inner.setSpacing(px(8))
        head = QHBoxLayout()
        head.setSpacing(px(8))
        head.addWidget(self.title, 1, Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self._fold, 0, Qt.AlignmentFlag.AlignTop)
        inner.addLayout(head)
        inner.addLayout(self._tags)
        inner.addLayout(self._body)
        inner.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidget(content)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.area.setAccessibleName(self.accessibleName())
        self.area.viewport().setAutoFillBackground(False)
        content.setAutoFillBackground(False)
        foot = QWidget()
        foot.setLayout(self._actions)
        self._actions.setContentsMargins(px(16), px(8), px(16), px(12))
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.area, 1)
        box.addWidget(foot)

    # ---- filling ----------------------------------------------------------------------------------------------------

    def clear(self) -> None:
        """Say that nothing is selected."""
        self.begin("")
        hint = label(self._nothing, "muted", wrap=True)
        self.add(hint)

    def begin(self, title: str, tags: Sequence[str | QLabel] = ()) -> None:
        """Empty the inspector and head it with a title and words about the thing."""
        empty_layout(self._tags)
        empty_layout(self._body)
        empty_layout(self._actions)
        self._note = None
        self.title.setText(title)
        for word in tags:
            self._tags.addWidget(tag(word) if isinstance(word, str) else word)
        self.area.verticalScrollBar().setValue(0)

    def add(self, widget: QWidget, *, gap: int = 4) -> None:
        self._body.addSpacing(px(gap))
        self._body.addWidget(widget)

    def add_layout(self, layout: QLayout, *, gap: int = 4) -> None:
        self._body.addSpacing(px(gap))
        self._body.addLayout(layout)

    def add_text(self, text: str, role: str = "") -> QLabel:
        """A paragraph of plain text that can be selected."""
        made = label(text, role, wrap=True, selectable=True)
        self.add(made)
        return made

    def add_section(self, heading: str, content: str | QWidget | None = None, *, tip: str = "") -> None:
        """A heading with air above it, and what stands under it. tip: the technical term."""
        made = label(heading, "section")
        made.setToolTip(tip)
        self.add(made, gap=16)
        if isinstance(content, str):
            self.add_text(content)
        elif content is not None:
            self.add(content)

    def add_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Short pairs of name and value, one a line."""
        for name, value in facts:
            left = label(name, "secondary")
            left.setMinimumWidth(px(96))
            right = label(value, wrap=True, selectable=True)
            line = QHBoxLayout()
            line.setSpacing(px(12))
            line.addWidget(left, 0, Qt.AlignmentFlag.AlignTop)
            line.addWidget(right, 1)
            self.add_layout(line)

    def add_notice(self, icon: str, sentence: str, token: str = "warn") -> None:
        """A sentence that deserves attention, with its icon."""
        line = QHBoxLayout()
        line.setSpacing(px(8))
        line.addWidget(IconLabel(icon, token, 16), 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(label(sentence, wrap=True, selectable=True), 1)
        self.add_layout(line, gap=8)

    def set_actions(self, actions: Sequence[QWidget]) -> None:
        """What can be done with the thing, as buttons at the foot; the most likely first."""
        empty_layout(self._actions)
        for action in actions:
            self._actions.addWidget(action)

    def put_on_top(self, widget: QWidget) -> None:
        """Put a widget above everything; it stays there while the rest scrolls and is filled anew."""
        box = self.layout()
        assert isinstance(box, QVBoxLayout)
        widget.setContentsMargins(px(16), px(12), px(12), 0)  # its own, so that none is left where it is hidden
        box.insertWidget(0, widget)

    def show_at(self, widget: QWidget, top: int) -> None:
        """Scroll so that this y of a widget in the inspector stands in the upper third."""
        content = self.area.widget()
        if content is not None:
            at = widget.mapTo(content, QPoint(0, top)).y()
            self.area.verticalScrollBar().setValue(max(0, at - self.area.height() // 3))

    def say(self, sentence: str, way: Way | None = None) -> None:
        """Say a problem under the title; the next one takes its place."""
        if self._note is not None:
            self._note.hide()
            self._note.deleteLater()
        self._note = ProblemNote(sentence, way)
        self._body.insertWidget(0, self._note)
        self._body.insertSpacing(1, px(8))
