"""Port: the index over passages, by words and by meaning."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from core.domain.passages import Kind, Passage
from core.domain.query import Filters
from core.domain.terms import Term
from core.ports.embedding import Vectors


@dataclass(frozen=True, slots=True)
class Found:
    """One passage found. score: higher is better, comparable only within one answer. owner and kind for grouping."""

    passage: int
    kind: Kind
    owner: str
    score: float


@dataclass(frozen=True, slots=True)
class WordAnswer:
    """found: best first. total: passages that match; complete: False where only the newest were ranked."""

    found: tuple[Found, ...] = field(default_factory=tuple[Found, ...])
    total: int = 0
    complete: bool = True


@dataclass(frozen=True, slots=True)
class MeaningState:
    """passages: all; ready: those with a vector of the present model."""

    passages: int
    ready: int


class WordIndexPort(Protocol):
    async def all_of(self, terms: Sequence[Term], filters: Filters, limit: int) -> WordAnswer:
        """Passages that hold every term, by BM25 (title above text)."""
        ...

    async def any_of(self, terms: Sequence[Term], filters: Filters, limit: int) -> WordAnswer:
        """Passages that hold at least one term, by BM25."""
        ...

    async def frequencies(self, terms: Sequence[Term]) -> list[int]:
        """In how many passages each term stands (0: the index doesn't know it), counted up to some thousands."""
        ...

    async def similar(self, word: str, limit: int = 8) -> list[tuple[str, int]]:
        """Words of the vocabulary that look like `word`, closest first, with how many passages hold each."""
        ...

    async def passages(self, ids: Sequence[int]) -> list[Passage]:
        """In the order asked for; missing ones are left out."""
        ...

    async def of_owner(self, kind: Kind, owner: str, first: int = 0, count: int = 200) -> list[Passage]:
        """Passages of one thing in order, from ordinal `first`."""
        ...


class MeaningIndexPort(Protocol):
    async def prepare(self) -> None:
        """Make ready what the first question would wait for. Called once, in the background; may be called again."""
        ...

    async def nearest(self, vector: Vectors, filters: Filters, limit: int) -> list[Found]:
        """Closest passages by cosine (score = cosine), best first."""
        ...

    async def vectors(self, ids: Sequence[int]) -> Vectors:
        """Vectors of these passages, in this order; those that have none are left out."""
        ...

    async def without_meaning(self, limit: int) -> list[tuple[int, str]]:
        """Passages (id, text for the model) that have no vector of the present model, newest first. The text is the
        passage's own and behind it, as far as the model still reads, what it belongs to (title, message before it)."""
        ...

    async def store(self, ids: Sequence[int], vectors: Vectors) -> int:
        """Durable when answered; ids of passages that are gone meanwhile are skipped. Refuses NaN. Answers how many."""
        ...

    async def state(self) -> MeaningState: ...
