"""A place: one entry of the rail, with its list, its inspector and its commands. Each feature folder declares its
places.

The shell knows places only through what stands here; a feature knows the shell only through `PlaceContext`.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from core.domain.erasure import Doomed
from core.domain.query import Mode
from core.services.workspace import Workspace
from core.tasks import TaskScope
from ui.commands.command import Command


@dataclass(frozen=True, slots=True)
class Undo:
    """What the foot of the window offers for ten seconds, and Ctrl+Z later. `said`: "Removed “scan_0231.pdf”."."""

    said: str
    undo: Callable[[], Awaitable[object]]


class Problems(Protocol):
    """Where errors go on their way to the person."""

    def report(self, error: BaseException, about: QWidget | None = None) -> None:
        """UserError: said beside `about` (or at the foot); EnvironmentFault: banner; anything else: one crash
        report."""
        ...


class Navigator(Protocol):
    """Ways to another place, for links between them."""

    def show(self, place: str, id: str | None = None) -> None:
        """Go to a place and select the thing with this public id."""
        ...

    def show_passage(self, passage: int) -> None:
        """Open a passage in its place (the paper's page, the conversation's message, the record), highlighted."""
        ...


@dataclass(frozen=True, slots=True)
class PlaceContext:
    """What a place may use. `reads` is cancelled when the place closes; `writes` belongs to the application and
    finishes."""

    workspace: Workspace
    reads: TaskScope
    writes: TaskScope
    problems: Problems
    navigator: Navigator
    offer_undo: Callable[[Undo], None]


class PlaceView(QObject):
    """A built place. The shell puts `page` in the middle and `inspector` (if any) on the right."""

    page: QWidget
    inspector: QWidget | None = None
    main_command = ""  # id of a command of the whole window that is this place's main one

    def commands(self) -> Sequence[Command]:
        """Commands that make sense in this place now; the first with `main=True` is the button at the top right."""
        return ()

    def select(self, id: str, passage: int | None = None) -> None:
        """Select the thing with this public id and bring it into view; with `passage`, open there."""

    def focus_list(self) -> None:
        """Put the keyboard into the list."""
        self.page.setFocus()

    def show_attention(self) -> None:
        """Show only what needs a person, where the place has such things."""

    def close(self) -> None:
        """Stop listening and drop what is held of the workspace."""


class SearchView(PlaceView):
    """The place that shows what was found. It is not in the rail; the search box above everything speaks to it."""

    leave = Signal()  # the person is done with it: the window shows the place from before

    def ask(self, text: str, mode: Mode) -> None:
        """Called on each keystroke and change of mode; the latest question wins."""

    def focus_first(self) -> None:
        """From the box downwards: put the keyboard on the first hit."""


@runtime_checkable
class PaperTaker(Protocol):
    """A place view that takes files and folders in, whoever brought them: a drop, a paste, the window's commands."""

    async def take(self, paths: Sequence[Path]) -> object: ...
    async def add(self) -> None: ...
    async def add_folder(self) -> None: ...


@runtime_checkable
class ExportTaker(Protocol):
    """A place view that takes conversations over from the exports of other programs."""

    async def take_over(self, paths: Sequence[Path]) -> object: ...
    async def choose_exports(self) -> None: ...


@runtime_checkable
class Choosing(Protocol):
    """A place view in whose list things are chosen that can be forgotten for good."""

    async def chosen_things(self) -> Sequence[tuple[Doomed, str]]:
        """Their kinds and public ids."""
        ...


@dataclass(frozen=True, slots=True)
class SearchPlace:
    """Declaration of the place that shows what was found."""

    id: str
    build: Callable[[PlaceContext], SearchView]


class Counted(Protocol):
    """A list that knows its length, as every RowsPort does."""

    async def count(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Place:
    """Declaration of a place. section: "Memory" | "Library" | "Assistants"; technical: the term for the tooltip.

    rows: the list whose count stands in the rail; kinds: the kinds of change after which it is counted again.
    """

    id: str
    title: str
    icon: str
    section: str
    technical: str
    build: Callable[[PlaceContext], PlaceView]
    rows: Callable[[Workspace], Counted]
    kinds: frozenset[str]
