"""Filters of a question as SQL over `passages p`; every way of searching goes through here."""

from dataclasses import dataclass

from core.domain.folding import fold
from core.domain.memory import record_id
from core.domain.passages import SCOPE_OF, Kind
from core.domain.query import Filters, RecordFilter
from core.domain.text import clean


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
    if filters.records is not None:
        kinds &= {Kind.RECORD}
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
    if filters.records is not None:
        sql, values = of_records(filters.records)
        parts.append(sql)
        parameters += values
    return Condition(" AND ".join(parts), tuple(parameters))


def of_records(wanted: RecordFilter) -> tuple[str, list[object]]:
    """A condition over `passages p`: passages of these records."""
    first = record_id(wanted.namespace, "")
    sql = "p.owner >= ? AND p.owner < ?"
    parameters: list[object] = [first, f"{first[:-1]};"]  # the character after the colon
    if wanted.tier is not None or wanted.tags:
        narrowed, values = narrowing(wanted)
        sql += f" AND EXISTS (SELECT 1 FROM records r WHERE r.namespace = ? AND r.key = substr(p.owner, ?){narrowed})"
        parameters += [wanted.namespace, len(first) + 1, *values]
    return sql, parameters


def narrowing(wanted: RecordFilter) -> tuple[str, list[object]]:
    """Tier and tags as a condition over `records r`, for behind another one."""
    sql, parameters = "", list[object]()
    if wanted.tier is not None:
        sql += " AND r.tier = ?"
        parameters.append(wanted.tier.value)
    for tag in wanted.tags:
        sql += " AND r.number IN (SELECT record FROM record_tags WHERE folded = ?)"
        parameters.append(fold(clean(tag)))
    return sql, parameters


def _marks(count: int) -> str:
    return ", ".join("?" * count)
