"""An export that is told in memory: ExportPort without a process."""

from collections.abc import Sequence
from pathlib import Path

from core.domain.conversations import LeftOut, ToldConversation
from core.errors import UserError


class MemoryExports:
    """`files`: file name to what it tells. A file that isn't named there can't be read."""

    def __init__(self) -> None:
        self.files: dict[str, Sequence[ToldConversation | LeftOut]] = {}
        self.closed = False

    async def seems(self, path: Path) -> str:
        return "ChatGPT" if path.name in self.files else ""

    async def open(self, path: Path) -> int:
        if path.name not in self.files:
            raise UserError(f"“{path.name}” is no export of conversations.")
        return len(self.files[path.name])

    async def some(self, path: Path, first: int, count: int) -> list[ToldConversation | LeftOut]:
        return list(self.files[path.name][first : first + count])

    async def close(self) -> None:
        self.closed = True
