"""Lanes on which papers are read, so that those whose text can be had at once never wait for pictures of text."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from core.domain.extraction import Extracted, Refusal, RefusalCode
from core.domain.papers import Paper
from core.domain.scopes import ActorType, Job, JobState, Owner
from core.errors import EnvironmentFault, NotFound
from core.ports.extraction import ExtractionPort
from core.ports.papers import ArtifactPort, PaperPort
from core.services.background import Background
from core.services.jobs import JobService
from core.tasks import TaskScope


class ReadingLane:
    """Reads papers one after the other, in the background.

    title: of its jobs. scans: the lane that recognises text in pictures, to which this one hands papers that have some;
    None on that lane itself, and where there is none. on_paper is called when another paper is taken up, on_page when
    `current` names another page.
    """

    def __init__(
        self,
        workspace: str,
        papers: PaperPort,
        artifacts: ArtifactPort,
        extraction: ExtractionPort,
        jobs: JobService,
        tasks: TaskScope,
        *,
        title: str,
        on_paper: Callable[[], Awaitable[None]],
        on_page: Callable[[], None],
        recognises: bool = False,
        scans: "ReadingLane | None" = None,
    ) -> None:
        self.current = ""  # the paper that is being read, and its page
        self.first = ""  # id of the paper that somebody looks at
        self._workspace = workspace
        self._papers = papers
        self._artifacts = artifacts
        self._extraction = extraction
        self._jobs = jobs
        self._tasks = tasks
        self._title = title
        self._on_paper = on_paper
        self._on_page = on_page
        self._recognises = recognises
        self._scans = scans
        self._background = Background(self._read_waiting, tasks.report)
        self._reading: dict[str, asyncio.Task[EnvironmentFault | None]] = {}
        self._job: Job | None = None
        self.wake, self.pause, self.resume = self._background.wake, self._background.pause, self._background.resume
        self.idle = self._background.idle

    @property
    def fault(self) -> str:
        """Why papers wait and are not read just now; "" while they are."""
        return self._background.fault

    @property
    def paused(self) -> bool:
        return self._background.paused

    def start(self) -> None:
        """Begin with what waits already. Called once."""
        self._tasks.start(self._background.run(), latest=self._title)
        self.wake()

    def stop_reading(self, ids: Sequence[str]) -> None:
        """Stop at once where one of these papers is being read."""
        for id in ids:
            if (task := self._reading.get(id)) is not None:
                task.cancel()

    async def read(self, paper: Paper, password: str | None = None) -> None:
        """Read a paper and store what comes of it."""
        outcome = await self.extract(paper, password)
        if isinstance(outcome, Extracted):
            handed_on = bool(outcome.scans) and self._scans is not None
            await self._papers.finish(paper.id, outcome if handed_on else replace(outcome, scans=0), paper.digest)
        else:
            handed_on = outcome.code is RefusalCode.SCAN and self._scans is not None
            if handed_on:
                await self._papers.defer(paper.id, paper.digest)
            else:
                await self._papers.refuse(paper.id, outcome, paper.digest)
        if handed_on and self._scans is not None:
            self._scans.wake()

    async def extract(self, paper: Paper, password: str | None = None) -> Extracted | Refusal:
        """What is in a paper. With a password its pictures are recognised at once: it isn't kept for later."""
        try:
            path = await self._artifacts.path(paper.digest)
            outcome = await self._extraction.read(
                path, paper.name, password=password, on_page=lambda page, pages: self._page(paper, page, pages)
            )
        except NotFound as missing:
            said = f"The stored copy of “{paper.name}” is gone. Add the paper again."
            return Refusal(RefusalCode.MISSING, missing.sentence if paper.linked else said)
        scans = outcome.scans if isinstance(outcome, Extracted) else outcome.code is RefusalCode.SCAN
        if scans and password is not None and self._scans is not None:
            return await self._scans.extract(paper, password)
        return outcome

    def _page(self, paper: Paper, page: int, pages: int) -> None:
        self.current = f"{paper.name}, page {page} of {pages}" if pages > 1 else paper.name
        if self._job is not None:
            self._jobs.heartbeat(self._job.id, detail=self.current)
        self._on_page()

    async def _read_waiting(self) -> None:
        """Read until nothing waits. Raises EnvironmentFault where this computer stops it."""
        if self.fault:
            await self._papers.give_back(scans=self._recognises)  # the paper at which it stopped
        try:
            while (paper := await self._next()) is not None:
                if self._job is None:
                    self._job = self._jobs.start(self._title, actor="Muniment", actor_type=ActorType.SYSTEM)
                await self._read_in_task(paper, self._job)
        except EnvironmentFault:
            self._end_job(JobState.FAILED)
            raise
        self._end_job(JobState.COMPLETED)

    def _end_job(self, state: JobState) -> None:
        if self._job is not None:
            self._jobs.end(self._job.id, state)
            self._job = None

    async def _next(self) -> Paper | None:
        await self._background.allowed()
        paper = await self._papers.claim(scans=self._recognises, first=self.first)
        self.current = paper.name if paper else ""
        await self._on_paper()
        return paper

    async def _read_in_task(self, paper: Paper, job: Job) -> None:
        """Read in a task of its own, so that cancelling this paper doesn't cancel the queue."""
        self._jobs.heartbeat(job.id, detail=paper.name)
        owner = Owner(self._workspace, job=job.id)
        self._jobs.execution.set(owner, "paper", paper.name)
        with self._jobs.step(job.id, paper.name) as step:
            self._jobs.scratchpad.set(step, "size in bytes", paper.byte_length)
            self._jobs.scratchpad.set(step, "attempt", paper.attempts)
            task = self._tasks.start(self._attempt(paper), latest=f"paper {paper.id}")
            self._reading[paper.id] = task
            try:
                await asyncio.wait([task])
            finally:
                self._reading.pop(paper.id, None)
                if not task.done():
                    task.cancel()
        if task.cancelled():
            return
        if task.exception() is not None:  # a defect, which the scope reports; the paper must not be read for ever
            sentence = f"Muniment failed while it was reading “{paper.name}”. The paper is kept; try again later."
            await self._papers.refuse(paper.id, Refusal(RefusalCode.CRASHED, sentence))
        elif (fault := task.result()) is not None:
            raise fault

    async def _attempt(self, paper: Paper) -> EnvironmentFault | None:
        try:
            await self.read(paper)
        except EnvironmentFault as fault:
            return fault
        return None
