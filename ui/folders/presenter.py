"""What the place of watched folders knows and does; no widgets."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject

from core.domain.watching import FolderState, Keep, WatchedFolder
from core.services.workspace import Workspace
from ui.commands.place import Undo
from ui.folders import words
from ui.qt.browsing import BrowsePresenter
from ui.qt.scope import ViewScope


@dataclass(frozen=True, slots=True)
class Settings:
    """What stands in the dialog."""

    keep: Keep
    rules: str
    subfolders: bool


class FoldersPresenter(BrowsePresenter[WatchedFolder]):
    """Folders whose files become papers by themselves."""

    def __init__(
        self,
        workspace: Workspace,
        scope: ViewScope,
        offer_undo: Callable[[Undo], None],
        parent: QObject | None = None,
    ) -> None:
        rows = workspace.folders.rows
        super().__init__(scope, workspace.events, rows, frozenset({"folder"}), words.line, words.SORTS, parent)
        self._folders = workspace.folders
        self._offer_undo = offer_undo

    async def position_of(self, id: str) -> int | None:
        return self.model.position_of((await self._folders.get(id)).number)

    async def check(self, path: Path) -> None:
        """Raises UserError for a folder that can't be watched."""
        await self._folders.refuse(path)

    async def add(self, path: Path, settings: Settings) -> WatchedFolder:
        """Raises UserError."""
        folder = await self._folders.add(path, settings.keep, settings.rules, settings.subfolders)
        self._offer_undo(Undo(f"Watching “{words.name(folder)}”.", lambda: self._folders.remove([folder.id])))
        return folder

    async def change(self, read: WatchedFolder, settings: Settings) -> None:
        """Raises UserError."""
        await self._folders.change(read.id, settings.keep, settings.rules, settings.subfolders)
        before = (read.keep, read.rules, read.subfolders)
        self._offer_undo(Undo(f"Changed “{words.name(read)}”.", lambda: self._folders.change(read.id, *before)))

    async def look_again(self) -> None:
        await self._folders.rescan([folder.id for folder in await self.all_chosen()])

    async def pause(self) -> None:
        folders = [each for each in await self.all_chosen() if each.state is not FolderState.PAUSED]
        ids = [each.id for each in folders]
        await self._folders.pause(ids)
        if ids:
            self._offer_undo(Undo(f"Paused {words.of_folders(folders)}.", lambda: self._folders.resume(ids)))

    async def go_on(self) -> None:
        await self._folders.resume([folder.id for folder in await self.all_chosen()])

    async def stop(self) -> None:
        """Watch the chosen folders no more; their papers stay."""
        folders = await self.all_chosen()
        ids = [folder.id for folder in folders]
        await self._folders.remove(ids)
        if ids:
            paused = [each.id for each in folders if each.state is FolderState.PAUSED]

            async def undo() -> None:
                await self._folders.restore(ids)
                await self._folders.pause(paused)

            self._offer_undo(Undo(f"Stopped watching {words.of_folders(folders)}. The papers stay.", undo))

    def can_pause(self) -> bool:
        return any(folder.state is not FolderState.PAUSED for folder in self.chosen)

    def can_go_on(self) -> bool:
        return any(folder.state is FolderState.PAUSED for folder in self.chosen)
