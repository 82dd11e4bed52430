"""What the place of papers knows and does; no widgets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from core.domain.papers import Paper, PaperState, Taken
from core.domain.passages import Kind, Passage
from core.domain.watching import Place
from core.services.workspace import Workspace
from ui.commands.place import Undo
from ui.papers import words
from ui.papers.pages import PagesPresenter
from ui.qt.browsing import BrowsePresenter
from ui.qt.opening import Opener
from ui.qt.scope import ViewScope

PREVIEW = 60  # passages read at once for the text of a paper


@dataclass(frozen=True, slots=True)
class Offers:
    """What can be done with all the chosen papers now."""

    open: bool = False
    retry: bool = False
    unlock: bool = False
    stop: bool = False
    remove: bool = False
    look: bool = False


class PapersPresenter(BrowsePresenter[Paper]):
    """`text_changed`: more of the one chosen paper's text was read (`passages`).

    `taken_in(answers)`: an intake has ended. `places_changed`: where the chosen paper was taken from was read
    (`places`).
    """

    text_changed = Signal()
    places_changed = Signal()
    taken_in = Signal(list)

    def __init__(
        self,
        workspace: Workspace,
        scope: ViewScope,
        offer_undo: Callable[[Undo], None],
        opener: Opener | None = None,
        parent: QObject | None = None,
    ) -> None:
        rows = workspace.papers.rows
        super().__init__(scope, workspace.events, rows, frozenset({"paper"}), words.line, words.SORTS, parent)
        self._workspace = workspace
        self._offer_undo = offer_undo
        self._opener = opener or Opener(workspace.info.path, workspace.papers.export)
        self._opener.clean()  # what a run that was killed left behind
        self.pages = PagesPresenter(workspace.previews, scope, self)
        self.passages: list[Passage] = []
        self.more_text = False
        self._text_of = ("", 0)
        self.places: Sequence[Place] = ()
        self.chosen_changed.connect(self._text_may_differ)
        self.chosen_changed.connect(self._places_may_differ)
        self.chosen_changed.connect(self._wanted_first)

    # ---- the list ---------------------------------------------------------------------------------------------------

    async def position_of(self, id: str) -> int | None:
        return self.model.position_of((await self._workspace.papers.get(id)).number)

    async def ordinal_of(self, passage: int) -> int:
        """Which passage of its paper this is, counted from 0. Raises NotFound."""
        return (await self._workspace.search.passage(passage)).ordinal

    def offers(self) -> Offers:
        """What can be done with all the chosen ones."""
        papers = self.chosen
        if not papers:
            return Offers()
        one = self.one
        stuck = (PaperState.ATTENTION, PaperState.CANCELLED)
        return Offers(
            open=one is not None,
            retry=all(paper.state in stuck for paper in papers),
            unlock=one is not None and one.needs_password,
            stop=all(paper.state in (PaperState.WAITING, PaperState.READING) for paper in papers),
            remove=True,
            look=one is not None and self.pages.draws(one),
        )

    def _wanted_first(self) -> None:
        if self.one is not None and self.one.state is PaperState.WAITING:
            self._workspace.papers.prefer(self.one.id)

    # ---- taking in --------------------------------------------------------------------------------------------------

    async def add(self, sources: Sequence[Path]) -> list[Taken]:
        """Take files and folders in; the list shows each as it is taken."""
        answers = await self._workspace.papers.add(sources)
        new = [answer.paper for answer in answers if answer.outcome == "queued" and answer.paper is not None]
        if new:
            ids = [paper.id for paper in new]
            self._offer_undo(Undo(words.added(new), lambda: self._workspace.papers.remove(ids)))
        self.taken_in.emit(answers)
        return answers

    # ---- what is done with the chosen ones --------------------------------------------------------------------------

    async def open_original(self) -> None:
        for paper in self.chosen[:1]:
            await self._opener.open(paper)

    async def save_copy(self, target: Path) -> None:
        for paper in self.chosen[:1]:
            await self._workspace.papers.export(paper.id, target)

    async def rename(self, paper: Paper, name: str) -> None:
        """Give it another name; offers to undo it."""
        renamed = await self._workspace.papers.rename(paper.id, name, paper.name)
        if renamed.name != paper.name:
            back = partial(self._workspace.papers.rename, paper.id, paper.name, renamed.name)
            self._offer_undo(Undo(f"Renamed “{paper.name}” to “{renamed.name}”.", back))

    async def retry(self) -> None:
        await self._workspace.papers.retry([paper.id for paper in await self.all_chosen()])

    async def unlock(self, id: str, password: str) -> None:
        """Read a locked paper with its password. Raises UserError where it doesn't open it."""
        await self._workspace.papers.unlock(id, password)

    async def stop(self) -> None:
        await self._workspace.papers.cancel([paper.id for paper in await self.all_chosen()])

    async def remove(self) -> None:
        """Take the chosen papers out; offers to undo it."""
        papers = await self.all_chosen()
        if not papers:
            return
        ids = [paper.id for paper in papers]
        await self._workspace.papers.remove(ids)
        self._offer_undo(Undo(words.removed(papers), lambda: self._workspace.papers.restore(ids)))

    # ---- the text of one paper --------------------------------------------------------------------------------------

    def _text_may_differ(self) -> None:
        one = self.one
        wanted = (one.id, one.passages) if one is not None else ("", 0)
        if wanted == self._text_of:
            return
        self._text_of = wanted
        self.passages, self.more_text = [], False
        self.text_changed.emit()
        if wanted[1]:
            self.read_on()

    def _places_may_differ(self) -> None:
        if self.one is not None:
            self.scope.start(self._read_places(self.one.id), latest=f"places {id(self)}")

    async def _read_places(self, paper: str) -> None:
        places = await self._workspace.folders.places(paper)
        if self.one is not None and self.one.id == paper:
            self.places = places
            self.places_changed.emit()

    def read_on(self, until: int | None = None) -> None:
        """Read the next passages of the chosen paper's text, at least up to ordinal `until`."""
        self.scope.start(self._read_on(self._text_of, until), latest=f"text {id(self)}")

    async def _read_on(self, wanted: tuple[str, int], until: int | None) -> None:
        first = len(self.passages)
        count = max(PREVIEW, 0 if until is None else until - first + PREVIEW // 2)
        found = await self._workspace.search.of_owner(Kind.PAPER, wanted[0], first, count)
        if wanted != self._text_of:
            return
        self.passages += found
        self.more_text = len(self.passages) < wanted[1] and bool(found)
        self.text_changed.emit()

    def close(self) -> None:
        super().close()
        self._opener.clean()
