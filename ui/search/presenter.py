"""What the place of search knows and does; no widgets. Each keystroke asks; the latest question wins."""

import time
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QTimer, Signal

from core.domain.passages import Kind, Passage
from core.domain.query import Filters, Hit, Mode, SearchRequest, SearchResult
from core.errors import NotFound
from core.ports.rows import ListQuery
from core.services.search import SearchService
from core.services.workspace import Workspace
from ui.qt.opening import Opener
from ui.qt.paged import PagedModel
from ui.qt.presenter import Presenter
from ui.qt.scope import ViewScope
from ui.search import words

DEBOUNCE = 60  # ms after the last keystroke; the next question interrupts the one before anyway
AROUND = 1  # passages shown before and after the one that was found
SETTLED = 1500  # ms between two looks while papers are being read


@dataclass(frozen=True, slots=True)
class Narrowing:
    """The choices of the chips: keys of words.WHERE, TYPES and DATES; after and before for own dates (UTC seconds)."""

    where: str = ""
    type: str = ""
    date: str = ""
    after: float | None = None
    before: float | None = None

    def filters(self, now: float) -> Filters:
        own = self.date == "custom"
        return Filters(
            kinds=words.WHERE[self.where][1],
            formats=words.TYPES[self.type][1],
            after=self.after if own else words.since(self.date, now),
            before=self.before if own else None,
        )


class HitRows:
    """What was found as a list: its snapshot is the search itself, its numbers are passages."""

    sorts: tuple[str, ...] = ()
    facets: Mapping[str, tuple[str, ...]] = {}

    def __init__(self, search: SearchService) -> None:
        self._search = search
        self._hits: dict[int, Hit] = {}
        self.request: SearchRequest | None = None
        self.result: SearchResult | None = None

    async def snapshot(self, query: ListQuery) -> "array[int]":
        asked = self.request
        if asked is None or not asked.text.strip():
            self.result, self._hits = None, {}
            return array("q")
        result = await self._search.search(asked)
        self.result = result
        self._hits = {hit.passage.id: hit for hit in result.hits}
        return array("q", [hit.passage.id for hit in result.hits])

    def hit(self, number: int) -> Hit | None:
        """What was found under this number, if it still is."""
        return self._hits.get(number)

    async def count(self) -> int:
        return len(self._hits)

    async def rows(self, numbers: Sequence[int]) -> Sequence[Hit | None]:
        return [self._hits.get(number) for number in numbers]


class SearchPresenter(Presenter):
    """`changed`: a question was answered (`result`, `model`). `passage_changed`: `passages` around `hit` were read."""

    passage_changed = Signal()

    def __init__(
        self, workspace: Workspace, scope: ViewScope, opener: Opener | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(scope, parent)
        self._workspace = workspace
        self._opener = opener or Opener(workspace.info.path, workspace.papers.export)
        self._rows = HitRows(workspace.search)
        self.model: PagedModel[Hit] = PagedModel(self._rows, scope, words.line, parent=self)
        self.model.state_changed.connect(self._answered)
        self.text = ""
        self.mode = Mode.BOTH
        self.exact = False
        self.narrowing = Narrowing()
        self.hit: Hit | None = None
        self.passages: list[Passage] = []
        self.gone = False  # the hit is of a paper whose file is not there any more
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DEBOUNCE)
        self._timer.timeout.connect(self._ask)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(SETTLED)
        self._again.timeout.connect(self._ask)
        self.listen(
            workspace.events, frozenset({"paper", "passage", "record", "message", "session", "shared"}), self._later
        )

    @property
    def result(self) -> SearchResult | None:
        """The latest answer."""
        return self._rows.result

    @property
    def narrowed(self) -> list[str]:
        """The chips that narrow, in words."""
        return words.narrowed(self.narrowing.where, self.narrowing.type, self.narrowing.date)

    # ---- asking -----------------------------------------------------------------------------------------------------

    def ask(self, text: str, mode: Mode) -> None:
        """The person types, or chose another mode."""
        if text != self.text:
            self.exact = False
        self.text, self.mode = text, mode
        self._timer.start()

    def narrow(self, **choices: object) -> None:
        """Change choices of the chips: where=, type=, date=, after=, before=."""
        self.narrowing = replace(self.narrowing, **choices)  # pyright: ignore[reportArgumentType]
        self._ask()

    def loosen(self) -> None:
        """Search everything again."""
        self.narrowing = Narrowing()
        self._ask()

    def ask_exactly(self) -> None:
        """Search for the words as typed, without repair."""
        self.exact = True
        self._ask()

    def _ask(self) -> None:
        self._timer.stop()
        self._again.stop()
        filters = self.narrowing.filters(time.time())
        self._rows.request = SearchRequest(self.text, self.mode, filters, exact=self.exact)
        self.model.refresh()

    def search_again(self) -> None:
        """Ask the same once more."""
        self._ask()

    def _later(self) -> None:
        """Something was written meanwhile: look again soon, but not on each paper of an intake."""
        if self.text.strip() and not self._again.isActive():
            self._again.start()

    def _answered(self) -> None:
        self.changed.emit()

    # ---- one hit ----------------------------------------------------------------------------------------------------

    def hit_at(self, position: int) -> Hit | None:
        """The hit at a position of the list."""
        return self._rows.hit(self.model.number_at(position)) if position < self.model.rowCount() else None

    def choose(self, hit: Hit | None) -> None:
        """Read what stands around a hit."""
        self.hit, self.gone = hit, False
        if hit is None:
            self.passages = []
            self.passage_changed.emit()
            return
        self.passages = [hit.passage]
        self.passage_changed.emit()
        self.scope.start(self._read_around(hit), latest=f"around {id(self)}")

    async def _read_around(self, hit: Hit) -> None:
        try:
            found = await self._workspace.search.around(hit.passage.id, AROUND, AROUND)
            gone = hit.passage.kind is Kind.PAPER and await self._is_gone(hit.passage.owner)
        except NotFound:  # it was removed meanwhile; the list is about to say so
            return
        if self.hit is hit:
            self.passages, self.gone = found, gone
            self.passage_changed.emit()

    async def _is_gone(self, paper: str) -> bool:
        return (await self._workspace.papers.get(paper)).gone_at is not None

    async def open_original(self) -> bool:
        """Show the paper of the hit in the system's program. False where the hit is no paper."""
        if self.hit is None or self.hit.passage.kind is not Kind.PAPER:
            return False
        await self._opener.open(await self._workspace.papers.get(self.hit.passage.owner))
        return True

    def close(self) -> None:
        self._timer.stop()
        self._again.stop()
        super().close()
        self._opener.clean()
