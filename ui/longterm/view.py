"""The place of long-term memory: its list, the details of a memory, and what can be done with memories."""

from collections.abc import Sequence

from core.domain.erasure import Doomed
from core.domain.memory import Record
from core.domain.tiers import Tier
from core.errors import UserError
from ui.commands.command import Command
from ui.commands.place import PlaceContext, PlaceView
from ui.longterm import asking, dialog, duplicates, proposals, tags, words
from ui.longterm.commands import commands_of
from ui.longterm.details import RecordDetails
from ui.longterm.presenter import LongTermPresenter
from ui.longterm.words import Draft
from ui.qt import figures
from ui.qt.dialogs import choose
from ui.qt.scope import ViewScope
from ui.qt.wording import actor
from ui.widgets.browser import Browser
from ui.widgets.exporting import ask_where, wrote
from ui.widgets.list_page import ListPage
from ui.widgets.states import Empty

TIER_CHOICES = (("", "All kinds"), *((tier.value, name) for tier, (name, _, _) in words.TIERS.items()))
PIN_CHOICES = (("", "Pinned or not"), ("yes", "Pinned"), ("no", "Not pinned"))
ALL_TAGS, ANYBODY, ALL_AREAS = ("", "All tags"), ("", "By anybody"), ("", "All areas")
OFFERED = ("edit", "pin", "unpin", "keep_fresh", "forget", "kind", "tags", "export")
SHOWN_ACTIONS = 4


class LongTermView(PlaceView):
    """What is kept for long, in four kinds that fade at their own pace."""

    def __init__(self, context: PlaceContext) -> None:
        super().__init__()
        self._writes = ViewScope(context.writes, context.problems.report)
        self._reads = ViewScope(context.reads, context.problems.report)
        self.presenter = LongTermPresenter(context.workspace, self._reads, context.offer_undo)
        empty = Empty(
            "database",
            "What you and your assistants want to remember: how things are done, what is so, what happened",
            "Memories that nobody uses fade; those that are used stay.",
            ("Add a memory…", self._writes.slot(self.add)),
        )
        self.page = self.list_page = ListPage("Long-term memory", self.presenter.model, empty)
        self.inspector = self.details = RecordDetails(self.presenter, self._reads, self._writes, context.navigator)
        self._browser = Browser(self.presenter, self.list_page, self.details, self._show)
        self.details.fill_again.connect(self._browser.show_again)
        self.list_page.add_find("Find by title")
        add = self._browser.add_filter
        add("tier", "Kind", TIER_CHOICES, "How long a memory stays present (tier)")
        add("tag", "Tag", [ALL_TAGS])
        add("by", "Who wrote it", [ANYBODY], "Who wrote what it holds now")
        add("namespace", "Area", [ALL_AREAS], "Assistants may keep memories in areas of their own (namespaces)")
        add("pinned", "Pinned", PIN_CHOICES, "Pinned memories don't fade")
        self._browser.add_sort()
        self.proposal: proposals.ProposalNote | None = None
        self.presenter.choices_changed.connect(self._show_choices)
        self.list_page.opened.connect(lambda _: self._writes.run(self.edit, about=self.page))

    # ---- the contract with the window -------------------------------------------------------------------------------

    def commands(self) -> Sequence[Command]:
        return commands_of(self)

    def select(self, id: str, passage: int | None = None) -> None:
        self._reads.start(self._select(id), about=self.page, latest="select")

    async def _select(self, id: str) -> None:
        if not await self._browser.select(id):
            raise UserError("This memory is not there any more.")

    async def chosen_things(self) -> Sequence[tuple[Doomed, str]]:
        return [(Doomed.RECORD, each.id) for each in await self.presenter.all_chosen()]

    def focus_list(self) -> None:
        self.list_page.list.setFocus()

    def find(self) -> None:
        self.list_page.start_finding()

    def close(self) -> None:
        self.presenter.close()

    # ---- writing ----------------------------------------------------------------------------------------------------

    async def add(self) -> None:
        """Ask for a new memory and write it."""
        added: list[Record] = []

        async def save(draft: Draft, _read: Record | None, _gone: bool) -> None:
            added.append(await self.presenter.add(draft))

        if await dialog.edit(self.page.window(), "Add a memory", None, self._writes, save):
            self.select(added[-1].id)

    async def edit(self) -> None:
        """Change the chosen memory. Where it was changed meanwhile, both are shown and the person chooses."""
        record = self.presenter.one
        if record is None:
            return

        async def save(draft: Draft, read: Record | None, gone: bool) -> None:
            write = self.presenter.put_back if gone else self.presenter.edit
            await write(read or record, draft)

        await dialog.edit(self.page.window(), "Edit the memory", record, self._writes, save)

    async def change_kind(self) -> None:
        """Ask for another kind for the chosen memories."""
        what, kinds = self._named(), {record.tier for record in self.presenter.chosen}
        answers = [(tier.value, name) for tier, (name, _, _) in words.TIERS.items() if kinds != {tier}]
        detail = "A procedure hardly fades, a fact over months, an event over weeks, a note for now over hours."
        wanted = await choose(self.page.window(), "Change the kind", f"What is {what}?", answers, detail)
        if wanted is not None:
            await self.presenter.change_kind(Tier(wanted))

    async def change_tags(self) -> None:
        known = await self.presenter.all_tags()
        chosen = self.presenter.chosen
        await tags.edit_tags(self.page.window(), chosen, known, self._writes, self.presenter.tag)

    async def export(self) -> None:
        """Ask for a format and a place, and write the chosen memories there."""
        one = self.presenter.one
        where = await ask_where(
            self.page.window(), self._named(), one.title if one is not None else "Memories", "Export memories"
        )
        if where is not None:
            written = await self.presenter.export(*where)
            wrote(self.list_page, figures.of_things(written, "memory", "memories"), where[1])

    async def ask(self) -> None:
        """Ask a question as an assistant would, and show what is chosen of the answers."""
        record = await asking.ask(self.page.window(), self.presenter, self._reads)
        if record is not None:
            self.select(record.id)

    async def find_duplicates(self) -> None:
        """Show memories that say the same, and do what the person decides about each two."""
        await duplicates.find_duplicates(self.page.window(), self.presenter, self._reads, self._writes)

    async def look_at_proposals(self) -> None:
        presenter = self.presenter
        await proposals.decide(
            self.page.window(), presenter.proposals, self._writes, presenter.accept, presenter.refuse
        )

    def _named(self) -> str:
        one, count = self.presenter.one, self.presenter.chosen_count
        return f"“{one.title}”" if one is not None else figures.of_things(count, "memory", "memories")

    # ---- what is shown ----------------------------------------------------------------------------------------------

    def _show_choices(self) -> None:
        presenter, page = self.presenter, self.list_page
        page.set_choices("tag", [ALL_TAGS, *((tag, tag.replace("&", "&&")) for tag, _ in presenter.tags)])
        writers = [(by, f"By {actor(by)}") for by, _ in presenter.writers]
        page.set_choices("by", [ANYBODY, *(writers if len(writers) > 1 else [])])
        areas = [(name, name.replace("&", "&&")) for name, _ in presenter.areas]
        page.set_choices("namespace", [ALL_AREAS, *(areas if len(areas) > 1 else [])])
        if presenter.proposals and self.proposal is None:
            self.proposal = proposals.ProposalNote(
                self._writes, presenter.accept, presenter.refuse, self.look_at_proposals
            )
            page.add_above(self.proposal)
        if self.proposal is not None:
            self.proposal.show_proposals(presenter.proposals)

    def _show(self) -> None:
        if (record := self.presenter.one) is not None:
            self.details.show_one(record)
        else:
            self.details.show_many(self.presenter.chosen, self.presenter.chosen_count)
        known = {command.id: command for command in self.commands() if command.when()}
        offered = [known[id] for id in (f"longterm.{name}" for name in OFFERED) if id in known]
        actions = [(each.title, each.help, each.run) for each in offered]
        self._browser.offer(actions, self._writes, shown=SHOWN_ACTIONS)
