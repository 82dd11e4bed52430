"""How long-term memory is spoken of: its tiers, how present a memory is, its value as text."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from core.domain.memory import Json, Record
from core.domain.tiers import DAY, Tier, salience_now
from core.errors import InvalidValue
from ui.qt import figures
from ui.qt.line import Line
from ui.qt.wording import from_json, on_day, to_json

TIERS: dict[Tier, tuple[str, str, str]] = {
    Tier.PROCEDURAL: ("Procedure", "list-checks", "How something is done; hardly fades (procedural tier)"),
    Tier.SEMANTIC: ("Fact", "bookmark", "What is so; fades over months (semantic tier)"),
    Tier.EPISODIC: ("Event", "calendar", "What happened; fades over weeks (episodic tier)"),
    Tier.WORKING: ("Note for now", "sticky-note", "What matters today; fades over hours (working tier)"),
}
"""Tier to its words, icon and technical term."""

SORTS: tuple[tuple[str, str, bool], ...] = (
    ("", "Changed last", False),
    ("salience", "Most present first", True),
    ("accesses", "Used most", True),
    ("title", "By title", False),
    ("created", "Oldest first", False),
)

MONTHS = 6
SHOWN_DAYS = 182
LONGEST_KEY = 60


def present(record: Record, now: float) -> float:
    """How present a memory is at an instant; 0 and up, 1 is fresh."""
    return salience_now(record.salience, record.last_accessed_at, now, record.tier, pinned=record.pinned)


def present_words(share: float) -> str:
    """ "92 %"; more than fresh counts as 100 %."""
    return figures.percent(min(1.0, share))


def curve(record: Record, now: float, points: int = 60) -> list[float]:
    """How present the memory will be if nobody uses it: evenly from now to six months ahead."""
    step = SHOWN_DAYS * DAY / (points - 1)
    return [present(record, now + index * step) for index in range(points)]


def line(record: Record, now: float) -> Line:
    share = min(1.0, present(record, now))
    words, icon, _ = TIERS[record.tier]
    return Line(
        title=record.title,
        detail=f"{words} · {first_line(record.value)}",
        kind=words,
        icon=icon,
        when=figures.short_date(record.updated_at, now),
        tags=record.tags[:3],
        bar=share,
        bar_words=f"present {present_words(share)}",
        pinned=record.pinned,
    )


def first_line(value: Json) -> str:
    """The beginning of a value, for a row."""
    if isinstance(value, str):
        return next((line.strip() for line in value.splitlines() if line.strip()), "")
    return " · ".join(f"{name}: {text}" if name else text for name, text, _ in pairs(value))


def pairs(value: Json, depth: int = 0) -> Iterator[tuple[str, str, int]]:
    """A structured value as (name, text, depth), in order. A branch has an empty text, a list item no name."""
    if isinstance(value, dict):
        for name, below in value.items():
            yield from _pair(str(name), below, depth)
    elif isinstance(value, list):
        for below in value:
            yield from _pair("", below, depth)
    else:
        yield "", plain(value), depth


def _pair(name: str, value: Json, depth: int) -> Iterator[tuple[str, str, int]]:
    if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
        yield name, ", ".join(plain(item) for item in value), depth
    elif isinstance(value, dict | list):
        yield name, "", depth
        yield from pairs(value, depth + 1)
    else:
        yield name, plain(value), depth


def readable(name: str) -> str:
    """A name of a structured value as words: "second_line" as "second line"."""
    return name.replace("_", " ")


def plain(value: Json) -> str:
    """A single value as an office writes it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def editable(value: Json) -> str:
    """A value as it is edited: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else to_json(value)


def edited(text: str, *, structured: bool) -> Json:
    """The inverse of `editable`. Raises InvalidValue with a sentence."""
    if not structured:
        if not text.strip():
            raise InvalidValue("Write down what is to be remembered.")
        return text
    return from_json(text)


def tags_of(text: str) -> list[str]:
    """Tags from a line: commas between them, none twice."""
    return list(dict.fromkeys(tag.strip() for tag in text.split(",") if tag.strip()))


def key_for(title: str, taken: Sequence[str] = ()) -> str:
    """A key for a new memory from its title; a number is added where it is taken."""
    words = re.findall(r"\w+", title.lower())
    start = "-".join(words)[:LONGEST_KEY].strip("-") or "memory"
    key, number = start, 2
    while key in taken:
        key, number = f"{start}-{number}", number + 1
    return key


def forgotten(records: Sequence[Record]) -> str:
    if len(records) == 1:
        return f"Forgot “{records[0].title}”."
    return f"Forgot {figures.of_things(len(records), 'memory', 'memories')}."


def used(record: Record, now: float) -> str:
    """ "Used 9 times, last today."."""
    if not record.access_count:
        return "Not used yet."
    times = "once" if record.access_count == 1 else f"{figures.count(record.access_count)} times"
    return f"Used {times}, last {on_day(record.last_accessed_at, now)}."


def kinds_of(records: Sequence[Record]) -> str:
    """The kinds of many memories: "Procedure 3, Event 1"."""
    counted = Counter(record.tier for record in records)
    return ", ".join(f"{TIERS[tier][0]} {figures.count(counted[tier])}" for tier in TIERS if counted[tier])
