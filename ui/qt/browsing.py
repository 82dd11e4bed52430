"""The presenter of a place that is one long list: order, narrowing, what is chosen, and reading again after changes."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from core.events import EventHub
from core.ports.rows import ListQuery, RowsPort
from ui.qt.line import Line
from ui.qt.paged import PagedModel
from ui.qt.presenter import Presenter
from ui.qt.scope import ViewScope

SHOWN_OF_MANY = 1000  # chosen rows that are read for the summary; actions read all of them

Row = TypeVar("Row")
Sort = tuple[str, str, bool]
"""Name in the port's `sorts` ("" is the list's own order), words, and whether it runs downwards."""


class BrowsePresenter(Presenter, Generic[Row]):
    """`chosen` are the chosen rows (the first thousand of them), `chosen_count` how many there are.

    `changed`: the list or its query is another. `chosen_changed`: other rows are chosen, or the chosen ones were written.
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
        self.sorts = [sort for sort in sorts if sort[0] in ("", *rows.sorts)]
        self.chosen: list[Row] = []
        self.chosen_count = 0
        self._numbers: list[int] = []
        self._own_order = ListQuery()
        self.model.state_changed.connect(self.changed)
        self.listen(hub, kinds, self.refresh)

    # ---- the list ---------------------------------------------------------------------------------------------------

    @property
    def narrowed(self) -> bool:
        return bool(self.model.query.where or self.model.query.text)

    def start(self) -> None:
        """Read the list for the first time."""
        self.model.refresh()

    def refresh(self) -> None:
        """Read again what is shown and what is chosen."""
        self.model.refresh()
        self.choose(self._numbers)

    def sort_by(self, name: str) -> None:
        downwards = next(down for sort, _, down in self.sorts if sort == name)
        self.model.set_query(replace(self.model.query, sort=name, descending=downwards))

    def narrow(self, facet: str, value: str) -> None:
        """Show only rows with this value; "" shows all."""
        where = {name: wanted for name, wanted in self.model.query.where.items() if name != facet}
        if value:
            where[facet] = value
        self.model.set_query(replace(self.model.query, where=where))

    def widen(self) -> None:
        """Show everything again."""
        self.model.set_query(replace(self.model.query, where={}, text=""))

    async def find(self, matches: Callable[[Row], bool]) -> int | None:
        """Position of the first matching row, in the whole list where the narrowed one has none."""
        await self.model.read()
        position = await self.model.find(matches)
        if position is None and self.narrowed:
            self.widen()
            await self.model.read()
            position = await self.model.find(matches)
        return position

    # ---- what is chosen ---------------------------------------------------------------------------------------------

    def choose(self, numbers: Sequence[int]) -> None:
        """Take these rows (by number) as chosen; they are read, then `chosen_changed` is emitted."""
        self._numbers = list(numbers)
        self.scope.start(self._read_chosen(), latest=f"chosen {id(self)}")

    async def _read_chosen(self) -> None:
        numbers = self._numbers
        self.chosen = await self.model.fetch(numbers[:SHOWN_OF_MANY])
        gone = len(numbers[:SHOWN_OF_MANY]) - len(self.chosen)
        self.chosen_count = len(numbers) - gone
        self.chosen_changed.emit()

    async def all_chosen(self) -> list[Row]:
        """Every chosen row, read now."""
        return await self.model.fetch(self._numbers)
