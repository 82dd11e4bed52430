"""Long lists in memory: RowsPort over whatever answers (number, value) pairs."""

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from core.domain.folding import fold
from core.errors import InvalidValue
from core.ports.rows import ListQuery

T = TypeVar("T")


@dataclass
class FakeRows(Generic[T]):
    """everything: the list's rows by number. own_key: sorts in the list's own order, `own_descending` or not."""

    everything: Callable[[], Mapping[int, T]]
    title: Callable[[T], str]
    own_key: Callable[[T], Any]
    own_descending: bool
    sort_keys: Mapping[str, Callable[[T], Any]]
    facet_values: Mapping[str, Callable[[T], str]]
    facets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def sorts(self) -> tuple[str, ...]:
        return tuple(self.sort_keys)

    async def snapshot(self, query: ListQuery) -> "array[int]":
        if query.sort and query.sort not in self.sort_keys:
            raise InvalidValue(f"This list can't be sorted by “{query.sort}”.")
        for name, value in query.where.items():
            if name not in self.facet_values or (self.facets[name] and value not in self.facets[name]):
                raise InvalidValue(f"This list can't be narrowed by “{name}” to “{value}”.")
        words = fold(query.text).split()
        found = [
            (number, row)
            for number, row in self.everything().items()
            if all(self.facet_values[name](row) == value for name, value in query.where.items())
            and all(word in fold(self.title(row)) for word in words)
        ]
        key = self.sort_keys[query.sort] if query.sort else self.own_key
        descending = query.descending if query.sort else query.descending != self.own_descending
        found.sort(key=lambda pair: (_nulls_first(key(pair[1])), pair[0]), reverse=descending)
        return array("q", [number for number, _ in found])

    async def count(self) -> int:
        return len(self.everything())

    async def rows(self, numbers: Sequence[int]) -> Sequence[T | None]:
        if len(numbers) > 1024:
            raise InvalidValue("At most 1024 rows can be read at once.")
        everything = self.everything()
        return [everything.get(number) for number in numbers]


def _nulls_first(value: Any) -> tuple[bool, Any]:
    """As SQLite sorts."""
    return (value is not None, value)
