"""Port: what people do with records beyond what assistants do: edit what was read, look into the past, undo."""

from collections.abc import Sequence
from typing import Protocol

from core.domain.history import Access, Promotion, RecordVersion
from core.domain.memory import Record


class RecordBookPort(Protocol):
    """The records that `MemoryPort` of the same workspace keeps. `expected` is explained in core.ports.memory."""

    async def edit(self, changed: Record, expected: int | None) -> Record:
        """Write value, tier, metadata (title and tags stand there) and pin of `changed`; all else stays as it is now.

        Where nothing differs nothing is written. Raises NotFound, VersionConflict.
        """
        ...

    async def take(self, record: Record) -> Record:
        """Put a record there exactly as given, with its times, counts and version (a sample, an import).
        Raises VersionConflict where the key is taken; nothing is changed then."""
        ...

    async def undo_edit(self, before: Record, after: Record) -> Record:
        """Undo the write that made `after` of `before`: what was written, by whom and when becomes as it was, under a
        version of its own; accesses stay. The other way round it is a redo.
        Raises VersionConflict unless what is written stands as `after` has it."""
        ...

    async def undo_access(self, before: Record, after: Record) -> Record:
        """Undo the accesses that made `after` of `before`: salience, count, last access and their history become as
        they were; what is written stays. The other way round it is a redo.
        Raises VersionConflict where the record was accessed again since."""
        ...

    async def versions(self, key: str, namespace: str = "default", limit: int = 100) -> list[RecordVersion]:
        """The present version and the former ones, newest first; limit 1 to 200. Empty where there is no record."""
        ...

    async def restore_version(
        self, key: str, namespace: str = "default", *, version: int, expected: int | None = None
    ) -> Record:
        """Write a former version anew: value, tier, metadata, pin, source. Raises NotFound, VersionConflict."""
        ...

    async def accesses(self, key: str, namespace: str = "default", limit: int = 100) -> list[Access]:
        """Who used the record, newest first; limit 1 to 100, which is all that is kept."""
        ...

    async def tags(self, namespace: str | None = None) -> list[tuple[str, int]]:
        """Tags with how many records bear each, most used first; spellings that differ in case count as one."""
        ...

    async def namespaces(self) -> list[tuple[str, int]]:
        """Namespaces with how many records are in each, by name."""
        ...

    async def writers(self) -> list[tuple[str, int]]:
        """Who wrote what the records hold now, with how many, most first."""
        ...

    async def proposals(self, limit: int = 100) -> list[Promotion]:
        """Working memories that were used often enough to be kept, most used first; limit 1 to 100.
        Accept one with `edit` (another tier), or `refuse` it. Nothing is promoted otherwise."""
        ...

    async def refuse(self, key: str, namespace: str = "default") -> None:
        """Propose this one again only when it was used as often once more. Raises NotFound."""
        ...

    async def unrefuse(self, key: str, namespace: str = "default") -> None:
        """Undo `refuse`. Raises NotFound."""
        ...


__all__: Sequence[str] = ("RecordBookPort",)
