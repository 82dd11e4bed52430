"""The place of shared entries: settings and context that the whole workspace shares."""

from collections.abc import Sequence

from core.domain.erasure import Doomed
from core.domain.memory import Json, SharedEntry, ValueType
from core.errors import UserError
from ui.commands.command import Command
from ui.commands.place import PlaceContext, PlaceView
from ui.qt import figures
from ui.qt.scope import ViewScope
from ui.shared import dialog, words
from ui.shared.details import SharedDetails
from ui.shared.presenter import SharedPresenter
from ui.widgets.browser import Browser
from ui.widgets.exporting import ask_where, wrote
from ui.widgets.list_page import ListPage
from ui.widgets.states import Empty


class SharedView(PlaceView):
    """Names with their values, and who changed them when."""

    def __init__(self, context: PlaceContext) -> None:
        super().__init__()
        self._writes = ViewScope(context.writes, context.problems.report)
        self._reads = ViewScope(context.reads, context.problems.report)
        self.presenter = SharedPresenter(context.workspace, self._reads, context.offer_undo)
        empty = Empty(
            "globe",
            "What everybody who works in this workspace shares: greetings, numbers, habits",
            "Assistants read it too. An example: appointments.minutes = 15.",
            ("Add an entry…", self._writes.slot(self.add)),
        )
        self.page = self.list_page = ListPage("Shared", self.presenter.model, empty)
        self.inspector = self.details = SharedDetails(self.presenter, self._reads, self._writes)
        self._browser = Browser(self.presenter, self.list_page, self.details, self._show)
        self.list_page.add_find("Find by name")
        self._browser.add_filter("type", "Kind", words.FILTERS, "What the value is")
        self._browser.add_sort()
        self.list_page.opened.connect(lambda _: self._writes.run(self.edit, about=self.page))

    def commands(self) -> Sequence[Command]:
        def one() -> bool:
            return self.presenter.one is not None

        def chosen() -> bool:
            return self.presenter.chosen_count > 0

        return (
            Command(
                "shared.add", "Add an entry…", self.add, ("Ctrl+N",), "File", icon="plus", main=True,
                help="Adds a name with a value that everybody in this workspace shares.",
            ),
            Command(
                "shared.find", "Find in this list", self.list_page.start_finding, ("Ctrl+Shift+F",), "Edit",
                when=lambda: self.list_page.holds_something, icon="search",
                help="Narrows the list to entries whose name holds what you type.",
            ),
            Command(
                "shared.edit", "Edit…", self.edit, ("F2",), "Edit", when=one, icon="pencil",
                help="Changes the value; shows both sides if somebody else changed it meanwhile.",
            ),
            Command(
                "shared.export", "Export…", self.export, ("Ctrl+Shift+S",), "File", when=chosen, icon="upload",
                help="Writes the chosen entries into a file: Markdown, CSV or JSON.",
            ),
            Command(
                "shared.delete", "Delete", self.presenter.delete, ("Del",), "Edit", when=chosen, icon="trash-2",
                help="Puts the chosen entries into the trash. This can be undone.",
            ),
        )  # fmt: skip

    def select(self, id: str, passage: int | None = None) -> None:
        self._reads.start(self._select(id), about=self.page, latest="select")

    async def _select(self, id: str) -> None:
        if not await self._browser.select(id):
            raise UserError("This shared entry is not there any more.")

    async def chosen_things(self) -> Sequence[tuple[Doomed, str]]:
        return [(Doomed.SHARED, each.key) for each in await self.presenter.all_chosen()]

    def focus_list(self) -> None:
        self.list_page.list.setFocus()

    def close(self) -> None:
        self.presenter.close()

    async def add(self) -> None:
        """Ask for a name and a value, and write them."""
        added: list[SharedEntry] = []

        async def save(key: str, value: Json, type: ValueType, _read: SharedEntry | None, _gone: bool) -> None:
            added.append(await self.presenter.add(key, value, type))

        if await dialog.edit(self.page.window(), "Add a shared entry", None, self._writes, save):
            self.select(added[-1].key)

    async def edit(self) -> None:
        """Change the chosen entry. Where it was changed meanwhile, both are shown and the person chooses."""
        entry = self.presenter.one
        if entry is None:
            return

        async def save(_key: str, value: Json, type: ValueType, read: SharedEntry | None, gone: bool) -> None:
            write = self.presenter.put_back if gone else self.presenter.edit
            await write(read or entry, value, type)

        await dialog.edit(self.page.window(), "Edit the shared entry", entry, self._writes, save)

    async def export(self) -> None:
        """Ask for a format and a place, and write the chosen entries there."""
        one, count = self.presenter.one, self.presenter.chosen_count
        what = f"“{one.key}”" if one is not None else figures.of_things(count, "shared entry", "shared entries")
        name = one.key if one is not None else "Shared entries"
        where = await ask_where(self.page.window(), what, name, "Export shared entries")
        if where is not None:
            written = await self.presenter.export(*where)
            wrote(self.list_page, figures.of_things(written, "shared entry", "shared entries"), where[1])

    def _show(self) -> None:
        entry = self.presenter.one
        if entry is not None:
            self.details.show_one(entry)
        else:
            self.details.show_many(self.presenter.chosen_count)
        offered = [command for command in self.commands() if command.when() and command.id in OFFERED]
        self._browser.offer([(each.title, each.help, each.run) for each in offered], self._writes)


OFFERED = ("shared.edit", "shared.export", "shared.delete")
