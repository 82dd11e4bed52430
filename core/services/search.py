"""Search: one question over everything in the workspace, by words, by meaning, or both.

A question that looks like a look-up (a code, a number, a quoted phrase, a name, rare words) puts exact hits first. A
word that the workspace doesn't know is repaired from its own vocabulary and said so. Otherwise both rankings are joined
by reciprocal ranks; where they agree, the ranking by meaning is moved before towards what both found first. Where a
text holds the question as it was typed, it comes first.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from core.domain.fusion import FEEDBACK, agree, reciprocal_ranks, weight_of_words, with_feedback
from core.domain.passages import Kind, Passage
from core.domain.query import Hit, Mode, Reason, Repair, SearchRequest, SearchResult
from core.domain.repair import Replacement, repaired
from core.domain.snippets import Marker
from core.domain.terms import Question, Shape, Term, as_typed, parse
from core.errors import EnvironmentFault, InvalidValue, NotFound
from core.ports.embedding import EmbeddingPort, Vectors
from core.ports.index import Found, MeaningIndexPort, MeaningState, WordAnswer, WordIndexPort

MOST_HITS = 200
DEPTH = 200  # passages of each ranking that are joined
ENOUGH = 100  # passages with all words: then those with some aren't asked for
LEAST_SIMILAR = 0.2  # below it two texts have nothing to do with each other
LEAST_ALONE = 0.33  # that the best needs where no passage has any word of the question: nonsense is like something too
HITS_AT_ONCE = 4  # snippets that are made before the loop's other work has its turn

T = TypeVar("T")
GroupKey = tuple[Kind, str] | int


@dataclass(slots=True)
class _Plan:
    """A question on its way. terms: to look for, after repair. shown: to mark in what was found. likest: the terms with
    only the likest of several repairs. known: some passage has one of the words. exact: passages that hold all terms,
    best first. literal: those of them in which the question stands as it was typed."""

    request: SearchRequest
    question: Question
    text: str
    terms: tuple[Term, ...]
    shown: tuple[Term, ...]
    likest: tuple[Term, ...] = ()
    repairs: tuple[Repair, ...] = ()
    lookup: bool = False
    known: bool = True
    exact: WordAnswer = field(default_factory=WordAnswer)
    literal: WordAnswer = field(default_factory=WordAnswer)
    words: WordAnswer = field(default_factory=WordAnswer)
    meaning: list[Found] = field(default_factory=list[Found])
    vector: Vectors | None = None
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
        plan.known = any(frequencies)

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
        by_meaning = mode is not Mode.WORDS and state.ready > 0
        if mode is Mode.BOTH and plan.question.literal:
            by_meaning = False  # another code is no answer, however much it looks like this one
        try:
            async with asyncio.TaskGroup() as group:
                if mode is not Mode.MEANING or not by_meaning:
                    group.create_task(self._by_words(plan, state.passages))
                if by_meaning:
                    group.create_task(self._by_meaning(plan, state.passages))
        except BaseExceptionGroup as faults:
            raise faults.exceptions[0] from None
        if not (plan.lookup and plan.exact.found):
            await self._ask_again(plan)

    async def _by_words(self, plan: _Plan, passages: int) -> None:
        """Passages with all terms, and passages with any."""
        filters = plan.request.filters
        if not plan.terms:
            return
        exact = await self._words.all_of(plan.terms, filters, DEPTH)
        if plan.likest:
            exact = _joined(await self._words.all_of(plan.likest, filters, DEPTH), exact)
        if plan.shown[-1].prefix and not plan.terms[-1].prefix and plan.lookup:
            exact = _joined(exact, await self._words.all_of(plan.shown, filters, DEPTH))
        run = as_typed(plan.text, plan.question)
        if run is not None and exact.found:
            plan.literal = await self._words.side_by_side(run, filters, DEPTH)
        plan.exact = exact = _joined(plan.literal, exact)
        plan.lookup = plan.lookup or plan.question.is_rare_together(exact.total, passages)
        if len(plan.terms) == 1 or len(exact.found) >= ENOUGH:
            plan.words = exact
        elif not _exact_alone(plan):
            plan.words = _joined(plan.literal, await self._words.any_of(plan.terms, filters, DEPTH))

    async def _by_meaning(self, plan: _Plan, passages: int) -> None:
        try:
            plan.vector = await self._embedding.query(plan.text)
            found = await self._meaning.nearest(plan.vector, plan.request.filters, DEPTH)
        except EnvironmentFault as fault:
            plan.note = f"{fault.sentence} These were found by words."
            if plan.request.mode is Mode.MEANING:
                await self._by_words(plan, passages)
            return
        if found and (plan.known or found[0].score >= LEAST_ALONE):
            plan.meaning = [hit for hit in found if hit.score >= LEAST_SIMILAR]

    async def _ask_again(self, plan: _Plan) -> None:
        """Where words and meaning agree, the question is about what passages say as wholes: then rank what was found by
        meaning by its nearness to the question, and once more by its nearness to what came first."""
        asked = plan.vector
        if asked is None or not agree(_ids(plan.meaning), _ids(plan.words.found)):
            return
        present = _ids(plan.meaning)
        rows = await self._meaning.vectors(present)
        if len(rows) != len(present):  # some were removed meanwhile
            return
        row_of = dict(zip(present, rows, strict=True))

        def nearness(question: Vectors) -> Callable[[Found], float]:
            return lambda hit: -float(row_of[hit.passage] @ question[0])

        plan.meaning.sort(key=nearness(asked))
        first = [id for id, _score in _fused(plan)[:FEEDBACK]]
        moved = with_feedback(asked, await self._meaning.vectors(first))
        plan.meaning.sort(key=nearness(moved))

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
    """The second answer with the hits of the first before its own."""
    known = {hit.passage for hit in first.found}
    found = (*first.found, *(hit for hit in second.found if hit.passage not in known))
    whole = first.complete and second.complete
    return replace(second, found=found, total=max(first.total, second.total), complete=whole)


def _ids(found: Sequence[Found]) -> list[int]:
    return [hit.passage for hit in found]


def _fused(plan: _Plan) -> list[tuple[int, float]]:
    """Passages by joined ranks; the ranking by meaning leads."""
    weights = (1.0, weight_of_words(plan.words.covered))
    return reciprocal_ranks((_ids(plan.meaning), _ids(plan.words.found)), weights)


def _exact_alone(plan: _Plan) -> bool:
    """Whether a code or a phrase was looked up and found: then nothing else is wanted."""
    asked = any(term.shape in {Shape.CODE, Shape.PHRASE} for term in plan.terms)
    return plan.lookup and asked and bool(plan.exact.found)


def _order(plan: _Plan) -> list[tuple[int, float]]:
    """All passages found, best first. In a look-up exact hits come first, alone where a code or a phrase was asked for;
    scores above 1 are theirs. By words alone, passages with all words come before those with some. Where the question
    stands as it was typed comes before all else, with scores above 2."""
    ordered = _exact_first(plan)
    literal = {hit.passage for hit in plan.literal.found}
    first = [(id, 2.0 + score) for id, score in ordered if id in literal]
    return [*first, *((id, score) for id, score in ordered if id not in literal)]


def _exact_first(plan: _Plan) -> list[tuple[int, float]]:
    if plan.request.mode is Mode.WORDS or (plan.lookup and plan.exact.found):
        exact = [(hit.passage, 1.0 + 1.0 / rank) for rank, hit in enumerate(plan.exact.found, 1)]
        if _exact_alone(plan):
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
