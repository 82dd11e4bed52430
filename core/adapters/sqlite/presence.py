"""Present salience in SQL, and the column that makes it an index's order.

freshness is log2 of the salience at last access plus that access in half-lives of the tier. Within a tier it sorts as
the present salience does, at any time, so the most present records are found without computing all of them.
"""

import math

from core.domain.memory import Record
from core.domain.tiers import FLOOR, HALF_LIFE

GONE = -1e300  # freshness of salience 0, whose logarithm is no number


def freshness(record: Record) -> float:
    """What the column holds for a record."""
    if record.salience <= 0:
        return GONE
    return math.log2(record.salience) + record.last_accessed_at / HALF_LIFE[record.tier]


def presence() -> str:
    """SQL for log2 of the present salience (`core.domain.tiers.salience_now`), from sums alone: this SQLite has no pow.

    `:now` stands for the present instant. freshness - last_accessed_at / half-life is log2 of the salience at last
    access.
    """
    faded = " ".join(
        f"WHEN '{tier}' THEN max("
        f"freshness - max(:now, last_accessed_at) / {life}, "
        f"freshness - last_accessed_at / {life} + {math.log2(FLOOR)})"
        for tier, life in HALF_LIFE.items()
    )
    kept = " ".join(f"WHEN '{tier}' THEN freshness - last_accessed_at / {life}" for tier, life in HALF_LIFE.items())
    return f"CASE WHEN pinned THEN CASE tier {kept} END ELSE CASE tier {faded} END END"
