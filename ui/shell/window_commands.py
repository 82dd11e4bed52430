"""The window's own commands, declared once. The places bring theirs."""

from collections.abc import Sequence
from typing import Protocol

from ui.commands.command import Command
from ui.commands.place import Place


class WindowActs(Protocol):
    """What the window's commands call."""

    def is_open(self) -> bool: ...
    def can_undo(self) -> bool: ...
    def go(self, place: str) -> None: ...
    async def go_workspace(self, number: int) -> None: ...
    async def create(self) -> None: ...
    async def open_folder(self) -> None: ...
    async def rename(self) -> None: ...
    async def move(self) -> None: ...
    async def take_off(self) -> None: ...
    async def delete(self) -> None: ...
    async def check(self) -> None: ...
    async def forget_for_good(self) -> None: ...
    async def switch(self) -> None: ...
    async def undo(self) -> None: ...
    async def help(self) -> None: ...
    async def about(self) -> None: ...
    async def add_papers(self) -> None: ...
    async def add_folder(self) -> None: ...
    async def import_conversations(self) -> None: ...
    def paste(self) -> None: ...
    def search(self) -> None: ...
    def palette(self) -> None: ...
    def fold_rail(self) -> None: ...
    def fold_side(self) -> None: ...
    def larger(self) -> None: ...
    def smaller(self) -> None: ...
    def normal_size(self) -> None: ...
    def light(self) -> None: ...
    def dark(self) -> None: ...
    def as_system(self) -> None: ...
    def cycle(self) -> None: ...
    def cycle_back(self) -> None: ...
    def back(self) -> None: ...
    def quit(self) -> None: ...


def window_commands(acts: WindowActs, places: Sequence[Place]) -> list[Command]:
    """In the order of the menus."""
    return [*_takes(acts), *_folders(acts), *_edits(acts), *_views(acts), *_going(acts, places), *_helping(acts)]


def _takes(acts: WindowActs) -> list[Command]:
    here = acts.is_open
    return [
        Command(
            "papers.add", "Add papers…", acts.add_papers, ("Ctrl+O",), "File", here, icon="plus",
            help="Takes files into this workspace. Their bytes are kept exactly as they are.",
        ),
        Command(
            "papers.add_folder", "Add a folder of papers…", acts.add_folder, ("Ctrl+Shift+O",), "File", here,
            help="Takes every file in a folder and below it into this workspace.",
        ),
        Command(
            "conversations.import", "Import conversations…", acts.import_conversations, (), "File", here,
            icon="download",
            help="Takes conversations over from an export of ChatGPT or Claude (ZIP or JSON), or from JSON Lines.",
        ),
    ]  # fmt: skip


def _folders(acts: WindowActs) -> list[Command]:
    here = acts.is_open
    return [
        Command(
            "workspace.create", "New workspace…", acts.create, ("Ctrl+Shift+N",), "File",
            help="Makes a workspace: a folder with everything in it.",
        ),
        Command(
            "workspace.open", "Open a workspace's folder…", acts.open_folder, (), "File",
            help="Puts a workspace that lies on this computer into the list and opens it.",
        ),
        Command(
            "workspace.switch", "Switch workspace…", acts.switch, ("Ctrl+Shift+W",), "File",
            help="Lists the workspaces, with a search.",
        ),
        Command(
            "workspace.rename", "Rename this workspace…", acts.rename, (), "File", here,
            help="Gives the workspace another name. Its folder keeps its own.",
        ),
        Command(
            "workspace.move", "Move this workspace…", acts.move, (), "File", here,
            help="Moves the workspace's folder to another place on this computer.",
        ),
        Command(
            "workspace.check", "Check this workspace…", acts.check, (), "File", here,
            help="Looks whether every stored paper is whole, and repairs what can be repaired.",
        ),
        Command(
            "workspace.forget", "Forget for good…", acts.forget_for_good, (), "File", here, icon="trash-2",
            help="Erases what is chosen, or everything about a name, so that nothing of it is left. There is no undo.",
        ),
        Command(
            "workspace.take_off", "Take this workspace off the list", acts.take_off, (), "File", here,
            help="The folder stays as it is.",
        ),
        Command(
            "workspace.delete", "Delete this workspace…", acts.delete, (), "File", here,
            help="Moves the workspace's folder to the trash, after you typed its name.",
        ),
        Command(
            "window.quit", "Quit", acts.quit, ("Ctrl+Q",), "File",
            help="Finishes what is being written and closes.",
        ),
    ]  # fmt: skip


def _edits(acts: WindowActs) -> list[Command]:
    return [
        Command("window.undo", "Undo", acts.undo, ("Ctrl+Z",), "Edit", acts.can_undo, "Takes back what was done last."),
        Command(
            "window.paste", "Paste as a paper", acts.paste, ("Ctrl+V",), "Edit", acts.is_open,
            "Takes copied files, a picture or text into this workspace.",
        ),
    ]  # fmt: skip


def _views(acts: WindowActs) -> list[Command]:
    return [
        Command(
            "window.rail", "Fold or unfold the rail", acts.fold_rail, ("F8",), "View",
            help="The rail at the left shows icons alone.",
        ),
        Command(
            "window.details", "Fold or unfold the details", acts.fold_side, ("F9",), "View", acts.is_open,
            "The details of what is selected, at the right.",
        ),
        Command(
            "window.larger", "Larger text", acts.larger, ("Ctrl++", "Ctrl+="), "View",
            help="Everything grows, up to 200 %.",
        ),
        Command(
            "window.smaller", "Smaller text", acts.smaller, ("Ctrl+-",), "View",
            help="Everything shrinks, down to 100 %.",
        ),
        Command("window.normal", "Normal size of text", acts.normal_size, ("Ctrl+0",), "View", help="Back to 100 %."),
        Command("window.light", "Light colours", acts.light, (), "View", help="Dark text on light ground."),
        Command("window.dark", "Dark colours", acts.dark, (), "View", help="Light text on dark ground."),
        Command(
            "window.system", "Colours as on this computer", acts.as_system, (), "View",
            help="Light or dark as the system has it, also when it changes.",
        ),
    ]  # fmt: skip


def _going(acts: WindowActs, places: Sequence[Place]) -> list[Command]:
    going = [
        Command(
            "window.search", "Search", acts.search, ("Ctrl+K", "Ctrl+F"), "Go", acts.is_open,
            "One box over everything in this workspace.",
        ),
        Command(
            "window.palette", "Find a command…", acts.palette, ("Ctrl+Shift+P",), "Go",
            help="Every command by a few letters.",
        ),
        *(_to_place(acts, number, place) for number, place in enumerate(places, 1)),
        Command(
            "window.cycle", "Next part of the window", acts.cycle, ("F6",), "Go",
            help="Rail, search, list, details, foot.",
        ),
        Command(
            "window.cycle_back", "Part of the window before", acts.cycle_back, ("Shift+F6",), "Go",
            help="The same, backwards.",
        ),
        Command(
            "window.back", "One step back", acts.back, ("Esc",), "Go",
            help="Closes what lies over the window, then leaves the search.",
        ),
    ]  # fmt: skip
    return going + [_to_workspace(acts, number) for number in range(1, 10)]


def _to_place(acts: WindowActs, number: int, place: Place) -> Command:
    keys = (f"Alt+{number}",) if number <= 9 else ()
    help = f"Goes to {place.title}."
    return Command(f"go.{place.id}", place.title, lambda: acts.go(place.id), keys, "Go", acts.is_open, help)


def _to_workspace(acts: WindowActs, number: int) -> Command:
    return Command(
        f"workspace.{number}", f"Workspace {number}", lambda: acts.go_workspace(number), (f"Ctrl+{number}",),
        help=f"Opens workspace {number} of the list.",
    )  # fmt: skip


def _helping(acts: WindowActs) -> list[Command]:
    return [
        Command(
            "window.help", "Commands and keys", acts.help, ("F1",), "Help",
            help="Everything that the keyboard can do.",
        ),
        Command("window.about", "About Muniment", acts.about, (), "Help", help="Version and licences."),
    ]  # fmt: skip
