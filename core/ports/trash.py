"""Port: the trash of a workspace, for whatever was forgotten or deleted. Its list is a `RowsPort[Trashed]`."""

from collections.abc import Sequence
from typing import Protocol

from core.domain.trash import Trashed


class ForgottenPort(Protocol):
    """What lies in the trash is found by no search and no recall."""

    async def find(self, kind: str, id: str) -> Trashed | None:
        """The newest thing of this kind and id in the trash."""
        ...

    async def restore(self, number: int) -> Trashed:
        """Put it back exactly as it was, with its history. Raises NotFound where it isn't in the trash any more,
        VersionConflict where something stands in its place (`present`); it stays in the trash then."""
        ...

    async def erase(self, numbers: Sequence[int]) -> int:
        """Erase these for good, with their history; answers how many were still there."""
        ...

    async def erase_until(self, instant: float, limit: int = 500) -> int:
        """Erase what was removed at `instant` or before, the oldest first, at most `limit`; answers how many."""
        ...

    async def oldest(self) -> float | None:
        """When the oldest was removed; None where the trash is empty."""
        ...

    async def empty(self) -> int:
        """Erase everything in the trash; answers how many there were."""
        ...
