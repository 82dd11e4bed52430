"""The place of watched folders: which there are, how they fare, and what was left out."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from core.domain.watching import FolderState, WatchedFolder
from core.errors import EnvironmentFault, NotFound, UserError
from ui.commands.command import Command
from ui.commands.place import PlaceContext, PlaceView
from ui.folders import dialog, words
from ui.folders.presenter import FoldersPresenter, Settings
from ui.qt import figures
from ui.qt.dialogs import choose_folder
from ui.qt.scope import ViewScope
from ui.widgets.basics import tag
from ui.widgets.browser import Browser
from ui.widgets.inspector import Inspector
from ui.widgets.list_page import ListPage
from ui.widgets.states import Empty

MOST_PROBLEMS = 8


class FoldersView(PlaceView):
    """Folders with their state; what lies in them is found in Papers."""

    def __init__(self, context: PlaceContext) -> None:
        super().__init__()
        self._writes = ViewScope(context.writes, context.problems.report)
        self._reads = ViewScope(context.reads, context.problems.report)
        self.presenter = FoldersPresenter(context.workspace, self._reads, context.offer_undo)
        empty = Empty(
            "folder-input",
            "Folders whose files become papers by themselves: where the scanner saves, where letters are kept",
            "What comes into such a folder can be found seconds later. The files themselves are never changed.",
            ("Watch a folder…", self._writes.slot(self.add)),
        )
        self.page = self.list_page = ListPage("Folders", self.presenter.model, empty)
        self.inspector = self.details = Inspector(
            "Watched folder", "Choose a folder to see how it is watched and what was left out."
        )
        self._browser = Browser(self.presenter, self.list_page, self.details, self._show)
        self._browser.add_sort()
        self.list_page.opened.connect(lambda _: self._writes.run(self.show_outside, about=self.page))

    def commands(self) -> Sequence[Command]:
        presenter = self.presenter
        return (
            Command(
                "folders.add", "Watch a folder…", self.add, ("Ctrl+N",), "File", icon="folder-plus", main=True,
                help="Takes in what lies in a folder, and what comes into it from now on.",
            ),
            Command(
                "folders.change", "Change…", self.change, ("F2",), "Edit", when=lambda: presenter.one is not None,
                icon="pencil", help="Changes how the files are kept and which ones are left out.",
            ),
            Command(
                "folders.look", "Look again", presenter.look_again, ("F5",), "Edit",
                when=lambda: presenter.chosen_count > 0, icon="refresh-cw",
                help="Looks at everything in the chosen folders now. It is done by itself, too.",
            ),
            Command(
                "folders.pause", "Pause", presenter.pause, (), "Edit", when=presenter.can_pause, icon="pause",
                help="Takes nothing from the chosen folders until you go on.",
            ),
            Command(
                "folders.go_on", "Go on", presenter.go_on, (), "Edit", when=presenter.can_go_on, icon="play",
                help="Watches the chosen folders again, and catches up with what happened meanwhile.",
            ),
            Command(
                "folders.show", "Show in the file manager", self.show_outside, (), "Go",
                when=lambda: presenter.one is not None, icon="external-link",
                help="Opens the folder in the program that this computer has for files.",
            ),
            Command(
                "folders.stop", "Stop watching", presenter.stop, ("Del",), "Edit",
                when=lambda: presenter.chosen_count > 0, icon="eye-off",
                help="Watches the chosen folders no more. Papers that were taken in stay. This can be undone.",
            ),
        )  # fmt: skip

    def select(self, id: str, passage: int | None = None) -> None:
        self._reads.start(self._select(id), about=self.page, latest="select")

    async def _select(self, id: str) -> None:
        try:
            there = await self._browser.select(id)
        except NotFound:
            there = False
        if not there:
            raise UserError("This folder is not watched any more.")

    def focus_list(self) -> None:
        self.list_page.list.setFocus()

    def close(self) -> None:
        self.presenter.close()

    async def add(self) -> None:
        """Choose a folder and say how it is watched."""
        path = await choose_folder(self.page.window(), "Choose the folder to watch")
        if path is not None:
            await self.add_at(path)

    async def add_at(self, path: Path) -> None:
        await self.presenter.check(path)
        added: list[WatchedFolder] = []

        async def save(settings: Settings) -> None:
            added.append(await self.presenter.add(path, settings))

        heading = f"Watch “{path.name or path}”"
        if await dialog.edit(self.page.window(), heading, words.shown_path(str(path)), None, self._writes, save):
            self.select(added[-1].id)

    async def change(self) -> None:
        folder = self.presenter.one
        if folder is None:
            return

        async def save(settings: Settings) -> None:
            await self.presenter.change(folder, settings)

        heading = f"Change “{words.name(folder)}”"
        await dialog.edit(self.page.window(), heading, words.path(folder), folder, self._writes, save)

    def show_outside(self) -> None:
        """Raises EnvironmentFault where no program shows folders."""
        folder = self.presenter.one
        if folder is None:
            return
        if folder.state is FolderState.NOT_THERE:
            raise UserError(f"“{words.name(folder)}” is not there just now.")
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(folder.path)):
            raise EnvironmentFault(f"No program here shows folders. “{words.name(folder)}” is in {words.path(folder)}.")

    def _show(self) -> None:
        folder = self.presenter.one
        if folder is not None:
            self._show_one(folder)
        else:
            self.details.begin(figures.of_things(self.presenter.chosen_count, "watched folder", "watched folders"))
        offered = [command for command in self.commands() if command.when() and not command.main]
        self._browser.offer([(each.title, each.help, each.run) for each in offered], self._writes)

    def _show_one(self, folder: WatchedFolder) -> None:
        troubled = bool(folder.trouble) or folder.state is FolderState.NOT_THERE
        state = tag(words.state(folder), "warn" if troubled else "", words.STATE_TIPS[folder.state])
        self.details.begin(words.name(folder), [words.KEPT[folder.keep], state])
        if folder.trouble:
            self.details.add_notice("triangle-alert", folder.trouble)
        looked = figures.moment(folder.looked_at) if folder.looked_at else "Not yet"
        self.details.add_facts(
            [
                ("Where", words.path(folder)),
                ("Papers", words.counts(folder)),
                ("Folders in it", "Watched too" if folder.subfolders else "Left out"),
                ("Last look", looked),
            ]
        )
        self.details.add_section("Files", words.KEEPS[folder.keep][1])
        self._add_left_out(folder)

    def _add_left_out(self, folder: WatchedFolder) -> None:
        skipped = figures.of_things(folder.skipped, "file or folder was", "files or folders were")
        said = f"{skipped} left out at the last look: by these rules, or as links and files of the system."
        self.details.add_section("Left out", words.rules(folder), tip="Rules in the syntax of .gitignore")
        if folder.looked_at and folder.skipped:
            self.details.add_text(said, "muted")
        if folder.problems:
            self.details.add_section("Could not be taken in")
            for problem in folder.problems[:MOST_PROBLEMS]:
                self.details.add_notice("info", problem, "muted")
            more = len(folder.problems) - MOST_PROBLEMS
            if more > 0:
                self.details.add_text(f"and {figures.count(more)} more of these.", "muted")
