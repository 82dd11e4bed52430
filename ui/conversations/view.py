"""The place of conversations: their list, their messages, archive and removal."""

from collections.abc import Sequence

from core.errors import UserError
from ui.commands.command import Command
from ui.commands.place import PlaceContext, PlaceView
from ui.conversations.details import ConversationDetails
from ui.conversations.presenter import ConversationsPresenter
from ui.qt.scope import ViewScope
from ui.widgets.browser import Browser
from ui.widgets.list_page import ListPage
from ui.widgets.states import Empty

ARCHIVE_CHOICES = (("", "All"), ("no", "Open ones"), ("yes", "Archived"))


class ConversationsView(PlaceView):
    """What people and assistants said to each other."""

    def __init__(self, context: PlaceContext) -> None:
        super().__init__()
        self._writes = ViewScope(context.writes, context.problems.report)
        self._reads = ViewScope(context.reads, context.problems.report)
        self.presenter = ConversationsPresenter(context.workspace, self._reads, context.offer_undo)
        empty = Empty(
            "message-circle",
            "What you and your assistants say to each other is kept here",
            "A conversation appears when an assistant that works in this workspace begins one.",
        )
        self.page = self.list_page = ListPage("Conversations", self.presenter.model, empty)
        self.inspector = self.details = ConversationDetails(self.presenter)
        self._browser = Browser(self.presenter, self.list_page, self.details, self._show)
        self._browser.add_filter(
            "archived", "Archive", ARCHIVE_CHOICES, "Archived conversations are kept, out of the way"
        )
        self._browser.add_sort()
        self.list_page.opened.connect(lambda _: self.details.area.setFocus())

    def commands(self) -> Sequence[Command]:
        def chosen() -> bool:
            return self.presenter.chosen_count > 0

        return (
            Command(
                "conversations.archive", "Archive", self.presenter.archive, ("Ctrl+E",), "Edit",
                when=self.presenter.can_archive, icon="archive", help="Keeps the chosen conversations out of the way.",
            ),
            Command(
                "conversations.unarchive", "Take out of the archive", self.presenter.archive, (), "Edit",
                when=lambda: chosen() and not self.presenter.can_archive(), icon="folder-open",
                help="Puts the chosen conversations back among the others.",
            ),
            Command(
                "conversations.remove", "Remove", self.presenter.remove, ("Del",), "Edit", when=chosen, icon="trash-2",
                help="Takes the chosen conversations away, with all messages. This can be undone.",
            ),
        )  # fmt: skip

    def select(self, id: str, passage: int | None = None) -> None:
        self._reads.start(self._select(id, passage), about=self.page, latest="select")

    async def _select(self, id: str, passage: int | None) -> None:
        if not await self._browser.select(id):
            raise UserError("This conversation is not there any more.")
        if passage is not None:
            self.presenter.point_at(await self.presenter.message_of(passage))

    def focus_list(self) -> None:
        self.list_page.list.setFocus()

    def close(self) -> None:
        self.presenter.close()

    def _show(self) -> None:
        if (session := self.presenter.one) is not None:
            self.details.show_one(session)
        else:
            self.details.show_many(self.presenter.chosen, self.presenter.chosen_count)
        offered = [command for command in self.commands() if command.when()]
        self._browser.offer([(each.title, each.help, each.run) for each in offered], self._writes)
