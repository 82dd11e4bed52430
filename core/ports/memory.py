"""Ports of two kept scopes: semantic (records) and workspace (shared settings)."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from core.domain.memory import Json, Record, SharedEntry
from core.domain.tiers import Tier
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
    ) -> Record:
        """Store or replace. A known key keeps salience, access_count and created_at; version rises by one."""
        ...

    async def recall(
        self, query: str, tier: Tier | None = None, namespace: str = "default", limit: int = 10
    ) -> list[Record]:
        """Best first by relevance x present salience; an empty query (or only punctuation): salience, then newest.
        Words are literal. limit 1 to 100 (InvalidValue). `score` is set. Looking doesn't count as an access."""
        ...

    async def get(self, key: str, namespace: str = "default") -> Record | None: ...

    async def forget(self, key: str, namespace: str = "default") -> bool:
        """Remove the record and its passages; False where there was none."""
        ...

    async def restore(self, record: Record) -> Record:
        """Undo `forget`: put the record back exactly as given (salience, counts, times, pin, version), with its
        passages.
        Raises VersionConflict where the key was written again meanwhile; nothing is changed then."""
        ...

    async def forget_all(self, namespace: str) -> int: ...

    async def reinforce(self, key: str, namespace: str = "default", delta: float = 0.1) -> Record:
        """Restore salience as it was at last access and add delta (never below 0); counts an access.
        Raises NotFound for a missing key, InvalidValue for NaN and infinity."""
        ...

    async def close(self) -> None: ...


class SharedPort(Protocol):
    """Typed settings and context that the whole workspace shares."""

    async def get(self, key: str) -> SharedEntry | None: ...

    async def set(self, key: str, value: Json, metadata: Mapping[str, Json] | None = None) -> SharedEntry: ...

    async def delete(self, key: str) -> bool: ...

    async def restore(self, entry: SharedEntry) -> SharedEntry:
        """Undo `delete` exactly. Raises VersionConflict where the key was set again meanwhile."""
        ...


class RecordRows(RowsPort[Record], Protocol): ...


class SharedRows(RowsPort[SharedEntry], Protocol): ...


__all__: Sequence[str] = (
    "MemoryPort",
    "RecordRows",
    "SharedPort",
    "SharedRows",
)
