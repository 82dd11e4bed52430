"""Ports: where a worker reports what it does, and how a command is run."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

from core.domain.scopes import ActorType, Job, JobState

BEAT = 2.0  # seconds between two signs of life of a worker in another process


class WorkPort(Protocol):
    """One job, as the worker that does it sees it. It reaches this job's memory and no other's.

    Every call raises WorkLost where nobody takes reports any more, and NotFound where the job was ended meanwhile.
    """

    @property
    def id(self) -> str: ...

    @property
    def stop(self) -> asyncio.Event:
        """Set when somebody wishes that the work stops. The worker stops, then calls `end`."""
        ...

    async def heartbeat(self, detail: str | None = None, state: JobState | None = None) -> None:
        """A sign of life, with what is being done (None: as before)."""
        ...

    async def begin_step(self, title: str) -> str:
        """Start a step with a scratchpad of its own; answers its id."""
        ...

    async def end_step(self, step: str, state: JobState) -> None:
        """End a step; its scratchpad is emptied."""
        ...

    async def note(self, key: str, value: object, step: str | None = None) -> None:
        """Put a JSON value into the job's execution memory, or into the scratchpad of one of its steps."""
        ...

    async def end(self, state: JobState, detail: str = "") -> None:
        """End the job; its memory is emptied."""
        ...


class JobDeskPort(Protocol):
    """The jobs of one workspace, for work that is done elsewhere and for whoever asks what runs."""

    async def start(
        self, title: str, *, actor: str, actor_type: ActorType, requested_by: str = "", beat: float = BEAT
    ) -> WorkPort:
        """Put a job on the list, as running. beat: seconds between the signs of life that are promised."""
        ...

    async def list(self) -> Sequence[Job]:
        """What runs, and what ended since the workspace was opened; the newest first. Nothing of their memory."""
        ...

    async def cancel(self, id: str) -> None:
        """Ask the worker of a job to stop. Raises NotFound, or UserError where it doesn't listen."""
        ...


class CommandPort(Protocol):
    """Runs a command in a process group of its own."""

    async def run(self, command: Sequence[str], on_output: Callable[[bytes, bool], None], stop: asyncio.Event) -> int:
        """Run it to its end; answers its exit status, negative for a signal. on_output hears what it writes, and
        whether to standard error. Once `stop` is set all of its group is asked to end, and killed where it doesn't.
        Raises UserError with a sentence where the command can't be started."""
        ...
