"""Port: what keeps the store of bytes and the rows of papers in step."""

from typing import Protocol

from core.domain.extraction import Note
from core.domain.papers import Paper


class UpkeepPort(Protocol):
    """Rows of papers, removed ones among them, as the upkeep of a workspace needs them."""

    async def digests(self) -> set[str]:
        """Of all bytes that a paper has, be it removed or not, or had before its file was changed, for as long as
        removed papers are kept."""
        ...

    async def some(self, after: int, count: int) -> list[Paper]:
        """Papers that are not removed, with row numbers above `after`, in their order."""
        ...

    async def set_note(self, id: str, code: str, note: Note | None) -> Paper:
        """Put the note in place of all with this code, or take them away. Nothing is written where nothing differs.
        Raises NotFound."""
        ...
