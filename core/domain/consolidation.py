"""Memories that say the same: which two are proposed for merging, and what becomes of them when a person merges them.

Nothing is merged by itself: a pair is a proposal, a `Choice` is what a person decided about it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import cast

from core.domain.memory import Json, Record
from core.domain.readable import record_text
from core.domain.tiers import HALF_LIFE
from core.domain.writing import words

NEWEST = 2_000  # records of a namespace that one look compares with each other
ALIKE = 0.82
"""Cosine of two first passages from which a pair is proposed. Measured with the model of this program on sentences of a
small office: what said the same in other words had .70 to .91, what said something else .33 to .74; two that differ in
one number have .96, which is why both are shown with what differs and a person decides."""
NEIGHBOURS = 5  # pairs that one record is proposed in by its meaning
MERGED_FROM = "merged_from"
"""Name in the metadata of a merged record: who wrote each of those it was made of, when, and from what, as a list of
{"by": actor, "at": UTC seconds, "from": {"kind", "id"}}."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two records of one namespace that seem to say the same; `left` was written first. similarity: cosine, 0 to 1; 1
    where both have the same words."""

    left: Record
    right: Record
    similarity: float

    @property
    def same_words(self) -> bool:
        return said(self.left) == said(self.right)

    def differing(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words that only the left one has, and those that only the right one has, each once, in order."""
        left, right = words(record_text(self.left)), words(record_text(self.right))
        return _without(left, right), _without(right, left)


class Side(StrEnum):
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Choice:
    """Which one is kept. text: what it is to say from now on; None leaves its value as it is."""

    keep: Side
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Merged:
    """A merge that was made: the kept record before and after it, the one that was forgotten, and its number in the
    trash."""

    before: Record
    after: Record
    gone: Record
    trashed: int


def said(record: Record) -> str:
    """The words of a record in order, without regard to case, punctuation and gaps."""
    return " ".join(words(record_text(record)))


def chosen(pair: Pair, choice: Choice) -> tuple[Record, Record]:
    """The one that is kept, and the other."""
    return (pair.left, pair.right) if choice.keep is Side.LEFT else (pair.right, pair.left)


def merged(kept: Record, other: Record, text: str | None = None) -> Record:
    """What the kept record becomes: its own value (or `text`), the tags of both, the tier that fades slower, the pin
    and the strength of either, the earlier beginning. Version, writer and time are set when it is written."""
    first = min(kept, other, key=lambda record: record.created_at)
    last = max(kept, other, key=lambda record: record.last_accessed_at)
    metadata: dict[str, Json] = {**kept.metadata, MERGED_FROM: [*_origins(kept), *_origins(other)]}
    if tags := _tags(kept, other):
        metadata["tags"] = tags
    return replace(
        kept,
        value=kept.value if text is None else text,
        metadata=metadata,
        tier=max(kept.tier, other.tier, key=lambda tier: HALF_LIFE[tier]),
        pinned=kept.pinned or other.pinned,
        salience=max(kept.salience, other.salience),
        last_accessed_at=last.last_accessed_at,
        created_at=first.created_at,
        created_by=first.created_by,
        source=kept.source or other.source,
    )


def _tags(kept: Record, other: Record) -> list[Json]:
    known = {tag.casefold() for tag in kept.tags}
    return [*kept.tags, *(tag for tag in dict.fromkeys(other.tags) if tag.casefold() not in known)]


def _origins(record: Record) -> list[Json]:
    """Where a record came from; of one that was merged before, where each of its parts came from."""
    held = record.metadata.get(MERGED_FROM)
    if isinstance(held, list) and held:
        return cast("list[Json]", held)
    origin: dict[str, Json] = {"by": record.created_by, "at": record.created_at}
    if record.source is not None:
        origin["from"] = {"kind": record.source.kind, "id": record.source.id}
    return [origin]


def _without(some: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    known = set(others)
    return tuple(dict.fromkeys(word for word in some if word not in known))
