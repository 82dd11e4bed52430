"""What the window's commands do. Each method is one command of `window_commands`."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from core.domain.text import one_line
from core.errors import UserError
from core.services.workspaces import Workspaces
from ui.commands.command import Command
from ui.commands.place import Choosing, Undo
from ui.erasure.dialog import forget_for_good
from ui.qt import settings as declared
from ui.qt.dialogs import choose
from ui.qt.scope import ViewScope
from ui.shell.desk import Desk
from ui.shell.frame import Frame
from ui.shell.help import show_about, show_help
from ui.shell.intake import Given, Intake, look
from ui.shell.session import Session
from ui.widgets.theme import SCALES
from ui.workspaces.actions import WorkspaceActions
from ui.workspaces.check import check

EXPORTS = (".zip", ".json", ".jsonl", ".ndjson")  # names under which conversations are exported


class Acts:
    """Implements `WindowActs`."""

    def __init__(self, window: Frame, desk: Desk, workspaces: Workspaces, parent_folder: Path, version: str) -> None:
        self._window = window
        self._version = version
        self._desk = desk
        self.folders = WorkspaceActions(
            window, workspaces, parent_folder, switch=desk.open, leave=desk.leave, refresh=desk.refresh
        )

    # ---- workspaces -------------------------------------------------------------------------------------------------

    def is_open(self) -> bool:
        return self._desk.session is not None

    async def create(self) -> None:
        await self.folders.create()

    async def open_folder(self) -> None:
        await self.folders.open_folder()

    async def rename(self) -> None:
        await self.folders.rename()

    async def move(self) -> None:
        await self.folders.move()

    async def take_off(self) -> None:
        await self.folders.take_off()

    async def delete(self) -> None:
        await self.folders.delete()

    async def forget_for_good(self) -> None:
        """What is chosen in the list, or everything about a name. After it nothing earlier can be taken back."""
        session, view = self._desk.session, self._desk.view
        if session is None:
            return
        things = await view.chosen_things() if isinstance(view, Choosing) else ()
        report = self._window.problems.report
        reads, writes = ViewScope(session.reads, report), ViewScope(session.writes, report)
        if await forget_for_good(self._window, session.workspace, things, reads, writes):
            self._window.undos.clear()
            self._window.toast.put_away()

    async def check(self) -> None:
        if (session := self._desk.session) is not None:
            reads = ViewScope(session.reads, self._window.problems.report)
            await check(self._window, session.workspace.upkeep, reads)

    async def switch(self) -> None:
        """Open the card with all workspaces; their states are looked up while it is there."""
        card = self._window.switcher_card
        if card.isVisible():
            card.close_card()
            return
        card.fill(self._desk.known)
        card.open_at(self._window.card_place())
        await self._desk.refresh()

    async def go_workspace(self, number: int) -> None:
        await self._desk.refresh()
        if number > len(self._desk.known):
            raise UserError(f"There is no workspace {number} in the list.")
        await self.folders.pick(self._desk.known[number - 1])

    # ---- papers that are given --------------------------------------------------------------------------------------

    def take(self, given: Given) -> None:
        """Take in what was dropped or pasted; the list of papers shows it at once."""
        session = self._desk.session
        if session is None:
            return
        export = _may_be_export(given)
        if export is None:
            self._show_papers(given)
        session.writes.start(self._take(session, given, export))

    async def _take(self, session: Session, given: Given, export: Path | None) -> None:
        try:
            if export is not None:
                if await self._taken_over(session, export):
                    return
                self._show_papers(given)
            await Intake(session.workspace, session.papers.take, self._window.undos.offer).take(given)
        except UserError as error:
            self._window.say(error.sentence)

    def _show_papers(self, given: Given) -> None:
        if not given.sentence:
            self._desk.show("papers")

    async def _taken_over(self, session: Session, export: Path) -> bool:
        """Where the file is an export of another program, offer to take its conversations over. True where that is
        done, or nothing is to be done with the file."""
        program = await session.workspace.exchange.seems(export)
        if not program:
            return False
        answer = await choose(
            self._window,
            f"Conversations from {program}",
            f"“{one_line(export.name)}” holds conversations. They can be taken over one by one, each with its "
            "messages, or the file can be kept as a paper.",
            (("conversations", "Import conversations"), ("paper", "Keep as a paper")),
        )
        if answer == "conversations":
            self._desk.show("conversations")
            await session.conversations.take_over([export])
        return answer != "paper"

    async def import_conversations(self) -> None:
        """Ask for exports; the list of conversations shows what came."""
        if (session := self._desk.session) is not None:
            self._desk.show("conversations")
            await session.conversations.choose_exports()

    async def add_papers(self) -> None:
        """Ask for files; the list of papers shows them."""
        if (session := self._desk.session) is not None:
            self._desk.show("papers")
            await session.papers.add()

    async def add_folder(self) -> None:
        if (session := self._desk.session) is not None:
            self._desk.show("papers")
            await session.papers.add_folder()

    def paste(self) -> None:
        self.take(look(QGuiApplication.clipboard().mimeData()))

    # ---- undo -------------------------------------------------------------------------------------------------------

    def can_undo(self) -> bool:
        return bool(self._window.undos)

    async def undo(self) -> None:
        await self.take_back(None)

    async def take_back(self, undo: Undo | None) -> None:
        """Take back this, or what was done last."""
        taken = self._window.undos.take(undo)
        if taken is None:
            return
        self._window.toast.put_away()
        await taken.undo()
        self._window.say(f"Undone: {taken.said}")

    # ---- look -------------------------------------------------------------------------------------------------------

    def fold_rail(self) -> None:
        self._window.fold_rail()

    def fold_side(self) -> None:
        self._window.body.toggle_side()

    def larger(self) -> None:
        self._scale_to(next((scale for scale in SCALES if scale > self._window.theme.scale), SCALES[-1]))

    def smaller(self) -> None:
        self._scale_to(next((scale for scale in reversed(SCALES) if scale < self._window.theme.scale), SCALES[0]))

    def normal_size(self) -> None:
        self._scale_to(SCALES[0])

    def _scale_to(self, scale: int) -> None:
        self._window.settings.set(declared.SCALE, scale)
        self._window.theme.set_scale(scale)

    def light(self) -> None:
        self._colours("light")

    def dark(self) -> None:
        self._colours("dark")

    def as_system(self) -> None:
        self._colours("system")

    def _colours(self, choice: str) -> None:
        self._window.settings.set(declared.THEME, choice)
        self._window.theme.set_choice(choice)

    # ---- going ------------------------------------------------------------------------------------------------------

    def go(self, place: str) -> None:
        self._desk.show(place)
        self._desk.focus_list()

    def search(self) -> None:
        self._window.top.search.start()

    def palette(self) -> None:
        card = self._window.palette_card
        if card.isVisible():
            card.close_card()
        else:
            card.open_over(self._window)

    def cycle(self) -> None:
        self._step(1)

    def cycle_back(self) -> None:
        self._step(-1)

    def _step(self, step: int) -> None:
        """Put the keyboard into the next part that is there: rail, search, list, details, foot."""
        parts = self._parts()
        now = QApplication.focusWidget()
        here = next((index for index, (part, _) in enumerate(parts) if now is not None and _within(part, now)), None)
        start = (0 if step > 0 else -1) if here is None else here + step
        parts[start % len(parts)][1]()

    def _parts(self) -> list[tuple[QWidget, Callable[[], object]]]:
        window, view = self._window, self._desk.view
        parts: list[tuple[QWidget, Callable[[], object]]] = [(window.rail, window.rail.focus_part)]
        if window.top.isVisible():
            parts.append((window.top, window.top.focus_part))
        if view is None:
            parts.append((window.start_page, window.start_page.new_button.setFocus))
        else:
            parts.append((view.page, self._desk.focus_list))
            if view.inspector is not None and window.body.side_open:
                parts.append((view.inspector, lambda side=view.inspector: _focus_first(side)))
        if window.foot.isVisible():
            parts.append((window.foot, window.foot.focus_part))
        return parts

    def back(self) -> None:
        """Escape: close what lies over the window, then the details over the list, then leave the search."""
        window = self._window
        for card in (window.palette_card, window.switcher_card):
            if card.isVisible():
                card.close_card()
                return
        if window.light.isVisible():
            window.light.hide()
        elif window.body.close_over():
            pass
        elif window.top.search.text:
            window.top.search.leave()
        self._desk.focus_list()

    # ---- help -------------------------------------------------------------------------------------------------------

    async def help(self) -> None:
        await show_help(self._window, grouped(self._window.registry.by_owner()))

    async def about(self) -> None:
        await show_about(self._window, self._version)

    def quit(self) -> None:
        self._window.close()


def _may_be_export(given: Given) -> Path | None:
    """The one file that was given, where its name is one that conversations are exported under."""
    path = given.paths[0] if len(given.paths) == 1 else None
    return path if path is not None and path.suffix.lower() in EXPORTS else None


def _within(part: QWidget, widget: QWidget) -> bool:
    return part is widget or part.isAncestorOf(widget)


def _focus_first(side: QWidget) -> None:
    """The scroll area of the details, so that arrows scroll at once."""
    area = side.findChild(QScrollArea)
    (area or side).setFocus(Qt.FocusReason.ShortcutFocusReason)


def grouped(by_owner: dict[str, list[Command]]) -> dict[str, Sequence[Command]]:
    """Commands under the headings of the help page: this place's first, then the menus of the window."""
    groups: dict[str, Sequence[Command]] = {}
    if by_owner.get("place"):
        groups["In this place"] = by_owner["place"]
    window = by_owner.get("window", [])
    for menu in ("Go", "File", "Edit", "View", "Help", ""):
        fitting = [command for command in window if command.menu == menu]
        if fitting:
            groups[menu or "Workspaces"] = fitting
    return groups
