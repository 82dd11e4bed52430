"""Watched folders: what is kept of them, and what to do with what a look at one found.

Paths of files are relative to their folder, with "/" between names; what isn't UTF-8 in them stands as os.fsdecode
gives it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

SETTLED_SECONDS = 2.0  # a file that was written to more recently may be half there
LONGEST_PROBLEMS = 50  # sentences that are kept of one look

DEFAULT_RULES = """\
# One rule a line, as in .gitignore. What fits a rule is left out; a line that begins with ! takes it in again.
# Capital and small letters are the same.

# Hidden files and folders
.*
# What programs put down while they work
~$*
*.tmp
*.part
*.partial
*.crdownload
*.download
# Files of the system
Thumbs.db
desktop.ini
"""


class Keep(StrEnum):
    """How the files of a folder are kept: their bytes copied into the workspace, or left where they lie."""

    COPY = "copy"
    LINK = "link"


class FolderState(StrEnum):
    WATCHING = "watching"
    CATCHING_UP = "catching up"
    NOT_THERE = "not there"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class WatchedFolder:
    """A folder that is watched. number: row number used by lists.

    path: as the operating system has it (os.fsdecode). rules: which files are left out, in gitignore syntax.
    trouble: why it can't be followed as it should, "" while it can. problems: sentences about folders and files that
    could not be taken. skipped: files that the last look left out. device: of its disk, None before the first look.
    files, refused, gone: of its files, how many are papers, could not be taken in, and are not there any more.
    """

    id: str
    number: int
    path: str
    keep: Keep
    rules: str
    subfolders: bool
    state: FolderState
    created_at: float
    trouble: str = ""
    problems: tuple[str, ...] = ()
    skipped: int = 0
    device: int | None = None
    looked_at: float | None = None
    files: int = 0
    refused: int = 0
    gone: int = 0
    removed_at: float | None = None
    version: int = 1


@dataclass(frozen=True, slots=True)
class Signature:
    """By what a file is known not to have changed. Times in nanoseconds. changed: of its inode (on Windows when it was
    created). All fit into 63 bits."""

    size: int
    modified: int
    changed: int
    inode: int


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file that lies in a watched folder and that its rules let in."""

    path: str
    signature: Signature


@dataclass(frozen=True, slots=True)
class KnownFile:
    """What is kept of a file in a watched folder. linked: its paper's bytes lie here, not in the store. trouble: why
    it was not taken in."""

    path: str
    signature: Signature
    digest: str | None
    paper: str | None
    linked: bool = False
    trouble: str = ""
    gone: bool = False


@dataclass(frozen=True, slots=True)
class TakenFile:
    """What came of a file: a digest with the length of its bytes, or a sentence why it could not be taken.

    linked: its bytes stay where they are.
    """

    path: str
    signature: Signature
    digest: str | None = None
    linked: bool = False
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """What a batch of files did to papers. to_read: ids of those that are new or have other bytes now. renamed: ids
    with the new names of files by whose names they went. lost: how many files were there before."""

    to_read: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where a paper was taken from. watched: in a watched folder, and looked after. gone: not there any more."""

    path: str
    watched: bool = False
    gone: bool = False


@dataclass(frozen=True, slots=True)
class LookReport:
    """What a whole look at a folder found, besides files."""

    problems: tuple[str, ...] = ()
    skipped: int = 0
    device: int | None = None


class Act(StrEnum):
    NOTHING = "nothing"
    WAIT = "wait"  # it may be half written
    COMPARE = "compare"  # its hash decides whether it changed
    TAKE = "take"
    LOSE = "lose"  # nothing is in it any more


def act_on(found: FoundFile, known: KnownFile | None, keep: Keep, now: float) -> Act:
    """What to do with a file that was found. now: UTC seconds."""
    if known is not None and not known.gone and known.signature == found.signature:
        copy_in = keep is Keep.COPY and known.linked
        return Act.TAKE if known.trouble or copy_in else Act.NOTHING
    if not is_settled(found.signature, now):
        return Act.WAIT
    if found.signature.size == 0:
        return Act.NOTHING if known is None or known.gone else Act.LOSE
    if known is None or known.gone or known.digest is None or known.signature.size != found.signature.size:
        return Act.TAKE
    return Act.COMPARE


def is_settled(signature: Signature, now: float) -> bool:
    """Nobody wrote to the file lately. A time that lies ahead says nothing: then only waiting tells."""
    return now - max(signature.modified, signature.changed) / 1e9 >= SETTLED_SECONDS


class Waiting:
    """Files that may be half written, until they stay as they are for SETTLED_SECONDS. Instants are of any steady
    clock, in seconds."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[Signature, float]] = {}

    def __len__(self) -> int:
        return len(self._since)

    @property
    def paths(self) -> list[str]:
        return list(self._since)

    def see(self, found: FoundFile, now: float) -> bool:
        """Note how the file is now; True when it has settled, and it waits no more."""
        before = self._since.get(found.path)
        if before is None or before[0] != found.signature:
            self._since[found.path] = (found.signature, now)
            return False
        if now - before[1] < SETTLED_SECONDS:
            return False
        del self._since[found.path]
        return True

    def forget(self, path: str) -> None:
        self._since.pop(path, None)


def unseen(known: Mapping[str, KnownFile], seen: set[int], unread: tuple[str, ...]) -> list[str]:
    """Of the known files those that a whole look did not meet. seen: hashes of the paths that it met; unread: folders
    that could not be opened ("" for all), of whose files nothing is known."""
    return [
        path
        for path, file in known.items()
        if not file.gone and hash(path) not in seen and not any(is_below(path, folder) for folder in unread)
    ]


def is_below(path: str, folder: str) -> bool:
    """Whether a path lies in a folder, or is it. "" is the whole."""
    return not folder or path == folder or path.startswith(f"{folder}/")
