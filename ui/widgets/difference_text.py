"""DifferenceText: two texts as one, with what is gone struck out and what is new underlined."""

from collections.abc import Sequence

from PySide6.QtGui import QTextCharFormat, QTextCursor

from ui.qt.difference import Part, Piece, spoken
from ui.widgets import passage_text
from ui.widgets.passage_text import PassageText
from ui.widgets.theme import text_font, tokens


class DifferenceText(PassageText):
    """Colour never says it alone: lines through and under the words do, and screen readers get the changes in words."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._named = name
        self._pieces: list[Piece] = []

    def show_pieces(self, pieces: Sequence[Piece]) -> None:
        """Replace the text."""
        self._pieces = list(pieces)
        self.setAccessibleName(f"{self._named}. {spoken(pieces)}")
        self.show_parts([passage_text.Part("".join(piece.text for piece in pieces))])

    def _write(self) -> None:
        document = self.document()
        document.clear()
        document.setDefaultFont(text_font())
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        looks = {part: _look(part) for part in Part}
        for before, piece in zip([None, *self._pieces], self._pieces, strict=False):
            if before is not None and before.part is Part.GONE and piece.part is Part.NEW and before.text[-1:].strip():
                cursor.insertText("\u2009", looks[Part.SAME])  # what takes its place stands a little apart
            cursor.insertText(piece.text.replace("\n", "\u2028"), looks[piece.part])
        cursor.endEditBlock()
        self._measure()


def _look(part: Part) -> QTextCharFormat:
    chosen, look = tokens(), QTextCharFormat()
    look.setFont(text_font())
    look.setForeground(chosen.color("danger" if part is Part.GONE else "text"))
    if part is Part.GONE:
        look.setBackground(chosen.color("danger_soft"))
        look.setFontStrikeOut(True)
    elif part is Part.NEW:
        look.setBackground(chosen.color("soft"))
        look.setFontUnderline(True)
    return look
