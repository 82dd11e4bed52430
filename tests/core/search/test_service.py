"""SearchService on the fakes: how an answer is put together."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import pytest

from core.domain.extraction import PassageDraft
from core.domain.fusion import agree, reciprocal_ranks, weight_of_words, with_feedback
from core.domain.passages import Kind
from core.domain.query import Filters, Mode, SearchRequest, SearchResult
from core.domain.terms import Term
from core.errors import EnvironmentFault, InvalidValue, NotFound
from core.ports.embedding import Vectors
from core.ports.index import Found, WordAnswer
from core.services.search import SearchService
from tests.fakes.embedding import WordHashes
from tests.fakes.index import FakeIndex

OFFICE = {
    "invoice": "Invoice RX-208 of 17.4.2026: Mrs Kowalski pays in two instalments.",
    "hours": "The waiting room closes at noon on Fridays.",
    "illness": "Whoever falls ill telephones the practice manager before eight.",
    "holiday": "Holiday requests are handed in six weeks ahead; the practice manager signs.",
    "room": "The waiting list for the room at the back is long.",
}


class Synonyms(WordHashes):
    """Knows that some words mean the same."""

    same: ClassVar = {"sick": "ill", "shut": "closes", "vacation": "holiday", "reception": "waiting"}

    async def passages(self, texts: Sequence[str]) -> Vectors:
        plain = [" ".join(self.same.get(w, w) for w in t.lower().replace(".", "").split()) for t in texts]
        return await super().passages(plain)


class Broken(WordHashes):
    async def query(self, text: str) -> Vectors:
        raise EnvironmentFault("Search by meaning is off: its model is missing.")


async def filled(texts: dict[str, str] = OFFICE, ready: int = 1000) -> tuple[SearchService, FakeIndex]:
    index, model = FakeIndex(), Synonyms()
    for owner, text in texts.items():
        index.replace(Kind.PAPER, owner, [PassageDraft(text)], f"{owner}.pdf", 1.0, "pdf")
    await prepare(index, model, ready)
    return SearchService(index, index, model), index


async def prepare(index: FakeIndex, model: WordHashes, most: int = 1000) -> None:
    waiting = await index.without_meaning(most)
    if waiting:
        await index.store([id for id, _text in waiting], await model.passages([text for _id, text in waiting]))


async def ask(service: SearchService, text: str, mode: Mode = Mode.BOTH, **more: object) -> SearchResult:
    return await service.search(SearchRequest(text, mode, **more))  # pyright: ignore[reportArgumentType]


def owners(result: SearchResult) -> list[str]:
    return [hit.passage.owner for hit in result.hits]


async def test_a_code_is_found_alone_in_any_spelling() -> None:
    service, _index = await filled()
    for typed in ("RX-208", "rx208", "April 17", "2026-04-17"):
        result = await ask(service, typed)
        assert owners(result) == ["invoice"]
        assert result.hits[0].reason.lookup
        assert result.hits[0].reason.words_rank == 1
        assert result.hits[0].marks


async def test_meaning_finds_what_has_no_word_in_common() -> None:
    service, _index = await filled()
    result = await ask(service, "someone sick telephones")
    assert owners(result)[0] == "illness"
    reason = result.hits[0].reason
    assert reason.meaning_rank == 1
    assert reason.similarity is not None
    assert reason.words == ("telephones",)
    assert not reason.lookup


async def test_exact_hits_stand_before_likely_ones() -> None:
    service, _index = await filled(
        {**OFFICE, "near": "kestrel kestrel kestrel", "far": "the ledger of Mr Kestrel, " * 9}
    )
    result = await ask(service, "kestrel ledger ")
    assert owners(result)[0] == "far"
    assert result.hits[0].reason.lookup
    assert result.hits[0].score > 1 > result.hits[1].score


async def test_a_misspelt_word_is_repaired_and_said_so() -> None:
    service, _index = await filled()
    result = await ask(service, "Kowalzki")
    assert [(repair.typed, repair.used) for repair in result.repairs] == [("Kowalzki", "Kowalski")]
    assert owners(result)[0] == "invoice"
    assert result.hits[0].snippet[slice(*result.hits[0].marks[0])] == "Kowalski"
    exact = await ask(service, "Kowalzki", exact=True)
    assert exact.repairs == ()
    assert "invoice" not in owners(exact)[:1]


async def test_modes_accept_the_same_questions() -> None:
    service, _index = await filled()
    for text in ("", '"', "AND", "waiting AND (room", "What is it?", "*", "😀", "x" * 5000):
        for mode in Mode:
            result = await ask(service, text, mode)
            assert result.meaning_note == ""
            assert len(result.hits) == min(result.total, 50)


async def test_words_alone_put_passages_with_all_words_first() -> None:
    service, _index = await filled()
    result = await ask(service, "waiting room ", Mode.WORDS)
    assert set(owners(result)) == {"hours", "room"}
    assert all(hit.reason.meaning_rank is None for hit in result.hits)
    result = await ask(service, "practice holiday nonsense ", Mode.WORDS, exact=True)
    assert owners(result) == ["holiday", "illness"]


async def test_meaning_alone_ranks_by_meaning() -> None:
    service, _index = await filled()
    result = await ask(service, "vacation requests", Mode.MEANING)
    assert owners(result)[0] == "holiday"
    assert all(hit.reason.words_rank is None for hit in result.hits)


async def test_words_answer_while_meaning_is_prepared() -> None:
    service, index = await filled(ready=0)
    for mode in (Mode.BOTH, Mode.MEANING):
        result = await ask(service, "waiting room", mode)
        assert owners(result)
        assert "still being prepared" in result.meaning_note
        assert (result.meaning_ready, result.passages) == (0, 5)
    assert (await ask(service, "waiting room", Mode.WORDS)).meaning_note == ""
    await prepare(index, Synonyms(), 2)
    assert "2 of 5" in (await ask(service, "waiting room")).meaning_note


async def test_words_answer_where_the_model_cannot_run() -> None:
    _service, index = await filled()
    service = SearchService(index, index, Broken())
    for mode in (Mode.BOTH, Mode.MEANING):
        result = await ask(service, "waiting room", mode)
        assert set(owners(result)) == {"hours", "room"}
        assert result.meaning_note.startswith("Search by meaning is off: its model is missing.")


async def test_passages_of_one_owner_are_one_hit() -> None:
    index, model = FakeIndex(), WordHashes()
    drafts = [PassageDraft(f"shared topic number {n}") for n in range(5)]
    index.replace(Kind.PAPER, "long", drafts, "", None, "pdf")
    index.replace(Kind.PAPER, "short", drafts[:1], "", None, "pdf")
    index.replace(Kind.RECORD, "long", drafts[:1], "", None, "")  # the same id, another kind
    await prepare(index, model)
    service = SearchService(index, index, model)
    result = await ask(service, "shared topic")
    assert {(hit.passage.kind, hit.passage.owner): hit.more for hit in result.hits} == {
        (Kind.PAPER, "long"): 4,
        (Kind.PAPER, "short"): 0,
        (Kind.RECORD, "long"): 0,
    }
    assert len((await ask(service, "shared topic", grouped=False)).hits) == 7
    inside = await ask(service, "shared topic", filters=Filters(owner="short"))
    assert [(hit.passage.owner, hit.more) for hit in inside.hits] == [("short", 0)]
    assert len((await ask(service, "shared topic", limit=1)).hits) == 1


async def test_nothing_is_found_where_nothing_matches() -> None:
    service, _index = await filled()
    result = await ask(service, "xyzzy")
    assert (result.hits, result.total, result.total_is_lower_bound) == ((), 0, False)


async def test_limits_are_checked() -> None:
    service, _index = await filled()
    for limit in (0, 201, -1):
        with pytest.raises(InvalidValue):
            await ask(service, "a", limit=limit)


async def test_neighbours_of_a_passage() -> None:
    index = FakeIndex()
    index.replace(Kind.PAPER, "a", [PassageDraft(str(n)) for n in range(6)], "", None, "txt")
    service = SearchService(index, index, WordHashes())
    middle = (await service.of_owner(Kind.PAPER, "a"))[3].id
    assert [p.text for p in await service.around(middle)] == ["1", "2", "3", "4", "5"]
    assert [p.text for p in await service.around(middle, 1, 0)] == ["2", "3"]
    first = (await service.of_owner(Kind.PAPER, "a"))[0].id
    assert [p.text for p in await service.around(first, 2, 1)] == ["0", "1"]
    assert (await service.passage(first)).text == "0"
    with pytest.raises(NotFound):
        await service.passage(999)


class Slow(FakeIndex):
    """Waits for ever when asked by words, and counts who waits."""

    waiting = 0

    async def all_of(self, terms: Sequence[Term], filters: Filters, limit: int) -> WordAnswer:
        self.waiting += 1
        try:
            await asyncio.Event().wait()
        finally:
            self.waiting -= 1
        return WordAnswer()


async def test_a_stale_question_is_given_up() -> None:
    index = Slow()
    index.replace(Kind.PAPER, "a", [PassageDraft("text")], "", None, "txt")
    task = asyncio.create_task(ask(SearchService(index, index, WordHashes()), "text"))
    while not index.waiting:  # noqa: ASYNC110 - the fake has no event
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert index.waiting == 0


class Faulty(FakeIndex):
    async def all_of(self, terms: Sequence[Term], filters: Filters, limit: int) -> WordAnswer:
        raise EnvironmentFault("The disk is full.")


async def test_a_fault_of_the_disk_arrives_as_itself() -> None:
    index = Faulty()
    index.replace(Kind.PAPER, "a", [PassageDraft("text")], "", None, "txt")
    with pytest.raises(EnvironmentFault, match="disk"):
        await ask(SearchService(index, index, WordHashes()), "text")


def test_rankings_are_joined_by_their_ranks() -> None:
    joined = reciprocal_ranks([["a", "b", "c"], ["c", "b"]])
    assert [key for key, _score in joined] == ["c", "b", "a"]
    assert joined[2][1] == pytest.approx(1 / 11)
    assert [key for key, _score in reciprocal_ranks([["a"], ["b"]])] == ["a", "b"]  # the first ranking leads


def test_the_question_is_moved_towards_what_was_found_first() -> None:
    question = np.array([[1.0, 0.0]], np.float32)
    moved = with_feedback(question, np.array([[0.0, 1.0]], np.float32))
    assert np.linalg.norm(moved) == pytest.approx(1.0)
    assert moved[0, 0] >= moved[0, 1] > 0
    assert with_feedback(question, np.zeros((0, 2), np.float32)) is question
    assert agree(list("abcd"), list("xbad"))
    assert not agree(list("abcd"), list("xbay"))


async def test_nonsense_finds_nothing() -> None:
    service, _index = await filled()
    assert owners(await ask(service, "RX-209")) == []  # not another code, however near
    assert owners(await ask(service, '"the waiting room opens"')) == []


class Weak(FakeIndex):
    """Everything is a little like every question."""

    likeness = 0.3

    async def nearest(self, vector: Vectors, filters: Filters, limit: int) -> list[Found]:
        return [Found(id, p.kind, p.owner, self.likeness) for id, p in self.held.items()]


async def test_without_a_known_word_meaning_has_to_be_sure() -> None:
    index, model = Weak(), WordHashes()
    index.replace(Kind.PAPER, "a", [PassageDraft("The waiting room closes.")], "", None, "txt")
    await prepare(index, model)
    service = SearchService(index, index, model)
    assert owners(await ask(service, "xyzzy plugh")) == []
    assert owners(await ask(service, "xyzzy room")) == ["a"]
    index.likeness = 0.5
    assert owners(await ask(service, "xyzzy plugh")) == ["a"]
    assert owners(await ask(service, "RX-209")) == []
    assert owners(await ask(service, "RX-209", Mode.MEANING)) == ["a"]  # who wants what is like it gets that


def test_words_count_by_how_much_of_the_question_they_cover() -> None:
    assert [weight_of_words(covered) for covered in (0.0, 1.0)] == [0.0, 1.0]
    assert 0.0 < weight_of_words(0.1) < weight_of_words(0.2) < 1.0


def test_a_ranking_that_covers_little_of_the_question_counts_little() -> None:
    assert [key for key, _score in reciprocal_ranks([["a", "b", "c"], ["x", "y"]], (1.0, 0.1))] == list("abcxy")
    assert [key for key, _score in reciprocal_ranks([["a", "b"], ["b", "x"]], (1.0, 1.0))] == list("bax")


LETTERS = {
    "scattered": "Text upon text: some of it is here, and some text is there. " * 3,
    "typed": "A long letter about other things. Here is some text for the notice board. " + "More of it follows. " * 9,
    "other": "Some text is here.",
}


async def test_what_holds_the_question_as_typed_comes_first() -> None:
    service, _index = await filled(LETTERS)
    for mode in (Mode.BOTH, Mode.WORDS):
        for typed in ("Here is some text", "here is some tex", "here is some text for the "):
            result = await ask(service, typed, mode)
            assert owners(result)[0] == "typed"
            assert result.hits[0].score > 2
            assert result.hits[0].reason.words_rank == 1
    scattered = await ask(service, "text here some is ")
    assert all(hit.score < 2 for hit in scattered.hits)


async def test_of_several_that_hold_it_the_fused_ranking_decides() -> None:
    service, _index = await filled({**OFFICE, "second": "The waiting room again, and the waiting room once more."})
    result = await ask(service, "the waiting room ")
    assert set(owners(result)[:2]) == {"hours", "second"}
    assert [hit.score > 2 for hit in result.hits] == [True, True] + [False] * (len(result.hits) - 2)
