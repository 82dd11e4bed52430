"""What the places of jobs and of scratchpads know; no widgets. Nothing of it is ever stored."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject

from core.clock import Clock, system_clock
from core.domain import scopes as domain
from core.domain.scopes import Job, Owner, ScopedEntry
from core.errors import MunimentError
from core.ports.rows import ListQuery
from core.services.jobs import JobService
from core.services.workspace import Workspace
from ui.jobs import words
from ui.qt.browsing import BrowsePresenter
from ui.qt.line import Line
from ui.qt.scope import ViewScope


class JobsPresenter(BrowsePresenter[Job]):
    """Jobs that run now, and those that ended since the workspace was opened."""

    def __init__(
        self, workspace: Workspace, scope: ViewScope, clock: Clock = system_clock, parent: QObject | None = None
    ) -> None:
        self._jobs = workspace.jobs
        kinds = frozenset({"job", "step"})
        super().__init__(
            scope, workspace.events, workspace.jobs, kinds, lambda job: words.line(job, clock()), words.SORTS, parent
        )
        self._workspace = workspace.info.id

    async def position_of(self, id: str) -> int | None:
        return await self.model.find(lambda job: job.id == id)

    def memory_of(self, job: Job) -> list[ScopedEntry]:
        """What the job holds in its execution memory now; nothing once it has ended."""
        return _entries(self._jobs, Owner(self._workspace, job=job.id), scratchpad=False)

    def steps_of(self, job: Job) -> list[tuple[domain.Step, list[ScopedEntry]]]:
        """The job's steps in order, each with what stands in its scratchpad while it runs."""
        return [(step, _entries(self._jobs, step.owner, scratchpad=True)) for step in self._jobs.steps_of(job.id)]

    def something_runs(self) -> bool:
        """Whether any job goes on, so that the time it takes is to be said anew."""
        return self._jobs.running > 0

    def can_stop(self) -> bool:
        """Whether all the chosen ones run, listen, and were not asked yet."""
        return bool(self.chosen) and all(job.can_cancel and not job.cancelling for job in self.chosen)

    async def stop(self) -> None:
        """Ask the workers of the chosen jobs to stop; those that ended meanwhile are left alone."""
        for job in await self.all_chosen():
            if job.can_cancel and not job.cancelling:
                self._jobs.cancel(job.id)


@dataclass(frozen=True, slots=True)
class Step:
    """A step that runs now, with what stands in its scratchpad."""

    number: int
    owner: Owner
    title: str
    job: str
    entries: tuple[ScopedEntry, ...]


class StepRows:
    """The steps that run now as a list. Numbers are given in the order in which steps are first seen."""

    sorts: tuple[str, ...] = ()
    facets: Mapping[str, tuple[str, ...]] = {}

    def __init__(self, jobs: JobService) -> None:
        self._jobs = jobs
        self._numbers: dict[str, int] = {}
        self._last = 0

    async def snapshot(self, query: ListQuery) -> "array[int]":
        text = query.text.casefold()
        return array("q", [step.number for step in self._steps() if text in step.title.casefold()])

    async def count(self) -> int:
        return len(self._steps())

    async def rows(self, numbers: Sequence[int]) -> Sequence[Step | None]:
        steps = {step.number: step for step in self._steps()}
        return [steps.get(number) for number in numbers]

    def _steps(self) -> list[Step]:
        running = [(owner, title) for owner, title in self._jobs.steps_now() if owner.step is not None]
        for owner, _ in running:
            if owner.step not in self._numbers:
                self._last += 1
                self._numbers[str(owner.step)] = self._last
        ids = {owner.step for owner, _ in running}
        self._numbers = {step: number for step, number in self._numbers.items() if step in ids}
        return [self._step(owner, title) for owner, title in running]

    def _step(self, owner: Owner, title: str) -> Step:
        job = self._jobs.get(str(owner.job)).title
        entries = tuple(_entries(self._jobs, owner, scratchpad=True))
        return Step(self._numbers[str(owner.step)], owner, title, job, entries)


class ScratchpadPresenter(BrowsePresenter[Step]):
    """Steps that run now; each goes away when it ends."""

    def __init__(self, workspace: Workspace, scope: ViewScope, parent: QObject | None = None) -> None:
        rows = StepRows(workspace.jobs)
        kinds = frozenset({"job", "step"})
        super().__init__(scope, workspace.events, rows, kinds, step_line, (("", "In order", False),), parent)

    async def position_of(self, id: str) -> int | None:
        return await self.model.find(lambda step: step.owner.step == id)


def step_line(step: Step) -> Line:
    detail = " · ".join(words.short(entry.key, entry.value) for entry in step.entries)
    return Line(title=step.title, detail=detail or step.job, kind="Step", icon="sticky-note", status=step.job)


def _entries(jobs: JobService, owner: Owner, *, scratchpad: bool) -> list[ScopedEntry]:
    store = jobs.scratchpad if scratchpad else jobs.execution
    try:
        return store.entries(owner)
    except MunimentError:  # it ended between the list and the look
        return []
