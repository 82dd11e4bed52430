"""What the place of long-term memory knows and does; no widgets."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from core.clock import Clock, system_clock
from core.domain.consolidation import Choice, Merged, Pair
from core.domain.conversation_files import FileFormat
from core.domain.history import KEPT_VERSIONS, Access, Promotion, RecordVersion
from core.domain.memory import Record
from core.domain.tiers import REINFORCEMENT, Tier
from core.errors import NotFound, VersionConflict
from core.services.workspace import Workspace
from ui.commands.many import in_trash, say_refused, to_each, undo_each, undo_removal
from ui.commands.place import Undo
from ui.longterm import words
from ui.longterm.words import Draft
from ui.qt.browsing import BrowsePresenter
from ui.qt.choices import Reading
from ui.qt.scope import ViewScope
from ui.qt.wording import crossed

TRIES = 3  # for a change of one part (a pin, a tag) that crosses another write: it is made on what stands then
SHOWN_TAGS = 40


class LongTermPresenter(BrowsePresenter[Record]):
    """`choices_changed`: what there is to narrow by was read (`tags`, `writers`, `areas`), and `proposals`."""

    choices_changed = Signal()

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
        self.tags: list[tuple[str, int]] = []
        self.writers: list[tuple[str, int]] = []
        self.areas: list[tuple[str, int]] = []
        self.proposals: list[Promotion] = []
        self._choices = Reading(self, scope, self._read_choices)
        self.listen(workspace.events, frozenset({"record"}), self._choices.soon)
        self._choices.now()

    async def position_of(self, id: str) -> int | None:
        return await self.model.find(lambda record: record.id == id)

    async def _read_choices(self) -> None:
        book = self._workspace.book
        self.tags = (await book.tags())[:SHOWN_TAGS]
        self.writers, self.areas = await book.writers(), await book.namespaces()
        self.proposals = await book.proposals()
        self.choices_changed.emit()

    async def all_tags(self) -> list[str]:
        """Every tag that there is, most used first."""
        return [tag for tag, _ in await self._workspace.book.tags()]

    # ---- writing one ------------------------------------------------------------------------------------------------

    async def add(self, draft: Draft) -> Record:
        """A new memory under a key made from its title; offers to undo it."""
        taken: list[str] = []
        memory = self._workspace.memory
        while True:
            key = words.key_for(draft.title, taken)
            try:
                metadata = words.metadata({}, draft)
                record = await memory.remember(key, draft.value, draft.tier, metadata=metadata, expected=0)
                break
            except VersionConflict:  # the key is taken
                taken.append(key)
        self._offer_undo(Undo(f"Added “{record.title}”.", lambda: memory.forget(key)))
        return record

    async def edit(self, read: Record, draft: Draft) -> Record:
        """Write a changed memory. `read` is what the person saw: VersionConflict where it was written since."""
        book, changed = self._workspace.book, words.drafted(read, draft)
        try:
            record = await book.edit(changed, read.version)
        except VersionConflict as conflict:
            raise crossed(read.title, "forgotten", conflict) from None
        self._offer_undo(Undo(f"Changed “{record.title}”.", lambda: book.undo_edit(read, record)))
        return record

    async def put_back(self, read: Record, draft: Draft) -> Record:
        """Write a memory that was forgotten while it was edited: out of the trash, with its history, then changed."""
        trash, memory, book = self._workspace.trash, self._workspace.memory, self._workspace.book
        if (thing := await trash.find("record", read.id)) is not None:
            await trash.restore(thing.number)
        else:
            await memory.remember(read.key, draft.value, draft.tier, read.namespace, read.metadata, expected=0)
        record = await book.edit(words.drafted(read, draft), None)
        undo = Undo(f"Put back “{record.title}”.", lambda: memory.forget(record.key, record.namespace))
        self._offer_undo(undo)
        return record

    async def restore(self, read: Record, version: int) -> None:
        """Write a former version anew. Raises VersionConflict where the memory was changed since it was read."""
        book = self._workspace.book
        try:
            record = await book.restore_version(read.key, read.namespace, version=version, expected=read.version)
        except VersionConflict as conflict:
            raise crossed(read.title, "forgotten", conflict) from None
        undo = Undo(f"Restored version {version} of “{read.title}”.", lambda: book.undo_edit(read, record))
        self._offer_undo(undo)

    # ---- writing many -----------------------------------------------------------------------------------------------

    @property
    def all_pinned(self) -> bool:
        return bool(self.chosen) and all(record.pinned for record in self.chosen)

    async def pin(self, pinned: bool) -> None:
        """Pin the chosen memories, or let them fade again."""
        await self._change(lambda record: replace(record, pinned=pinned), "Pinned" if pinned else "Unpinned")

    async def change_kind(self, tier: Tier) -> None:
        done = f"Made {words.TIERS[tier][0].lower()}"
        await self._change(lambda record: replace(record, tier=tier), done)

    async def tag(self, more: Sequence[str], less: Sequence[str]) -> None:
        """Give tags to the chosen memories and take others away."""
        await self._change(lambda record: words.tagged(record, more, less), "Changed the tags of")

    async def _change(self, change: Callable[[Record], Record], done: str) -> None:
        """Make one change to every chosen memory, whatever else was written to it meanwhile."""
        records = await self.all_chosen()
        written, refused = await to_each(records, lambda record: self._changed(record, change))
        pairs = [pair for pair in written if pair[0] is not pair[1]]
        if pairs:
            book = self._workspace.book
            said = words.done_to(done, [after for _, after in pairs])
            self._offer_undo(undo_each(said, pairs, lambda pair: book.undo_edit(*pair)))
        say_refused(refused, len(records))

    async def _changed(self, record: Record, change: Callable[[Record], Record]) -> tuple[Record, Record]:
        """Before and after; twice the same where nothing was to be changed."""
        for tries_left in reversed(range(TRIES)):
            try:
                after = await self._workspace.book.edit(change(record), record.version)
            except VersionConflict as conflict:
                if not isinstance(conflict.present, Record) or not tries_left:
                    raise
                record = conflict.present
            else:
                return (record, record) if after.version == record.version else (record, after)
        raise AssertionError("the last try answers or raises")

    async def keep_fresh(self) -> None:
        """The chosen memories count as used now."""
        memory, book = self._workspace.memory, self._workspace.book

        async def used(record: Record) -> tuple[Record, Record]:
            before = await memory.get(record.key, record.namespace)
            if before is None:
                raise NotFound(f"“{record.title}” is not there any more.")
            return before, await memory.reinforce(record.key, record.namespace, REINFORCEMENT)

        records = await self.all_chosen()
        pairs, refused = await to_each(records, used)
        if pairs:
            said = words.done_to("Kept fresh:", [after for _, after in pairs])
            self._offer_undo(undo_each(said, pairs, lambda pair: book.undo_access(*pair)))
        say_refused(refused, len(records))

    async def forget(self) -> None:
        """Put the chosen memories into the trash; the undo takes them out exactly as they were."""
        memory, trash = self._workspace.memory, self._workspace.trash
        records = await self.all_chosen()

        async def gone(record: Record) -> Record | None:
            return record if await memory.forget(record.key, record.namespace) else None

        answers, refused = await to_each(records, gone)
        forgotten = [record for record in answers if record is not None]
        if forgotten:
            things = await in_trash(trash, "record", [record.id for record in forgotten])
            self._offer_undo(undo_removal(words.forgotten(forgotten), trash, things))
        say_refused(refused, len(records))

    # ---- proposals --------------------------------------------------------------------------------------------------

    async def accept(self, proposals: Sequence[Promotion]) -> None:
        """Keep notes that were used often, as what is proposed for each."""
        book = self._workspace.book

        async def keep(proposal: Promotion) -> tuple[Record, Record]:
            read = proposal.record
            return read, await book.edit(replace(read, tier=proposal.to), read.version)

        pairs, refused = await to_each(proposals, keep)
        if pairs:
            said = words.done_to(
                "Kept as a fact:" if len(pairs) == 1 else "Kept as facts:", [after for _, after in pairs]
            )
            self._offer_undo(undo_each(said, pairs, lambda pair: book.undo_edit(*pair)))
        say_refused(refused, len(proposals))

    async def refuse(self, proposals: Sequence[Promotion]) -> None:
        """Leave them as they are; they are proposed again only when they were used as often once more."""
        book, records = self._workspace.book, [proposal.record for proposal in proposals]

        async def no(record: Record) -> Record:
            await book.refuse(record.key, record.namespace)
            return record

        done, refused = await to_each(records, no)
        if done:
            undo = undo_each(
                words.done_to("Left as it was:" if len(done) == 1 else "Left as they were:", done),
                done,
                lambda record: book.unrefuse(record.key, record.namespace),
            )
            self._offer_undo(undo)
        say_refused(refused, len(records))

    # ---- duplicates -------------------------------------------------------------------------------------------------

    async def duplicates(self) -> Sequence[Pair]:
        """Memories that say the same; in the area that is shown, where the list is narrowed to one."""
        area = self.model.query.where.get("namespace")
        return await self._workspace.consolidation.pairs(namespace=area or None)

    async def merge(self, pair: Pair, choice: Choice) -> Merged:
        """Keep one of both; the undo puts both back as they were."""
        consolidation = self._workspace.consolidation
        merged = await consolidation.merge(pair, choice)
        said = f"Merged “{merged.gone.title}” into “{merged.after.title}”."
        self._offer_undo(Undo(said, lambda: consolidation.undo(merged)))
        return merged

    async def keep_both(self, pair: Pair) -> Pair:
        """Leave both as they are; they aren't proposed again."""
        consolidation = self._workspace.consolidation
        await consolidation.refuse(pair)
        said = f"Kept both “{pair.left.title}” and “{pair.right.title}”."
        self._offer_undo(Undo(said, lambda: consolidation.unrefuse(pair)))
        return pair

    # ---- its past, and out of the program ---------------------------------------------------------------------------

    async def versions(self, record: Record) -> list[RecordVersion]:
        return await self._workspace.book.versions(record.key, record.namespace, KEPT_VERSIONS)

    async def uses(self, record: Record) -> list[Access]:
        return await self._workspace.book.accesses(record.key, record.namespace)

    async def recall(self, question: str) -> list[Record]:
        """What an assistant would be given for a question, best first, with reasons; in the area that is shown, where
        the list is narrowed to one. Looking counts as no use."""
        area = self.model.query.where.get("namespace", "default")
        return await self._workspace.memory.recall(question, namespace=area, limit=20)

    async def export(self, format: FileFormat, target: Path) -> int:
        """Write the chosen memories into one file; answers how many."""
        return await self._workspace.writing_out.records(self.all_numbers(), format, target)
