"""What a record or shared entry was before, who used it and when, and what is proposed for it."""

import json
from dataclasses import dataclass, replace
from enum import StrEnum

from core.domain.memory import Json, Record, SharedEntry, Source, ValueType
from core.domain.tiers import Tier

KEPT_VERSIONS = 200  # former versions of one thing; older ones are let go
KEPT_ACCESSES = 100  # of one record


@dataclass(frozen=True, slots=True)
class RecordVersion:
    """One version of a record. at, by: when and by whom it was written. present: it is what stands now."""

    version: int
    value: Json
    tier: Tier
    metadata: dict[str, Json]
    pinned: bool
    at: float
    by: str
    source: Source | None = None
    present: bool = False


@dataclass(frozen=True, slots=True)
class SharedVersion:
    """One version of a shared entry, as `RecordVersion`."""

    version: int
    value: Json
    type: ValueType
    metadata: dict[str, Json]
    at: float
    by: str
    present: bool = False


class AccessKind(StrEnum):
    RECALLED = "recalled"  # by a recall in learning mode
    REINFORCED = "reinforced"


@dataclass(frozen=True, slots=True)
class Access:
    """One use of a record. salience: its value after it. question: what was asked, for a recall."""

    kind: AccessKind
    at: float
    by: str
    salience: float
    question: str = ""


PROMOTED_TO = Tier.SEMANTIC
OFTEN = 5
"""Accesses after which a working memory is proposed for keeping. A choice of ours: a note for the day that was needed
five times was needed on more than one occasion; spaced repetition is what makes a memory last (Cepeda et al. 2006)."""


@dataclass(frozen=True, slots=True)
class Promotion:
    """A proposal that a person accepts (`RecordBookPort.edit` with another tier) or refuses. to: what is proposed."""

    record: Record
    to: Tier = PROMOTED_TO


def is_due(access_count: int, refused_at_count: int | None) -> bool:
    """Whether a working memory is proposed: used OFTEN, and twice as often as when a person last refused."""
    return access_count >= max(OFTEN, 2 * (refused_at_count or 0))


def is_same_content(one: Record, other: Record) -> bool:
    """Whether both hold the same of what is written; accesses, times and writers aside."""
    return _content(one) == _content(other)


def is_same_writing(one: Record, other: Record) -> bool:
    """Whether both hold the same, written at the same time by the same; accesses and version aside."""
    return is_same_content(one, other) and _written(one) == _written(other)


def is_same_use(one: Record, other: Record) -> bool:
    """Whether both were accessed as often, last at the same time, and are as strong."""
    return _used(one) == _used(other)


def used_as(record: Record, other: Record) -> Record:
    """The record as strong as the other, and accessed as often and as lately."""
    return replace(
        record,
        salience=other.salience,
        access_count=other.access_count,
        last_accessed_at=other.last_accessed_at,
    )


def _content(record: Record) -> tuple[object, ...]:
    # By their JSON, because Python takes 1, 1.0 and True for the same.
    held = json.dumps([record.value, record.metadata], sort_keys=True)
    return record.namespace, record.key, held, record.tier, record.pinned, record.source


def _written(record: Record) -> tuple[object, ...]:
    return record.created_at, record.updated_at, record.created_by, record.updated_by


def _used(record: Record) -> tuple[object, ...]:
    return record.salience, record.access_count, record.last_accessed_at


def is_same_entry(one: SharedEntry, other: SharedEntry) -> bool:
    """Whether both shared entries are the same in everything but the number of their version."""
    return _entry(one) == _entry(other)


def _entry(entry: SharedEntry) -> tuple[object, ...]:
    held = json.dumps([entry.value, entry.metadata], sort_keys=True)
    return entry.key, held, entry.type, entry.updated_at, entry.updated_by
