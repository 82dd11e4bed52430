"""What the place of long-term memory knows and does; no widgets."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from core.clock import Clock, system_clock
from core.domain.changes import Change
from core.domain.memory import Json, Record
from core.domain.tiers import Tier
from core.errors import VersionConflict
from core.services.workspace import Workspace
from ui.commands.place import Undo
from ui.longterm import words
from ui.qt.browsing import BrowsePresenter
from ui.qt.scope import ViewScope

FRESHER = 0.1  # what "Keep fresh" adds, as the memory port does by itself


class LongTermPresenter(BrowsePresenter[Record]):
    """`history_changed`: the changes of the one chosen memory were read (`history`, newest first)."""

    history_changed = Signal()

    def __init__(
        self,
        workspace: Workspace,
        scope: ViewScope,
        offer_undo: Callable[[Undo], None],
        clock: Clock = system_clock,
        parent: QObject | None = None,
    ) -> None:
        self.clock = clock
        super().__init__(
            scope,
            workspace.events,
            workspace.records,
            frozenset({"record"}),
            lambda record: words.line(record, clock()),
            words.SORTS,
            parent,
        )
        self._workspace = workspace
        self._offer_undo = offer_undo
        self.history: list[Change] = []
        self.chosen_changed.connect(self._read_history)

    async def position_of(self, id: str) -> int | None:
        return await self.model.find(lambda record: record.id == id)

    # ---- writing ----------------------------------------------------------------------------------------------------

    async def add(self, title: str, value: Json, tier: Tier, tags: Sequence[str]) -> Record:
        """A new memory under a key made from its title; offers to undo it."""
        taken: list[str] = []
        while await self._workspace.memory.get(key := words.key_for(title, taken)) is not None:
            taken.append(key)
        record = await self._workspace.memory.remember(key, value, tier, metadata=_metadata({}, title, tags))
        undo = Undo(f"Added “{record.title}”.", lambda: self._workspace.memory.forget(key))
        self._offer_undo(undo)
        return record

    async def edit(self, read: Record, title: str, value: Json, tier: Tier, tags: Sequence[str]) -> Record:
        """Write a changed memory. `read` is what the person saw: VersionConflict if it was written since."""
        book = self._workspace.book
        changed = replace(read, value=value, tier=tier, metadata=_metadata(read.metadata, title, tags))
        try:
            record = await book.edit(changed, read.version)
        except VersionConflict as conflict:
            raise VersionConflict(
                f"“{read.title}” was changed while you were editing. Save again to replace it, or cancel to keep it.",
                present=conflict.present,
                wanted=conflict.wanted,
            ) from None
        self._offer_undo(Undo(f"Changed “{record.title}”.", lambda: book.undo_edit(read, record)))
        return record

    async def present_of(self, record: Record) -> Record | None:
        """The memory as it stands now."""
        return await self._workspace.memory.get(record.key, record.namespace)

    async def keep_fresh(self) -> None:
        """The chosen memories count as used now."""
        for record in await self.all_chosen():
            await self._workspace.memory.reinforce(record.key, record.namespace, FRESHER)

    async def forget(self) -> None:
        """Forget the chosen memories; the undo puts them back exactly as they were."""
        records = await self.all_chosen()
        forgotten = [record for record in records if await self._workspace.memory.forget(record.key, record.namespace)]
        if not forgotten:
            return

        trash = self._workspace.trash
        found = [await trash.find("record", record.id) for record in forgotten]

        async def undo() -> None:
            for thing in found:
                if thing is not None:
                    await trash.restore(thing.number)

        self._offer_undo(Undo(words.forgotten(forgotten), undo))

    # ---- where it comes from ----------------------------------------------------------------------------------------

    def _read_history(self) -> None:
        self.scope.start(self._read(), latest=f"history {id(self)}")

    async def _read(self) -> None:
        one = self.one
        self.history = [] if one is None else await self._workspace.changes.of("record", one.id)
        self.history_changed.emit()


def _metadata(before: dict[str, Json], title: str, tags: Sequence[str]) -> dict[str, Json]:
    """The metadata with title and tags as given; what else is in it stays."""
    return {**before, "title": title.strip(), "tags": list(tags)}
