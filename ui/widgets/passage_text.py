"""PassageText: a piece of a paper to read, with what was found marked. Nothing of a paper is ever taken as markup."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QColor, QResizeEvent, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser

from ui.widgets.theme import px, text_font, tokens

Marks = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Part:
    """A paragraph. role: "body" | "muted" (around what matters) | "caption" (a page's heading) | "found" (the passage).

    marks: (start, end) offsets to highlight. name: how `top_of` finds it again.
    """

    text: str
    role: str = "body"
    marks: Marks = ()
    name: str = ""


def marks_of(text: str, words: Iterable[str]) -> list[tuple[int, int]]:
    """Where any of the words stands in a text, in any case; no overlaps."""
    wanted = sorted({word for word in words if word.strip()}, key=len, reverse=True)
    if not wanted:
        return []
    pattern = "|".join(re.escape(word) for word in wanted)
    return [found.span() for found in re.finditer(pattern, text, re.IGNORECASE)]


FULL_LINE = 45  # characters; a shorter line ends where its writer wanted it to


def flowing(text: str) -> str:
    """Line breaks that only a page's width made become spaces; as long as before, so that marks stay where they are."""
    lines = text.split("\n")
    said = lines[0]
    for before, line in pairwise(lines):
        goes_on = len(before) >= FULL_LINE and (before[-1].isalnum() or before[-1] in ",;)") and line[:1].islower()
        said += (" " if goes_on else "\n") + line
    return said


class PassageText(QTextBrowser):
    """As high as its text; it doesn't scroll by itself."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setProperty("bare", "true")
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self._parts: list[Part] = []
        self._starts: dict[str, int] = {}

    def show_parts(self, parts: Sequence[Part]) -> None:
        """Replace the text."""
        self._parts = list(parts)
        self._write()

    def top_of(self, name: str, offset: int = 0) -> int | None:
        """The y of the part with this name, within this widget; with `offset`, of that character of it."""
        if name not in self._starts:
            return None
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(self._starts[name] + offset, self.document().characterCount() - 1))
        return self.cursorRect(cursor).top()

    def _write(self) -> None:
        self._starts = {}
        document = self.document()
        document.clear()
        document.setDefaultFont(text_font())
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        for index, part in enumerate(self._parts):
            block = QTextBlockFormat()
            block.setLineHeight(130, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            block.setTopMargin(0 if index == 0 else px(12 if part.role == "caption" else 6))
            if part.role == "found":
                block.setBackground(tokens().color("soft"))
            if index:
                cursor.insertBlock(block)
            else:
                cursor.setBlockFormat(block)
            if part.name:
                self._starts[part.name] = cursor.position()
            _insert(cursor, part)
        cursor.endEditBlock()
        self._measure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and getattr(self, "_parts", None):
            self._write()

    def sizeHint(self) -> QSize:
        return QSize(px(240), self._height())

    def minimumSizeHint(self) -> QSize:
        return QSize(px(120), self._height())

    def _height(self) -> int:
        return int(self.document().size().height()) + px(4)

    def _measure(self) -> None:
        self.document().setTextWidth(self.viewport().width())
        if self.height() != self._height():
            self.setFixedHeight(self._height())


def _insert(cursor: QTextCursor, part: Part) -> None:
    plain, marked = QTextCharFormat(), QTextCharFormat()
    for look in (plain, marked):
        look.setFont(text_font("caption", strong=True) if part.role == "caption" else text_font())
    muted = part.role in ("muted", "caption")
    plain.setForeground(QColor(tokens().muted if muted else tokens().text))
    marked.setForeground(QColor(tokens().text))
    marked.setBackground(QColor(tokens().mark))
    done = 0
    text = flowing(part.text).replace("\n", "\u2028")  # a line break inside a part stays inside its block
    for start, end in part.marks:
        cursor.insertText(text[done:start], plain)
        cursor.insertText(text[start:end], marked)
        done = end
    cursor.insertText(text[done:], plain)
