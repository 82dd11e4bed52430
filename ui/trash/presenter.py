"""What the place of the trash knows and does; no widgets."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from core.clock import Clock, system_clock
from core.domain.memory import split_record_id
from core.domain.trash import Trashed
from core.services.workspace import Workspace
from ui.commands.many import say_refused, to_each, undo_each
from ui.commands.place import Undo
from ui.qt.browsing import BrowsePresenter
from ui.qt.scope import ViewScope
from ui.trash import words


class TrashPresenter(BrowsePresenter[Trashed]):
    """What was forgotten, deleted or removed, until it is erased."""

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
            workspace.trashed,
            frozenset({"trash"}),
            lambda thing: words.line(thing, clock()),
            words.SORTS,
            parent,
        )
        self._workspace = workspace
        self._offer_undo = offer_undo

    async def position_of(self, id: str) -> int | None:
        return await self.model.find(lambda thing: str(thing.number) == id)

    async def restore(self) -> list[Trashed]:
        """Put the chosen things back where they were; answers which. The undo puts them into the trash again."""
        chosen = await self.all_chosen()
        back, refused = await to_each(chosen, lambda thing: self._workspace.trash.restore(thing.number))
        if back:
            self._offer_undo(undo_each(f"Put back {words.things(back)}.", back, self._remove))
        say_refused(refused, len(chosen))
        return back

    async def _remove(self, thing: Trashed) -> None:
        match thing.kind:
            case "record":
                namespace, key = split_record_id(thing.id)
                await self._workspace.memory.forget(key, namespace)
            case "shared":
                await self._workspace.shared.delete(thing.id)
            case "paper":
                await self._workspace.papers.remove([thing.id])
            case "agent":
                await self._workspace.catalog.remove_agent(thing.id)
            case "skill":
                await self._workspace.catalog.remove_skill(thing.id)
            case _:
                await self._workspace.conversations.remove(thing.id)

    async def erase(self) -> int:
        """Erase the chosen things for good; answers how many."""
        return await self._workspace.trash.erase(list(self.all_numbers()))

    async def empty(self) -> int:
        """Erase everything in the trash for good; answers how many."""
        return await self._workspace.trash.empty()

    async def count(self) -> int:
        """How many things are in the trash, whatever the list is narrowed to."""
        return await self._workspace.trashed.count()
