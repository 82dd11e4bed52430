"""Forgetting for good: what a person asks to be erased, what that takes along, and the report that is kept of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from core.domain.text import one_line
from core.errors import InvalidValue


class Doomed(StrEnum):
    """Kinds of what is erased whole. VERSION and ACCESS: of a thing that stays. TRASHED: what lies in the trash."""

    RECORD = "record"
    SESSION = "session"
    MESSAGE = "message"
    SHARED = "shared"
    PAPER = "paper"
    TRASHED = "trashed"
    VERSION = "version"
    ACCESS = "access"
    AGENT = "agent"
    SKILL = "skill"
    BROKEN = "broken_manifest"


PICKED = (Doomed.RECORD, Doomed.SESSION, Doomed.SHARED, Doomed.PAPER)
"""What can be picked by its id; all else goes with these, or because it holds a name."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person asks for: things by their public ids, or everything that holds `name` (a word or phrase)."""

    things: tuple[tuple[Doomed, str], ...] = ()
    name: str = ""

    def __post_init__(self) -> None:
        if bool(self.things) == bool(self.name.strip()):
            raise InvalidValue("Say what is to be forgotten for good: some things, or a name.")
        if any(kind not in PICKED for kind, _ in self.things):
            raise InvalidValue("Only memories, conversations, shared entries and papers can be picked.")


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing that is erased. id: public id; the row number where it has none. why: where it holds the name."""

    kind: Doomed
    id: str
    title: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class ErasurePlan:
    """What will be erased. counts: how many of what goes along, in words for people ("earlier version" and the like).

    unread: papers that were not read yet, so that nobody knows whether they hold the name; they stay. watched: files
    of erased papers that lie in watched folders, from where they come in again unless the person takes them away.
    """

    wanted: Wanted
    things: tuple[Thing, ...]
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    unread: tuple[str, ...] = ()
    watched: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        return not self.things


class Stage(StrEnum):
    """How far an erasure is. Each is finished before the next one begins; a stopped program goes on where it was."""

    ROWS = "rows"
    FILES = "files"
    SPACE = "space"
    CHECK = "check"


@dataclass(frozen=True, slots=True)
class Place:
    """A file that still holds a piece of what was erased. own: it is the person's, and the program leaves it alone."""

    name: str
    own: bool = False


@dataclass(frozen=True, slots=True)
class ErasureReport:
    """What was done, to be kept. Holds no word of what was erased: counts alone.

    left: where something was still found. searched: files and bytes that were looked through, for `traces` pieces.
    resumed: the program was stopped in the middle and finished it later.
    """

    at: float
    by: str
    counts: Mapping[str, int]
    left: tuple[Place, ...]
    files: int
    bytes: int
    traces: int
    resumed: bool = False
    unread: int = 0

    @property
    def verified(self) -> bool:
        return not any(not place.own for place in self.left)


SAID = {
    "memory": "memories",
    "conversation": "conversations",
    "message": "messages",
    "shared entry": "shared entries",
    "paper": "papers",
    "agent": "agents",
    "skill": "skills",
    "broken manifest": "broken manifests",
    "thing in the trash": "things in the trash",
    "earlier version": "earlier versions",
    "use": "uses written down",
    "passage": "passages in the search index",
    "vector": "vectors of meaning",
    "recognised page": "pages of recognised text",
    "stored file": "stored files of papers",
    "copy of the database": "copies of the database made before updates",
}
"""What a count counts: one, and several. The order is that of lists."""

KIND_SAID = {
    Doomed.RECORD: "memory",
    Doomed.SESSION: "conversation",
    Doomed.MESSAGE: "message",
    Doomed.SHARED: "shared entry",
    Doomed.PAPER: "paper",
    Doomed.TRASHED: "thing in the trash",
    Doomed.VERSION: "earlier version",
    Doomed.ACCESS: "use",
    Doomed.AGENT: "agent",
    Doomed.SKILL: "skill",
    Doomed.BROKEN: "broken manifest",
}


def counted(counts: Mapping[str, int]) -> list[str]:
    """ "3 memories", "1 paper", … of what there is any."""
    return [
        f"{counts[one]:,} {one if counts[one] == 1 else several}" for one, several in SAID.items() if counts.get(one)
    ]


def report_text(report: ErasureReport, workspace: str) -> str:
    """The report as Markdown for people, with how it was verified."""
    when = datetime.fromtimestamp(report.at, UTC).strftime("%Y-%m-%d %H:%M UTC")
    lines = [
        "# Forgotten for good",
        "",
        f"- Workspace: {one_line(workspace)}",
        f"- Finished: {when}",
        f"- Asked for by: {report.by}",
        "",
        "## What was erased",
        "",
        *(f"- {line}" for line in counted(report.counts) or ["nothing: it was gone already"]),
        "",
        "This report names nothing of it.",
        "",
        "## How it was verified",
        "",
        *_verified(report),
    ]
    return "\n".join(lines) + "\n"


def _verified(report: ErasureReport) -> list[str]:
    lines = [
        "- The rows were deleted with their place in the file overwritten, the search index was merged anew, the "
        "database was written anew without gaps, and its log was emptied.",
        "- Stored files and copies were overwritten with zeros and then deleted.",
        f"- Then {report.files:,} files ({report.bytes:,} bytes: the workspace's folder and the program's logs) were "
        f"searched byte by byte for {report.traces:,} pieces of what was erased, as UTF-8, as UTF-16 and as JSON "
        "writes it. Pieces that also stand in something that stays were left aside.",
    ]
    lines.append("- Nothing of it was found." if report.verified else "- **Something was still found**, see below.")
    if report.resumed:
        lines.append("- The program was stopped in the middle; it was finished at the next start.")
    if report.unread:
        papers = "paper was" if report.unread == 1 else "papers were"
        lines.append(f"- {report.unread} {papers} not read yet and could not be looked through.")
    if report.left:
        lines += ["", "## Where something is left", ""]
        lines += [f"- {_place(place)}" for place in report.left]
    lines += [
        "",
        "Copies outside this folder are not touched: exports, backups, the original of a paper. A solid-state disk may "
        "keep overwritten blocks for a while where no program reaches them.",
    ]
    return lines


def _place(place: Place) -> str:
    name = one_line(place.name)
    return f"{name}: a file of yours, which is left to you" if place.own else name
