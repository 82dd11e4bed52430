"""Forgetting for good: what it will take, doing it, proving it, and finishing what a stopped program began."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path

from core.clock import Clock
from core.domain.erasure import ErasurePlan, ErasureReport, Place, Stage, Wanted
from core.errors import EnvironmentFault, UserError
from core.ports.conversations import FilePort
from core.ports.erasure import Begun, ErasurePort, Orphans, RemainsPort, Said

COPIES = "copy of the database"
SHARE = {Stage.ROWS: (0, 30), Stage.FILES: (30, 35), Stage.SPACE: (35, 70), Stage.CHECK: (70, 100)}
"""Where each stage begins and ends, in hundredths of the whole."""

Following = Callable[[Stage, int], None]
"""Called on the loop with the stage and with hundredths of the whole. The first call says that there is no way back."""


class ErasureService:
    """One erasure runs at a time. remove_papers: takes papers out of what is being read just now."""

    def __init__(
        self,
        rows: ErasurePort,
        remains: RemainsPort,
        remove_papers: Callable[[Sequence[str]], Awaitable[object]],
        files: FilePort,
        clock: Clock,
    ) -> None:
        self._rows = rows
        self._remains = remains
        self._files = files
        self._remove_papers = remove_papers
        self._clock = clock
        self._running = asyncio.Lock()
        self.finished: list[ErasureReport] = []  # of this opening, the oldest first

    async def plan(self, wanted: Wanted) -> ErasurePlan:
        """What would go. Copies of the database that were made before updates hold everything as it was: they go too.
        Raises InvalidValue for a name that is too short."""
        plan = await self._rows.plan(wanted)
        copies = await self._remains.copies()
        return plan if plan.empty or not copies else replace(plan, counts={**plan.counts, COPIES: copies})

    async def carry_out(self, plan: ErasurePlan, following: Following | None = None) -> ErasureReport:
        """Erase what the plan names, and look whether anything is left.

        Cancelling stops it as long as `following` wasn't called; later it goes on at the next start. Raises UserError
        where nothing is to be erased or another erasure runs, EnvironmentFault where this computer stops it: then, too,
        it goes on at the next start.
        """
        if plan.empty:
            raise UserError("There is nothing of it here to forget.")
        if self._running.locked():
            raise UserError("Something else is being forgotten just now. Wait until that is finished.")
        async with self._running:
            following = following or _nobody
            begun = await self._rows.begin(plan)
            following(Stage.ROWS, 0)  # before anything else can happen
            report = await self._finish(begun, following)
            meanwhile = await self._rows.plan(plan.wanted)
            if not meanwhile.empty:
                came = Place(f"{len(meanwhile.things)} that came in meanwhile: forget them as well")
                report = replace(report, left=(*report.left, came))
            self.finished.append(report)
            return report

    async def save(self, text: str, target: Path) -> None:
        """Write a report where the person keeps it, whole or not at all."""

        async def pieces() -> AsyncIterator[str]:
            yield text

        await self._files.write(target, pieces())

    async def resume(self) -> list[str]:
        """Finish what a stopped program began; answers sentences about it. Called at open, before other work."""
        said: list[str] = []
        for begun in await self._rows.unfinished():
            try:
                report = await self._finish(begun, _nobody)
            except EnvironmentFault as fault:
                said.append(
                    f"Forgetting for good was begun and can't be finished now; it goes on later. {fault.sentence}"
                )
                break
            self.finished.append(replace(report, resumed=True))
            outcome = "Nothing of it is left." if report.verified else "Something of it is left; see the report."
            said.append(f"Forgetting for good, which was interrupted last time, was finished. {outcome}")
        return said

    async def _finish(self, begun: Begun, following: Following) -> ErasureReport:
        if begun.stage in (Stage.ROWS, Stage.FILES):
            said = _share(Stage.ROWS, following)
            said(0, 1)
            await self._remove_papers((await self._rows.orphans(begun)).papers)
            orphans = await self._rows.remove(begun, said)
            _share(Stage.FILES, following)(0, 1)
            await self._rows.reach(begun, Stage.FILES)
            await self._wipe(orphans)
        if begun.stage is not Stage.CHECK:
            await self._rows.reach(begun, Stage.SPACE)
            await self._rows.tidy(begun, _share(Stage.SPACE, following))
            await self._rows.reach(begun, Stage.CHECK)
        report = await self._check(begun, _share(Stage.CHECK, following))
        await self._rows.end(begun)
        return report

    async def _wipe(self, orphans: Orphans) -> None:
        """Bytes that were given once more meanwhile belong to another paper now."""
        staying = await self._rows.staying()
        await self._remains.wipe([digest for digest in orphans.digests if digest not in staying], orphans.papers)

    async def _check(self, begun: Begun, said: Said) -> ErasureReport:
        said(0, 1)
        traces, staying = await self._rows.traces(begun), await self._rows.staying()
        found = await self._remains.search(traces, staying.__contains__, said)
        return ErasureReport(
            at=self._clock(),
            by=begun.by,
            counts=begun.counts,
            left=found.left,
            files=found.files,
            bytes=found.bytes,
            traces=len(traces),
            unread=begun.unread,
        )


def _nobody(stage: Stage, hundredths: int) -> None:
    """Nobody follows."""


def _share(stage: Stage, following: Following) -> Said:
    """Progress of one stage as progress of the whole, from any thread."""
    loop = asyncio.get_running_loop()
    first, last = SHARE[stage]

    def said(done: int, whole: int) -> None:
        hundredths = first + (last - first) * done // max(1, whole)
        loop.call_soon_threadsafe(following, stage, hundredths)

    return said
