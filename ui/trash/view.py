"""The place of the trash: what was forgotten, deleted or removed, and the way back."""

from collections.abc import Sequence

from core.errors import UserError
from ui.commands.command import Command
from ui.commands.place import PlaceContext, PlaceView
from ui.qt import figures
from ui.qt.dialogs import confirm
from ui.qt.scope import ViewScope
from ui.trash import words
from ui.trash.details import TrashDetails
from ui.trash.presenter import TrashPresenter
from ui.widgets.basics import Button
from ui.widgets.browser import Browser
from ui.widgets.list_page import ListPage
from ui.widgets.states import Empty


class TrashView(PlaceView):
    """Everything stays for 30 days and comes back exactly as it was."""

    def __init__(self, context: PlaceContext) -> None:
        super().__init__()
        self._writes = ViewScope(context.writes, context.problems.report)
        self._reads = ViewScope(context.reads, context.problems.report)
        self.presenter = TrashPresenter(context.workspace, self._reads, context.offer_undo)
        empty = Empty(
            "trash-2",
            "The trash is empty",
            f"What you forget, delete or remove lies here for {words.KEPT_DAYS} days and can be put back. "
            "Then it is erased for good.",
        )
        self.page = self.list_page = ListPage("Trash", self.presenter.model, empty)
        self.inspector = self.details = TrashDetails(self.presenter)
        self._browser = Browser(self.presenter, self.list_page, self.details, self._show)
        self.empty_button = Button("Empty the trash…", kind="danger", tip="Erases everything in it for good")
        self.empty_button.clicked.connect(self._writes.slot(self.empty, about=self.empty_button))
        self.list_page.add_find("Find by title")
        self._browser.add_filter("kind", "Kind", words.FILTERS)
        self._browser.add_sort()
        self.list_page.add_to_header(self.empty_button)
        for signal in (self.presenter.model.state_changed, self.presenter.model.modelReset):
            signal.connect(self._show_button)
        self._show_button()
        self.list_page.opened.connect(lambda _: self.details.area.setFocus())

    # ---- the contract with the window -------------------------------------------------------------------------------

    def commands(self) -> Sequence[Command]:
        def chosen() -> bool:
            return self.presenter.chosen_count > 0

        def something() -> bool:
            return self.list_page.holds_something

        return (
            Command(
                "trash.restore", "Put back", self.restore, ("Ctrl+R",), "Edit", when=chosen, icon="undo-2",
                help="Puts the chosen things back where they were, exactly as they were.",
            ),
            Command(
                "trash.find", "Find in this list", self.list_page.start_finding, ("Ctrl+Shift+F",), "Edit",
                when=something, icon="search", help="Narrows the list to things whose title holds what you type.",
            ),
            Command(
                "trash.erase", "Erase now…", self.erase, ("Del",), "Edit", when=chosen, icon="x",
                help="Erases the chosen things for good, after asking. This can't be undone.",
            ),
            Command(
                "trash.empty", "Empty the trash…", self.empty, (), "File", when=something, icon="trash-2",
                help="Erases everything in the trash for good, after asking. This can't be undone.",
            ),
        )  # fmt: skip

    def select(self, id: str, passage: int | None = None) -> None:
        self._reads.start(self._select(id), about=self.page, latest="select")

    async def _select(self, id: str) -> None:
        if not await self._browser.select(id):
            raise UserError("This is not in the trash any more.")

    def focus_list(self) -> None:
        self.list_page.list.setFocus()

    def close(self) -> None:
        self.presenter.close()

    # ---- acts -------------------------------------------------------------------------------------------------------

    async def restore(self) -> None:
        await self.presenter.restore()

    async def erase(self) -> None:
        """Ask, then erase what is chosen for good."""
        chosen, count = self.presenter.chosen, self.presenter.chosen_count
        what = words.things(chosen) if count == len(chosen) else figures.of_things(count, "thing", "things")
        sentence = "It can't be brought back." if count == 1 else "They can't be brought back."
        if await confirm(self.page.window(), f"Erase {what} for good?", sentence, "Erase", danger=True):
            self._say(await self.presenter.erase())

    async def empty(self) -> None:
        """Ask, then erase everything for good."""
        count = await self.presenter.count()
        what = figures.of_things(count, "thing", "things")
        title = f"Erase everything in the trash ({what}) for good?"
        if count and await confirm(self.page.window(), title, "It can't be brought back.", "Erase", danger=True):
            self._say(await self.presenter.empty())

    def _say(self, erased: int) -> None:
        self.list_page.note(f"Erased {figures.of_things(erased, 'thing', 'things')} for good.")

    # ---- what is shown ----------------------------------------------------------------------------------------------

    def _show_button(self) -> None:
        self.empty_button.setVisible(self.list_page.holds_something)

    def _show(self) -> None:
        if (thing := self.presenter.one) is not None:
            self.details.show_one(thing)
        else:
            self.details.show_many(self.presenter.chosen, self.presenter.chosen_count)
        offered = [each for each in self.commands() if each.id in ("trash.restore", "trash.erase")]
        self._browser.offer([(each.title, each.help, each.run) for each in offered], self._writes)
