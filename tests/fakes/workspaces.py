"""The list of known workspaces and their folders, in memory."""

import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from core.domain.workspaces import WorkspaceInfo, check_name
from core.errors import UserError, WorkspaceUnreadable

Entry = tuple[Path, str]


class FakeKnownList:
    """KnownListPort."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._last: Path | None = None

    async def read(self) -> list[Entry]:
        return list(self._entries)

    async def change(self, change: Callable[[list[Entry]], list[Entry]]) -> None:
        self._entries = list(change(list(self._entries)))

    async def last_opened(self) -> Path | None:
        return self._last

    async def set_last_opened(self, path: Path | None) -> None:
        self._last = path


class FakeFolders:
    """FolderPort."""

    def __init__(self) -> None:
        self.folders: dict[Path, WorkspaceInfo] = {}
        self.owners: dict[Path, str] = {}

    async def create(self, path: Path, name: str) -> WorkspaceInfo:
        if path in self.folders:
            raise UserError(f"The folder “{path.name}” holds something already.")
        self.folders[path] = WorkspaceInfo(uuid.uuid4().hex, check_name(name), path)
        return self.folders[path]

    async def read(self, path: Path) -> WorkspaceInfo:
        if path not in self.folders:
            raise WorkspaceUnreadable(f"“{path.name}” is not where it was.")
        return self.folders[path]

    async def rename(self, path: Path, name: str) -> WorkspaceInfo:
        self.folders[path] = replace(await self.read(path), name=check_name(name))
        return self.folders[path]

    async def new_id(self, path: Path) -> WorkspaceInfo:
        self.folders[path] = replace(await self.read(path), id=uuid.uuid4().hex)
        return self.folders[path]

    async def move(self, path: Path, target: Path) -> WorkspaceInfo:
        info = await self.read(path)
        if target in self.folders or path in (target, *target.parents):
            raise UserError(f"“{path.name}” can't be moved there.")
        del self.folders[path]
        self.folders[target] = replace(info, path=target)
        return self.folders[target]

    async def owner(self, path: Path) -> str | None:
        return self.owners.get(path)
