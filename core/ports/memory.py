"""Ports of two kept scopes: semantic (records) and workspace (shared settings).

`expected`, wherever it stands, is the version that the caller read: the write is checked against it in its own
transaction. None writes whatever stands there; 0 wants that nothing does. A VersionConflict carries both sides
(`present`, `wanted`), and nothing was written.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from core.domain.history import SharedVersion
from core.domain.memory import Json, Record, SharedEntry, Source, ValueType
from core.domain.tiers import REINFORCEMENT, Tier
from core.ports.rows import RowsPort


class MemoryPort(Protocol):
    """Records of one workspace. Keys and namespaces refuse empty, NUL, "..", "/" and backslash (InvalidValue)."""

    async def remember(
        self,
        key: str,
        value: Json,
        tier: Tier,
        namespace: str = "default",
        metadata: Mapping[str, Json] | None = None,
        *,
        source: Source | None = None,
        expected: int | None = None,
    ) -> Record:
        """Store or replace. A known key keeps salience, access_count, created_at and its pin; version rises by one and
        the former version is kept. Raises VersionConflict."""
        ...

    async def recall(
        self,
        query: str,
        tier: Tier | None = None,
        namespace: str = "default",
        limit: int = 10,
        *,
        tags: Sequence[str] = (),
        after: float | None = None,
        before: float | None = None,
        learn: bool = False,
    ) -> list[Record]:
        """Best first by relevance x present salience; an empty query (or only punctuation): salience, then newest.

        Words are literal. limit 1 to 100 (InvalidValue). tags: all of them, in any case. after, before: UTC seconds, of
        the last write. All filters hold before the limit. `score` and `why` are set. learn: each record answered counts
        as accessed for this question, and is answered as it was before; otherwise looking changes nothing.
        """
        ...

    async def get(self, key: str, namespace: str = "default") -> Record | None: ...

    async def forget(self, key: str, namespace: str = "default") -> bool:
        """Move the record to the trash; nothing finds it any more. False where there was none."""
        ...

    async def forget_all(self, namespace: str) -> int:
        """Move every record of a namespace to the trash; answers how many."""
        ...

    async def reinforce(self, key: str, namespace: str = "default", delta: float = REINFORCEMENT) -> Record:
        """Restore salience as it was at last access and add delta (never below 0); counts an access, which is no new
        version. Raises NotFound for a missing key, InvalidValue for NaN and infinity."""
        ...

    async def close(self) -> None: ...


class SharedPort(Protocol):
    """Typed settings and context that the whole workspace shares."""

    async def get(self, key: str) -> SharedEntry | None: ...

    async def set(
        self,
        key: str,
        value: Json,
        metadata: Mapping[str, Json] | None = None,
        *,
        type: ValueType | None = None,
        expected: int | None = None,
    ) -> SharedEntry:
        """Store or replace. A new key takes the type of its value, a known key keeps its own; `type` declares another.
        The former version is kept. Raises InvalidValue for a value of another type, VersionConflict."""
        ...

    async def delete(self, key: str, *, expected: int | None = None) -> bool:
        """Move the entry to the trash; False where there was none. Raises VersionConflict."""
        ...

    async def undo_edit(self, before: SharedEntry, after: SharedEntry) -> SharedEntry:
        """Undo the write that made `after` of `before`: everything as it was, under a version of its own. The other way
        round it is a redo. Raises VersionConflict unless the entry stands as `after` left it."""
        ...

    async def versions(self, key: str, limit: int = 100) -> list[SharedVersion]:
        """The present version and the former ones, newest first; limit 1 to 200. Empty where there is no entry."""
        ...

    async def restore_version(self, key: str, version: int, *, expected: int | None = None) -> SharedEntry:
        """Write a former version anew. Raises NotFound, VersionConflict."""
        ...


class RecordRows(RowsPort[Record], Protocol): ...


class SharedRows(RowsPort[SharedEntry], Protocol): ...


__all__: Sequence[str] = (
    "MemoryPort",
    "RecordRows",
    "SharedPort",
    "SharedRows",
)
