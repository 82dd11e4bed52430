"""Papers: what a person drags in, where it stands on its way, and the bytes behind it."""

from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.extraction import PART_PASSWORD, Note, RefusalCode


class PaperState(StrEnum):
    WAITING = "waiting"
    READING = "reading"
    SEARCHABLE = "searchable"
    ATTENTION = "attention"  # needs a person; `reason` says why
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Artifact:
    """Bytes in the workspace's store. digest: lower-case hex SHA-256. bytes never change under a digest."""

    digest: str
    byte_length: int
    added_at: float


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper in the workspace. Times are UTC seconds; `written_on` is the paper's own ISO date, kept as written.

    id: stable public id. number: row number used by lists. origin: where the person took it from (a path), for
    showing only.
    meaning_done / passages: how many of its passages can be found by meaning.
    scan: waits until the text in its pictures is recognised; what else it holds can be found already.
    linked: its bytes are not in the workspace but stay where they lie, in a watched folder. gone_at: since when they
    are not there; its text is found still.
    """

    id: str
    number: int
    digest: str
    name: str
    origin: str
    byte_length: int
    state: PaperState
    added_at: float
    updated_at: float
    title: str = ""
    format: str = ""
    media_type: str = ""
    pages: int | None = None
    written_on: str | None = None
    reason_code: str = ""
    reason: str = ""
    notes: tuple[Note, ...] = field(default_factory=tuple[Note, ...])
    attempts: int = 0
    passages: int = 0
    meaning_done: int = 0
    removed_at: float | None = None
    version: int = 1
    scan: bool = False
    linked: bool = False
    gone_at: float | None = None

    @property
    def needs_password(self) -> bool:
        """The paper, or a part of a paper that was read, is locked; PaperService.unlock opens it with its password."""
        locked_part = self.state is PaperState.SEARCHABLE and any(note.code == PART_PASSWORD for note in self.notes)
        return locked_part or (self.state is PaperState.ATTENTION and self.reason_code == RefusalCode.PASSWORD)


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of one file that was given to the program.

    outcome: "queued" (new), "known" (the same bytes are here already, `paper` is that one), "refused" (sentence says
    why).
    """

    source: str
    outcome: str
    paper: Paper | None = None
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class QueueState:
    """Counts over the queue, for the foot of the window and for the command line."""

    waiting: int
    reading: int
    searchable: int
    attention: int
    cancelled: int
    paused: bool
    passages: int
    passages_with_meaning: int
    current: str = ""
