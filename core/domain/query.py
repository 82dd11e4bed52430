"""What a person asks, and what is answered."""

from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.passages import Kind, Passage
from core.domain.scopes import Scope
from core.domain.tiers import Tier


class Mode(StrEnum):
    BOTH = "both"
    WORDS = "words"
    MEANING = "meaning"


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Records of one namespace, and where given of one tier and with all of these tags (in any case)."""

    namespace: str
    tier: Tier | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Filters:
    """All of them must hold; empty means no restriction. after/before: UTC seconds, compared with the passage's date.
    formats: short reader formats ("pdf", "eml"). owner: only passages of this thing (search inside one paper or
    session). records: records alone, and only these."""

    scopes: frozenset[Scope] = frozenset()
    kinds: frozenset[Kind] = frozenset()
    formats: frozenset[str] = frozenset()
    after: float | None = None
    before: float | None = None
    owner: str | None = None
    records: RecordFilter | None = None


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """text: exactly what was typed; every character is literal but pairs of double quotes, which ask for a phrase.
    limit: 1 to 200 owners. exact: don't repair misspelt words ("search for what I typed").
    grouped: one hit for each owner; otherwise (and inside one owner) each passage is a hit of its own."""

    text: str
    mode: Mode = Mode.BOTH
    filters: Filters = field(default_factory=Filters)
    limit: int = 50
    exact: bool = False
    grouped: bool = True


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a hit was found. Ranks count from 1; None where that way of searching didn't find it.
    words: the words of the question that stand in it. lookup: found as an exact look-up (a code, number, name,
    phrase)."""

    words_rank: int | None = None
    meaning_rank: int | None = None
    similarity: float | None = None  # cosine, -1 to 1
    words: tuple[str, ...] = ()
    lookup: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """The best passage of one owner. marks: (start, end) offsets into `snippet` to highlight. more: further passages
    of the
    same owner that were found."""

    passage: Passage
    snippet: str
    marks: tuple[tuple[int, int], ...]
    score: float
    reason: Reason
    more: int = 0


@dataclass(frozen=True, slots=True)
class Repair:
    """A word that the workspace doesn't know, and what was searched for instead (several words: "Jansen, Janssen")."""

    typed: str
    used: str


@dataclass(frozen=True, slots=True)
class SearchResult:
    """hits: best first. total: owners found before the limit (a lower bound where `total_is_lower_bound`).
    meaning_ready: passages that can be found by meaning, of `passages`. meaning_note: a sentence when meaning could
    not be used."""

    request: SearchRequest
    hits: tuple[Hit, ...]
    total: int
    total_is_lower_bound: bool = False
    repairs: tuple[Repair, ...] = ()
    meaning_ready: int = 0
    passages: int = 0
    meaning_note: str = ""
    milliseconds: float = 0.0
