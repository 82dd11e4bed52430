"""Crossing: what somebody else wrote meanwhile, beside what the person is typing, with what differs marked in both."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QPlainTextEdit, QScrollArea, QTextEdit, QVBoxLayout, QWidget

from ui.qt.difference import Part, Piece, difference
from ui.widgets.basics import label
from ui.widgets.difference_text import DifferenceText
from ui.widgets.theme import px, tokens

SETTLE = 150  # ms without a keystroke before it is compared again


@dataclass(frozen=True, slots=True)
class Theirs:
    """What stands in the workspace now. caption: who wrote it and when. facts: (name, value) that differ from the
    fields beside it. text: its value as text, "" where it is gone."""

    caption: str
    text: str
    facts: Sequence[tuple[str, str]] = ()


class Crossing(QWidget):
    """The right half of a dialog. `mine` answers what is typed now; it is compared again as one types."""

    def __init__(self, field: QPlainTextEdit, look: Callable[[], Theirs]) -> None:
        super().__init__()
        self._field = field
        self._look = look
        self.heading = label("Now stored", "heading")
        self.caption = label("", "secondary", wrap=True)
        self.facts = label("", wrap=True, selectable=True)
        self.text = DifferenceText("Now stored, compared with yours")
        inner = QWidget()
        box = QVBoxLayout(inner)
        box.setContentsMargins(0, 0, px(8), 0)
        box.addWidget(self.facts)
        box.addWidget(self.text)
        box.addStretch(1)
        area = QScrollArea()
        area.setWidget(inner)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName("Now stored")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(px(16), 0, 0, 0)
        outer.setSpacing(px(6))
        outer.addWidget(self.heading)
        outer.addWidget(self.caption)
        outer.addWidget(area, 1)
        outer.addWidget(label("Struck out stands only in yours, underlined only here.", "caption", wrap=True))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE)
        self._timer.timeout.connect(self.compare)
        field.textChanged.connect(self._timer.start)
        self.compare()

    def compare(self) -> None:
        """Show what stands there now, and mark on both sides what differs."""
        theirs = self._look()
        self.caption.setText(theirs.caption)
        self.facts.setText("\n".join(f"{name}: {value}" for name, value in theirs.facts))
        self.facts.setVisible(bool(theirs.facts))
        pieces = difference(self._field.toPlainText(), theirs.text)
        self.text.show_pieces(pieces)
        self.text.setVisible(bool(theirs.text))
        self._mark(pieces)

    def later(self) -> None:
        """Another field than the text was changed."""
        self._timer.start()

    def _mark(self, pieces: Sequence[Piece]) -> None:
        """What only the typed text has, underlined where it is typed."""
        look = QTextCharFormat()
        look.setBackground(tokens().color("mark"))
        look.setForeground(tokens().color("text"))
        look.setFontUnderline(True)
        marks: list[QTextEdit.ExtraSelection] = []
        at = 0
        for piece in pieces:
            if piece.part is Part.NEW:
                continue
            end = at + len(piece.text.encode("utf-16-le", "surrogatepass")) // 2
            if piece.part is Part.GONE:
                mark = QTextEdit.ExtraSelection()
                cursor = self._field.textCursor()
                cursor.setPosition(at)
                cursor.setPosition(end, cursor.MoveMode.KeepAnchor)
                mark.cursor, mark.format = cursor, look  # pyright: ignore[reportAttributeAccessIssue]
                marks.append(mark)
            at = end
        self._field.setExtraSelections(marks)
