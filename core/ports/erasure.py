"""Ports of forgetting for good: the rows of a workspace, and the files around them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.domain.erasure import ErasurePlan, Place, Stage, Wanted
from core.domain.traces import Traces

Said = Callable[[int, int], None]
"""Called with how much is done and how much there is, on any thread."""


@dataclass(frozen=True, slots=True)
class Begun:
    """An erasure that was begun and has to be finished. counts: of what it erases. unread: papers not looked into."""

    number: int
    by: str
    stage: Stage
    counts: Mapping[str, int]
    unread: int


@dataclass(frozen=True, slots=True)
class Orphans:
    """What erased rows leave in files: digests of stored files that nothing refers to any more, and ids of papers."""

    digests: tuple[str, ...]
    papers: tuple[str, ...]


class ErasurePort(Protocol):
    """What an erasure is stands in the database until it has ended, so that the next start can finish it."""

    async def plan(self, wanted: Wanted) -> ErasurePlan:
        """What would be erased; nothing is changed. Things that are gone already are left out."""
        ...

    async def begin(self, plan: ErasurePlan) -> Begun:
        """Note it down with the traces of what it erases. From here on it is finished, whatever happens; cancelled
        before it has answered, nothing was begun."""
        ...

    async def unfinished(self) -> list[Begun]:
        """What a stopped program left, the oldest first."""
        ...

    async def remove(self, begun: Begun, said: Said) -> Orphans:
        """Stage ROWS: erase the rows and all that hangs on them. May be called again."""
        ...

    async def orphans(self, begun: Begun) -> Orphans:
        """What the rows that are erased by now left; all papers that it erases are named from the beginning."""
        ...

    async def staying(self) -> frozenset[str]:
        """Digests of stored files, and ids of papers, that the workspace has."""
        ...

    async def reach(self, begun: Begun, stage: Stage) -> None:
        """Note that all stages before this one are finished."""
        ...

    async def tidy(self, begun: Begun, said: Said) -> None:
        """Stage SPACE: merge the index anew, write the database anew without gaps, empty its log.
        Raises EnvironmentFault where there is no room or another program reads; it may be called again then."""
        ...

    async def traces(self, begun: Begun) -> Traces:
        """The traces to search for: without those that also stand in something that stays."""
        ...

    async def end(self, begun: Begun) -> None:
        """Forget the erasure itself, with its traces."""
        ...


@dataclass(frozen=True, slots=True)
class Searched:
    """What was looked through, and where something was found."""

    left: tuple[Place, ...]
    files: int
    bytes: int


class RemainsPort(Protocol):
    """The files of a workspace beside its rows: stored bytes, copies, logs."""

    async def copies(self) -> int:
        """How many copies of the whole database lie beside it."""
        ...

    async def wipe(self, digests: Sequence[str], papers: Sequence[str]) -> None:
        """Overwrite and delete stored files, opened copies of these papers, and every copy of the whole database. What
        is gone already is passed over."""
        ...

    async def search(self, traces: Traces, kept: Callable[[str], bool], said: Said) -> Searched:
        """Look for traces in every file of the workspace and in the program's logs.

        kept: whether a digest, or the id of a paper, belongs to something that stays; its files are left aside.
        """
        ...
