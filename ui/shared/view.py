"""The place of shared entries: settings and context that the whole workspace shares."""

from collections.abc import Sequence

from core.domain.memory import Json, SharedEntry
from core.errors import UserError, VersionConflict
from ui.commands.command import Command
from ui.commands.place import PlaceContext, PlaceView
from ui.qt import figures
from ui.qt.scope import ViewScope
from ui.qt.wording import actor, on_day
from ui.shared import dialog, words
from ui.shared.presenter import SharedPresenter
from ui.widgets.basics import tag
from ui.widgets.browser import Browser
from ui.widgets.inspector import Inspector
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
        self.inspector = self.details = Inspector(
            "Shared entry", "Choose an entry to see its value and who changed it."
        )
        self._browser = Browser(self.presenter, self.list_page, self.details, self._show)
        self._browser.add_sort()
        self.list_page.opened.connect(lambda _: self._writes.run(self.edit, about=self.page))

    def commands(self) -> Sequence[Command]:
        return (
            Command(
                "shared.add", "Add an entry…", self.add, ("Ctrl+N",), "File", icon="plus", main=True,
                help="Adds a name with a value that everybody in this workspace shares.",
            ),
            Command(
                "shared.edit", "Edit…", self.edit, ("F2",), "Edit", when=lambda: self.presenter.one is not None,
                icon="pencil", help="Changes the value; says so if somebody else changed it meanwhile.",
            ),
            Command(
                "shared.delete", "Delete", self.presenter.delete, ("Del",), "Edit",
                when=lambda: self.presenter.chosen_count > 0, icon="trash-2",
                help="Takes the chosen entries away. This can be undone.",
            ),
        )  # fmt: skip

    def select(self, id: str, passage: int | None = None) -> None:
        self._reads.start(self._select(id), about=self.page, latest="select")

    async def _select(self, id: str) -> None:
        if not await self._browser.select(id):
            raise UserError("This shared entry is not there any more.")

    def focus_list(self) -> None:
        self.list_page.list.setFocus()

    def close(self) -> None:
        self.presenter.close()

    async def add(self) -> None:
        """Ask for a name and a value, and write them."""
        added: list[SharedEntry] = []

        async def save(key: str, value: Json) -> None:
            added.append(await self.presenter.add(key, value))

        if await dialog.edit(self.page.window(), "Add a shared entry", None, self._writes, save):
            self.select(added[-1].key)

    async def edit(self) -> None:
        """Change the chosen entry. Where it was changed meanwhile, the person decides with the next press."""
        entry = self.presenter.one
        if entry is None:
            return
        read = [entry]

        async def save(key: str, value: Json) -> None:
            try:
                await self.presenter.edit(read[-1], value)
            except VersionConflict:
                read.append(await self.presenter.present_of(entry) or entry)
                raise

        await dialog.edit(self.page.window(), "Edit the shared entry", entry, self._writes, save)

    def _show(self) -> None:
        entry = self.presenter.one
        if entry is not None:
            self._show_one(entry)
        else:
            self.details.begin(figures.of_things(self.presenter.chosen_count, "shared entry", "shared entries"))
        offered = [command for command in self.commands() if command.when() and not command.main]
        self._browser.offer([(each.title, each.help, each.run) for each in offered], self._writes)

    def _show_one(self, entry: SharedEntry) -> None:
        type = words.type_of(entry.value)
        self.details.begin(entry.key, [tag(type.value, tip=words.TIPS[type])])
        for name, text in words.lines(entry.value):
            if name:
                self.details.add_facts([(name, text)])
            else:
                self.details.add_text(text)
        changed = f"Changed {on_day(entry.updated_at)} by {actor(entry.updated_by)}"
        self.details.add_section("Where it comes from", changed, tip="Last change of this key")
        if entry.version > 1:
            self.details.add_text(f"It has had {figures.of_things(entry.version, 'value', 'values')}.", "secondary")
