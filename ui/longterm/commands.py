"""The commands of the place of long-term memory."""

from collections.abc import Awaitable, Sequence
from functools import partial
from typing import Protocol

from ui.commands.command import Command
from ui.longterm.presenter import LongTermPresenter
from ui.widgets.list_page import ListPage


class Acts(Protocol):
    """What the view does when a command is chosen."""

    presenter: LongTermPresenter
    list_page: ListPage

    def find(self) -> None: ...
    def add(self) -> Awaitable[object]: ...
    def edit(self) -> Awaitable[object]: ...
    def change_kind(self) -> Awaitable[object]: ...
    def change_tags(self) -> Awaitable[object]: ...
    def export(self) -> Awaitable[object]: ...
    def ask(self) -> Awaitable[object]: ...
    def find_duplicates(self) -> Awaitable[object]: ...


def commands_of(acts: Acts) -> Sequence[Command]:
    """First what concerns the place, then what is done with chosen memories."""
    return (*_of_the_place(acts), *_of_the_chosen(acts))


def _of_the_place(acts: Acts) -> Sequence[Command]:
    def something() -> bool:
        return acts.list_page.holds_something

    return (
        Command(
            "longterm.add", "Add a memory…", acts.add, ("Ctrl+N",), "File", icon="plus", main=True,
            help="Writes down something to be remembered.",
        ),
        Command(
            "longterm.find", "Find in this list", acts.find, ("Ctrl+Shift+F",), "Edit", when=something,
            icon="search",
            help="Narrows the list to memories whose title holds what you type.",
        ),
        Command(
            "longterm.duplicates", "Find duplicates…", acts.find_duplicates, (), "Edit", when=something,
            icon="copy",
            help="Shows memories that say the same, two at a time; you keep one, both, or one text for both.",
        ),
        Command(
            "longterm.ask", "What an assistant would find…", acts.ask, ("Ctrl+Shift+A",), "View", when=something,
            icon="bot",
            help="Asks a question as an assistant does, and says why each memory is found. It doesn't count as used.",
        ),
    )  # fmt: skip


def _of_the_chosen(acts: Acts) -> Sequence[Command]:
    presenter = acts.presenter

    def chosen() -> bool:
        return presenter.chosen_count > 0

    return (
        Command(
            "longterm.edit", "Edit…", acts.edit, ("F2",), "Edit",
            when=lambda: presenter.one is not None, icon="pencil",
            help="Changes the chosen memory; shows both sides if somebody else changed it meanwhile.",
        ),
        Command(
            "longterm.pin", "Pin", partial(presenter.pin, True), ("Ctrl+Shift+L",), "Edit",
            when=lambda: chosen() and not presenter.all_pinned, icon="pin",
            help="Keeps the chosen memories as present as they were when last used; they don't fade.",
        ),
        Command(
            "longterm.unpin", "Unpin", partial(presenter.pin, False), (), "Edit",
            when=lambda: chosen() and presenter.all_pinned, icon="pin-off", help="Lets the chosen memories fade again.",
        ),
        Command(
            "longterm.keep_fresh", "Keep fresh", presenter.keep_fresh, ("Ctrl+Shift+K",), "Edit", when=chosen,
            icon="sparkles", help="Counts as used now, so that it stays present (reinforces it).",
        ),
        Command(
            "longterm.kind", "Change the kind…", acts.change_kind, ("Ctrl+Shift+Y",), "Edit", when=chosen,
            icon="layers", help="Makes the chosen memories a procedure, a fact, an event or a note for now (the tier).",
        ),
        Command(
            "longterm.tags", "Tags…", acts.change_tags, ("Ctrl+T",), "Edit", when=chosen, icon="tag",
            help="Adds tags to the chosen memories, or takes them away.",
        ),
        Command(
            "longterm.export", "Export…", acts.export, ("Ctrl+Shift+S",), "File", when=chosen, icon="upload",
            help="Writes the chosen memories into a file: Markdown, CSV or JSON.",
        ),
        Command(
            "longterm.forget", "Forget", presenter.forget, ("Del",), "Edit", when=chosen, icon="trash-2",
            help="Puts the chosen memories into the trash. This can be undone.",
        ),
    )  # fmt: skip
