"""Ports of watched folders: their rows, and what happens in them."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.domain.watching import (
    FolderState,
    FoundFile,
    Keep,
    KnownFile,
    LookReport,
    Place,
    Settled,
    Signature,
    TakenFile,
    WatchedFolder,
)


class WatchedFoldersPort(Protocol):
    """Rows of watched folders and their files. Each method is one transaction; what it answers is durable."""

    async def add(self, path: str, keep: Keep, rules: str, subfolders: bool) -> WatchedFolder:
        """Watch a folder. One that was watched before is watched again, with what is known of its files. Raises
        UserError where it is watched already."""
        ...

    async def get(self, id: str) -> WatchedFolder | None:
        """None for one that isn't known; one that is watched no more has `removed_at`."""
        ...

    async def list(self) -> Sequence[WatchedFolder]:
        """Those that are watched, in the order in which they were added."""
        ...

    async def change(self, id: str, keep: Keep, rules: str, subfolders: bool) -> WatchedFolder:
        """Raises NotFound."""
        ...

    async def remove(self, ids: Sequence[str]) -> Sequence[WatchedFolder]:
        """Watch no more. Papers stay, and linked ones are still read from where they lie."""
        ...

    async def restore(self, ids: Sequence[str]) -> Sequence[WatchedFolder]:
        """Undo `remove`."""
        ...

    async def note(self, id: str, state: FolderState, trouble: str = "", look: LookReport | None = None) -> None:
        """How the watching stands. look: what a whole look found, which ended now."""
        ...

    async def known(self, id: str, paths: Sequence[str]) -> Mapping[str, KnownFile]:
        """What is kept of these files."""
        ...

    async def known_below(self, id: str, below: str, after: str, limit: int) -> Mapping[str, KnownFile]:
        """The next files below a folder (or the file of this path), in an order that stays. after: "" or the last path
        of the page before."""
        ...

    async def settle(self, id: str, files: Sequence[TakenFile], lengths: Mapping[str, int]) -> Settled:
        """Write down what came of files. lengths: of the bytes with these digests.

        Bytes that no paper has become a paper, or the paper's whose only file this was: then it is read again. A paper
        that was removed does not come back while a file of it is known here. One whose files were gone is there again.
        """
        ...

    async def lose(self, id: str, paths: Sequence[str]) -> Settled:
        """Files are not there any more. A copied paper stays; a linked one of which no file is left is gone."""
        ...

    async def in_store(self, digest: str) -> bool:
        """Whether a paper has these bytes as a copy."""
        ...

    async def linked_at(self, digest: str) -> Sequence[tuple[Path, Signature]]:
        """Files that had these bytes when they were looked at."""
        ...

    async def places(self, paper: str) -> Sequence[Place]:
        """Every place where a paper was taken from."""
        ...


@dataclass(frozen=True, slots=True)
class Batch:
    """Some of what lies in a folder. skipped: files and folders that were left out; unread: folders that could not be
    opened, each with a sentence."""

    files: Sequence[FoundFile] = ()
    skipped: int = 0
    unread: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """What lies at some paths. missing: nothing. left_out: something that isn't to be taken."""

    files: Sequence[FoundFile] = ()
    folders: Sequence[str] = ()
    missing: Sequence[str] = ()
    left_out: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Root:
    """The folder itself. device, inode: to tell whether it is the same one. empty: nothing lies in it."""

    device: int
    inode: int
    empty: bool


class FolderWatcherPort(Protocol):
    """Looks at folders and hears what happens in them. Links are never followed, and what lies in the folder of a
    workspace is left out."""

    def check(self, rules: str) -> None:
        """Raises InvalidValue, naming the line, for rules that can't be understood."""
        ...

    async def root(self, folder: Path) -> Root | None:
        """None where it isn't there, or can't be opened."""
        ...

    def look(self, folder: Path, rules: str, subfolders: bool, below: str = "") -> AsyncIterator[Batch]:
        """Everything below a folder of it, in batches; never the whole at once."""
        ...

    async def see(self, folder: Path, rules: str, subfolders: bool, paths: Sequence[str]) -> Seen:
        """What lies at these paths now."""
        ...

    async def follow(self, folder: Path, subfolders: bool, heard: Callable[[frozenset[str]], None]) -> None:
        """Call `heard` with the paths at which something happened, until cancelled; once with none of them as soon as
        nothing is missed any more. Raises EnvironmentFault where the system doesn't tell."""
        ...
