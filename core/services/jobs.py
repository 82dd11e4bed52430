"""Execution and scratchpad: the two scopes that live in the memory of this process and nowhere else.

A job owns execution memory; a step of a job (one turn of a planner's loop) owns a scratchpad. When either ends, its
memory
is emptied. Nothing here is written to disk, neither to the database nor to a log.
"""

import uuid
from array import array
from collections.abc import Generator, Mapping, Sequence
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
    check_key,
    require_owner,
)
from core.errors import InvalidValue, NotFound, OutsideScope
from core.events import Changed, EventHub
from core.ports.rows import ListQuery

KEPT_ENDED = 200  # jobs that ended stay in the list (without their memory) until this many newer ones ended


class ProcessStore:
    """get/set/delete(key) for one scope of this process. Every call shows its owner; another's is an OutsideScope
    error."""

    def __init__(self, rule: ScopeRule, workspace: str, clock: Clock) -> None:
        self.rule = rule
        self._workspace = workspace
        self._clock = clock
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
        return entry

    def delete(self, caller: Owner, key: str) -> bool:
        return self._of(caller).pop(check_key(key), None) is not None

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
        self._steps: dict[str, list[str]] = {}
        self._titles: dict[str, str] = {}
        self._next_number = 1
        self.execution = ProcessStore(RULES[Scope.EXECUTION], workspace, clock)
        self.scratchpad = ProcessStore(RULES[Scope.SCRATCHPAD], workspace, clock)

    def start(
        self,
        title: str,
        *,
        actor: str,
        actor_type: ActorType,
        requested_by: str = "",
        permissions: frozenset[str] = frozenset(),
    ) -> Job:
        now = self._clock()
        job = Job(
            id=uuid.uuid4().hex,
            title=title,
            workspace=self._workspace,
            actor=actor,
            actor_type=actor_type,
            state=JobState.RUNNING,
            started_at=now,
            heartbeat_at=now,
            trace=uuid.uuid4().hex,
            requested_by=requested_by,
            permissions=permissions,
        )
        self._jobs[job.id] = job
        self._numbers[self._next_number] = job.id
        self._next_number += 1
        self._steps[job.id] = []
        self.execution.open(job.id)
        self._changed("job", job.id)
        return replace(job)

    def heartbeat(self, id: str, *, detail: str = "", state: JobState | None = None) -> None:
        """A sign of life, with what is being done. `state` must not be an end: `end` does that."""
        job = self._running(id)
        if state is not None and state.ended:
            raise InvalidValue("A job is ended with `end`.")
        job.heartbeat_at, job.detail, job.state = self._clock(), detail, state or job.state
        self._changed("job", id)

    def end(self, id: str, state: JobState) -> None:
        """End a job: its execution memory and the scratchpads of its steps are emptied."""
        if not state.ended:
            raise InvalidValue(f"{state} is not an end.")
        job = self._running(id)
        for step in list(self._steps.pop(id, [])):
            self.end_step(step)
        self.execution.end(id)
        job.state, job.ended_at, job.detail = state, self._clock(), ""
        self._forget_oldest()
        self._changed("job", id)

    def begin_step(self, job: str, title: str) -> Owner:
        """Start a loop step with a scratchpad of its own; the answer is what its calls must show."""
        self._running(job)
        step = f"{job}/{uuid.uuid4().hex}"
        self._steps[job].append(step)
        self._titles[step] = title
        self.scratchpad.open(step)
        self._changed("step", step)
        return Owner(self._workspace, job=job, step=step)

    def end_step(self, step: str) -> None:
        self.scratchpad.end(step)
        self._titles.pop(step, None)
        for steps in self._steps.values():
            if step in steps:
                steps.remove(step)
        self._changed("step", step)

    @contextmanager
    def step(self, job: str, title: str) -> Generator[Owner]:
        owner = self.begin_step(job, title)
        try:
            yield owner
        finally:
            if owner.step is not None:
                self.end_step(owner.step)

    def get(self, id: str) -> Job:
        if id not in self._jobs:
            raise NotFound("This job is not in the list any more.")
        return replace(self._jobs[id])

    def steps_now(self) -> list[tuple[Owner, str]]:
        """Steps that run now, with their titles, for the scratchpad browser."""
        return [
            (Owner(self._workspace, job=job, step=step), self._titles[step])
            for job, steps in self._steps.items()
            for step in steps
        ]

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
            found.sort(key=lambda pair: pair[1].started_at, reverse=query.sort == "" or query.descending)
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
            self._jobs.pop(self._numbers.pop(number))

    def _changed(self, kind: str, id: str) -> None:
        self._events.publish([Changed(kind, (id,), "system")])
