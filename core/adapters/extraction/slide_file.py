"""The records of a PowerPoint file of the old kind (MS-PPT): its slides in order, each with its texts and notes.

PowerPoint appends when it saves: a file may hold earlier states of its slides, with words that were deleted. The
directory of its last edit says which ones count.
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

DOCUMENT, SLIDE, NOTES, LIST, COMMENT = 1000, 1006, 1008, 4080, 12000
NOTES_ATOM, SLIDE_PLACE = 1009, 1011
TEXT_KIND, CHARS, BYTES, STRING, OUTLINE_REFERENCE = 3999, 4000, 4008, 4026, 3998
EDIT, DIRECTORY = 4085, 6002
OBJECT = 4113  # instance 1: compressed, with its length in front
TAGGED = 5003  # holds records, though it is marked as none that does
ENCRYPTED_EDIT = 0xF3D1C4DF  # CurrentUserAtom.headerToken of a locked file
SLIDES, SLIDE_NOTES = 0, 2  # instances of LIST; 1 is of the masters
TITLES = (0, 6)  # kinds of text: title, centred title
MAX_OBJECT_BYTES = 100 * 1024 * 1024
MAX_RECORDS = 500_000
MAX_DEPTH = 30
MAX_EDITS = 5_000


@dataclass(slots=True)
class Record:
    kind: int
    instance: int
    place: int  # of its body
    length: int
    is_container: bool


@dataclass(slots=True)
class Slide:
    """texts: (is a title, text) in order. damaged: it is named in the file, but can't be found."""

    texts: list[tuple[bool, str]] = field(default_factory=list[tuple[bool, str]])
    notes: list[str] = field(default_factory=list[str])
    comments: list[str] = field(default_factory=list[str])
    damaged: bool = False


class SlideFile:
    """main: the stream "PowerPoint Document". user: the stream "Current User"."""

    def __init__(self, main: bytes, user: bytes) -> None:
        self._main = main
        self._room = MAX_RECORDS
        self.encrypted = len(user) >= 16 and struct.unpack_from("<I", user, 12)[0] == ENCRYPTED_EDIT
        edit = struct.unpack_from("<I", user, 16)[0] if len(user) >= 20 else 0
        self._places, self._document = self._directory(edit)

    def slides(self) -> list[Slide]:
        """In the order of the show; of a file whose directory is damaged, in the order of the file."""
        document = self._record(self._places.get(self._document, -1))
        if document is None or document.kind != DOCUMENT:
            document = next((found for found in self._below(0, len(self._main), 0) if found.kind == DOCUMENT), None)
        listed = {} if document is None else self._listed(document)
        notes = dict(self._notes(listed.get(SLIDE_NOTES, [])))
        found: list[Slide] = []
        for reference, identity, outline in listed.get(SLIDES, []):
            record = self._record(self._places.get(reference, -1))
            if record is None or record.kind != SLIDE:
                found.append(Slide(outline, damaged=not outline))
            else:
                found.append(self._slide(record, outline))
            found[-1].notes = notes.get(identity, [])
        if not found:
            everything = list(self._below(0, len(self._main), 0))
            found = [self._slide(record, []) for record in everything if record.kind == SLIDE]
        return found

    def objects(self) -> Iterator[bytes]:
        """What is embedded in the slides: OLE containers."""
        for place in self._places.values():
            record = self._record(place)
            if record is not None and record.kind == OBJECT:
                data = self._main[record.place : record.place + record.length]
                yield _inflated(data[4:]) if record.instance == 1 else data

    def _directory(self, edit: int) -> tuple[dict[int, int], int]:
        """Places of the objects that count by their numbers, and the number of the document; the last edit wins."""
        places: dict[int, int] = {}
        document = 0
        for _count in range(MAX_EDITS):
            record = self._record(edit)
            if record is None or record.kind != EDIT or record.length < 20:
                break
            earlier, where, number = struct.unpack_from("<8xIII", self._main, record.place)
            document = document or number
            directory = self._record(where)
            for key, place in () if directory is None else self._entries(directory):
                places.setdefault(key, place)
            if not earlier or earlier >= edit:
                break
            edit = earlier
        return places, document

    def _entries(self, directory: Record) -> Iterator[tuple[int, int]]:
        if directory.kind != DIRECTORY:
            return
        place, end = directory.place, directory.place + directory.length
        while place + 4 <= end:
            head = struct.unpack_from("<I", self._main, place)[0]
            place += 4
            for number in range(min(head >> 20, (end - place) // 4)):
                yield (head & 0xFFFFF) + number, struct.unpack_from("<I", self._main, place + 4 * number)[0]
            place += 4 * (head >> 20)

    def _record(self, place: int) -> Record | None:
        if not 0 <= place <= len(self._main) - 8:
            return None
        head, kind, length = struct.unpack_from("<HHI", self._main, place)
        return Record(
            kind, head >> 4, place + 8, min(length, len(self._main) - place - 8), head & 0xF == 0xF or kind == TAGGED
        )

    def _below(self, begin: int, end: int, depth: int) -> Iterator[Record]:
        """All records in a range, those in containers too, in order."""
        while begin + 8 <= end and self._room > 0 and (record := self._record(begin)) is not None:
            self._room -= 1
            record.length = min(record.length, end - record.place)
            yield record
            if record.is_container and depth < MAX_DEPTH:
                yield from self._below(record.place, record.place + record.length, depth + 1)
            begin = record.place + record.length

    def _listed(self, document: Record) -> dict[int, list[tuple[int, int, list[tuple[bool, str]]]]]:
        """By the kind of list: (number of the object, id of the slide, its texts of the outline)."""
        found: dict[int, list[tuple[int, int, list[tuple[bool, str]]]]] = {}
        for lists in self._below(document.place, document.place + document.length, 0):
            if lists.kind != LIST:
                continue
            slides = found.setdefault(lists.instance, [])
            kind = 0
            for record in self._below(lists.place, lists.place + lists.length, 0):
                if record.kind == SLIDE_PLACE and record.length >= 16:
                    reference, identity = struct.unpack_from("<I8xI", self._main, record.place)
                    slides.append((reference, identity, []))
                elif record.kind == TEXT_KIND and record.length >= 4:
                    kind = struct.unpack_from("<I", self._main, record.place)[0]
                    if slides:
                        slides[-1][2].append((kind in TITLES, ""))
                elif record.kind in (CHARS, BYTES) and slides and slides[-1][2]:
                    slides[-1][2][-1] = (kind in TITLES, self._text(record))
        return found

    def _slide(self, slide: Record, outline: list[tuple[bool, str]]) -> Slide:
        """Texts as they lie on the slide; those that stand in the outline only come first."""
        found = Slide()
        used: set[int] = set()
        comment = title = False
        end_of_comment = 0
        for record in self._below(slide.place, slide.place + slide.length, 0):
            if record.kind == COMMENT:
                comment, end_of_comment = True, record.place + record.length
                found.comments.append("")
            elif record.kind == STRING and comment and record.place < end_of_comment:
                found.comments[-1] = ": ".join(filter(None, (found.comments[-1], self._text(record))))
            elif record.kind == TEXT_KIND and record.length >= 4:
                title = struct.unpack_from("<I", self._main, record.place)[0] in TITLES
            elif record.kind in (CHARS, BYTES):
                found.texts.append((title, self._text(record)))
                title = False
            elif record.kind == OUTLINE_REFERENCE and record.length >= 4:
                number = struct.unpack_from("<I", self._main, record.place)[0]
                if number < len(outline):
                    used.add(number)
                    found.texts.append(outline[number])
        unused = [text for number, text in enumerate(outline) if number not in used]
        found.texts = unused + found.texts
        return found

    def _notes(self, listed: list[tuple[int, int, list[tuple[bool, str]]]]) -> Iterator[tuple[int, list[str]]]:
        """Notes by the ids of their slides."""
        for reference, _identity, _outline in listed:
            record = self._record(self._places.get(reference, -1))
            if record is None or record.kind != NOTES:
                continue
            slide = 0
            for inner in self._below(record.place, record.place + record.length, 0):
                if inner.kind == NOTES_ATOM and inner.length >= 4:
                    slide = struct.unpack_from("<I", self._main, inner.place)[0]
                    break
            yield slide, [text for _title, text in self._slide(record, []).texts]

    def _text(self, record: Record) -> str:
        data = self._main[record.place : record.place + record.length]
        return data.decode("latin-1" if record.kind == BYTES else "utf-16-le", "replace")


def _inflated(data: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(data, MAX_OBJECT_BYTES)
    except zlib.error:
        return b""
