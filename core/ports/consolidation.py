"""Port: records that say the same, proposed in pairs, merged when a person chose."""

from typing import Protocol

from core.domain.consolidation import Choice, Merged, Pair


class ConsolidationPort(Protocol):
    """The records that `MemoryPort` of the same workspace keeps. Looking changes nothing and counts as no access."""

    async def pairs(self, namespace: str = "default", limit: int = 100) -> list[Pair]:
        """Pairs among the newest records of a namespace: those with the same words (of many, each with one of them),
        and those whose first passages are alike in meaning, as far as they have vectors. The likest first, each pair
        once, none that was refused; limit 1 to 100 (InvalidValue). It may be cancelled at any time."""
        ...

    async def merge(self, pair: Pair, choice: Choice) -> Merged:
        """In one write: the kept one takes over what `consolidation.merged` says, its former version stays among its
        versions; the other goes to the trash. Raises VersionConflict where either was changed or forgotten since."""
        ...

    async def unmerge(self, merged: Merged) -> None:
        """Undo a merge in one write: both as they were, with their history; accesses since then stay. Raises
        VersionConflict where the kept one was changed since or the other key is taken, NotFound where the other isn't
        in the trash any more; nothing is changed then."""
        ...

    async def refuse(self, pair: Pair) -> None:
        """Don't propose this pair any more. Raises NotFound where one of the two is gone."""
        ...

    async def unrefuse(self, pair: Pair) -> None:
        """Undo `refuse`. Raises NotFound."""
        ...


__all__ = ("ConsolidationPort",)
