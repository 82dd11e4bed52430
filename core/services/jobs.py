"""Execution and scratchpad: the two scopes that live in the memory of this process and nowhere else.

A job owns execution memory; a step of a job (one turn of a planner's loop) owns a scratchpad. When either ends, its
memory is emptied. Nothing here is written to disk, neither to the database nor to a log.
"""

import asyncio
import uuid
from array import array
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from core.clock import Clock
from core.domain.scopes import (
    RULES,
    ActorType,
    Job,
    JobState,
    Owner,
    Scope,
    ScopedEntry,
    ScopeRule,
    Step,
    check_key,
    require_owner,
)
from core.errors import InvalidValue, NotFound, OutsideScope, UserError
from core.events import Changed, EventHub
from core.ports.rows import ListQuery

KEPT_ENDED = 200  # jobs that ended stay in the list (without their memory) until this many newer ones ended
KEPT_STEPS = 100  # steps that ended stay with their job until this many newer ones ended
MISSED = 3.0  # beats that may be missing before a worker counts as dead
WATCH = 1.0  # seconds between two looks at signs of life


class ProcessStore:
    """get/set/delete(key) for one scope of this process. Every call shows its owner; another's is an OutsideScope
    error."""

    def __init__(self, rule: ScopeRule, workspace: str, clock: Clock, changed: Callable[[str], None]) -> None:
        """changed: hears the owner's id after each write."""
        self.rule = rule
        self._workspace = workspace
        self._clock = clock
        self._changed = changed
        self._entries: dict[str, dict[str, ScopedEntry]] = {}

    def open(self, owner: str) -> None:
        self._entries[owner] = {}

    def end(self, owner: str) -> None:
        """Empty the owner's memory; it can't be reached afterwards."""
        self._entries.pop(owner, None)

    def get(self, caller: Owner, key: str) -> object:
        """The value, or None where the owner never set one."""
        entry = self._of(caller).get(check_key(key))
        return entry.value if entry else None

    def set(self, caller: Owner, key: str, value: object, metadata: Mapping[str, object] | None = None) -> ScopedEntry:
        entries = self._of(caller)
        entry = ScopedEntry(check_key(key), value, self.rule, self._shown(caller), self._clock(), dict(metadata or {}))
        entries[key] = entry
        self._changed(entry.owner)
        return entry

    def delete(self, caller: Owner, key: str) -> bool:
        was_there = self._of(caller).pop(check_key(key), None) is not None
        if was_there:
            self._changed(self._shown(caller))
        return was_there

    def entries(self, caller: Owner) -> list[ScopedEntry]:
        return list(self._of(caller).values())

    def _shown(self, caller: Owner) -> str:
        require_owner(RULES[Scope.WORKSPACE], caller.workspace, self._workspace)
        shown = caller.job if self.rule.scope is Scope.EXECUTION else caller.step
        if shown is None:
            raise OutsideScope(f"This memory belongs to a {self.rule.owner}, and none was named.")
        return shown

    def _of(self, caller: Owner) -> dict[str, ScopedEntry]:
        shown = self._shown(caller)
        entries = self._entries.get(shown)
        if entries is None:
            raise OutsideScope(f"There is no such {self.rule.owner} now; its memory ended with it.")
        return entries


class JobService:
    """Jobs of one workspace and their steps. Use on the loop's thread."""

    def __init__(self, workspace: str, events: EventHub, clock: Clock) -> None:
        self._workspace = workspace
        self._events = events
        self._clock = clock
        self._jobs: dict[str, Job] = {}
        self._numbers: dict[int, str] = {}
        self._steps: dict[str, list[Step]] = {}
        self._on_cancel: dict[str, Callable[[], object]] = {}
        self._next_number = 1
        self.execution = ProcessStore(RULES[Scope.EXECUTION], workspace, clock, lambda id: self._changed("job", id))
        self.scratchpad = ProcessStore(RULES[Scope.SCRATCHPAD], workspace, clock, lambda id: self._changed("step", id))

    def start(
        self,
        title: str,
        *,
        actor: str,
        actor_type: ActorType,
        requested_by: str = "",
        permissions: frozenset[str] = frozenset(),
        state: JobState = JobState.RUNNING,
        beat: float = 0.0,
        on_cancel: Callable[[], object] | None = None,
    ) -> Job:
        """Put a job on the list. beat: the worker is another process and promises a sign of life so often (seconds).
        on_cancel: tells the worker that it should stop; it then ends the job itself."""
        now = self._clock()
        job = Job(
            id=uuid.uuid4().hex,
            title=title,
            workspace=self._workspace,
            actor=actor,
            actor_type=actor_type,
            state=state,
            started_at=now,
            heartbeat_at=now,
            trace=uuid.uuid4().hex,
            requested_by=requested_by,
            permissions=permissions,
            beat=beat,
            can_cancel=on_cancel is not None,
        )
        self._jobs[job.id] = job
        if on_cancel is not None:
            self._on_cancel[job.id] = on_cancel
        self._numbers[self._next_number] = job.id
        self._next_number += 1
        self._steps[job.id] = []
        self.execution.open(job.id)
        self._changed("job", job.id)
        return replace(job)

    def heartbeat(self, id: str, *, detail: str | None = None, state: JobState | None = None) -> None:
        """A sign of life, with what is being done (None: as before). `state` must not be an end: `end` does that."""
        job = self._running(id)
        if state is not None and state.ended:
            raise InvalidValue("A job is ended with `end`.")
        before = (job.detail, job.state)
        job.heartbeat_at, job.state = self._clock(), state or job.state
        job.detail = job.detail if detail is None else detail
        if before != (job.detail, job.state):
            self._changed("job", id)

    def cancel(self, id: str) -> None:
        """Ask the worker of a job to stop. Raises UserError for a job whose worker doesn't listen."""
        job = self._running(id)
        if (tell := self._on_cancel.get(id)) is None:
            raise UserError(f"“{job.title}” can't be stopped from here.")
        if not job.cancelling:
            job.cancelling = True
            self._changed("job", id)
            tell()

    def end(self, id: str, state: JobState, detail: str = "") -> None:
        """End a job: its execution memory and the scratchpads of its steps are emptied. detail: how it ended."""
        if not state.ended:
            raise InvalidValue(f"{state} is not an end.")
        job = self._running(id)
        for step in self._steps[id]:
            if step.ended_at is None:
                self.end_step(str(step.owner.step), state)
        self.execution.end(id)
        self._on_cancel.pop(id, None)
        job.state, job.ended_at, job.detail, job.can_cancel = state, self._clock(), detail, False
        self._forget_oldest()
        self._changed("job", id)

    def interrupt_silent(self) -> None:
        """End what promised a sign of life and gave none: its worker died or hangs."""
        now = self._clock()
        for job in list(self._jobs.values()):
            if job.beat and not job.state.ended and now - job.heartbeat_at > MISSED * job.beat:
                self.end(job.id, JobState.INTERRUPTED, "Its worker gave no sign of life any more.")

    async def watch(self) -> None:
        """Look for silent workers as long as the workspace is open."""
        looked = self._clock()
        while True:
            await asyncio.sleep(WATCH)
            looked = self.look(looked)

    def look(self, before: float) -> float:
        """One look; `before` is when the last one was, the answer when this one is. After a time in which this program
        itself stood still (the computer slept) nobody is blamed."""
        now = self._clock()
        if now - before < 3 * WATCH:
            self.interrupt_silent()
        else:
            self._pardon(now)
        return now

    def _pardon(self, now: float) -> None:
        for job in self._jobs.values():
            if job.beat and not job.state.ended:
                job.heartbeat_at = now

    # ---- steps ------------------------------------------------------------------------------------------------------

    def begin_step(self, job: str, title: str) -> Owner:
        """Start a loop step with a scratchpad of its own; the answer is what its calls must show."""
        self._running(job)
        step = f"{job}/{uuid.uuid4().hex}"
        owner = Owner(self._workspace, job=job, step=step)
        steps = self._steps[job]
        steps.append(Step(owner, title, JobState.RUNNING, self._clock()))
        for old in [each for each in steps if each.ended_at is not None][:-KEPT_STEPS]:
            steps.remove(old)
        self.scratchpad.open(step)
        self._changed("step", step)
        return owner

    def end_step(self, step: str, state: JobState = JobState.COMPLETED) -> None:
        """End a step; its scratchpad is emptied. One that ended already, or never was, is left alone."""
        self.scratchpad.end(step)
        for known in self._steps.get(step.partition("/")[0], []):
            if known.owner.step == step and known.ended_at is None:
                known.state, known.ended_at = state, self._clock()
        self._changed("step", step)

    @contextmanager
    def step(self, job: str, title: str) -> Generator[Owner]:
        owner, state = self.begin_step(job, title), JobState.FAILED
        try:
            yield owner
            state = JobState.COMPLETED
        except asyncio.CancelledError:
            state = JobState.CANCELLED
            raise
        finally:
            self.end_step(str(owner.step), state)

    def steps_of(self, job: str) -> list[Step]:
        """The steps of a job in order, those that ended too; without what they noted down."""
        return [replace(step) for step in self._steps.get(job, [])]

    def get(self, id: str) -> Job:
        if id not in self._jobs:
            raise NotFound("This job is not in the list any more.")
        return replace(self._jobs[id])

    @property
    def running(self) -> int:
        """How many jobs have not ended."""
        return sum(not job.state.ended for job in self._jobs.values())

    def steps_now(self) -> list[tuple[Owner, str]]:
        """Steps that run now, with their titles, for the scratchpad browser."""
        return [(step.owner, step.title) for steps in self._steps.values() for step in steps if step.ended_at is None]

    def close(self) -> None:
        """End whatever runs. The memory of this scope is gone with it."""
        for job in list(self._jobs.values()):
            if not job.state.ended:
                self.end(job.id, JobState.INTERRUPTED)

    # ---- the list of jobs, as a RowsPort[Job] -----------------------------------------------------------------------

    sorts: tuple[str, ...] = ("started", "title")
    facets: Mapping[str, tuple[str, ...]] = {"state": tuple(state.value for state in JobState)}

    async def snapshot(self, query: ListQuery) -> "array[int]":
        wanted = query.where.get("state")
        text = query.text.casefold()
        found = [
            (number, self._jobs[id])
            for number, id in self._numbers.items()
            if (wanted is None or self._jobs[id].state == wanted) and text in self._jobs[id].title.casefold()
        ]
        if query.sort == "title":
            found.sort(key=lambda pair: pair[1].title.casefold(), reverse=query.descending)
        else:
            found.sort(key=lambda pair: (pair[1].started_at, pair[0]), reverse=query.sort == "" or query.descending)
        return array("q", [number for number, _ in found])

    async def count(self) -> int:
        return len(self._numbers)

    async def rows(self, numbers: Sequence[int]) -> list[Job | None]:
        return [replace(self._jobs[self._numbers[n]]) if n in self._numbers else None for n in numbers]

    def _running(self, id: str) -> Job:
        job = self._jobs.get(id)
        if job is None or job.state.ended:
            raise NotFound("This job has ended.")
        return job

    def _forget_oldest(self) -> None:
        ended = [number for number, id in self._numbers.items() if self._jobs[id].state.ended]
        for number in ended[:-KEPT_ENDED]:
            id = self._numbers.pop(number)
            self._jobs.pop(id)
            self._steps.pop(id, None)

    def _changed(self, kind: str, id: str) -> None:
        self._events.publish([Changed(kind, (id,), "system")])
