"""What the fakes of one workspace share: a clock that tests set, the change stream, published events, index words."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.domain.changes import Change, Operation
from core.errors import InvalidValue
from core.events import Changed


@dataclass
class SetClock:
    """A Clock that stands still until it is set."""

    now: float = 1_760_000_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class FakeStore:
    """ChangePort, and the log behind it."""

    clock: SetClock
    published: list[Changed]
    stream: list[Change] = field(default_factory=list[Change])

    def changed(self, kind: str, id: str, version: int, operation: Operation, actor: str) -> None:
        sequence = len(self.stream) + 1
        self.stream.append(Change(sequence, kind, id, version, operation, self.clock(), actor))
        self.published.append(Changed(kind, (id,), actor, sequence))

    async def latest(self) -> int:
        return len(self.stream)

    async def after(self, sequence: int, limit: int = 100) -> list[Change]:
        return [change for change in self.stream if change.sequence > sequence][: _checked(limit)]

    async def of(self, kind: str, id: str, limit: int = 100) -> list[Change]:
        _checked(limit)
        return [change for change in reversed(self.stream) if (change.kind, change.id) == (kind, id)][:limit]


def _checked(limit: int) -> int:
    if not 1 <= limit <= 1000:
        raise InvalidValue("From 1 to 1,000 changes can be read at once.")
    return limit


def overlap(asked: Sequence[str], held: Sequence[str]) -> int:
    """How often the words asked for stand among the words held."""
    return sum(held.count(word) for word in asked)
