"""A worker's view of jobs: the desk where work is reported, over the jobs of this process."""

import asyncio
from collections.abc import Sequence

from core.domain.scopes import ActorType, Job, JobState, Owner
from core.errors import OutsideScope
from core.ports.jobs import BEAT
from core.ports.rows import ListQuery
from core.services.jobs import JobService

MOST_LISTED = 1000


class JobDesk:
    """JobDeskPort over a JobService. Use on the loop's thread."""

    def __init__(self, jobs: JobService, workspace: str) -> None:
        self._jobs = jobs
        self._workspace = workspace

    async def start(
        self, title: str, *, actor: str, actor_type: ActorType, requested_by: str = "", beat: float = BEAT
    ) -> "Work":
        """See JobDeskPort."""
        stop = asyncio.Event()
        job = self._jobs.start(
            title, actor=actor, actor_type=actor_type, requested_by=requested_by, beat=beat, on_cancel=stop.set
        )
        return Work(self._jobs, Owner(self._workspace, job=job.id), stop)

    async def list(self) -> Sequence[Job]:
        """See JobDeskPort."""
        numbers = await self._jobs.snapshot(ListQuery())
        return [job for job in await self._jobs.rows(numbers[:MOST_LISTED]) if job is not None]

    async def cancel(self, id: str) -> None:
        """See JobDeskPort."""
        self._jobs.cancel(id)


class Work:
    """WorkPort of one job."""

    def __init__(self, jobs: JobService, owner: Owner, stop: asyncio.Event) -> None:
        self._jobs = jobs
        self._owner = owner
        self._stop = stop
        self._steps: dict[str, Owner] = {}

    @property
    def id(self) -> str:
        return str(self._owner.job)

    @property
    def stop(self) -> asyncio.Event:
        return self._stop

    async def heartbeat(self, detail: str | None = None, state: JobState | None = None) -> None:
        """See WorkPort."""
        self._jobs.heartbeat(self.id, detail=detail, state=state)

    async def begin_step(self, title: str) -> str:
        """See WorkPort."""
        owner = self._jobs.begin_step(self.id, title)
        self._steps[str(owner.step)] = owner
        return str(owner.step)

    async def end_step(self, step: str, state: JobState) -> None:
        """See WorkPort."""
        self._own(step)
        self._jobs.end_step(step, state)
        del self._steps[step]

    async def note(self, key: str, value: object, step: str | None = None) -> None:
        """See WorkPort."""
        self._jobs.heartbeat(self.id)
        if step is None:
            self._jobs.execution.set(self._owner, key, value)
        else:
            self._jobs.scratchpad.set(self._own(step), key, value)

    async def end(self, state: JobState, detail: str = "") -> None:
        """See WorkPort."""
        self._jobs.end(self.id, state, detail)

    def _own(self, step: str) -> Owner:
        owner = self._steps.get(step)
        if owner is None:
            raise OutsideScope("This step belongs to another job, or has ended.")
        return owner
