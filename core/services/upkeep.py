"""Keeping the bytes of papers whole.

A check finds and repairs what was lost or damaged; what nothing refers to any more is collected.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from core.domain.extraction import Note
from core.domain.papers import Paper
from core.errors import EnvironmentFault, MunimentError
from core.ports.papers import ArtifactPort
from core.ports.upkeep import UpkeepPort
from core.services.apart import workspace_around
from core.tasks import TaskScope

DAMAGED = "bytes_damaged"
AT_ONCE = 200  # papers between two chances for other work
UNUSED_FOR = 3600.0  # seconds that bytes without a paper are left alone: their paper may be on its way
LOOK_AGAIN = 6 * 3600.0  # seconds between two collections

OnChecked = Callable[[int, int, str], None]
"""Hears how many papers were checked, of how many, and the name of the last."""


@dataclass(slots=True)
class Checked:
    """What a check found. repaired: their bytes were damaged or lost, and are whole again from the file that they came
    from. damaged: still so; each says it itself. unreferenced: files of the store that no paper has."""

    papers: int = 0
    repaired: list[Paper] = field(default_factory=list[Paper])
    damaged: list[Paper] = field(default_factory=list[Paper])
    unreferenced: int = 0


class UpkeepService:
    """Works in the background by itself (`start`); `check` when a person asks."""

    def __init__(self, papers: UpkeepPort, artifacts: ArtifactPort, tasks: TaskScope) -> None:
        self._papers = papers
        self._artifacts = artifacts
        self._tasks = tasks

    def start(self) -> None:
        """Begin to collect in the background. Called once."""
        self._tasks.start(self._run(), latest="upkeep")

    async def collect(self) -> int:
        """Remove bytes that no paper has, be it removed or not; answers how many files went."""
        gone = 0
        for digest in sorted(set(await self._artifacts.stored()) - await self._papers.digests()):
            gone += await self._artifacts.discard(digest, unused_for=UNUSED_FOR)
        return gone

    async def check(self, on_checked: OnChecked | None = None) -> Checked:
        """Compare the bytes of every paper with their digest. What is wrong is fetched again from its source, or
        said on the paper. Cancelling stops after the paper at hand."""
        found = Checked()
        wanted = await self._papers.digests()
        number = 0
        while papers := await self._papers.some(number, AT_ONCE):
            for paper in papers:
                await self._check(paper, wanted, found)
                found.papers += 1
                if on_checked is not None:
                    on_checked(found.papers, len(wanted), paper.name)
            number = papers[-1].number
        found.unreferenced = len(set(await self._artifacts.stored()) - wanted)
        return found

    async def _check(self, paper: Paper, wanted: set[str], found: Checked) -> None:
        if paper.linked:  # its folder looks after it, and says where its file is gone
            return
        whole = await self._artifacts.verify(paper.digest)
        if not whole and await self._fetch_again(paper, wanted):
            found.repaired.append(paper)
            whole = True
        if not whole:
            found.damaged.append(paper)
        sentence = f"The stored copy of “{paper.name}” is damaged or lost. Add the file once more to repair it."
        await self._papers.set_note(paper.id, DAMAGED, None if whole else Note(DAMAGED, sentence))

    async def _fetch_again(self, paper: Paper, wanted: set[str]) -> bool:
        """From the file that it was taken from, if that is still the same."""
        source = Path(paper.origin)
        try:
            if not source.is_absolute() or await asyncio.to_thread(workspace_around, source) is not None:
                return False
            artifact = await self._artifacts.take(source, paper.byte_length)
        except EnvironmentFault:
            raise
        except (MunimentError, OSError, ValueError):
            return False
        if artifact.digest not in wanted:  # another text lies there by now
            await self._artifacts.discard(artifact.digest)
        return artifact.digest == paper.digest

    async def _run(self) -> None:
        while True:
            with suppress(EnvironmentFault):  # a full or locked disk: later it works
                await self.collect()
            await asyncio.sleep(LOOK_AGAIN)
