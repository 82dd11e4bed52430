"""Records, conversations and shared settings: the three kinds of memory that are kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import cast

from core.domain.tiers import Tier

Json = object
"""Any JSON value: None, bool, int, float, str, list or dict of the same."""


@dataclass(frozen=True, slots=True)
class Source:
    """What a memory was made from. kind: what is named ("session", "paper", "record", "import", …); id: its public id;
    said: words for people, such as its title at the time."""

    kind: str
    id: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class Why:
    """Why a record was recalled. score = relevance x salience.

    relevance: 0 to 1, of words and meaning together. by_words: 0 to 1, how much of what the question's words weigh
    stands in it; similarity: cosine of its nearest passage; None where that half didn't find it. words: those of the
    question that it holds. Without words in the question relevance is 1. salience: how present it was at that instant.
    """

    relevance: float
    salience: float
    words: tuple[str, ...] = ()
    by_words: float | None = None
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A memory with a key. Identity is (namespace, key). Times are UTC seconds.

    salience: value at last access; how present it is now is `tiers.salience_now`. version: counts writes, starts at 1;
    an access is no write. created_by, updated_by: who wrote it, as in events.Changed.origin. source: what the present
    value was made from. score, why: only in answers to recall.
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
    created_by: str = "person"
    updated_by: str = "person"
    source: Source | None = None
    score: float | None = None
    why: Why | None = None

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
        return tags_of(self.metadata)


def tags_of(metadata: Mapping[str, Json]) -> tuple[str, ...]:
    """The tags that metadata name, as they are written there."""
    tags = metadata.get("tags")
    return tuple(str(tag) for tag in cast("list[object]", tags)) if isinstance(tags, list) else ()


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


class ValueType(StrEnum):
    """What the value of a shared entry is. ANYTHING: no type was declared."""

    TEXT = "text"
    NUMBER = "number"
    YES_NO = "yes_no"
    LIST = "list"
    STRUCTURE = "structure"
    ANYTHING = "anything"

    def allows(self, value: Json) -> bool:
        """Null, "not set", is allowed by every type."""
        return self is ValueType.ANYTHING or value is None or type_of(value) is self


def type_of(value: Json) -> ValueType:
    """The type of a JSON value; ANYTHING for null."""
    match value:
        case bool():
            return ValueType.YES_NO
        case int() | float():
            return ValueType.NUMBER
        case str():
            return ValueType.TEXT
        case list() | tuple():
            return ValueType.LIST
        case dict():
            return ValueType.STRUCTURE
        case _:
            return ValueType.ANYTHING


@dataclass(frozen=True, slots=True)
class SharedEntry:
    """One setting or piece of context that the whole workspace shares. type: what its value may be."""

    key: str
    value: Json
    updated_at: float
    updated_by: str
    metadata: dict[str, Json] = field(default_factory=dict[str, Json])
    version: int = 1
    type: ValueType = ValueType.ANYTHING
