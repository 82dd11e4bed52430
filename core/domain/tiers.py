"""Tiers of memory, and how present a memory is in each: its salience. All of the formula and its defaults stand here.

    salience now = salience at last access x max(FLOOR, 2 ^ (-time since last access / half-life of the tier))

The exponential is the usual form of the forgetting curve for single items (Ebbinghaus, "Über das Gedächtnis", 1885;
Wixted and Ebbesen, "On the form of forgetting", 1991, compare it with others). What an access does, restoring the
memory and making it stronger, follows the testing effect (Roediger and Karpicke, 2006). That kinds of memory fade at
their own pace follows Tulving's systems (1972, 1985: episodic, semantic, procedural); the half-lives themselves are
ours, chosen so that working memory fades in hours, episodic in weeks, semantic in months and procedural hardly.

It is computed when read; nothing rewrites rows. A pinned memory doesn't fade. docs/memory.md says it for people.
"""

import math
from enum import StrEnum

from core.errors import InvalidValue


class Tier(StrEnum):
    WORKING = "working"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"


HOUR = 3600.0
DAY = 24 * HOUR

HALF_LIFE: dict[Tier, float] = {
    Tier.WORKING: 8 * HOUR,
    Tier.EPISODIC: 30 * DAY,
    Tier.SEMANTIC: 180 * DAY,
    Tier.PROCEDURAL: 3650 * DAY,
}
"""Seconds after which half of a memory's salience is left."""

START = 1.0
"""Salience of a new memory."""

REINFORCEMENT = 0.1
"""What reinforcing adds if nothing else is said. A recall in learning mode adds nothing; it restores."""

FLOOR = 0.01
"""Share of the value at last access that never fades, so that an old memory is still found."""


def salience_now(
    at_last_access: float, last_accessed_at: float, now: float, tier: Tier, *, pinned: bool = False
) -> float:
    """Present salience (>= 0). A pinned memory doesn't fade; a clock that went back counts as no time."""
    if pinned:
        return at_last_access
    elapsed = max(0.0, now - last_accessed_at)
    return at_last_access * max(FLOOR, 2.0 ** (-elapsed / HALF_LIFE[tier]))


DIGITS = 9  # decimals kept of salience, so that ten times 0.1 is 1


def reinforced(at_last_access: float, delta: float) -> float:
    """The salience after an access: what it was at the last one, and delta added; never below 0."""
    return max(0.0, round(at_last_access + delta, DIGITS))


def check_delta(delta: float) -> float:
    """Answer `delta` if it is a finite number; raises InvalidValue."""
    if not math.isfinite(delta):
        raise InvalidValue("A memory can be made fresher by a finite number only.")
    return delta
