"""The five scopes of memory, who owns each, and how long it lives.

Source: the scope table of the product's contract (owner, lifetime, shared, where it is kept).
"""

from dataclasses import dataclass, field
from enum import StrEnum

from core.errors import InvalidValue, OutsideScope


class Scope(StrEnum):
    CONVERSATION = "conversation"
    WORKSPACE = "workspace"
    EXECUTION = "execution"
    SCRATCHPAD = "scratchpad"
    SEMANTIC = "semantic"


class Persistence(StrEnum):
    DATABASE = "database"
    PROCESS = "process"  # memory of this process; never written to disk


@dataclass(frozen=True, slots=True)
class ScopeRule:
    """What the contract says of one scope. `owner` is the kind of id that a caller must show."""

    scope: Scope
    owner: str
    lifetime: str
    shared: bool
    persistence: Persistence


RULES: dict[Scope, ScopeRule] = {
    Scope.CONVERSATION: ScopeRule(Scope.CONVERSATION, "session", "session", False, Persistence.DATABASE),
    Scope.WORKSPACE: ScopeRule(Scope.WORKSPACE, "workspace", "permanent", True, Persistence.DATABASE),
    Scope.EXECUTION: ScopeRule(Scope.EXECUTION, "job", "job", False, Persistence.PROCESS),
    Scope.SCRATCHPAD: ScopeRule(Scope.SCRATCHPAD, "planner", "step", False, Persistence.PROCESS),
    Scope.SEMANTIC: ScopeRule(Scope.SEMANTIC, "workspace", "permanent", True, Persistence.DATABASE),
}


class ActorType(StrEnum):
    USER = "user"
    AGENT = "agent"
    SYSTEM = "system"


class JobState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    RETRYING = "retrying"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    COMPLETED = "completed"
    FAILED = "failed"
    INTERRUPTED = "interrupted"

    @property
    def ended(self) -> bool:
        return self in {JobState.CANCELLED, JobState.COMPLETED, JobState.FAILED, JobState.INTERRUPTED}


@dataclass(frozen=True, slots=True)
class Owner:
    """Who asks, within one workspace. A store compares the id that its scope names; others must not match by chance.

    workspace is always given; session, job and step (a planner's loop step, "job/step") only where the caller has one.
    """

    workspace: str
    session: str | None = None
    job: str | None = None
    step: str | None = None


@dataclass(slots=True)
class Job:
    """A run of work, kept in the memory of this process alone. Times are UTC seconds.

    beat: seconds between two signs of life that its worker promised; 0 for work of this process, which can't die apart
    from it. can_cancel: its worker listens to a wish to stop; cancelling: the wish was uttered.
    """

    id: str
    title: str
    workspace: str
    actor: str
    actor_type: ActorType
    state: JobState
    started_at: float
    heartbeat_at: float
    trace: str = ""
    requested_by: str = ""
    permissions: frozenset[str] = frozenset()
    online: bool = False
    ended_at: float | None = None
    detail: str = ""
    beat: float = 0.0
    can_cancel: bool = False
    cancelling: bool = False


@dataclass(slots=True)
class Step:
    """One step of a job (a turn of a planner's loop). What it noted down ends with it; that it was there stays with
    its job. owner: what its calls must show."""

    owner: Owner
    title: str
    state: JobState
    started_at: float
    ended_at: float | None = None


@dataclass(slots=True)
class ScopedEntry:
    """One value in a scoped store with what the contract wants said of it."""

    key: str
    value: object
    rule: ScopeRule
    owner: str
    updated_at: float
    metadata: dict[str, object] = field(default_factory=dict[str, object])


def check_key(key: str, what: str = "key") -> str:
    """Answer `key` if the contract allows it: not empty, no NUL, no "..", "/" or "\\". Raises InvalidValue."""
    if not key.strip():
        raise InvalidValue(f"A {what} can't be empty.")
    for bad, said in (("\0", "a NUL character"), ("..", "two dots in a row"), ("/", "a slash"), ("\\", "a backslash")):
        if bad in key:
            raise InvalidValue(f"The {what} {key!r} can't hold {said}.")
    return key


def require_owner(rule: ScopeRule, shown: str | None, owner: str) -> None:
    """Raise OutsideScope unless the id that the caller shows is the owner's."""
    if shown != owner:
        raise OutsideScope(f"This {rule.scope} memory belongs to another {rule.owner}.")
