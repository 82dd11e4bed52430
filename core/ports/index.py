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
    """found: best first. total: passages that match; complete: False where only the newest were ranked. covered: how
    much of what was asked the best of them hold, from 0 to 1; rare words and unknown ones count for more."""

    found: tuple[Found, ...] = field(default_factory=tuple[Found, ...])
    total: int = 0
    complete: bool = True
    covered: float = 1.0


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

    async def side_by_side(self, run: Term, filters: Filters, limit: int) -> WordAnswer:
        """Passages in which the words of the run's first form stand in this order with nothing between them, by BM25.
        Where all of them are very common, those of some thousands of the newest passages, the newest first."""
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
        """Closest passages, best first. score: the mean of two cosines, of the passage and of its nearest piece."""
        ...

    async def vectors(self, ids: Sequence[int]) -> Vectors:
        """Vectors of these passages as wholes, in this order; those that have none are left out."""
        ...

    async def without_meaning(self, limit: int) -> list[tuple[int, str]]:
        """Texts for the model, with the passage of each: of `limit` passages that have no vector of the present model,
        newest first. Of each passage first its own text and behind it, as far as the model still reads, what it belongs
        to (title, message before it); then its pieces."""
        ...

    async def store(self, ids: Sequence[int], vectors: Vectors) -> int:
        """Store vectors: of the same id, the first row is the passage's, further rows are its pieces'. Durable when
        answered; ids of passages that are gone meanwhile are skipped. Refuses NaN. Answers how many passages."""
        ...

    async def state(self) -> MeaningState: ...
