"""Watched folders of one workspace: what a person does with them."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

from core.clock import Clock
from core.domain.text import one_line
from core.domain.watching import DEFAULT_RULES, FolderState, Keep, Place, Settled, WatchedFolder
from core.domain.workspaces import SETTINGS
from core.errors import NotFound, UserError, VersionConflict
from core.ports.papers import ArtifactPort
from core.ports.rows import RowsPort
from core.ports.watching import FolderWatcherPort, WatchedFoldersPort
from core.services.apart import refuse_other_workspaces
from core.services.folder_watch import FolderWatch, Means
from core.services.jobs import JobService
from core.services.papers import GIB, PaperService
from core.tasks import TaskScope


class WatchingService:
    """Adds, changes and stops the watching of folders, which goes on in the background. Methods answer after the
    commit."""

    def __init__(
        self,
        folders: WatchedFoldersPort,
        rows: RowsPort[WatchedFolder],
        watcher: FolderWatcherPort,
        artifacts: ArtifactPort,
        papers: PaperService,
        jobs: JobService,
        tasks: TaskScope,
        clock: Clock,
        *,
        byte_limit: int = 2 * GIB,
    ) -> None:
        self.rows = rows
        self._folders = folders
        self._watcher = watcher
        self._papers = papers
        self._tasks = tasks
        self._watches: dict[str, FolderWatch] = {}
        self._running: dict[str, asyncio.Task[None]] = {}
        self._means = Means(folders, watcher, artifacts, jobs, tasks, clock, self._settled, byte_limit)

    async def start(self) -> None:
        """Go on watching. Called once, when the workspace opens."""
        for folder in await self._folders.list():
            if folder.state is not FolderState.PAUSED:
                self._watch(folder)

    async def list(self) -> Sequence[WatchedFolder]:
        return await self._folders.list()

    async def get(self, id: str) -> WatchedFolder:
        folder = await self._folders.get(id)
        if folder is None or folder.removed_at is not None:
            raise NotFound("This folder is not watched any more.")
        return folder

    async def add(
        self, path: Path, keep: Keep = Keep.COPY, rules: str = DEFAULT_RULES, subfolders: bool = True
    ) -> WatchedFolder:
        """Watch a folder: what lies in it is taken in, in the background, and what comes into it from now on.

        Raises UserError for what is no folder, is watched already, or belongs to a workspace; InvalidValue for rules
        that can't be understood.
        """
        self._watcher.check(rules)
        path = await self.refuse(path, subfolders)
        folder = await self._folders.add(str(path), keep, rules, subfolders)
        self._watch(folder)
        return folder

    async def refuse(self, path: Path, subfolders: bool = True) -> Path:
        """Raises UserError for a folder that can't be watched; answers the real path of one that can."""
        path = await asyncio.to_thread(lambda: Path(os.path.realpath(path.expanduser())))
        shown = one_line(os.fsencode(path.name or str(path)).decode("utf-8", "replace"))
        if not await asyncio.to_thread(path.is_dir):
            raise UserError(f"“{shown}” is not a folder, or is not there.")
        if await asyncio.to_thread((path / SETTINGS).is_file):
            raise UserError(f"“{shown}” is the folder of a workspace and can't be watched. Choose another folder.")
        await refuse_other_workspaces(path)
        for folder in await self._folders.list():
            other = Path(folder.path)
            if path == other:
                raise UserError(f"“{shown}” is watched already.")
            inside = (path in other.parents and subfolders) or (other in path.parents and folder.subfolders)
            if inside:
                raise UserError(f"“{shown}” and “{other.name}”, which is watched already, lie in one another.")
        return path

    async def change(self, id: str, keep: Keep, rules: str, subfolders: bool) -> WatchedFolder:
        """How files are kept counts for those that come from now on; linked ones are copied in where that is chosen.
        Raises NotFound, InvalidValue."""
        self._watcher.check(rules)
        await self.get(id)
        folder = await self._folders.change(id, keep, rules, subfolders)
        if folder.state is not FolderState.PAUSED:
            await self._stop(id)
            self._watch(folder)
        return folder

    async def pause(self, ids: Sequence[str]) -> None:
        """Stop looking until `resume`; what was taken stays."""
        for id in ids:
            await self.get(id)
            await self._stop(id)
            await self._folders.note(id, FolderState.PAUSED)

    async def resume(self, ids: Sequence[str]) -> None:
        for id in ids:
            folder = await self.get(id)
            if folder.state is FolderState.PAUSED:
                await self._folders.note(id, FolderState.CATCHING_UP)
                self._watch(folder)

    async def rescan(self, ids: Sequence[str]) -> None:
        """Look at everything in these folders now, in the background. One that is paused goes on with it."""
        for id in ids:
            folder = await self.get(id)
            if (watch := self._watches.get(id)) is not None:
                watch.look_again()
            else:
                await self._folders.note(id, FolderState.CATCHING_UP)
                self._watch(folder)

    async def remove(self, ids: Sequence[str]) -> Sequence[WatchedFolder]:
        """Stop watching. The papers stay; `restore` undoes it."""
        for id in ids:
            await self._stop(id)
        return await self._folders.remove(ids)

    async def restore(self, ids: Sequence[str]) -> None:
        for folder in await self._folders.restore(ids):
            self._watch(folder)

    async def places(self, paper: str) -> Sequence[Place]:
        """Every place where a paper was taken from."""
        return await self._folders.places(paper)

    async def idle(self) -> None:
        """Wait until every folder was looked at and nothing in it waits."""
        for watch in list(self._watches.values()):
            await watch.idle()

    def _watch(self, folder: WatchedFolder) -> None:
        watch = FolderWatch(folder, self._means, self._pause_later)
        self._watches[folder.id] = watch
        self._running[folder.id] = self._tasks.start(watch.run(), latest=f"folder {folder.id}")

    def _pause_later(self, id: str) -> None:
        self._tasks.start(self.pause([id]))

    async def _stop(self, id: str) -> None:
        self._watches.pop(id, None)
        if (running := self._running.pop(id, None)) is not None:
            running.cancel()
            await asyncio.wait([running])

    async def _settled(self, settled: Settled) -> None:
        for id, name in settled.renamed:
            paper = await self._papers.get(id)
            try:
                await self._papers.rename(id, name, paper.name)
            except VersionConflict:
                continue  # a person gave it another name just now
        if settled.to_read:
            self._papers.wake()
