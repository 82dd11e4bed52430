"""Port: the stored change stream."""

from typing import Protocol

from core.domain.changes import Change


class ChangePort(Protocol):
    async def latest(self) -> int:
        """Sequence of the newest change; 0 when there is none."""
        ...

    async def after(self, sequence: int, limit: int = 100) -> list[Change]:
        """Changes above `sequence`, oldest first; limit 1 to 1,000."""
        ...

    async def of(self, kind: str, id: str, limit: int = 100) -> list[Change]:
        """Changes of one thing, newest first."""
        ...
