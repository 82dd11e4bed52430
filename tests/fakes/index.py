"""WordIndexPort and MeaningIndexPort over a plain list, which says by being short what the real ones must do."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from core.domain.extraction import PassageDraft
from core.domain.likeness import likeness, most_edits
from core.domain.passages import SCOPE_OF, Kind, Passage
from core.domain.pieces import pieces
from core.domain.query import Filters
from core.domain.spellings import Form, extra_words
from core.domain.terms import Term
from core.domain.writing import plain, stem, tokens
from core.errors import InvalidValue
from core.ports.embedding import Vectors
from core.ports.index import Found, MeaningState, WordAnswer


def allowed(passage: Passage, filters: Filters) -> bool:
    at = passage.at
    return (
        (not filters.scopes or SCOPE_OF[passage.kind] in filters.scopes)
        and (not filters.kinds or passage.kind in filters.kinds)
        and (not filters.formats or passage.format in filters.formats)
        and (filters.after is None or (at is not None and at >= filters.after))
        and (filters.before is None or (at is not None and at <= filters.before))
        and (filters.owner is None or passage.owner == filters.owner)
    )


@dataclass
class FakeIndex:
    """Both index ports. `dimension`: of the vectors that `store` takes."""

    dimension: int = 384
    held: dict[int, Passage] = field(default_factory=dict[int, Passage])
    rows: dict[int, Vectors] = field(default_factory=dict[int, Vectors])
    last: int = 0
    prepared: int = 0

    def replace(
        self, kind: Kind, owner: str, drafts: Sequence[PassageDraft], title: str, at: float | None, format: str
    ) -> None:
        self.remove(kind, owner)
        for ordinal, draft in enumerate(drafts):
            self.last += 1
            self.held[self.last] = Passage(
                self.last, kind, owner, ordinal, draft.text, title, draft.page, draft.heading, draft.part, at, format
            )

    def remove(self, kind: Kind, owner: str) -> None:
        for id in [id for id, p in self.held.items() if (p.kind, p.owner) == (kind, owner)]:
            del self.held[id]
            self.rows.pop(id, None)

    # ---- words ------------------------------------------------------------------------------------------------------

    async def all_of(self, terms: Sequence[Term], filters: Filters, limit: int) -> WordAnswer:
        return self._answer(terms, filters, limit, every=True)

    async def any_of(self, terms: Sequence[Term], filters: Filters, limit: int) -> WordAnswer:
        return self._answer(terms, filters, limit, every=False)

    async def side_by_side(self, run: Term, filters: Filters, limit: int) -> WordAnswer:
        return self._answer([run], filters, limit, every=True)

    def _answer(self, terms: Sequence[Term], filters: Filters, limit: int, *, every: bool) -> WordAnswer:
        found: list[Found] = []
        for passage in self.held.values():
            counts = [occurrences(passage, term) for term in terms]
            if terms and allowed(passage, filters) and (all(counts) if every else any(counts)):
                weights = [math.log(1 + len(self.held) / (1 + self._held_by(term))) for term in terms]
                score = sum(w * c / (c + 1) for w, c in zip(weights, counts, strict=True)) + 1e-6
                found.append(Found(passage.id, passage.kind, passage.owner, score))
        found.sort(key=lambda hit: (-hit.score, -hit.passage))
        return WordAnswer(tuple(found[:limit]), len(found))

    async def frequencies(self, terms: Sequence[Term]) -> list[int]:
        return [self._held_by(term) for term in terms]

    def _held_by(self, term: Term) -> int:
        return sum(occurrences(passage, term) > 0 for passage in self.held.values())

    async def similar(self, word: str, limit: int = 8) -> list[tuple[str, int]]:
        asked = plain(word)
        counts: dict[str, int] = {}
        for passage in self.held.values():
            for other in {t.word for t in tokens(f"{passage.title}\n{passage.text}") if t.word.isalpha()}:
                counts[other] = counts.get(other, 0) + 1
        near = [w for w in counts if w != asked and abs(len(w) - len(asked)) <= most_edits(len(asked))]
        near = [w for w in near if likeness(asked, w) > 0.5 and most_edits(len(asked))]
        return sorted(((w, counts[w]) for w in near), key=lambda pair: (-likeness(asked, pair[0]), pair[0]))[:limit]

    async def passages(self, ids: Sequence[int]) -> list[Passage]:
        return [self.held[id] for id in ids if id in self.held]

    async def of_owner(self, kind: Kind, owner: str, first: int = 0, count: int = 200) -> list[Passage]:
        found = [p for p in self.held.values() if (p.kind, p.owner) == (kind, owner) and p.ordinal >= first]
        return sorted(found, key=lambda p: p.ordinal)[:count]

    # ---- meaning ----------------------------------------------------------------------------------------------------

    async def prepare(self) -> None:
        self.prepared += 1

    async def nearest(self, vector: Vectors, filters: Filters, limit: int) -> list[Found]:
        _check(vector)
        found = [
            Found(id, p.kind, p.owner, self._nearness(id, vector))
            for id, p in self.held.items()
            if id in self.rows and allowed(p, filters)
        ]
        return sorted(found, key=lambda hit: -hit.score)[:limit]

    def _nearness(self, id: int, vector: Vectors) -> float:
        own, *pieces = (self.rows[id] @ vector[0]).tolist()
        return (own + max(pieces, default=own)) / 2

    async def vectors(self, ids: Sequence[int]) -> Vectors:
        present = [self.rows[id][0] for id in ids if id in self.rows]
        return np.stack(present) if present else np.zeros((0, self.dimension), np.float32)

    async def without_meaning(self, limit: int) -> list[tuple[int, str]]:
        waiting = [p for id, p in sorted(self.held.items(), reverse=True) if id not in self.rows]
        return [(p.id, text) for p in waiting[:limit] for text in (p.text, *pieces(p.text))]

    async def store(self, ids: Sequence[int], vectors: Vectors) -> int:
        _check(vectors)
        if vectors.shape != (len(ids), self.dimension):
            raise InvalidValue("These vectors don't fit.")
        kept = {id for id in ids if id in self.held and id not in self.rows}
        for id in kept:
            self.rows[id] = vectors[[place for place, other in enumerate(ids) if other == id]]
        return len(kept)

    async def state(self) -> MeaningState:
        return MeaningState(len(self.held), len(self.rows))


def occurrences(passage: Passage, term: Term) -> int:
    """How often a passage holds a term, in any form."""
    shown = "\n".join((passage.title, *passage.heading, passage.text))
    held = [t.word for t in tokens(shown)]
    extra = extra_words(shown).split()
    return sum(_runs(words, form, term.prefix) for form in term.forms for words in (held, extra))


def _runs(words: list[str], form: Form, prefix: bool) -> int:
    asked = [plain(word) for word in form]
    count = 0
    for place in range(len(words) - len(asked) + 1):
        pairs = list(zip(words[place:], asked, strict=False))
        same = [stem(word) == stem(other) for word, other in pairs]
        if prefix:
            same[-1] = same[-1] or pairs[-1][0].startswith(pairs[-1][1])
        count += all(same)
    return count


def _check(vectors: Vectors) -> None:
    if not np.isfinite(vectors).all():
        raise InvalidValue("A vector holds something that is not a number.")
