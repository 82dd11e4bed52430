"""The place of papers: its list, the details of a paper, and what can be done with papers."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer

from core.domain.erasure import Doomed
from core.domain.papers import PaperState, Taken
from core.errors import UserError
from ui.commands.command import Command
from ui.commands.place import PlaceContext, PlaceView
from ui.papers import words
from ui.papers.details import PaperDetails
from ui.papers.intake import IntakeNote, show_refused
from ui.papers.page_view import show_large
from ui.papers.presenter import PapersPresenter
from ui.qt.dialogs import ask_text, choose_files, choose_folder, choose_target
from ui.qt.formats import GROUPS
from ui.qt.scope import ViewScope
from ui.widgets.browser import Browser
from ui.widgets.list_page import ListPage
from ui.widgets.states import Empty

STATE_CHOICES = (
    ("", "Any state"),
    (PaperState.ATTENTION.value, "Needs attention"),
    (PaperState.WAITING.value, "Waiting"),
    (PaperState.READING.value, "Being read"),
    (PaperState.SEARCHABLE.value, "Searchable"),
    (PaperState.CANCELLED.value, "Stopped"),
)
TYPE_CHOICES = (("", "Any type"), *GROUPS.items())


class PapersView(PlaceView):
    """`take(paths)` is for whoever hands papers over: the file dialog, a drop, a paste."""

    main_command = "papers.add"

    def __init__(self, context: PlaceContext) -> None:
        super().__init__()
        self._writes = ViewScope(context.writes, context.problems.report)
        reads = ViewScope(context.reads, context.problems.report)
        self._reads = reads
        self.presenter = PapersPresenter(context.workspace, reads, context.offer_undo)
        empty = Empty(
            "paperclip",
            "The papers of this workspace: letters, reports, lists, e-mails",
            "Drop files or folders anywhere on this window, or choose them.",
            ("Add papers…", self._writes.slot(self.add)),
        )
        self.page = self.list_page = ListPage("Papers", self.presenter.model, empty)
        self.inspector = self.details = PaperDetails(self.presenter, self._writes.slot(self.look))
        self._browser = Browser(self.presenter, self.page, self.inspector, self._show)
        self._browser.add_filter("state", "State", STATE_CHOICES, "Where a paper stands on its way")
        self._browser.add_filter("group", "Type", TYPE_CHOICES, "What a paper is (format)")
        self._browser.add_sort()
        self._note: IntakeNote | None = None
        self.list_page.opened.connect(lambda _: self._writes.run(self.presenter.open_original, about=self.page))
        self.presenter.taken_in.connect(self._say_taken)

    # ---- the contract with the window -------------------------------------------------------------------------------

    def commands(self) -> Sequence[Command]:
        offers = self.presenter.offers
        return (
            Command(
                "papers.look", "See it large", self.look, ("Space",), "Edit", when=lambda: offers().look, icon="eye",
                help="Shows the pages of the chosen paper as large as the window.",
            ),
            Command(
                "papers.open", "Open the original", self.presenter.open_original, menu="Edit",
                when=lambda: offers().open, icon="external-link",
                help="Shows the paper in the program that this computer has for it, on a copy that can't be changed.",
            ),
            Command(
                "papers.save", "Save a copy…", self.save_copy, menu="Edit", when=lambda: offers().open, icon="save",
                help="Writes the paper, byte by byte as it came, to a place of your choice.",
            ),
            Command(
                "papers.rename", "Rename…", self.rename, ("F2",), "Edit", when=lambda: offers().open, icon="pencil",
                help="Gives the chosen paper another name. Its bytes, and the file it came from, stay as they are.",
            ),
            Command(
                "papers.retry", "Read again", self.presenter.retry, ("F5",), "Edit", when=lambda: offers().retry,
                icon="refresh-cw", help="Reads the chosen papers once more.",
            ),
            Command(
                "papers.unlock", "Enter password…", self.enter_password, menu="Edit", when=lambda: offers().unlock,
                icon="lock-open", help="Reads a locked paper. The password is used once and kept nowhere.",
            ),
            Command(
                "papers.stop", "Stop reading", self.presenter.stop, menu="Edit", when=lambda: offers().stop,
                icon="ban", help="The chosen papers are kept, but not read.",
            ),
            Command(
                "papers.remove", "Remove", self.presenter.remove, ("Del",), "Edit", when=lambda: offers().remove,
                icon="trash-2", help="Takes the chosen papers out of the workspace. This can be undone.",
            ),
        )  # fmt: skip

    def select(self, id: str, passage: int | None = None) -> None:
        self._reads.start(self._select(id, passage), about=self.page, latest="select")

    async def _select(self, id: str, passage: int | None) -> None:
        if passage is not None:
            self.details.point_at(id, await self.presenter.ordinal_of(passage))
        if not await self._browser.select(id):
            raise UserError("This paper is not in the workspace any more.")

    async def chosen_things(self) -> Sequence[tuple[Doomed, str]]:
        return [(Doomed.PAPER, each.id) for each in await self.presenter.all_chosen()]

    def focus_list(self) -> None:
        self.list_page.list.setFocus()

    def show_attention(self) -> None:
        self.list_page.narrow("state", PaperState.ATTENTION.value)

    def close(self) -> None:
        self.presenter.close()

    # ---- taking in --------------------------------------------------------------------------------------------------

    async def add(self) -> None:
        """Ask for files and take them in."""
        if paths := await choose_files(self.page.window(), "Add papers"):
            await self.presenter.add(paths)

    async def add_folder(self) -> None:
        """Ask for a folder and take in what lies in it."""
        if folder := await choose_folder(self.page.window(), "Add a folder of papers"):
            await self.presenter.add([folder])

    async def take(self, paths: Sequence[Path]) -> list[Taken]:
        """Take files and folders in; the list shows each at once."""
        return await self.presenter.add(paths)

    def _say_taken(self, answers: list[Taken]) -> None:
        if self._note is not None:
            self._note.dismiss()
            self._note = None
        left = [answer for answer in answers if answer.outcome != "queued"]
        if left or not answers:
            which = partial(self._writes.run, partial(show_refused, self.page.window(), left)) if left else None
            self._note = IntakeNote(words.intake(answers), which)
            self.list_page.add_above(self._note)
        queued = [answer.paper.id for answer in answers if answer.paper is not None]
        if queued:
            QTimer.singleShot(0, self.page, lambda: self.select(queued[0]))

    # ---- what is done with papers -----------------------------------------------------------------------------------

    async def look(self) -> None:
        """Show the chosen paper's pages large."""
        paper = self.presenter.one
        if paper is not None and self.presenter.pages.draws(paper):
            self.presenter.pages.show(paper)
            await show_large(self.page.window(), self.presenter.pages, paper.name)

    async def save_copy(self) -> None:
        if (paper := self.presenter.one) is not None:
            target = await choose_target(self.page.window(), "Save a copy", paper.name)
            if target is not None:
                await self.presenter.save_copy(target)

    async def rename(self) -> None:
        """Ask for another name; the ending is kept out of the way."""
        if (paper := self.presenter.one) is not None:
            name = await ask_text(
                self.page.window(), "Rename the paper", "The paper itself stays as it is.", field="Name", act="Rename",
                text=paper.name,
            )  # fmt: skip
            if name is not None:
                await self.presenter.rename(paper, name)

    async def enter_password(self) -> None:
        """Ask for the password until it fits or the person gives up."""
        paper = self.presenter.one
        sentence = f"“{paper.name}” is locked." if paper is not None else ""
        while paper is not None:
            password = await ask_text(
                self.page.window(), "Enter the password", sentence, field="Password", act="Read the paper",
                check=lambda text: None if text else " ", secret=True,
            )  # fmt: skip
            if password is None:
                return
            try:
                return await self.presenter.unlock(paper.id, password)
            except UserError as error:
                sentence = error.sentence

    # ---- details ----------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        if (paper := self.presenter.one) is not None:
            self.details.show_one(paper)
        else:
            self.details.show_many(self.presenter.chosen, self.presenter.chosen_count)
        # The one that helps most comes first.
        order = ("unlock", "retry", "stop", "open", "save", "rename", "remove")
        offered = {command.id: command for command in self.commands() if command.when()}
        chosen = [offered[f"papers.{name}"] for name in order if f"papers.{name}" in offered]
        self._browser.offer([(each.title, each.help, each.run) for each in chosen], self._writes)
