"""What the place of shared entries knows and does; no widgets."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject

from core.domain.conversation_files import FileFormat
from core.domain.history import KEPT_VERSIONS, SharedVersion
from core.domain.memory import Json, SharedEntry, ValueType
from core.errors import InvalidValue, VersionConflict
from core.services.workspace import Workspace
from ui.commands.many import in_trash, say_refused, to_each, undo_removal
from ui.commands.place import Undo
from ui.qt.browsing import BrowsePresenter
from ui.qt.scope import ViewScope
from ui.qt.wording import crossed
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
        self._writing_out = workspace.writing_out
        self._offer_undo = offer_undo

    async def position_of(self, id: str) -> int | None:
        return await self.model.find(lambda entry: entry.key == id)

    # ---- writing ----------------------------------------------------------------------------------------------------

    async def add(self, key: str, value: Json, type: ValueType) -> SharedEntry:
        """A new entry. Raises InvalidValue where there is one of this name."""
        key = key.strip()
        try:
            entry = await self._shared.set(key, value, type=type, expected=0)
        except VersionConflict:
            sentence = f"There is a shared entry “{key}” already. Edit that one, or choose another name."
            raise InvalidValue(sentence) from None
        self._offer_undo(Undo(f"Added “{key}”.", lambda: self._shared.delete(key)))
        return entry

    async def edit(self, read: SharedEntry, value: Json, type: ValueType) -> SharedEntry:
        """Write a changed value. `read` is what the person saw: VersionConflict if it was written since."""
        shared = self._shared
        try:
            entry = await shared.set(read.key, value, read.metadata, type=type, expected=read.version)
        except VersionConflict as conflict:
            raise crossed(read.key, "deleted", conflict) from None
        self._offer_undo(Undo(f"Changed “{read.key}”.", lambda: shared.undo_edit(read, entry)))
        return entry

    async def put_back(self, read: SharedEntry, value: Json, type: ValueType) -> SharedEntry:
        """Write an entry that was deleted while it was edited: out of the trash, with its history, then changed."""
        if (thing := await self._trash.find("shared", read.key)) is not None:
            await self._trash.restore(thing.number)
        entry = await self._shared.set(read.key, value, read.metadata, type=type)
        self._offer_undo(Undo(f"Put back “{read.key}”.", lambda: self._shared.delete(read.key)))
        return entry

    async def delete(self) -> None:
        """Put the chosen entries into the trash; the undo takes them out exactly as they were."""
        chosen = await self.all_chosen()

        async def gone(entry: SharedEntry) -> SharedEntry | None:
            return entry if await self._shared.delete(entry.key) else None

        answers, refused = await to_each(chosen, gone)
        entries = [entry for entry in answers if entry is not None]
        if entries:
            things = await in_trash(self._trash, "shared", [entry.key for entry in entries])
            self._offer_undo(undo_removal(words.deleted(entries), self._trash, things))
        say_refused(refused, len(chosen))

    # ---- its past, and out of the program ---------------------------------------------------------------------------

    async def versions(self, entry: SharedEntry) -> list[SharedVersion]:
        return await self._shared.versions(entry.key, KEPT_VERSIONS)

    async def restore(self, read: SharedEntry, version: int) -> None:
        """Write a former version anew. Raises VersionConflict where the entry was changed since it was read."""
        shared = self._shared
        try:
            entry = await shared.restore_version(read.key, version, expected=read.version)
        except VersionConflict as conflict:
            raise crossed(read.key, "deleted", conflict) from None
        undo = Undo(f"Restored version {version} of “{read.key}”.", lambda: shared.undo_edit(read, entry))
        self._offer_undo(undo)

    async def export(self, format: FileFormat, target: Path) -> int:
        """Write the chosen entries into one file; answers how many."""
        return await self._writing_out.entries(self.all_numbers(), format, target)
