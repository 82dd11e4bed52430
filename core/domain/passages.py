"""Passages: the unit of search, whatever they are a piece of."""

from dataclasses import dataclass
from enum import StrEnum

from core.domain.scopes import Scope


class Kind(StrEnum):
    """What a passage is a piece of. Documents (Markdown) and facts come with later work."""

    PAPER = "paper"
    RECORD = "record"
    MESSAGE = "message"
    SHARED = "shared"


SCOPE_OF: dict[Kind, Scope | None] = {
    Kind.PAPER: None,  # papers lie in the library, beside the scopes
    Kind.RECORD: Scope.SEMANTIC,
    Kind.MESSAGE: Scope.CONVERSATION,
    Kind.SHARED: Scope.WORKSPACE,
}


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage as stored. `owner` is the public id of what it is a piece of; for messages that is the session's id and
    `part` the message's id. at: UTC seconds used by the date filter and for "newest" (None when unknown)."""

    id: int
    kind: Kind
    owner: str
    ordinal: int
    text: str
    title: str
    page: int | None = None
    heading: tuple[str, ...] = ()
    part: str = ""
    at: float | None = None
    format: str = ""
