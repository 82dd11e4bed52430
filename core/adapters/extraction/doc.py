"""Word files of the old kind (.doc): what a person would see in Word, deletions left out."""

import io
import re
from collections.abc import Iterable
from typing import Any, cast

import olefile

from core.adapters.extraction import embedded, locked, summary
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Transcript, Unreadable
from core.adapters.extraction.word_file import Look, NotWord, Paragraph, WordFile
from core.domain.extraction import RefusalCode

BESIDE = (
    ("headers", "Header and footer"),
    ("header boxes", ""),
    ("footnotes", "Footnotes"),
    ("endnotes", "Endnotes"),
    ("comments", "Comments"),
)
# Fields are written as begin, instruction, separator, what they show, end; they lie in each other.
_FIELD_MARKS = re.compile("([\x13\x14\x15])")
_UNDER_READING = re.compile(r"\A\s*EQ\b.*[,;]([^,;()]+)\)\s*\Z", re.DOTALL)  # words with their reading above them
MAX_INSTRUCTION = 1_000
# Marks of pictures, notes and comments; hyphens that break or hold words; line breaks.
_SIGNS = str.maketrans({"\x0b": "\n", "\x1e": "-", "\x1f": "", **dict.fromkeys("\x01\x02\x03\x04\x05\x08", "")})


def read(source: Source) -> None:
    """Text with its headings and tables, text boxes, then headers, notes, comments and embedded files."""
    try:
        container = cast(Any, olefile.OleFileIO(io.BytesIO(source.data)))
    except MemoryError:
        raise
    except Exception:  # olefile raises what it meets in damaged files
        raise _damaged(source.name) from None
    with container:
        streams = (embedded.stream(container, name) for name in ("WordDocument", "0Table", "1Table"))
        main, *tables = streams
        try:
            paper = WordFile(main, (tables[0], tables[1]))
        except NotWord:
            raise _damaged(source.name) from None
        if paper.encrypted:
            locked.read(source)
            return
        summary.describe(source.transcript, container)
        _read_blocks(source.transcript, paper.paragraphs("text"))
        source.transcript.paragraph("\n".join(_lines(paper.paragraphs("boxes"))))
        _read_beside(source.transcript, paper)
        embedded.read_pool(source, container, "ObjectPool")


def _damaged(name: str) -> Unreadable:
    return Unreadable(
        RefusalCode.DAMAGED, f"{name} is a damaged Word file and can't be read. Open it in Word and save it as DOCX."
    )


def _read_blocks(transcript: Transcript, paragraphs: Iterable[Paragraph]) -> None:
    fields = _Fields()
    cells: list[str] = []
    cell: list[str] = []
    rows: list[str] = []
    for paragraph in paragraphs:
        text = fields.shown(paragraph.text)
        look = paragraph.look or Look()
        if paragraph.end == "\x07" or look.in_table:
            if look.row_end or (paragraph.look is None and not text and not cell and cells):
                rows.append(" | ".join(cells).rstrip(" |"))
                cells = []
                continue
            cell.append(" ".join(text.split()))
            if paragraph.end == "\x07":
                cells.append(" ".join(filter(None, cell)))
                cell = []
            continue
        rows += filter(None, [" | ".join(filter(None, [*cells, *cell]))])
        transcript.table("", rows)
        cells, cell, rows = [], [], []
        if look.level:
            transcript.heading(text, look.level)
        else:
            transcript.paragraph(text)
    transcript.table("", [*rows, " | ".join(filter(None, [*cells, *cell]))])


def _read_beside(transcript: Transcript, paper: WordFile) -> None:
    said: set[str] = set()
    for story, title in BESIDE:
        lines = [line for line in dict.fromkeys(_lines(paper.paragraphs(story))) if line not in said]
        said.update(lines if "header" in story else [])
        if lines:
            transcript.heading(title, 1)
            transcript.paragraph("\n".join(lines))


def _lines(paragraphs: Iterable[Paragraph]) -> list[str]:
    fields = _Fields()
    return [line for paragraph in paragraphs if (line := fields.shown(paragraph.text).strip())]


class _Fields:
    """Takes the instructions of fields out of a story's text; a field may go over many paragraphs."""

    def __init__(self) -> None:
        self._open: list[bool] = []  # of each field that is open: whether its instruction goes on
        self._instruction = ""  # of the innermost

    def shown(self, text: str) -> str:
        words: list[str] = []
        for piece in _FIELD_MARKS.split(text):
            if piece == "\x13":
                self._open.append(True)
                self._instruction = ""
            elif piece == "\x14" and self._open:
                self._open[-1] = False
            elif piece == "\x15" and self._open:
                if self._open.pop() and (base := _UNDER_READING.search(self._instruction)) is not None:
                    words.append(base[1])
            elif not any(self._open):
                words.append(piece)
            else:
                self._instruction += piece[:MAX_INSTRUCTION]
        return "".join(words).translate(_SIGNS)
