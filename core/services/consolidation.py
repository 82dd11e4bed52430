"""Memories that say the same, across the namespaces of a workspace: proposed, merged or left apart by a person."""

from collections.abc import Sequence

from core.domain.consolidation import Choice, Merged, Pair
from core.ports.consolidation import ConsolidationPort
from core.ports.records import RecordBookPort


class ConsolidationService:
    """Proposes and does what a person chose. A pair never spans two namespaces; nothing is merged by itself."""

    def __init__(self, port: ConsolidationPort, book: RecordBookPort) -> None:
        self._port = port
        self._book = book

    async def pairs(self, limit: int = 100, namespace: str | None = None) -> Sequence[Pair]:
        """The likest pairs of one namespace or, with None, of all, at most `limit` (1 to 100). May be cancelled."""
        names = [name for name, count in await self._book.namespaces() if count > 1]
        found: list[Pair] = []
        for name in names if namespace is None else [namespace]:
            found += await self._port.pairs(name, limit)
        found.sort(key=lambda pair: -pair.similarity)
        return found[:limit]

    async def merge(self, pair: Pair, choice: Choice) -> Merged:
        """Keep one of both, with what the other adds; the other goes to the trash. Raises VersionConflict."""
        return await self._port.merge(pair, choice)

    async def undo(self, merged: Merged) -> None:
        """Both as they were before. Raises VersionConflict, NotFound."""
        await self._port.unmerge(merged)

    async def refuse(self, pair: Pair) -> None:
        """Keep both, and don't propose them any more. Raises NotFound."""
        await self._port.refuse(pair)

    async def unrefuse(self, pair: Pair) -> None:
        """Undo `refuse`. Raises NotFound."""
        await self._port.unrefuse(pair)
