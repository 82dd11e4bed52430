"""The list of known workspaces, and which of them is open. One broken or missing workspace never stops the others."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from core.domain.workspaces import KnownState, KnownWorkspace, WorkspaceInfo, check_name, folder_name
from core.errors import InvalidValue, MunimentError, NotFound, UserError, WorkspaceInUse
from core.ports.workspaces import FolderPort, KnownListPort, TrashPort
from core.services.workspace import Workspace

PATIENCE = 2.0  # seconds for looking at one known workspace

Opener = Callable[[WorkspaceInfo], Awaitable[Workspace]]


class Workspaces:
    """Creates, opens, switches, renames, moves and deletes workspaces. One is open at a time."""

    def __init__(self, known: KnownListPort, folders: FolderPort, trash: TrashPort, opener: Opener) -> None:
        self._known = known
        self._folders = folders
        self._trash = trash
        self._opener = opener
        self._switching = asyncio.Lock()
        self.current: Workspace | None = None

    # ---- the list ---------------------------------------------------------------------------------------------------

    async def list(self) -> list[KnownWorkspace]:
        """Every known workspace with its state, in the person's order."""
        entries = await self._known.read()
        looked = await asyncio.gather(*(self._look_in_time(path, name) for path, name in entries))
        return _with_copies(looked)

    async def _look_in_time(self, path: Path, name: str) -> KnownWorkspace:
        """A drive that doesn't answer must not hold up the others, nor the start."""
        try:
            return await asyncio.wait_for(self._look(path, name), PATIENCE)
        except TimeoutError:
            reason = f"The drive with “{name}” doesn't answer. Check its connection, then try again."
            return KnownWorkspace(path, name, KnownState.MISSING, reason=reason)

    async def _look(self, path: Path, name: str) -> KnownWorkspace:
        try:
            info = await self._folders.read(path)
        except MunimentError as error:
            missing = not await asyncio.to_thread(path.exists)
            state = KnownState.MISSING if missing else KnownState.BROKEN
            return KnownWorkspace(path, name, state, reason=error.sentence)
        if self.current is not None and self.current.info.path == path:
            return KnownWorkspace(path, info.name, KnownState.OPEN, info.id)
        holder = await self._folders.owner(path)
        if holder is not None:
            return KnownWorkspace(path, info.name, KnownState.IN_USE, info.id, f"Open in {holder}.")
        return KnownWorkspace(path, info.name, KnownState.READY, info.id)

    async def last_opened(self) -> Path | None:
        return await self._known.last_opened()

    async def create(self, parent: Path, name: str) -> KnownWorkspace:
        """Make a workspace in a new folder below `parent`. Raises UserError if the folder holds something already."""
        name = check_name(name)
        info = await self._folders.create(await _full(parent / folder_name(name)), name)
        await self._remember(info)
        return KnownWorkspace(info.path, info.name, KnownState.READY, info.id)

    async def add(self, path: Path) -> KnownWorkspace:
        """Put a workspace that lies on this computer into the list. Raises WorkspaceUnreadable if it is none."""
        info = await self._folders.read(await _full(path))
        await self._remember(info)
        return next(known for known in await self.list() if known.path == info.path)

    async def remove(self, path: Path) -> None:
        """Take a workspace off the list. Its folder stays as it is."""
        path = await _full(path)
        if self.current is not None and self.current.info.path == path:
            await self.close_current()
        await self._known.change(lambda entries: [entry for entry in entries if entry[0] != path])
        if await self._known.last_opened() == path:
            await self._known.set_last_opened(None)

    async def rename(self, path: Path, name: str) -> WorkspaceInfo:
        """Give a workspace another name. The folder keeps its own name on disk, so links to it stay true."""
        path = await _full(path)
        info = await self._folders.rename(path, check_name(name))
        if self.current is not None and self.current.info.path == path:
            self.current.info = info
        await self._remember(info)
        return info

    async def move(self, path: Path, parent: Path) -> WorkspaceInfo:
        """Move the folder below another one. It must not be open anywhere; an open one is closed first."""
        path, target = await _full(path), await _full(parent / path.name)
        await self._let_go(path)
        info = await self._folders.move(path, target)
        await self._known.change(lambda entries: [(target if at == path else at, name) for at, name in entries])
        if await self._known.last_opened() == path:
            await self._known.set_last_opened(target)
        return info

    async def delete(self, path: Path, typed_name: str) -> None:
        """Move the workspace to the system's trash. `typed_name` must be its name, as the person read it."""
        path = await _full(path)
        known = next((entry for entry in await self.list() if entry.path == path), None)
        if known is None:
            raise NotFound("This workspace is not in the list any more.")
        if " ".join(typed_name.split()) != known.name:
            raise InvalidValue(f"Type “{known.name}” to delete this workspace.")
        if known.state is KnownState.MISSING:
            raise UserError(f"“{known.name}” is not where it was. Take it off the list instead.")
        await self._let_go(path)
        await self._trash.trash(path)
        await self.remove(path)

    async def keep_copy(self, path: Path) -> WorkspaceInfo:
        """Make a copy a workspace of its own: it gets a new id."""
        path = await _full(path)
        await self._let_go(path)
        return await self._folders.new_id(path)

    async def _remember(self, info: WorkspaceInfo) -> None:
        def remembered(entries: list[tuple[Path, str]]) -> list[tuple[Path, str]]:
            if any(path == info.path for path, _ in entries):
                return [(path, info.name if path == info.path else name) for path, name in entries]
            return [*entries, (info.path, info.name)]

        await self._known.change(remembered)

    async def _let_go(self, path: Path) -> None:
        if self.current is not None and self.current.info.path == path:
            await self.close_current()
        holder = await self._folders.owner(path)
        if holder is not None:
            raise WorkspaceInUse(f"“{path.name}” is open in {holder}. Close it there first.")

    # ---- the open one -----------------------------------------------------------------------------------------------

    async def open(self, path: Path) -> Workspace:
        """Close what is open, then open this one. When it can't be opened, nothing is open afterwards.

        Raises WorkspaceUnreadable, WorkspaceInUse, or UserError where another folder in the list is a copy of it.
        """
        path = await _full(path)
        async with self._switching:
            if self.current is not None and self.current.info.path == path:
                return self.current
            info = await self._folders.read(path)
            await self._refuse_copies(info)
            workspace = await self._exchange(info)
            await self._remember(info)
            await self._known.set_last_opened(path)
            return workspace

    async def _exchange(self, info: WorkspaceInfo) -> Workspace:
        """Close the one and open the other at the same time: they share nothing, and ending workers takes a while."""
        closed, opened = await asyncio.gather(self._close(), self._opener(info), return_exceptions=True)
        if isinstance(opened, BaseException):
            raise opened
        if isinstance(closed, BaseException):
            await opened.close()
            raise closed
        self.current = opened
        return opened

    async def _refuse_copies(self, info: WorkspaceInfo) -> None:
        for known in await self.list():
            if known.id == info.id and known.path != info.path:
                raise UserError(
                    f"“{info.path.name}” and “{known.path.name}” are copies of one workspace. "
                    "Choose which one to keep, or make this one a workspace of its own.",
                    code="copy",
                )

    async def close_current(self) -> None:
        async with self._switching:
            await self._close()

    async def _close(self) -> None:
        workspace, self.current = self.current, None
        if workspace is not None:
            await workspace.close()


def _with_copies(looked: list[KnownWorkspace]) -> list[KnownWorkspace]:
    """Mark folders that share an id; the person chooses which one goes on as it was."""
    count: dict[str, int] = {}
    for known in looked:
        if known.id:
            count[known.id] = count.get(known.id, 0) + 1
    return [
        KnownWorkspace(known.path, known.name, KnownState.COPY, known.id, "Another folder in the list is a copy of it.")
        if known.id and count[known.id] > 1 and known.state is KnownState.READY
        else known
        for known in looked
    ]


async def _full(path: Path) -> Path:
    return await asyncio.to_thread(lambda: path.expanduser().resolve())
