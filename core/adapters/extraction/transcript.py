"""What a reader has read so far: text with its pages, headings and parts, in reading order."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from core.domain.extraction import Note, RefusalCode
from core.domain.recognition import RecognisedPage
from core.domain.text import one_line, tidy

MAX_HEADING_CHARACTERS = 200
MAX_NOTES = 200


class Unreadable(Exception):
    """A paper, or a part of one, that can't be read. `sentence` names it and says what helps."""

    def __init__(self, code: RefusalCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


def password_needed(name: str, given: str | None) -> Unreadable:
    """The refusal of what the password that was given doesn't open; None: nobody gave one."""
    if given is None:
        sentence = f"{name} is locked with a password. Type the password to read it."
    else:
        sentence = f"That password doesn't open {name}. Try another one."
    return Unreadable(RefusalCode.PASSWORD, sentence)


class Full(Exception):
    """The limit on text is reached; what was read so far is kept."""


@dataclass(slots=True)
class Section:
    """A run of text with one place: no passage crosses from one `group` to another.

    blocks: paragraphs, or the rows of a table whose first line is `header`, to be repeated over every passage.
    """

    page: int | None
    part: str
    heading: tuple[str, ...]
    group: int
    blocks: list[str] = field(default_factory=list[str])
    table: bool = False
    header: str = ""


# What programs write where nobody said anything.
NOTHING_SAID = (
    "(anonymous)",
    "anonymous",
    "untitled",
    "unknown",
    "(unspecified)",
    "powerpoint presentation",
    "slide 1",
)


class Transcript:
    """Collects what readers find. Text is cleaned on its way in; `characters` bounds all of it together."""

    def __init__(self, characters: int) -> None:
        self.sections: list[Section] = []
        self.notes: list[Note] = []
        self.scans = 0  # pages and pictures whose text was left to be recognised
        self.recognised: list[RecognisedPage] = []
        self.title: str | None = None
        self.author: str | None = None
        self.written_on: str | None = None
        self.pages: int | None = None
        self._room = characters
        self._page: int | None = None
        self._part: tuple[str, ...] = ()
        self._headings: list[tuple[int, str]] = []
        self._group = 0
        self._current: Section | None = None

    @property
    def part_name(self) -> str:
        return " > ".join(self._part)

    @property
    def nested(self) -> bool:
        """Reading a part (an attachment, a member), not the paper itself."""
        return bool(self._part)

    def describe(self, *, title: str | None = None, author: str | None = None, written_on: str | None = None) -> None:
        """What the paper says of itself. The first word on each counts, and parts don't speak for the whole."""
        if self.nested:
            return
        self.title = self.title or _said(title)
        self.author = self.author or _said(author)
        self.written_on = self.written_on or written_on

    def page(self, number: int | None) -> None:
        """What follows stands on this page (1-based), under none of the headings before it."""
        self._page = number
        self._headings = []
        self.boundary()

    def heading(self, text: str, level: int, *, shown: str | None = None) -> None:
        """A heading of this level (1 is the highest); it opens its section, as text too (`shown`: as written)."""
        text = one_line(text)
        if not text:
            return
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self._headings.append((level, text[:MAX_HEADING_CHARACTERS]))
        self._current = None
        self.paragraph(text if shown is None else shown)

    def paragraph(self, text: str) -> None:
        """A paragraph, or any run of text that may be cut at its own blank lines and sentences."""
        text = tidy(text)
        if not text:
            return
        text, cut = self._fitting(text)
        if self._current is None or self._current.table:
            self._current = self._open()
        self._current.blocks.append(text)
        if cut:
            raise Full

    def table(self, header: str, rows: Sequence[str]) -> None:
        """Rows of a table, one line each, as they should be found; `header` names the columns ("" when unknown)."""
        section = self._open(table=True)
        section.header = tidy(header)
        for row in rows:
            if row := tidy(row):
                row, cut = self._fitting(row)
                section.blocks.append(row)
                if cut:
                    raise Full
        self._current = section

    def boundary(self) -> None:
        """No passage reaches from here backwards: another message, another patient, another page."""
        self._group += 1
        self._current = None

    def note(self, code: str, sentence: str, page: int | None = None) -> None:
        """Say something about the paper to its owner (once; beyond a bound the rest is dropped)."""
        note = Note(code, one_line(sentence), page)
        if len(self.notes) < MAX_NOTES and note not in self.notes:
            self.notes.append(note)

    @contextmanager
    def part(self, name: str) -> Generator[None]:
        """What is read inside stands in an attachment or member of this name."""
        outer = (self._page, self._part, self._headings, self.pages)
        self._page, self._part, self._headings = None, (*self._part, one_line(name)[:MAX_HEADING_CHARACTERS]), []
        self.boundary()
        try:
            yield
        finally:
            self._page, self._part, self._headings, self.pages = outer
            self.boundary()

    def _open(self, table: bool = False) -> Section:
        heading = tuple(text for _level, text in self._headings)
        section = Section(self._page, self.part_name, heading, self._group, table=table)
        self.sections.append(section)
        return section

    def _fitting(self, text: str) -> tuple[str, bool]:
        cut = len(text) > self._room
        text = text[: self._room]
        self._room -= len(text)
        return text, cut


def _said(text: str | None) -> str | None:
    shown = one_line(text)[:500] if text else ""
    return None if not shown or shown.lower() in NOTHING_SAID else shown
