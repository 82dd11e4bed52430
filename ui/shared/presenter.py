"""What the place of shared entries knows and does; no widgets."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from core.domain.memory import Json, SharedEntry, type_of
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
        self._trash = workspace.trash
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
        shared = self._shared
        try:
            entry = await shared.set(read.key, value, read.metadata, type=type_of(value), expected=read.version)
        except VersionConflict as conflict:
            raise VersionConflict(
                f"“{read.key}” was changed while you were editing. Save again to replace it, or cancel to keep it.",
                present=conflict.present,
                wanted=conflict.wanted,
            ) from None
        self._offer_undo(Undo(f"Changed “{read.key}”.", lambda: shared.undo_edit(read, entry)))
        return entry

    async def present_of(self, entry: SharedEntry) -> SharedEntry | None:
        """The entry as it stands now."""
        return await self._shared.get(entry.key)

    async def delete(self) -> None:
        """Delete the chosen entries; the undo puts them back exactly as they were."""
        entries = [entry for entry in await self.all_chosen() if await self._shared.delete(entry.key)]

        found = [await self._trash.find("shared", entry.key) for entry in entries]

        async def undo() -> None:
            for thing in found:
                if thing is not None:
                    await self._trash.restore(thing.number)

        if entries:
            self._offer_undo(Undo(words.deleted(entries), undo))
