"""The change stream: who changed what, when. Written in the same transaction as the change itself."""

from dataclasses import dataclass
from enum import StrEnum


class Operation(StrEnum):
    CREATED = "created"
    UPDATED = "updated"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Change:
    """One entry. sequence rises by one a change within a workspace; at is UTC seconds; actor as in
    events.Changed.origin."""

    sequence: int
    kind: str
    id: str
    version: int
    operation: Operation
    at: float
    actor: str
