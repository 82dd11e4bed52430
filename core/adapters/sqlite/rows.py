"""Long lists: one reader for all of them, told by a table of what can be sorted, narrowed and searched.

A snapshot reads row numbers alone, from an index where the order has one, so a million cost a third of a second; pages
are then read by number. A text filter looks through the index of the folded titles first and sorts what is left.
"""

import json
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from core.adapters.sqlite.driver import Connection, Row
from core.adapters.sqlite.engine import Database
from core.domain.folding import fold
from core.errors import InvalidValue
from core.ports.rows import ListQuery

T = TypeVar("T")

CHUNK = 8192  # row numbers fetched between two chances to be interrupted
FEW = 20_000  # rows that a filter found and that SQLite sorts
PAGE = 1024  # rows at most in one call


@dataclass(frozen=True, slots=True)
class Facet:
    """One way to narrow a list. condition: SQL with one `?`, or with none where `conditions` has one for each value."""

    condition: str = ""
    values: tuple[str, ...] = ()
    conditions: Mapping[str, str] = field(default_factory=dict[str, str])

    def sql(self, name: str, value: str, params: list[object]) -> str:
        if self.values and value not in self.values:
            raise InvalidValue(f"“{value}” is no value of “{name}”. It is one of: {', '.join(self.values)}.")
        if self.conditions:
            return self.conditions[value]
        params.append(value)
        return self.condition


@dataclass(frozen=True, slots=True)
class ListTable(Generic[T]):
    """What a list is made of.

    columns: what `make` turns into a row's value, the row number first. own_order: (expression, descending).
    sorts: name to expression (`:now` stands for the present instant). searched: folded text that the filter looks
    through. always: a condition on every row, with the parameters `always_params`.
    """

    table: str
    columns: tuple[str, ...]
    make: Callable[[Row], T]
    own_order: tuple[str, bool]
    searched: str
    sorts: Mapping[str, str] = field(default_factory=dict[str, str])
    facets: Mapping[str, Facet] = field(default_factory=dict[str, Facet])
    always: str = "1"
    always_params: tuple[object, ...] = ()


class SqlRows(Generic[T]):
    """RowsPort over one table."""

    def __init__(self, database: Database, table: ListTable[T]) -> None:
        self._database = database
        self._table = table

    @property
    def sorts(self) -> tuple[str, ...]:
        return tuple(self._table.sorts)

    @property
    def facets(self) -> Mapping[str, tuple[str, ...]]:
        return {name: facet.values for name, facet in self._table.facets.items()}

    async def snapshot(self, query: ListQuery) -> "array[int]":
        conditions, params = self._conditions(query)
        order = self._order(query)
        words = fold(query.text).split()
        table = self._table

        def operation(connection: Connection) -> "array[int]":
            ordered = f"SELECT number FROM {table.table} WHERE {conditions}"
            if not words:
                return _numbers(connection, f"{ordered} {order}", params)
            searched = " AND ".join([table.always, *[f"instr({table.searched}, ?) > 0"] * len(words)])
            matching = f"SELECT number FROM {table.table} WHERE {searched}"
            found = _numbers(connection, matching, (*table.always_params, *words))
            if len(found) > FEW:  # then the list in its order is read whole, which is quicker than sorting these
                return _only(_numbers(connection, f"{ordered} {order}", params), found)
            among = f"{ordered} AND number IN (SELECT value FROM json_each(?)) {order}"
            return _numbers(connection, among, (*params, json.dumps(found.tolist())))

        return await self._database.read(operation)

    async def count(self) -> int:
        table = self._table
        sql = f"SELECT count(*) FROM {table.table} WHERE {table.always}"
        rows = await self._database.read(lambda connection: connection.execute(sql, table.always_params).fetchall())
        return int(rows[0][0])

    async def rows(self, numbers: Sequence[int]) -> Sequence[T | None]:
        if len(numbers) > PAGE:
            raise InvalidValue(f"At most {PAGE} rows can be read at once.")
        if not numbers:
            return []
        table = self._table
        sql = (
            f"SELECT {', '.join(table.columns)} FROM {table.table} "
            f"WHERE number IN ({', '.join('?' * len(numbers))}) AND {table.always}"
        )
        params = (*numbers, *table.always_params)

        def operation(connection: Connection) -> dict[int, T]:
            # made here, in the reader's thread: decoding the JSON of a page is too much for the loop
            return {int(row[0]): table.make(row) for row in connection.execute(sql, params).fetchall()}

        by_number = await self._database.read(operation)
        return [by_number.get(number) for number in numbers]

    def _conditions(self, query: ListQuery) -> tuple[str, list[object]]:
        params: list[object] = list(self._table.always_params)
        conditions = [self._table.always]
        for name, value in query.where.items():
            if name not in self._table.facets:
                raise InvalidValue(f"This list can't be narrowed by “{name}”.")
            conditions.append(self._table.facets[name].sql(name, value, params))
        return " AND ".join(conditions), params

    def _order(self, query: ListQuery) -> str:
        order, descending = self._table.own_order
        if query.sort:
            if query.sort not in self._table.sorts:
                raise InvalidValue(f"This list can't be sorted by “{query.sort}”.")
            order, descending = self._table.sorts[query.sort], False
        order = order.replace(":now", repr(float(self._database.clock())))
        direction = "DESC" if descending != query.descending else "ASC"
        return f"ORDER BY {order} {direction}, number {direction}"


def _numbers(connection: Connection, sql: str, params: Sequence[object]) -> "array[int]":
    numbers = array("q")
    cursor = connection.execute(sql, params)
    while chunk := cursor.fetchmany(CHUNK):
        numbers.extend([row[0] for row in chunk])
    return numbers


def _only(numbers: "array[int]", wanted: "array[int]") -> "array[int]":
    """Those of `numbers` that are among `wanted`, in their order."""
    every = np.frombuffer(numbers, np.int64)
    return array("q", every[np.isin(every, np.frombuffer(wanted, np.int64))].tobytes())
