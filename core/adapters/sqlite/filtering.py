"""Filters of a question as SQL over `passages p`; every way of searching goes through here."""

from dataclasses import dataclass

from core.domain.passages import SCOPE_OF, Kind
from core.domain.query import Filters


@dataclass(frozen=True, slots=True)
class Condition:
    """sql: true for every passage that may be found ("" if all may). nothing: no passage can pass."""

    sql: str = ""
    parameters: tuple[object, ...] = ()
    nothing: bool = False

    @property
    def joined(self) -> str:
        """For behind another condition."""
        return f" AND {self.sql}" if self.sql else ""


def condition(filters: Filters) -> Condition:
    """All filters at once. A scope stands for the kinds of passages that live in it; papers live in none."""
    parts: list[str] = []
    parameters: list[object] = []
    kinds = set(filters.kinds or Kind)
    if filters.scopes:
        kinds = {kind for kind in kinds if SCOPE_OF[kind] in filters.scopes}
    if not kinds:
        return Condition(nothing=True)
    if len(kinds) < len(Kind):
        parts.append(f"p.kind IN ({_marks(len(kinds))})")
        parameters += sorted(kind.value for kind in kinds)
    if filters.formats:
        parts.append(f"p.format IN ({_marks(len(filters.formats))})")
        parameters += sorted(filters.formats)
    if filters.after is not None:
        parts.append("p.at >= ?")
        parameters.append(filters.after)
    if filters.before is not None:
        parts.append("p.at <= ?")
        parameters.append(filters.before)
    if filters.owner is not None:
        parts.append("p.owner = ?")
        parameters.append(filters.owner)
    return Condition(" AND ".join(parts), tuple(parameters))


def _marks(count: int) -> str:
    return ", ".join("?" * count)
