"""Ports of workspaces as folders: the list of known ones, the lock, the trash of the system, secrets."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from core.domain.workspaces import WorkspaceInfo


class KnownListPort(Protocol):
    """The list of known workspaces in the user's data folder: paths and names, nothing else. Whole after a crash."""

    async def read(self) -> list[tuple[Path, str]]:
        """In the person's order. A damaged file is set aside (kept under another name) and answered as an empty
        list."""
        ...

    async def change(self, change: Callable[[list[tuple[Path, str]]], list[tuple[Path, str]]]) -> None:
        """Replace the list by what `change` makes of it. Nobody else writes between, in no other process either, so
        that two programs lose nothing of each other's. `change` runs in a thread."""
        ...

    async def last_opened(self) -> Path | None: ...

    async def set_last_opened(self, path: Path | None) -> None: ...


class FolderPort(Protocol):
    """A workspace's folder: its workspace.toml and what lies beside it."""

    async def create(self, path: Path, name: str) -> WorkspaceInfo:
        """Make the folder (0700) with workspace.toml and the sub-folders. Raises UserError if it holds anything
        already."""
        ...

    async def read(self, path: Path) -> WorkspaceInfo:
        """Raises WorkspaceUnreadable: missing, damaged, or of a newer format, each with its own sentence."""
        ...

    async def rename(self, path: Path, name: str) -> WorkspaceInfo:
        """Change the name in workspace.toml; the folder keeps its name on disk."""
        ...

    async def new_id(self, path: Path) -> WorkspaceInfo:
        """Give a copy an id of its own."""
        ...

    async def move(self, path: Path, target: Path) -> WorkspaceInfo:
        """Move the folder, across disks too: copied, verified, then removed; on any failure the old one stays whole."""
        ...

    async def owner(self, path: Path) -> str | None:
        """Who holds the workspace's lock now ("process 4711 on this computer"), or None."""
        ...


class LockPort(Protocol):
    """Ownership of one workspace by one process."""

    @property
    def generation(self) -> int:
        """Counts the openings of this workspace."""
        ...

    @property
    def last_stop_clean(self) -> bool: ...

    def release(self, *, clean: bool) -> None: ...


class TrashPort(Protocol):
    async def trash(self, path: Path) -> None:
        """Move to the system's trash. Raises EnvironmentFault where there is none; nothing is deleted then."""
        ...
