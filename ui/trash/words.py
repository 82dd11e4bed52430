"""How things in the trash are spoken of."""

import math
from collections.abc import Sequence

from core.domain.tiers import DAY
from core.domain.trash import KEPT, Trashed
from ui.qt import figures
from ui.qt.line import Line
from ui.qt.wording import actor, on_day

KINDS: dict[str, tuple[str, str]] = {
    "record": ("Memory", "database"),
    "shared": ("Shared entry", "globe"),
    "session": ("Conversation", "message-circle"),
    "paper": ("Paper", "paperclip"),
    "agent": ("Agent", "bot"),
    "skill": ("Skill", "book-open"),
}
"""Kind of a thing to its words and icon."""

REMOVED = {"record": "Forgotten", "shared": "Deleted", "session": "Removed"}
PLACES = {"record": "longterm", "shared": "shared", "session": "conversations", "paper": "papers"}

SORTS: tuple[tuple[str, str, bool], ...] = (
    ("", "Newest first", False),
    ("removed", "Erased soonest first", False),
    ("title", "By title", False),
    ("kind", "By kind", False),
)

FILTERS = (
    ("", "Everything"),
    ("record", "Memories"),
    ("shared", "Shared entries"),
    ("session", "Conversations"),
    ("paper", "Papers"),
    ("agent", "Agents"),
    ("skill", "Skills"),
)
KEPT_DAYS = round(KEPT / DAY)
SOON = 3  # days left at which it is said in colour


def kind(thing: Trashed) -> tuple[str, str]:
    return KINDS.get(thing.kind, (thing.kind.capitalize(), "file"))


def title(thing: Trashed) -> str:
    return thing.title.strip() or f"{kind(thing)[0]} without a title"


def days_left(thing: Trashed, now: float) -> int:
    """Whole days until it is erased, begun ones counted; 0 where that is due."""
    return max(0, math.ceil((thing.erased_at - now) / DAY))


def left(thing: Trashed, now: float) -> str:
    days = days_left(thing, now)
    return f"{figures.of_things(days, 'day', 'days')} left" if days else "erased soon"


def line(thing: Trashed, now: float) -> Line:
    words, icon = kind(thing)
    preview = " ".join(thing.preview.split())
    return Line(
        title=title(thing),
        detail=f"{words} · {preview}" if preview else words,
        kind=words,
        icon=icon,
        when=figures.short_date(thing.removed_at, now),
        status=left(thing, now),
        tone="warn" if days_left(thing, now) <= SOON else "muted",
    )


def removed(thing: Trashed, now: float) -> str:
    """ "Forgotten today by you"."""
    return f"{REMOVED.get(thing.kind, 'Removed')} {on_day(thing.removed_at, now)} by {actor(thing.removed_by)}"


def until(thing: Trashed, now: float) -> str:
    days = days_left(thing, now)
    if not days:
        return "It is erased for good within the hour."
    return (
        f"It stays here for {figures.of_things(days, 'more day', 'more days')} "
        f"and is erased for good on {figures.long_date(thing.erased_at)}."
    )


def things(found: Sequence[Trashed]) -> str:
    """ "“Ramp”", or "3 things"."""
    return f"“{title(found[0])}”" if len(found) == 1 else figures.of_things(len(found), "thing", "things")


def of_kinds(found: Sequence[Trashed]) -> str:
    """ "2 memories, 1 conversation"."""
    counted: dict[str, int] = {}
    for thing in found:
        counted[thing.kind] = counted.get(thing.kind, 0) + 1
    names = {
        "record": ("memory", "memories"),
        "shared": ("shared entry", "shared entries"),
        "paper": ("paper", "papers"),
        "agent": ("agent", "agents"),
        "skill": ("skill", "skills"),
    }
    parts = [
        figures.of_things(count, *names.get(kind, ("conversation", "conversations")))
        for kind, count in sorted(counted.items())
    ]
    return ", ".join(parts)
