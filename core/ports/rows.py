"""Port: long lists. A list is read as a snapshot of row numbers, then page by page, so that a million rows cost
nothing to scroll."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class ListQuery:
    """How a list is sorted and narrowed, all of it in SQL.

    sort: name of one of the list's `sorts`; "" is the list's own order. text: literal words that a row's title must
    hold
    (any case). where: facet name to value, e.g. {"state": "attention"}; an unknown facet or sort raises InvalidValue.
    """

    sort: str = ""
    descending: bool = False
    text: str = ""
    where: Mapping[str, str] = field(default_factory=dict[str, str])


class RowsPort(Protocol[T_co]):
    """One list. Row numbers are stable for as long as a row lives and are never used again for another."""

    @property
    def sorts(self) -> tuple[str, ...]: ...

    @property
    def facets(self) -> Mapping[str, tuple[str, ...]]:
        """Facet name to its possible values; an empty tuple where the values are free."""
        ...

    async def snapshot(self, query: ListQuery) -> "array[int]":
        """Row numbers (array of type 'q') in the order asked for. Interrupted when cancelled."""
        ...

    async def count(self) -> int:
        """How many rows there are when nothing is narrowed."""
        ...

    async def rows(self, numbers: Sequence[int]) -> Sequence[T_co | None]:
        """Rows in the order of `numbers`; None where one is gone. At most 1,024 at once."""
        ...
