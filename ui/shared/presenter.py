"""What the place of shared entries knows and does; no widgets."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from core.domain.memory import Json, SharedEntry
from core.errors import InvalidValue, VersionConflict
from core.services.workspace import Workspace
from ui.commands.place import Undo
from ui.qt.browsing import BrowsePresenter
from ui.qt.scope import ViewScope
from ui.shared import words


class SharedPresenter(BrowsePresenter[SharedEntry]):
    """Settings and context that the whole workspace shares."""

    def __init__(
        self,
        workspace: Workspace,
        scope: ViewScope,
        offer_undo: Callable[[Undo], None],
        parent: QObject | None = None,
    ) -> None:
        rows = workspace.shared_rows
        super().__init__(scope, workspace.events, rows, frozenset({"shared"}), words.line, words.SORTS, parent)
        self._shared = workspace.shared
        self._offer_undo = offer_undo

    async def position_of(self, id: str) -> int | None:
        return await self.model.find(lambda entry: entry.key == id)

    async def add(self, key: str, value: Json) -> SharedEntry:
        """A new entry. Raises InvalidValue where there is one of this name."""
        key = key.strip()
        if await self._shared.get(key) is not None:
            raise InvalidValue(f"There is a shared entry “{key}” already. Edit that one, or choose another name.")
        entry = await self._shared.set(key, value)
        self._offer_undo(Undo(f"Added “{key}”.", lambda: self._shared.delete(key)))
        return entry

    async def edit(self, read: SharedEntry, value: Json) -> SharedEntry:
        """Write a changed value. `read` is what the person saw: VersionConflict if it was written since."""
        present = await self._shared.get(read.key)
        if present is not None and present.version != read.version:
            raise VersionConflict(
                f"“{read.key}” was changed while you were editing. Save again to replace it, or cancel to keep it."
            )
        entry = await self._shared.set(read.key, value, read.metadata)
        self._offer_undo(Undo(f"Changed “{read.key}”.", lambda: self._shared.set(read.key, read.value, read.metadata)))
        return entry

    async def present_of(self, entry: SharedEntry) -> SharedEntry | None:
        """The entry as it stands now."""
        return await self._shared.get(entry.key)

    async def delete(self) -> None:
        """Delete the chosen entries; the undo puts them back exactly as they were."""
        entries = [entry for entry in await self.all_chosen() if await self._shared.delete(entry.key)]

        async def undo() -> None:
            for entry in entries:
                await self._shared.restore(entry)

        if entries:
            self._offer_undo(Undo(words.deleted(entries), undo))
