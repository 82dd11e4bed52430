"""The place of long-term memory: its list, the details of a memory, and what can be done with memories."""

from collections.abc import Sequence

from core.domain.memory import Record
from core.errors import UserError, VersionConflict
from ui.commands.command import Command
from ui.commands.place import PlaceContext, PlaceView
from ui.longterm import dialog, words
from ui.longterm.details import RecordDetails
from ui.longterm.presenter import LongTermPresenter
from ui.qt.scope import ViewScope
from ui.widgets.browser import Browser
from ui.widgets.list_page import ListPage
from ui.widgets.states import Empty

TIER_CHOICES = (("", "All kinds"), *((tier.value, name) for tier, (name, _, _) in words.TIERS.items()))


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
        self.inspector = self.details = RecordDetails(self.presenter)
        self._browser = Browser(self.presenter, self.list_page, self.details, self._show)
        self._browser.add_filter("tier", "Kind", TIER_CHOICES, "How long a memory stays present (tier)")
        self._browser.add_sort()
        self.list_page.opened.connect(lambda _: self._writes.run(self.edit, about=self.page))

    # ---- the contract with the window -------------------------------------------------------------------------------

    def commands(self) -> Sequence[Command]:
        def chosen() -> bool:
            return self.presenter.chosen_count > 0

        def one() -> bool:
            return self.presenter.one is not None

        return (
            Command(
                "longterm.add", "Add a memory…", self.add, ("Ctrl+N",), "File", icon="plus", main=True,
                help="Writes down something to be remembered.",
            ),
            Command(
                "longterm.edit", "Edit…", self.edit, ("F2",), "Edit", when=one, icon="pencil",
                help="Changes the chosen memory; says so if somebody else changed it meanwhile.",
            ),
            Command(
                "longterm.keep_fresh", "Keep fresh", self.presenter.keep_fresh, ("Ctrl+Shift+K",), "Edit", when=chosen,
                icon="sparkles", help="Counts as used now, so that it stays present (reinforces it).",
            ),
            Command(
                "longterm.forget", "Forget", self.presenter.forget, ("Del",), "Edit", when=chosen, icon="trash-2",
                help="Takes the chosen memories away. This can be undone.",
            ),
        )  # fmt: skip

    def select(self, id: str, passage: int | None = None) -> None:
        self._reads.start(self._select(id), about=self.page, latest="select")

    async def _select(self, id: str) -> None:
        if not await self._browser.select(id):
            raise UserError("This memory is not there any more.")

    def focus_list(self) -> None:
        self.list_page.list.setFocus()

    def close(self) -> None:
        self.presenter.close()

    # ---- writing ----------------------------------------------------------------------------------------------------

    async def add(self) -> None:
        """Ask for a new memory and write it."""
        added: list[Record] = []

        async def save(draft: dialog.Draft) -> None:
            added.append(await self.presenter.add(draft.title, draft.value, draft.tier, draft.tags))

        if await dialog.edit(self.page.window(), "Add a memory", None, self._writes, save):
            self.select(added[-1].id)

    async def edit(self) -> None:
        """Change the chosen memory. Where it was changed meanwhile, the person decides with the next press."""
        record = self.presenter.one
        if record is None:
            return
        read = [record]

        async def save(draft: dialog.Draft) -> None:
            try:
                await self.presenter.edit(read[-1], draft.title, draft.value, draft.tier, draft.tags)
            except VersionConflict:
                read.append(await self.presenter.present_of(record) or record)
                raise

        await dialog.edit(self.page.window(), "Edit the memory", record, self._writes, save)

    # ---- details ----------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        if (record := self.presenter.one) is not None:
            self.details.show_one(record)
        else:
            self.details.show_many(self.presenter.chosen, self.presenter.chosen_count)
        offered = [command for command in self.commands() if command.when() and not command.main]
        self._browser.offer([(each.title, each.help, each.run) for each in offered], self._writes)
