"""Records, conversations and shared settings: the three kinds of memory that are kept."""

from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.tiers import Tier

Json = object
"""Any JSON value: None, bool, int, float, str, list or dict of the same."""


@dataclass(frozen=True, slots=True)
class Record:
    """A memory with a key. Identity is (namespace, key). Times are UTC seconds.

    salience: value at last access; how present it is now is `tiers.salience_now`.
    version: counts writes, starts at 1. score: only in answers to recall.
    """

    namespace: str
    key: str
    value: Json
    tier: Tier
    metadata: dict[str, Json]
    salience: float
    access_count: int
    created_at: float
    updated_at: float
    last_accessed_at: float
    pinned: bool = False
    version: int = 1
    score: float | None = None

    @property
    def id(self) -> str:
        """Public id; JSON-like quoting keeps ("a", "b:c") and ("a:b", "c") apart."""
        return record_id(self.namespace, self.key)

    @property
    def title(self) -> str:
        title = self.metadata.get("title")
        return title if isinstance(title, str) and title.strip() else self.key

    @property
    def tags(self) -> tuple[str, ...]:
        tags = self.metadata.get("tags")
        return tuple(str(tag) for tag in tags) if isinstance(tags, list) else ()  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def record_id(namespace: str, key: str) -> str:
    """Join both so that no pair collides: the length of the namespace says where it ends."""
    return f"{len(namespace)}:{namespace}:{key}"


def split_record_id(id: str) -> tuple[str, str]:
    """The inverse of `record_id`. Raises ValueError for a text that isn't one."""
    length, _, rest = id.partition(":")
    size = int(length)
    if size < 0 or rest[size : size + 1] != ":":
        raise ValueError(f"not a record id: {id!r}")
    return rest[:size], rest[size + 1 :]


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation. `position` counts from 0 within the session; `at` is UTC seconds or None if
    unknown."""

    id: str
    session: str
    position: int
    role: Role
    content: str
    at: float | None
    metadata: dict[str, Json] = field(default_factory=dict[str, Json])


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation. archived_at is None while it is open. origin: the program that it was taken over from, "" for one
    that began here. dated: False where nobody knows when it began; created_at is then when it was taken in."""

    id: str
    title: str
    created_at: float
    updated_at: float
    messages: int
    archived_at: float | None = None
    version: int = 1
    last_line: str = ""
    origin: str = ""
    dated: bool = True


@dataclass(frozen=True, slots=True)
class SharedEntry:
    """One setting or piece of context that the whole workspace shares."""

    key: str
    value: Json
    updated_at: float
    updated_by: str
    metadata: dict[str, Json] = field(default_factory=dict[str, Json])
    version: int = 1
