"""The bytes of a Word file of the old kind (MS-DOC, and Word 6 and 95): its characters and how they are formatted.

Text lies in pieces all over the file; formats lie in pages of 512 bytes that name ranges of bytes, not of characters.
"""

import bisect
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from core.adapters.extraction.charset import decode

WORD_97 = 193  # nFib from which on the header (FIB) has the layout of MS-DOC
COMPLEX, ENCRYPTED, SECOND_TABLE = 0x0004, 0x0100, 0x0200  # bits of the header at 0x0A
HIDDEN, DELETED = 0x083C, 0x0800  # sprmCFVanish, sprmCFRMarkDel
SYMBOL = 0x6A09  # sprmCSymbol: what stands there is a letter of a symbol font, and "(" in its place
OUTLINE, IN_TABLE, ROW_END = 0x2640, 0x2416, 0x2417  # sprmPOutLvl, sprmPFInTable, sprmPFTtp
TABLE_DEFINITION = 0xD608  # sprmTDefTable: its length takes two bytes
HEADINGS = range(1, 10)  # numbers of the built-in styles "heading 1" to "heading 9"
STORIES = ("text", "footnotes", "headers", "macros", "comments", "endnotes", "boxes", "header boxes")
MOST_CHARACTERS = 64_000_000
_OPERAND_BYTES = (1, 1, 2, 4, 2, 2, 0, 3)  # by the upper three bits of a sprm; 6 has its length in front
_MARK = re.compile("[\r\x07\f]")
_LID_CODEPAGES = {0x19: "cp1251", 0x15: "cp1250", 0x05: "cp1250", 0x0E: "cp1250", 0x08: "cp1253", 0x1F: "cp1254"}


class NotWord(Exception):
    """The bytes are none of a Word file."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """text: without its mark. end: the mark ("\\r", "\\x07" of a cell or a row, "\\f"; "" where all breaks off)."""

    text: str
    end: str
    look: "Look | None" = None


@dataclass(frozen=True, slots=True)
class Look:
    """level: of a heading, 1 to 6, else 0. in_table: it stands in a cell. row_end: it is no cell, but ends a row."""

    level: int = 0
    in_table: bool = False
    row_end: bool = False


@dataclass(frozen=True, slots=True)
class _Piece:
    """Characters first..last of the document lie from `place` on, `width` bytes each."""

    first: int
    last: int
    place: int
    width: int


class WordFile:
    """main: the stream "WordDocument". tables: the streams "0Table" and "1Table". Raises NotWord."""

    def __init__(self, main: bytes, tables: tuple[bytes, bytes]) -> None:
        if len(main) < 0x80 or main[:2] not in (b"\xec\xa5", b"\xdc\xa5", b"\x9b\xa5"):
            raise NotWord
        self._main = main
        version, self._language = struct.unpack_from("<H2xH", main, 2)
        self._flags = struct.unpack_from("<H", main, 0x0A)[0]
        self._new = version >= WORD_97
        self._table = (tables[1] if self._flags & SECOND_TABLE else tables[0]) if self._new else main
        self._counts = [max(0, count) for count in struct.unpack_from("<8i", main, 0x4C if self._new else 0x34)]
        self._pieces = list(self._found_pieces())
        self._unseen = self._found_unseen() if self._new else []
        self._looks = self._found_looks() if self._new else []

    @property
    def encrypted(self) -> bool:
        return bool(self._flags & ENCRYPTED)

    def paragraphs(self, story: str) -> Iterator[Paragraph]:
        """The paragraphs of one of the STORIES, deleted and hidden text left out."""
        number = STORIES.index(story)
        start = sum(self._counts[:number])
        held: list[str] = []
        for text, place, width in self._runs_of_text(start, start + self._counts[number]):
            begin = 0
            for mark in _MARK.finditer(text):
                words = text[begin : mark.start()]
                held.append(words)
                begin = mark.end()
                place += width * _units(words)
                yield Paragraph("".join(held), mark[0], self._look_at(place))
                place += width
                held = []
            held.append(text[begin:])
        if any(held):
            yield Paragraph("".join(held), "")

    def _found_pieces(self) -> Iterator[_Piece]:
        """The piece table (MS-DOC 2.9.38 and 2.9.177); of a simple old file, all of its text as one piece."""
        clx = b""
        if self._has_table():
            begin, length = struct.unpack_from("<II", self._main, 0x01A2 if self._new else 0x0160)
            clx = self._table[begin : begin + length]
        place = 0
        while place + 3 <= len(clx) and clx[place] == 1:  # formats of pieces
            place += 3 + struct.unpack_from("<H", clx, place + 1)[0]
        if place + 5 > len(clx) or clx[place] != 2:
            first, last = struct.unpack_from("<II", self._main, 0x18)
            if self._new and not first < last <= len(self._main):
                raise NotWord
            yield _Piece(0, max(0, min(last, len(self._main)) - first), first, 1)
            return
        length = min(struct.unpack_from("<I", clx, place + 1)[0], len(clx) - place - 5)
        table = clx[place + 5 : place + 5 + length]
        count = (len(table) - 4) // 12
        behind = 0  # the pieces before; those that go back would say the same bytes again and again
        for number in range(count):
            first, last = struct.unpack_from("<II", table, 4 * number)
            where = struct.unpack_from("<I", table, 4 * (count + 1) + 8 * number + 2)[0]
            narrow = bool(where & 0x40000000) if self._new else True
            where &= 0x3FFFFFFF
            if behind <= first < last <= MOST_CHARACTERS:
                behind = last
                yield _Piece(first, last, where // 2 if narrow and self._new else where, 1 if narrow else 2)

    def _has_table(self) -> bool:
        return len(self._main) >= (0x01AA if self._new else 0x0168) and (self._new or bool(self._flags & COMPLEX))

    def _runs_of_text(self, start: int, end: int) -> Iterator[tuple[str, int, int]]:
        """Characters start..end of the document: runs that are seen, the place of their bytes, bytes a character."""
        for piece in self._pieces:
            first, last = max(start, piece.first), min(end, piece.last)
            if first >= last:
                continue
            place = piece.place + (first - piece.first) * piece.width
            for begin, finish in self._seen(place, place + (last - first) * piece.width):
                data = self._main[begin:finish]
                text = data.decode("utf-16-le", "surrogatepass") if piece.width == 2 else self._narrow(data)
                yield text, begin, piece.width

    def _narrow(self, data: bytes) -> str:
        if self._new:
            return data.decode("cp1252", "replace")
        text = decode(data, _LID_CODEPAGES.get(self._language & 0x3FF, "cp1252"))
        return text if len(text) == len(data) else data.decode("cp1252", "replace")  # a place for each character

    def _seen(self, begin: int, end: int) -> Iterator[tuple[int, int]]:
        """What is left of a range of bytes without what is deleted or hidden."""
        place = max(0, bisect.bisect_left(self._unseen, (begin, 0)) - 1)
        for first, last in self._unseen[place:]:
            if first >= end:
                break
            if last > begin:
                if first > begin:
                    yield begin, first
                begin = last
        if begin < end:
            yield begin, end

    def _look_at(self, place: int) -> Look | None:
        """Of the paragraph whose mark lies at this place; None where nothing tells of it."""
        number = bisect.bisect_right(self._looks, place, key=lambda entry: entry[0]) - 1
        if number < 0:
            return None
        _first, last, look = self._looks[number]
        return look if place < last else None

    def _found_unseen(self) -> list[tuple[int, int]]:
        """Ranges of bytes that nobody sees, in order."""
        return sorted(
            (first, last) for first, last, page, place in self._runs(0xFA, 1) if _is_unseen(page, 2 * page[place])
        )

    def _found_looks(self) -> list[tuple[int, int, Look]]:
        """Ranges of bytes of paragraphs with their look, in order."""
        found = ((first, last, _look(page, 2 * page[place])) for first, last, page, place in self._runs(0x0102, 13))
        return sorted(found, key=lambda entry: entry[:2])

    def _runs(self, entry: int, width: int) -> Iterator[tuple[int, int, bytes, int]]:
        """Ranges of bytes with the page of formats that tells of them and the place of their entry on it."""
        if len(self._main) < entry + 8:
            return
        begin, length = struct.unpack_from("<II", self._main, entry)
        table = self._table[begin : begin + length]
        count = (len(table) - 4) // 8
        for number in range(max(0, count)):
            where = (struct.unpack_from("<I", table, 4 * (count + 1 + number))[0] & 0x3FFFFF) * 512
            page = self._main[where : where + 512]
            if len(page) < 512:
                continue
            runs = page[511]
            for run in range(min(runs, 508 // (4 + width))):
                first, last = struct.unpack_from("<II", page, 4 * run)
                place = 4 * (runs + 1) + width * run
                if first < last and place < 511:
                    yield first, last, page, place


def _units(text: str) -> int:
    """How many characters Word counts: those beyond the first plane are two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _is_unseen(page: bytes, place: int) -> bool:
    if not place:
        return False
    sprms = page[place + 1 : min(511, place + 1 + page[place])]
    return any(
        kind == SYMBOL or (kind in (HIDDEN, DELETED) and operand[:1] in (b"\1", b"\x81"))
        for kind, operand in _sprms(sprms)
    )


def _look(page: bytes, place: int) -> Look:
    if not 0 < place < 507:
        return Look()
    length = 2 * page[place] - 1
    if page[place] == 0:
        place += 1
        length = 2 * page[place]
    style = struct.unpack_from("<H", page, place + 1)[0]
    level = style if style in HEADINGS else 0
    in_table = row_end = False
    for kind, operand in _sprms(page[place + 3 : min(511, place + 1 + length)]):
        if kind == ROW_END:
            row_end = operand[:1] == b"\1"
        elif kind == IN_TABLE:
            in_table = operand[:1] == b"\1"
        elif kind == OUTLINE and not level and operand[:1] and operand[0] < 9:
            level = operand[0] + 1
    return Look(min(level, 6), in_table, row_end)


def _sprms(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Single changes of a format, as (number, operand)."""
    place = 0
    while place + 2 < len(data):
        kind = struct.unpack_from("<H", data, place)[0]
        place += 2
        length = _OPERAND_BYTES[kind >> 13]
        if kind == TABLE_DEFINITION:
            length = int.from_bytes(data[place : place + 2], "little") + 1
        elif kind >> 13 == 6:
            length = data[place] + 1
        yield kind, data[place : place + length]
        place += length
