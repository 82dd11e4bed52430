"""Events: facts that are true because they were committed.

Every write answers with a `Changed` and the same fact is published once; views decide whether to read again.
Delivery is direct and in order on the loop's thread. A handler that raises is reported and doesn't stop the others.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Changed:
    """Rows that were created, updated or deleted in one commit.

    kind: "record", "session", "message", "shared", "paper", "passage", "trash", "job", "step", "folder",
    "workspace", "agent", "skill", "broken_manifest".
    ids: the public ids that changed; empty means "any of this kind".
    origin: who wrote it: "person", "assistant:NAME", "system".
    sequence: number in the workspace's change stream of the last of them; 0 for what is never stored (jobs, steps,
    trash).
    """

    kind: str
    ids: tuple[str, ...]
    origin: str
    sequence: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far background work has come. `label` names what is being done just now (a paper's name), or is empty."""

    activity: str  # "reading" | "meaning" | "importing"
    done: int
    total: int
    label: str = ""
    attention: int = 0  # papers that need a person
    paused: bool = False


Event = Changed | Progress
Handler = Callable[[Event], None]


class Subscription(Protocol):
    def __call__(self) -> None:
        """Stop the delivery. May be called twice."""
        ...


class EventHub:
    """Publishes events of one workspace to whoever listens. Not thread-safe: use it on the loop's thread."""

    def __init__(self, on_error: Callable[[BaseException], None]) -> None:
        self._handlers: dict[object, Handler] = {}
        self._on_error = on_error

    def subscribe(self, handler: Handler) -> Subscription:
        token = object()
        self._handlers[token] = handler

        def unsubscribe() -> None:
            self._handlers.pop(token, None)

        return unsubscribe

    def publish(self, events: Iterable[Event]) -> None:
        for event in events:
            for handler in list(self._handlers.values()):
                try:
                    handler(event)
                except Exception as error:
                    self._on_error(error)

    def close(self) -> None:
        """Forget every listener, so that nothing of a closed workspace is held."""
        self._handlers.clear()
