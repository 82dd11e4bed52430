"""The place of conversations: their list, their messages, and what can be done with them."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from core.domain.conversation_files import FileFormat
from core.domain.conversations import ImportReport
from core.domain.erasure import Doomed
from core.domain.text import one_line
from core.errors import UserError, VersionConflict
from ui.commands.command import Command
from ui.commands.place import PlaceContext, PlaceView
from ui.conversations import words
from ui.conversations.details import ConversationDetails
from ui.conversations.presenter import ConversationsPresenter
from ui.qt import figures
from ui.qt.dialogs import ask_text, choose, choose_files, choose_target
from ui.qt.scope import ViewScope
from ui.widgets.browser import Browser
from ui.widgets.list_page import ListPage
from ui.widgets.outcome_note import OutcomeNote, show_reasons
from ui.widgets.states import Empty

ARCHIVE_CHOICES = (("", "All"), ("no", "Open ones"), ("yes", "Archived"))
ORIGIN_CHOICES = (("", "From anywhere"), ("ChatGPT", "From ChatGPT"), ("Claude", "From Claude"), ("JSON", "From files"))


class ConversationsView(PlaceView):
    """What people and assistants said to each other. `take_over(paths)` is for whoever hands exports over."""

    main_command = "conversations.import"

    def __init__(self, context: PlaceContext) -> None:
        super().__init__()
        self._writes = ViewScope(context.writes, context.problems.report)
        self._reads = ViewScope(context.reads, context.problems.report)
        self.presenter = ConversationsPresenter(context.workspace, self._reads, context.offer_undo)
        empty = Empty(
            "message-circle",
            "What you and your assistants say to each other is kept here",
            "A conversation appears when an assistant that works in this workspace begins one. Those from ChatGPT or "
            "Claude can be taken over: drop the file that they sent you on this window.",
            ("Import conversations…", self._writes.slot(self.choose_exports)),
        )
        self.page = self.list_page = ListPage("Conversations", self.presenter.model, empty)
        self.inspector = self.details = ConversationDetails(self.presenter)
        self._browser = Browser(self.presenter, self.list_page, self.details, self._show)
        self._browser.add_filter(
            "archived", "Archive", ARCHIVE_CHOICES, "Archived conversations are kept, out of the way"
        )
        self._browser.add_filter(
            "origin", "From", ORIGIN_CHOICES, "The program that a conversation was taken over from"
        )
        self._browser.add_sort()
        self._note: OutcomeNote | None = None
        self.list_page.opened.connect(lambda _: self.details.area.setFocus())
        self.presenter.taken_in.connect(self._say_taken)

    def commands(self) -> Sequence[Command]:
        def chosen() -> bool:
            return self.presenter.chosen_count > 0

        def one() -> bool:
            return self.presenter.one is not None

        return (
            Command(
                "conversations.rename", "Rename…", self.rename, ("F2",), "Edit", when=one, icon="pencil",
                help="Gives the chosen conversation another title.",
            ),
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
                "conversations.export", "Export…", self.export, ("Ctrl+Shift+S",), "File", when=chosen, icon="upload",
                help="Writes the chosen conversations into a file: Markdown, CSV or JSON.",
            ),
            Command(
                "conversations.remove", "Remove", self.presenter.remove, ("Del",), "Edit", when=chosen, icon="trash-2",
                help="Puts the chosen conversations into the trash, with all messages. This can be undone.",
            ),
            Command(
                "conversations.find", "Find in this conversation", self.find, ("Ctrl+Shift+F",), "Edit", when=one,
                icon="search", help="Looks for words in the messages of the chosen conversation.",
            ),
            Command(
                "conversations.next", "Find the next", partial(self.presenter.step, 1), ("F3",), "Edit",
                when=self._has_found, help="Goes to the next place where the words stand.",
            ),
            Command(
                "conversations.before", "Find the one before", partial(self.presenter.step, -1), ("Shift+F3",), "Edit",
                when=self._has_found, help="Goes to the place before where the words stand.",
            ),
        )  # fmt: skip

    def _has_found(self) -> bool:
        return bool(self.presenter.spots)

    def select(self, id: str, passage: int | None = None) -> None:
        self._reads.start(self._select(id, passage), about=self.page, latest="select")

    async def _select(self, id: str, passage: int | None) -> None:
        if not await self._browser.select(id):
            raise UserError("This conversation is not there any more.")
        if passage is not None:
            self.presenter.point_at(await self.presenter.message_of(passage))

    async def chosen_things(self) -> Sequence[tuple[Doomed, str]]:
        return [(Doomed.SESSION, each.id) for each in await self.presenter.all_chosen()]

    def focus_list(self) -> None:
        self.list_page.list.setFocus()

    def close(self) -> None:
        self.presenter.close()

    # ---- in and out -------------------------------------------------------------------------------------------------

    async def choose_exports(self) -> None:
        """Ask for exports of other programs and take their conversations over."""
        if paths := await choose_files(self.page.window(), "Import conversations"):
            await self.take_over(paths)

    async def take_over(self, paths: Sequence[Path]) -> list[ImportReport]:
        """Take over the conversations of these exports; the list shows each as it comes."""
        return await self.presenter.take(paths)

    def _say_taken(self, reports: list[ImportReport]) -> None:
        if self._note is not None:
            self._note.dismiss()
        reasons = words.reasons(reports)
        way = ("Which ones?", partial(self._writes.run, partial(self._show_reasons, reports))) if reasons else None
        self._note = OutcomeNote(words.outcome(reports), way)
        self.list_page.add_above(self._note)

    async def _show_reasons(self, reports: Sequence[ImportReport]) -> None:
        await show_reasons(
            self.page.window(),
            "Left out or not complete",
            "Everything else was taken over. The files themselves stay as they are.",
            words.reasons(reports),
        )

    async def export(self) -> None:
        """Ask for a format and a place, and write the chosen conversations there."""
        session, count = self.presenter.one, self.presenter.chosen_count
        what = f"“{words.title(session)}”" if session is not None else figures.of_things(count, "one", "conversations")
        answers = [(format.value, said) for format, said in words.FORMATS]
        window = self.page.window()
        chosen = await choose(window, "Export conversations", f"How should {what} be written?", answers)
        if chosen is None:
            return
        name = one_line(words.title(session)).replace("/", "-")[:80] if session is not None else "Conversations"
        target = await choose_target(window, "Export conversations", f"{name}.{chosen}")
        if target is not None:
            written = await self.presenter.export(FileFormat(chosen), target)
            if self._note is not None:
                self._note.dismiss()
            things = figures.of_things(written, "conversation", "conversations")
            self._note = OutcomeNote(f"Wrote {things} to “{one_line(target.name)}”.")
            self.list_page.add_above(self._note)

    def find(self) -> None:
        """Put the keyboard where words to find are typed."""
        self.list_page.opened.emit(self.list_page.list.currentIndex().row())  # on a narrow window: show the details
        self.details.find_bar.start()

    # ---- what is done with one --------------------------------------------------------------------------------------

    async def rename(self) -> None:
        """Ask for another title. Where it was changed meanwhile, both are shown and the person chooses."""
        session = self.presenter.one
        sentence = "It is found by its title too."
        wanted = session.title if session is not None else ""
        while session is not None:
            typed = await ask_text(
                self.page.window(), "Rename the conversation", sentence, field="Title", act="Rename", text=wanted
            )
            if typed is None:
                return
            try:
                return await self.presenter.rename(session, typed)
            except VersionConflict:
                session, wanted = await self.presenter.present_of(session), typed
                if session is not None:
                    sentence = (
                        f"It was renamed to “{words.title(session)}” meanwhile. Rename it all the same, or cancel."
                    )

    def _show(self) -> None:
        if (session := self.presenter.one) is not None:
            self.details.show_one(session)
        else:
            self.details.show_many(self.presenter.chosen, self.presenter.chosen_count)
        order = ("rename", "archive", "unarchive", "export", "remove")
        known = {command.id: command for command in self.commands() if command.when()}
        offered = [known[id] for id in (f"conversations.{each}" for each in order) if id in known]
        self._browser.offer([(each.title, each.help, each.run) for each in offered], self._writes)
