"""Search: one question over everything in the workspace, by words, by meaning, or both.

A question that looks like a look-up (a code, a number, a quoted phrase, a name, rare words) puts exact hits first. A
word that the workspace doesn't know is repaired from its own vocabulary and said so. Otherwise both rankings are joined
by reciprocal ranks, after the ranking by meaning was moved towards what both found first.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from core.domain.fusion import FEEDBACK, reciprocal_ranks, with_feedback
from core.domain.passages import Kind, Passage
from core.domain.query import Hit, Mode, Reason, Repair, SearchRequest, SearchResult
from core.domain.repair import Replacement, repaired
from core.domain.snippets import Marker
from core.domain.terms import Question, Shape, Term, parse
from core.errors import EnvironmentFault, InvalidValue, NotFound
from core.ports.embedding import EmbeddingPort, Vectors
from core.ports.index import Found, MeaningIndexPort, MeaningState, WordAnswer, WordIndexPort

MOST_HITS = 200
DEPTH = 200  # passages of each ranking that are joined
ENOUGH = 100  # passages with all words: then those with some aren't asked for
LEAST_SIMILAR = 0.2  # cosine; below it two texts have nothing to do with each other
HITS_AT_ONCE = 4  # snippets that are made before the loop's other work has its turn

T = TypeVar("T")
GroupKey = tuple[Kind, str] | int


@dataclass(slots=True)
class _Plan:
    """A question on its way. terms: to look for, after repair. shown: to mark in what was found. likest: the terms with
    only the likest of several repairs. exact: passages that hold all terms, best first."""

    request: SearchRequest
    question: Question
    text: str
    terms: tuple[Term, ...]
    shown: tuple[Term, ...]
    likest: tuple[Term, ...] = ()
    repairs: tuple[Repair, ...] = ()
    lookup: bool = False
    exact: WordAnswer = field(default_factory=WordAnswer)
    words: WordAnswer = field(default_factory=WordAnswer)
    meaning: list[Found] = field(default_factory=list[Found])
    note: str = ""


class SearchService:
    """Answers questions of one workspace. Cancelling a call interrupts its statements; nothing is left running."""

    def __init__(self, words: WordIndexPort, meaning: MeaningIndexPort, embedding: EmbeddingPort) -> None:
        self._words = words
        self._meaning = meaning
        self._embedding = embedding

    async def search(self, request: SearchRequest) -> SearchResult:
        """Never raises for what was typed. Raises InvalidValue for a limit out of range."""
        if not 1 <= request.limit <= MOST_HITS:
            raise InvalidValue(f"A search gives 1 to {MOST_HITS} hits, not {request.limit}.")
        began = time.perf_counter()
        state = await self._meaning.state()
        question = parse(request.text)
        plan = _Plan(request, question, question.text, question.content, question.content)
        if question.text:
            await self._understand(plan, state)
            await self._find(plan, state)
        ranked = _ranked(plan)
        hits = await self._hits(plan, ranked)
        return SearchResult(
            request=request,
            hits=hits,
            total=len(ranked),
            total_is_lower_bound=any(a.total > len(a.found) or not a.complete for a in (plan.exact, plan.words)),
            repairs=plan.repairs,
            meaning_ready=state.ready,
            passages=state.passages,
            meaning_note=plan.note,
            milliseconds=(time.perf_counter() - began) * 1000,
        )

    async def passage(self, id: int) -> Passage:
        """Raises NotFound where it is gone."""
        found = await self._words.passages([id])
        if not found:
            raise NotFound("This passage is not there any more.")
        return found[0]

    async def around(self, id: int, before: int = 2, after: int = 2) -> list[Passage]:
        """The passage with its neighbours in the same thing, in order. Raises NotFound."""
        middle = await self.passage(id)
        first = max(0, middle.ordinal - before)
        found = await self._words.of_owner(middle.kind, middle.owner, first, middle.ordinal - first + after + 1)
        return [passage for passage in found if passage.ordinal <= middle.ordinal + after]

    async def of_owner(self, kind: Kind, owner: str, first: int = 0, count: int = 200) -> list[Passage]:
        """Passages of one thing in order, from ordinal `first`."""
        return await self._words.of_owner(kind, owner, first, count)

    # ---- understanding ----------------------------------------------------------------------------------------------

    async def _understand(self, plan: _Plan, state: MeaningState) -> None:
        """Which words the index knows, which are misspelt, and whether one thing is looked up."""
        finished = [replace(term, prefix=False) for term in plan.terms]
        frequencies = await self._words.frequencies(finished)
        if finished and frequencies[-1] == 0 and plan.terms[-1].prefix:  # the last word isn't typed to its end yet
            finished[-1] = plan.terms[-1]
            frequencies[-1:] = await self._words.frequencies(finished[-1:])
        if not plan.request.exact and 0 in frequencies:
            await self._repair(plan, finished, frequencies)
        plan.terms = tuple(finished)
        plan.shown = tuple(
            replace(term, prefix=typed.prefix) for term, typed in zip(finished, plan.question.content, strict=True)
        )
        plan.lookup = plan.question.is_lookup(frequencies, state.passages)

    async def _repair(self, plan: _Plan, terms: list[Term], frequencies: list[int]) -> None:
        replacements: list[Replacement] = []
        for place, (term, frequency) in enumerate(zip(terms, frequencies, strict=True)):
            if frequency or not term.repairable:
                continue
            replacement = repaired(term, await self._words.similar(term.forms[0][0]), plan.question.asked)
            if replacement is not None:
                terms[place], frequencies[place] = replacement.term, replacement.passages
                replacements.append(replacement)
        plan.repairs = tuple(replacement.said for replacement in replacements)
        if any(len(replacement.term.forms) > 1 for replacement in replacements):
            several = {replacement.term for replacement in replacements}
            plan.likest = tuple(replace(t, forms=t.forms[:1]) if t in several else t for t in terms)
        if not plan.question.asked:
            for said in plan.repairs:
                plan.text = plan.text.replace(said.typed, said.used.partition(",")[0])

    # ---- finding ----------------------------------------------------------------------------------------------------

    async def _find(self, plan: _Plan, state: MeaningState) -> None:
        """Both ways at once. Where meaning was asked for and can't answer, words do."""
        mode = plan.request.mode
        if mode is not Mode.WORDS:
            plan.note = _note(state)
        try:
            async with asyncio.TaskGroup() as group:
                by_words = group.create_task(self._by_words(plan))
                asked = mode is not Mode.WORDS and state.ready > 0
                by_meaning = group.create_task(self._by_meaning(plan)) if asked else None
        except BaseExceptionGroup as faults:
            raise faults.exceptions[0] from None
        plan.exact, plan.words = by_words.result()
        vector, plan.meaning = (None, []) if by_meaning is None else by_meaning.result()
        if mode is Mode.MEANING and vector is not None:
            plan.exact, plan.words = WordAnswer(), WordAnswer()
        if vector is not None and plan.meaning and not (plan.lookup and plan.exact.found):
            await self._ask_again(plan, vector)

    async def _by_words(self, plan: _Plan) -> tuple[WordAnswer, WordAnswer]:
        """Passages with all terms, and passages with any."""
        filters = plan.request.filters
        if not plan.terms:
            return WordAnswer(), WordAnswer()
        exact = await self._words.all_of(plan.terms, filters, DEPTH)
        if plan.likest:
            exact = _joined(await self._words.all_of(plan.likest, filters, DEPTH), exact)
        if plan.shown[-1].prefix and not plan.terms[-1].prefix and plan.lookup:
            exact = _joined(exact, await self._words.all_of(plan.shown, filters, DEPTH))
        if len(plan.terms) == 1 or len(exact.found) >= ENOUGH:
            return exact, exact
        if plan.lookup and exact.found:
            return exact, WordAnswer()
        return exact, await self._words.any_of(plan.terms, filters, DEPTH)

    async def _by_meaning(self, plan: _Plan) -> tuple[Vectors | None, list[Found]]:
        try:
            vector = await self._embedding.query(plan.text)
            found = await self._meaning.nearest(vector, plan.request.filters, DEPTH)
        except EnvironmentFault as fault:
            plan.note = f"{fault.sentence} These were found by words."
            return None, []
        return vector, [hit for hit in found if hit.score >= LEAST_SIMILAR]

    async def _ask_again(self, plan: _Plan, vector: Vectors) -> None:
        """Rank what was found by meaning once more, by its nearness to the question and to what came first."""
        first = [id for id, _score in _fused(plan)[:FEEDBACK]]
        moved = with_feedback(vector, await self._meaning.vectors(first))
        found = {hit.passage: hit for hit in plan.meaning}
        present = list(found)
        rows = await self._meaning.vectors(present)
        if len(rows) == len(present):  # none was removed meanwhile
            order = np.argsort(-(rows @ moved[0]), kind="stable")
            plan.meaning = [found[present[place]] for place in order]

    # ---- answering --------------------------------------------------------------------------------------------------

    async def _hits(self, plan: _Plan, ranked: "Sequence[_Group]") -> tuple[Hit, ...]:
        chosen = ranked[: plan.request.limit]
        passages = {passage.id: passage for passage in await self._words.passages([group.best for group in chosen])}
        ranks = _Ranks(plan)
        hits: list[Hit] = []
        for number, group in enumerate(chosen, 1):
            passage = passages.get(group.best)
            if passage is not None:
                hits.append(_hit(plan, ranks, passage, group))
            if number % HITS_AT_ONCE == 0:
                await asyncio.sleep(0)
        return tuple(hits)


@dataclass(slots=True)
class _Group:
    """Passages of one owner that were found; best: the one that is shown."""

    best: int
    score: float
    more: int = 0


class _Ranks:
    """Ranks of passages in each way of searching, from 1; and what marks the words in them."""

    def __init__(self, plan: _Plan) -> None:
        words = plan.exact.found if plan.lookup and plan.exact.found else (plan.words.found or plan.exact.found)
        self.words = {hit.passage: rank for rank, hit in enumerate(words, 1)}
        self.meaning = {hit.passage: rank for rank, hit in enumerate(plan.meaning, 1)}
        self.similarity = {hit.passage: hit.score for hit in plan.meaning}
        self.exact = {hit.passage for hit in plan.exact.found}
        self.marker = Marker(plan.shown)


def _note(state: MeaningState) -> str:
    if state.passages == state.ready:
        return ""
    if state.ready == 0:
        return "Search by meaning is still being prepared. These were found by words."
    return (
        f"Search by meaning is still being prepared: {state.ready:,} of {state.passages:,} passages can be found by it."
    )


def _joined(first: WordAnswer, second: WordAnswer) -> WordAnswer:
    """The second answer's hits behind those of the first."""
    known = {hit.passage for hit in first.found}
    found = (*first.found, *(hit for hit in second.found if hit.passage not in known))
    return WordAnswer(found, max(first.total, second.total), first.complete and second.complete)


def _fused(plan: _Plan) -> list[tuple[int, float]]:
    """Passages by joined ranks; the ranking by meaning leads."""
    return reciprocal_ranks([[hit.passage for hit in plan.meaning], [hit.passage for hit in plan.words.found]])


def _order(plan: _Plan) -> list[tuple[int, float]]:
    """All passages found, best first. In a look-up exact hits come first, alone where a code or a phrase was asked for;
    scores above 1 are theirs. By words alone, passages with all words come before those with some."""
    if plan.request.mode is Mode.WORDS or (plan.lookup and plan.exact.found):
        exact = [(hit.passage, 1.0 + 1.0 / rank) for rank, hit in enumerate(plan.exact.found, 1)]
        if plan.lookup and exact and any(term.shape in {Shape.CODE, Shape.PHRASE} for term in plan.terms):
            return exact
        if plan.question.asked and not plan.lookup:
            exact = []
    else:
        exact = []
    known = {id for id, _score in exact}
    return [*exact, *((id, score) for id, score in _fused(plan) if id not in known)]


def _ranked(plan: _Plan) -> list[_Group]:
    """Groups in the order of their best passages."""
    found = {hit.passage: hit for answer in (plan.meaning, plan.words.found, plan.exact.found) for hit in answer}
    alone = not plan.request.grouped or plan.request.filters.owner is not None
    groups: dict[GroupKey, _Group] = {}
    for id, score in _order(plan):
        key: GroupKey = id if alone else (found[id].kind, found[id].owner)
        group = groups.get(key)
        if group is None:
            groups[key] = _Group(id, score)
        else:
            group.more += 1
    return list(groups.values())


def _hit(plan: _Plan, ranks: _Ranks, passage: Passage, group: _Group) -> Hit:
    exact = passage.id in ranks.exact
    piece = ranks.marker.snippet(passage.text, thorough=exact)
    inside = {*piece.terms, *(mark.term for mark in ranks.marker.marks("\n".join((passage.title, *passage.heading))))}
    reason = Reason(
        words_rank=ranks.words.get(passage.id),
        meaning_rank=ranks.meaning.get(passage.id),
        similarity=ranks.similarity.get(passage.id),
        words=tuple(plan.shown[number].typed for number in sorted(inside)),
        lookup=plan.lookup and exact,
    )
    return Hit(passage, piece.text, piece.marks, group.score, reason, group.more)
