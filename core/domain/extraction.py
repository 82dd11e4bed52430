"""What a reader gets out of a paper, and how it says that it could not.

A paper is read in a worker process: bytes in, `Extracted` out, or a `Refusal`. Everything here is plain
data that survives a trip through JSON, because that is what travels over the pipe.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.recognition import RecognisedPage


class RefusalCode(StrEnum):
    """Why a paper could not be read. The code is stable; the sentence beside it is for people."""

    PASSWORD = "password"  # locked; a password would open it
    DAMAGED = "damaged"  # the bytes break the rules of their format
    EMPTY = "empty"  # no bytes at all
    NO_TEXT = "no_text"  # read whole, and there is no text in it
    SCAN = "scan"  # pictures of text: it has to be recognised first
    UNSUPPORTED = "unsupported"  # a format that this program doesn't read
    TOO_LARGE = "too_large"  # expands, or is, beyond a limit
    TIME = "time"  # the reader ran out of time
    MEMORY = "memory"  # the reader ran out of memory
    CRASHED = "crashed"  # the reader died
    MISSING = "missing"  # the bytes are not there any more


PART_PASSWORD = "attachment_password"  # code of a note: a part of the paper is locked; a password would open it


@dataclass(frozen=True, slots=True)
class Refusal:
    """A paper that could not be read: `code` for programs, `sentence` for people (what it is and what helps)."""

    code: RefusalCode
    sentence: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something about a paper that was read which its owner should know.

    `code` examples: page_unreadable, attachment_named, attachment_locked, nesting_cut, text_cut, header_unreadable;
    PART_PASSWORD.
    """

    code: str
    sentence: str
    page: int | None = None


@dataclass(frozen=True, slots=True)
class PassageDraft:
    """The unit of search: a piece of text that the embedding model reads whole.

    text: NFC, no NUL, no control characters but newline and tab, no lone surrogates; never empty.
    page: 1-based number of the page, slide or sheet it stands on, as the reader counts them; None where there are none.
    heading: the heading path above it, outermost first.
    part: name of the attachment, member or sheet it stands in; "" for the paper itself.
    start, end: offsets (Unicode code points) into the paper's whole extracted text.
    """

    text: str
    page: int | None = None
    heading: tuple[str, ...] = ()
    part: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Extracted:
    """A paper that was read. `passages` is in reading order and may be empty only for a kept, empty text file."""

    media_type: str
    format: str  # short name of the reader's format: "pdf", "docx", "eml", "txt", "md", "html", "csv", …
    passages: list[PassageDraft]
    title: str | None = None  # from the paper itself (PDF/DOCX title, mail subject, first heading), not from its name
    written_on: str | None = (
        None  # ISO 8601 date or date-time that the paper says of itself; None when unknown or invalid
    )
    author: str | None = None
    pages: int | None = None
    notes: list[Note] = field(default_factory=list[Note])
    scans: int = 0  # pages and pictures in it whose text has yet to be recognised
    recognised: list[RecognisedPage] = field(default_factory=list[RecognisedPage])
