"""How long-term memory is spoken of: its tiers, how present a memory is, its value as text."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.domain.consolidation import MERGED_FROM, Pair
from core.domain.history import Access, AccessKind, Promotion, RecordVersion
from core.domain.memory import Json, Record, Source, Why
from core.domain.tiers import DAY, FLOOR, Tier, salience_now
from core.errors import InvalidValue
from ui.qt import figures
from ui.qt.line import Line
from ui.qt.wording import actor, from_json, on_day, to_json

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
    ("accessed", "Used last", True),
    ("title", "By title", False),
    ("tier", "By kind", False),
    ("created", "Oldest first", False),
)

AHEAD: dict[Tier, tuple[float, str]] = {
    Tier.WORKING: (3 * DAY, "in three days"),
    Tier.EPISODIC: (182 * DAY, "in six months"),
    Tier.SEMANTIC: (182 * DAY, "in six months"),
    Tier.PROCEDURAL: (182 * DAY, "in six months"),
}
"""How far ahead the curve of a kind goes: seconds, and in words."""

PLACES = {"session": "conversations", "paper": "papers", "record": "longterm", "shared": "shared"}
"""Kind of a source to the place where it is shown."""

SOURCES = {"session": "the conversation", "paper": "the paper", "record": "the memory", "shared": "the shared entry"}
LONGEST_KEY = 60
NEAR = 0.5  # cosine from which a meaning is called near


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands in the dialog."""

    title: str
    value: Json
    tier: Tier
    tags: list[str]


def present(record: Record, now: float) -> float:
    """How present a memory is at an instant; 0 and up, 1 is fresh."""
    return salience_now(record.salience, record.last_accessed_at, now, record.tier, pinned=record.pinned)


def present_words(share: float) -> str:
    """ "92 %"; more than fresh counts as 100 %."""
    return figures.percent(min(1.0, share))


def curve(record: Record, now: float, points: int = 60) -> list[float]:
    """How present the memory will be if nobody uses it: evenly from now to as far as `AHEAD` goes."""
    step = AHEAD[record.tier][0] / (points - 1)
    return [present(record, now + index * step) for index in range(points)]


def floor(record: Record) -> float:
    """How present it always stays."""
    return record.salience if record.pinned else record.salience * FLOOR


def lasting(record: Record) -> str:
    """What the lowest line of the curve means."""
    if record.pinned:
        return "It is pinned, so it doesn't fade."
    return f"It never fades below {present_words(floor(record))}, so it can always be found again."


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


def done_to(done: str, records: Sequence[Record]) -> str:
    """ "Pinned “Ramp”." or "Pinned 12 memories."."""
    if len(records) == 1:
        return f"{done} “{records[0].title}”."
    return f"{done} {figures.of_things(len(records), 'memory', 'memories')}."


# ---- what was typed --------------------------------------------------------------------------------------------------


def metadata(before: Mapping[str, Json], draft: Draft) -> dict[str, Json]:
    """The metadata with title and tags as given; what else is in it stays."""
    return {**before, "title": draft.title.strip(), "tags": list(draft.tags)}


def drafted(read: Record, draft: Draft) -> Record:
    return replace(read, value=draft.value, tier=draft.tier, metadata=metadata(read.metadata, draft))


def tagged(record: Record, more: Sequence[str], less: Sequence[str]) -> Record:
    """With tags added behind the others, and without those (in any case) that were taken away."""
    taken = {tag.casefold() for tag in less}
    tags = [tag for tag in record.tags if tag.casefold() not in taken]
    known = {tag.casefold() for tag in tags}
    tags += [tag for tag in dict.fromkeys(more) if tag.casefold() not in known]
    return record if tuple(tags) == record.tags else replace(record, metadata={**record.metadata, "tags": tags})


# ---- its past --------------------------------------------------------------------------------------------------------


def facts_of(version: RecordVersion, record: Record) -> dict[str, str]:
    """What a version of this record is beside its value, as (name, words)."""
    then = replace(record, metadata=version.metadata)
    return {
        "Title": then.title,
        "Kind": TIERS[version.tier][0],
        "Tags": ", ".join(then.tags) or "none",
        "Pinned": "yes" if version.pinned else "no",
    }


def version_line(version: RecordVersion, now: float) -> str:
    """ "Version 3, by you today, as it is now"."""
    present = ", as it is now" if version.present else ""
    return f"Version {figures.count(version.version)}, by {actor(version.by)} {on_day(version.at, now)}{present}"


def use_line(use: Access, now: float) -> str:
    """ "Recalled by desk today, asked: “wheelchair ramp”"."""
    done = "Recalled" if use.kind is AccessKind.RECALLED else "Kept fresh"
    asked = f", asked: “{use.question}”" if use.question else ""
    return f"{done} by {actor(use.by)} {on_day(use.at, now)}, {figures.clock(use.at)}{asked}"


def written(record: Record, now: float) -> list[str]:
    """Who wrote it and who changed it last."""
    said = [f"Written by {actor(record.created_by)} {on_day(record.created_at, now)}"]
    if record.version > 1:
        said.append(f"Changed by {actor(record.updated_by)} {on_day(record.updated_at, now)}")
    if origins := record.metadata.get(MERGED_FROM):
        parts = len(origins) if isinstance(origins, list) else 2
        said.append(f"Merged of {figures.of_things(parts, 'memory', 'memories')} that said the same")
    return said


def source_words(source: Source) -> str:
    """ "From the paper “price_list.xlsx”"."""
    what = SOURCES.get(source.kind, source.kind)
    named = source.said or (source.id if source.kind not in PLACES else "")
    return f"From {what} “{named}”" if named else f"From {what}"


def reason(why: Why) -> str:
    """Why a memory was found, in words."""
    parts = [f"it holds {', '.join(f'“{word}”' for word in why.words)}"] if why.words else []
    if why.similarity is not None:
        near = "near" if why.similarity >= NEAR else "a little near"
        parts.append(f"its meaning is {near} ({figures.percent(max(0.0, min(1.0, why.similarity)))})")
    parts.append(f"it is {present_words(why.salience)} present")
    return f"Found because {', and '.join(parts)}."


def side_facts(record: Record, now: float) -> list[str]:
    """What one of two memories that say the same is, in two lines."""
    kind = TIERS[record.tier][0] + (", pinned" if record.pinned else "")
    tags = f" · {', '.join(record.tags)}" if record.tags else ""
    writer = f"Written by {actor(record.updated_by)} {on_day(record.updated_at, now)}"
    source = f" · {source_words(record.source)}" if record.source is not None else ""
    return [f"{kind}{tags}", f"{writer}{source}"]


def likeness(pair: Pair) -> str:
    """How much two memories say the same."""
    if editable(pair.left.value) == editable(pair.right.value):
        return "both say exactly the same"
    if pair.same_words:
        return "the words are the same"
    return f"the meaning is nearly the same ({figures.percent(pair.similarity)})"


def joined(one: str, other: str) -> str:
    """Two texts as one to be edited; the same text once."""
    return one if one.split() == other.split() else f"{one.rstrip()}\n{other}"


def proposed(proposals: Sequence[Promotion]) -> str:
    """What the notice above the list says."""
    if len(proposals) == 1:
        record = proposals[0].record
        return f"The note “{record.title}” was used {figures.count(record.access_count)} times. Keep it as a fact?"
    return (
        f"{figures.count(len(proposals))} notes were used often. Keep them as facts, so that they don't fade in hours?"
    )
