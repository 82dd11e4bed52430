"""The presenter of a place that is one long list: its rows, the chosen ones, and reading both again after changes."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from core.events import EventHub
from core.ports.rows import RowsPort
from ui.qt.line import Line
from ui.qt.paged import PagedModel
from ui.qt.presenter import Presenter
from ui.qt.scope import ViewScope

SHOWN_OF_MANY = 1000  # chosen rows that are read for the summary; actions read all of them

Row = TypeVar("Row")
Sort = tuple[str, str, bool]
"""Name in the port's `sorts` ("" is the list's own order), words, and whether it runs downwards."""


class BrowsePresenter(Presenter, Generic[Row]):
    """`chosen` are the chosen rows (at most the first thousand), `chosen_count` how many there are.

    `chosen_changed`: other rows are chosen, or the chosen ones were written.
    """

    chosen_changed = Signal()

    def __init__(
        self,
        scope: ViewScope,
        hub: EventHub,
        rows: RowsPort[Row],
        kinds: frozenset[str],
        describe: Callable[[Row], Line],
        sorts: Sequence[Sort],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(scope, parent)
        self.model: PagedModel[Row] = PagedModel(rows, scope, describe, parent=self)
        self.facets = rows.facets
        self.sorts = [sort for sort in sorts if sort[0] in ("", *rows.sorts)]
        self.chosen: list[Row] = []
        self.chosen_count = 0
        self._first: list[int] = []
        self._count = 0
        self._all: Callable[[], Sequence[int]] = list
        self.listen(hub, kinds, self.refresh)

    @property
    def one(self) -> Row | None:
        """The chosen row, where exactly one is chosen."""
        return self.chosen[0] if self.chosen_count == 1 and self.chosen else None

    @property
    def chosen_numbers(self) -> list[int]:
        """Row numbers of what is chosen, at most the first thousand."""
        return list(self._first)

    def refresh(self) -> None:
        """Read again what is shown and what is chosen."""
        self.model.refresh()
        self._read_again()

    async def position_of(self, id: str) -> int | None:
        """Where the row with this public id stands in the list as it is narrowed now."""
        raise NotImplementedError

    def choose(self, first: Sequence[int], count: int, all_numbers: Callable[[], Sequence[int]]) -> None:
        """Take rows as chosen: the numbers of the first thousand, how many there are, and a way to all numbers."""
        self._first, self._count, self._all = list(first), count, all_numbers
        self._read_again()

    def _read_again(self) -> None:
        self.scope.start(self._read_chosen(), latest=f"chosen {id(self)}")

    async def _read_chosen(self) -> None:
        self.chosen = await self.model.fetch(self._first)
        self.chosen_count = self._count - (len(self._first) - len(self.chosen))
        self.chosen_changed.emit()

    def all_numbers(self) -> Sequence[int]:
        """Row numbers of everything that is chosen, in order."""
        return self._all()

    async def all_chosen(self) -> list[Row]:
        """Every chosen row, read now."""
        return await self.model.fetch(self._all())
