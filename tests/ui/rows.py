"""A list in memory, for tests of models and pages: a RowsPort whose rows are numbers or texts."""

import asyncio
from array import array
from collections.abc import Mapping, Sequence

from core.ports.rows import ListQuery
from ui.qt.line import Line


class NumberRows:
    """Rows are texts "row N". `order` is the snapshot; `reads` notes which pages were asked for; `gate` holds them
    up.
    """

    sorts: tuple[str, ...] = ("number",)
    facets: Mapping[str, tuple[str, ...]] = {"parity": ("even", "odd")}

    def __init__(self, count: int) -> None:
        self.order = array("q", range(1, count + 1))
        self.reads: list[tuple[int, int]] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.failure: Exception | None = None

    async def snapshot(self, query: ListQuery) -> "array[int]":
        if self.failure is not None:
            raise self.failure
        wanted = {"even": 0, "odd": 1}.get(query.where.get("parity", ""))
        numbers = [number for number in self.order if wanted is None or number % 2 == wanted]
        if query.descending:
            numbers.reverse()
        return array("q", [number for number in numbers if query.text in f"row {number}"])

    async def count(self) -> int:
        return len(self.order)

    async def rows(self, numbers: Sequence[int]) -> list[str | None]:
        self.reads.append((numbers[0], numbers[-1]))
        await self.gate.wait()
        return [f"row {number}" for number in numbers]


def describe(row: str) -> Line:
    return Line(row, f"about {row}", "Row", "file")
