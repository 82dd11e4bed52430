"""WordIndexPort and MeaningIndexPort, on the database (plain and sealed) and on the fake."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.adapters.sqlite import driver, ranking, vectors
from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.migrations import prepare
from core.adapters.sqlite.passages import append_passages, remove_part, remove_passages, replace_passages
from core.adapters.sqlite.vectors import SqliteVectors
from core.adapters.sqlite.words import SqliteWords
from core.domain.extraction import PassageDraft
from core.domain.passages import Kind
from core.domain.query import Filters
from core.domain.scopes import Scope
from core.domain.terms import as_typed, parse
from core.errors import EnvironmentFault, InvalidValue
from core.ports.embedding import ModelInfo, Vectors
from core.ports.index import MeaningIndexPort, WordIndexPort
from tests.fakes.index import FakeIndex
from tests.fakes.store import SetClock

KEY = bytes(range(32))
MODEL = ModelInfo("test", 64, 256, "a" * 64)


@dataclass
class Index:
    """One index with the means to fill it. database: None for the fake."""

    words: WordIndexPort
    meaning: MeaningIndexPort
    fake: FakeIndex | None = None
    database: Database | None = None
    path: Path | None = None
    key: bytes | None = None

    async def put(
        self,
        owner: str,
        *texts: str | PassageDraft,
        kind: Kind = Kind.PAPER,
        title: str = "",
        at: float | None = None,
        format: str = "txt",
    ) -> None:
        drafts = [PassageDraft(text) if isinstance(text, str) else text for text in texts]
        if self.fake is not None:
            self.fake.replace(kind, owner, drafts, title, at, format)
            return
        assert self.database is not None
        await self.database.write(
            lambda tx: replace_passages(tx, kind, owner, drafts, title=title, at=at, format=format)
        )

    async def drop(self, owner: str, kind: Kind = Kind.PAPER) -> None:
        if self.fake is not None:
            self.fake.remove(kind, owner)
            return
        assert self.database is not None
        await self.database.write(lambda tx: remove_passages(tx, kind, owner))

    async def owners(self, text: str, filters: Filters | None = None) -> list[str]:
        answer = await self.words.all_of(parse(text).terms, filters or Filters(), 20)
        return [hit.owner for hit in answer.found]

    async def vectors(self, count: int, seed: int = 1) -> Vectors:
        """Give every passage that waits a vector of its own; answers them by passage id, ascending."""
        waiting = sorted({id for id, _text in await self.meaning.without_meaning(count)})
        rows = directions(len(waiting), seed)
        assert await self.meaning.store(waiting, rows) == len(waiting)
        return rows


def directions(count: int, seed: int = 1) -> Vectors:
    rows = np.random.default_rng(seed).standard_normal((count, MODEL.dimension)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture(params=("sqlite", "sealed", "fake"))
async def index(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Index]:
    if request.param == "fake":
        fake = FakeIndex(MODEL.dimension)
        yield Index(fake, fake, fake=fake)
        return
    key = KEY if request.param == "sealed" else None
    path = tmp_path / "workspace.db"
    database = await Database.open(path, key=key, clock=SetClock(), publish=lambda _events: None, prepare=prepare)
    vectors = SqliteVectors(database, MODEL)
    yield Index(SqliteWords(database), vectors, database=database, path=path, key=key)
    vectors.close()
    await database.close()
    check_whole(path, key)


def check_whole(path: Path, key: bytes | None) -> None:
    """The index holds what the passages say, and nothing else; so do vocabulary, vectors, waiting list and totals."""
    connection, _trouble = driver.connect(path, key)
    try:
        connection.execute("INSERT INTO passage_index (passage_index, rank) VALUES ('integrity-check', 1)")

        def number(sql: str) -> int:
            row = connection.execute(sql).fetchone()
            return int(row[0]) if row else -1

        passages, waiting = number("SELECT count(*) FROM passages"), number("SELECT count(*) FROM passages_waiting")
        assert passages == number("SELECT count(*) FROM passage_texts") == number("SELECT passages FROM passage_totals")
        assert waiting == number("SELECT waiting FROM passage_totals")
        assert passages - waiting == number("SELECT count(*) FROM passage_codes")
        assert passages - waiting == number("SELECT count(*) FROM passage_vectors")
        both = "SELECT count(*) FROM passage_codes JOIN passage_vectors USING (passage) WHERE "
        apart = f"{both} length(vector) <> 8 * length(code)"
        assert number(apart) == 0
        assert number("SELECT count(*) FROM vocabulary WHERE passages <= 0") == 0
        if passages == 0:
            assert number("SELECT count(*) FROM vocabulary") == 0
    finally:
        connection.close()


# ---- words ----------------------------------------------------------------------------------------------------------


async def test_all_words_must_stand_in_a_passage(index: Index) -> None:
    await index.put("a", "The waiting room closes at noon.")
    await index.put("b", "The waiting list is long.")
    assert await index.owners("waiting room") == ["a"]
    assert set(await index.owners("waiting")) == {"a", "b"}
    assert await index.owners("waiting elephants") == []


async def test_any_word_is_enough_for_any_of(index: Index) -> None:
    await index.put("a", "The waiting room closes at noon.")
    await index.put("b", "The waiting list is long.")
    await index.put("c", "Nothing of it.")
    answer = await index.words.any_of(parse("room waiting elephants ").terms, Filters(), 10)
    assert [hit.owner for hit in answer.found] == ["a", "b"]
    assert answer.total == 2
    assert answer.complete


async def test_stems_accents_and_case_are_the_same(index: Index) -> None:
    await index.put("a", "Überweisungen und Impfpässe; Café, vaccinations.")
    for asked in ("überweisungen", "UBERWEISUNGEN", "cafe", "Cafe\u0301", "vaccination", "vaccinated"):
        assert await index.owners(asked) == ["a"], asked


async def test_the_title_and_headings_are_searched(index: Index) -> None:
    await index.put("a", PassageDraft("text", heading=("Holidays", "Easter")), title="Opening hours.pdf")
    assert await index.owners("opening easter text") == ["a"]


SPELLINGS = {
    "Ref. RX-208 arrived": ("RX-208", "rx 208", "RX208", "208"),
    "Ref. KD7731 arrived": ("KD7731", "KD-7731", "kd 7731", "7731"),
    "due on 2026-04-17": (
        "2026-04-17",
        "17.4.2026",
        "17/04/2026",
        "4/17/2026",
        "April 17",
        "17 April 2026",
        "April 2026",
    ),
    "due on April 17, 2026": ("2026-04-17", "17.04.2026", "17. April", "Apr 17", "20260417"),
    "due on 17. April 2026": ("2026-04-17", "April 17th, 2026", "4/17/2026"),
    "call +49 (0)30 1234-567": ("030 1234567", "+49 30 1234567", "1234567", "1234-567", "0301234567"),
    "call 030/1234567": ("+49 30 1234567", "030 123 45 67", "1234567"),
    "IBAN DE89 3704 0044 0532 0130 00": ("DE89370400440532013000", "DE89 3704 0044 0532 0130 00"),
    "Mr O’Brien, b.i.d.": ("O'Brien", "obrien", "bid", "b.i.d."),
    "follow-up of the treat-\nment": ("follow-up", "followup", "treatment", "follow up"),
    "Straße in Łódź": ("strasse", "Straße", "lodz", "łódź"),
}


@pytest.mark.parametrize("text", SPELLINGS)
async def test_codes_numbers_and_dates_are_found_in_any_spelling(index: Index, text: str) -> None:
    await index.put("a", text)
    await index.put("b", "Ref. RX-209, 2026-05-18, 18 May 2027, call 030 7654321.")
    for asked in SPELLINGS[text]:
        assert await index.owners(asked) == ["a"], asked


SCRIPTS = {
    "这家诊所周末不开门，请打总机电话。": ("诊所", "周末", "总机", "这家诊所周末不开门"),
    "受付は午後五時に閉まります。保険証をお持ちください。": ("受付", "保険証", "午後五時"),
    "คลินิกเปิดเวลาแปดโมงเช้า": ("คลินิก", "แปดโมงเช้า"),
    "旧版ITGC报告在蓝色文件夹": ("itgc", "报告", "ITGC报告", "蓝色文件夹"),
    "وصل التقرير إلى مَرَّاكُش قبل آسفي.": ("مراكش", "اسفي", "آسفي", "التقرير", "تقرير"),
    "예약 보고서를 보냈습니다": ("보고서", "예약"),
    "απόδειξη για τον Ιούνιο": ("απόδειξη", "αποδειξη"),
    "ёлка и договор": ("елка", "ёлка", "договор"),
    "ｆｕｌｌ ﬁne m²": ("full", "fine", "m2", "m²"),
}


@pytest.mark.parametrize("text", SCRIPTS)
async def test_scripts_of_all_kinds_are_found(index: Index, text: str) -> None:
    await index.put("a", text)
    await index.put("b", "所诊 付受 nothing alike")
    for asked in SCRIPTS[text]:
        assert await index.owners(asked) == ["a"], asked


async def test_a_word_that_is_being_typed_finds_its_endings(index: Index) -> None:
    await index.put("a", "Vaccination certificates")
    await index.put("b", "Vacuum cleaner")
    assert await index.owners("vaccinat") == ["a"]
    assert set(await index.owners("vac")) == {"a", "b"}
    assert await index.owners("vaccinat ") == []  # a blank says that the word is whole


@pytest.mark.parametrize(
    "hostile", ['"', "AND", "a AND", "NEAR(a b)", "a*", "^a", "title:a", "-a", "'; DROP TABLE x; --", "\\"]
)
async def test_everything_typed_is_literal(index: Index, hostile: str) -> None:
    await index.put("a", f"before {hostile} after")
    await index.put("b", "before after")
    terms = parse(hostile).terms
    answer = await index.words.all_of(terms, Filters(), 10)
    assert [hit.owner for hit in answer.found] == (["a"] if terms else [])
    await index.words.any_of(terms, Filters(), 10)


async def test_the_queries_of_the_corpus_never_raise(index: Index, corpus: Path) -> None:
    await index.put("a", "rain and sun, open quote, 120/80, café, naïve, q6h")
    for text in json.loads((corpus / "cases" / "queries.json").read_text("utf-8")):
        terms = parse(text).terms
        await index.words.all_of(terms, Filters(), 10)
        await index.words.any_of(terms, Filters(kinds=frozenset({Kind.PAPER})), 10)
        await index.words.frequencies(terms)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60))
async def test_no_text_raises(index: Index, text: str) -> None:
    terms = parse(text).terms
    await index.words.all_of(terms, Filters(), 5)
    await index.words.any_of(terms, Filters(), 5)
    assert await index.words.similar(text) is not None


async def test_a_phrase_must_stand_together(index: Index) -> None:
    await index.put("a", "The sick leave form")
    await index.put("b", "Leave the sick bay")
    assert await index.owners('"sick leave"') == ["a"]
    assert set(await index.owners("sick leave ")) == {"a", "b"}


async def test_frequencies_count_passages(index: Index) -> None:
    await index.put("a", "form one", "form two form")
    await index.put("b", "nothing")
    assert await index.words.frequencies(parse("form nothing elephant ").terms) == [2, 1, 0]


async def test_similar_words_come_from_the_vocabulary(index: Index) -> None:
    await index.put("a", "Kowalski asked", "Kowalski again")
    await index.put("b", "Kovacs and the koala")
    found = await index.words.similar("Kowalzki")
    assert found[0] == ("kowalski", 2)
    assert await index.words.similar("abc") == []  # too short to guess
    await index.drop("a")
    assert "kowalski" not in [word for word, _count in await index.words.similar("Kowalzki")]


FILTERED: dict[str, tuple[Filters, set[str]]] = {
    "none": (Filters(), {"pdf", "eml", "note", "talk", "set"}),
    "kind": (Filters(kinds=frozenset({Kind.PAPER})), {"pdf", "eml"}),
    "scope": (Filters(scopes=frozenset({Scope.CONVERSATION, Scope.SEMANTIC})), {"note", "talk"}),
    "scope of nothing": (Filters(scopes=frozenset({Scope.SCRATCHPAD})), set()),
    "scope and kind apart": (Filters(scopes=frozenset({Scope.SEMANTIC}), kinds=frozenset({Kind.PAPER})), set()),
    "format": (Filters(formats=frozenset({"eml"})), {"eml"}),
    "after": (Filters(after=200.0), {"eml", "talk"}),
    "before": (Filters(before=200.0), {"pdf", "eml"}),
    "between": (Filters(after=150.0, before=250.0), {"eml"}),
    "owner": (Filters(owner="note"), {"note"}),
    "all at once": (
        Filters(kinds=frozenset({Kind.PAPER}), formats=frozenset({"eml"}), after=1.0, owner="eml"),
        {"eml"},
    ),
}


async def filled(index: Index) -> None:
    await index.put("pdf", "shared word", at=100.0, format="pdf")
    await index.put("eml", "shared word", at=200.0, format="eml")
    await index.put("note", "shared word", kind=Kind.RECORD, format="")
    await index.put("talk", "shared word", kind=Kind.MESSAGE, at=300.0, format="")
    await index.put("set", "shared word", kind=Kind.SHARED, format="")


@pytest.mark.parametrize("name", FILTERED)
async def test_filters_hold_on_every_way_of_searching(index: Index, name: str) -> None:
    await filled(index)
    rows = await index.vectors(10)
    filters, expected = FILTERED[name]
    terms = parse("shared word ").terms
    for answer in (
        await index.words.all_of(terms, filters, 10),
        await index.words.any_of(terms, filters, 10),
        await index.words.all_of(parse("sha").terms, filters, 10),
    ):
        assert {hit.owner for hit in answer.found} == expected
        assert answer.total == len(expected)
    assert {hit.owner for hit in await index.meaning.nearest(rows[:1], filters, 10)} == expected


async def test_a_filter_is_applied_before_the_limit(index: Index) -> None:
    for n in range(40):
        await index.put(f"loud{n}", "word word word word", format="txt")
    await index.put("quiet", "one word among many others that make it rank behind", format="pdf")
    rows = await index.vectors(100)
    filters = Filters(formats=frozenset({"pdf"}))
    answer = await index.words.all_of(parse("word ").terms, filters, 1)
    assert [hit.owner for hit in answer.found] == ["quiet"]
    assert [hit.owner for hit in await index.meaning.nearest(rows[:1], filters, 1)] == ["quiet"]


async def test_what_was_replaced_or_removed_is_gone(index: Index) -> None:
    await index.put("a", "old words", "second part")
    rows = await index.vectors(10)
    await index.put("a", "new words")
    assert await index.owners("old") == []
    assert await index.owners("second") == []
    assert await index.owners("new") == ["a"]
    assert await index.meaning.nearest(rows[:1], Filters(), 10) == []
    await index.drop("a")
    assert await index.owners("new") == []
    assert (await index.meaning.state()).passages == 0


async def test_passages_come_in_the_order_asked_for(index: Index) -> None:
    draft = PassageDraft("two", page=3, heading=("A", "B"), part="sheet")
    await index.put("a", "one", draft, "three", title="T", at=5.0, format="pdf")
    ids = [p.id for p in await index.words.of_owner(Kind.PAPER, "a")]
    again = await index.words.passages([ids[2], 999_999, ids[1]])
    assert [p.text for p in again] == ["three", "two"]
    assert (again[1].page, again[1].heading, again[1].part, again[1].title) == (3, ("A", "B"), "sheet", "T")
    assert (again[1].at, again[1].format, again[1].ordinal, again[1].kind) == (5.0, "pdf", 1, Kind.PAPER)
    assert [p.text for p in await index.words.of_owner(Kind.PAPER, "a", 1, 1)] == ["two"]
    assert await index.words.of_owner(Kind.RECORD, "a") == []


async def test_a_run_of_words_stands_side_by_side(index: Index) -> None:
    await index.put("run", "In the letter: here is some text for you.")
    await index.put("apart", "Some of the text is here.")
    await index.put("mail", "Here is some text.", format="eml")

    async def owners(text: str, filters: Filters | None = None) -> list[str]:
        run = as_typed(text.strip(), parse(text))
        assert run is not None
        return sorted(hit.owner for hit in (await index.words.side_by_side(run, filters or Filters(), 20)).found)

    assert await owners("Here is some text ") == ["mail", "run"]
    assert await owners("here is some te") == ["mail", "run"]
    assert await owners("some text here is ") == []
    assert await owners("here is some nonsense ") == []
    assert await owners("here is some text ", Filters(formats=frozenset({"eml"}))) == ["mail"]
    assert await owners("here is some text ", Filters(kinds=frozenset({Kind.RECORD}))) == []


# ---- meaning --------------------------------------------------------------------------------------------------------


async def test_the_nearest_come_first_with_their_cosine(index: Index) -> None:
    for n in range(30):
        await index.put(f"o{n:02}", f"text {n}")
    rows = await index.vectors(100)
    found = await index.meaning.nearest(rows[7:8], Filters(), 5)
    assert found[0].owner == "o07"
    assert found[0].score == pytest.approx(1.0, abs=0.01)
    assert [hit.owner for hit in found] == [f"o{n:02}" for n in np.argsort(-(rows @ rows[7]))[:5]]
    scores = [hit.score for hit in found]
    assert scores == sorted(scores, reverse=True)


async def test_vectors_come_back_in_order(index: Index) -> None:
    for n in range(4):
        await index.put(f"o{n}", f"text {n}")
    waiting = sorted(id for id, _text in await index.meaning.without_meaning(10))
    rows = directions(4)
    await index.meaning.store(waiting[:3], rows[:3])
    back = await index.meaning.vectors([waiting[2], waiting[3], waiting[0]])
    assert back.shape == (2, MODEL.dimension)
    assert (back[0] @ rows[2], back[1] @ rows[0]) == (pytest.approx(1.0, abs=1e-3), pytest.approx(1.0, abs=1e-3))
    assert (await index.meaning.vectors([])).shape == (0, MODEL.dimension)


async def test_only_numbers_are_stored_and_asked(index: Index) -> None:
    await index.put("a", "text")
    waiting = [id for id, _text in await index.meaning.without_meaning(1)]
    for bad in (np.nan, np.inf):
        rows = directions(1)
        rows[0, 3] = bad
        with pytest.raises(InvalidValue):
            await index.meaning.store(waiting, rows)
        with pytest.raises(InvalidValue):
            await index.meaning.nearest(rows, Filters(), 1)
    with pytest.raises(InvalidValue):
        await index.meaning.store([*waiting, 7], directions(1))
    assert (await index.meaning.state()).ready == 0


async def test_passages_that_are_gone_are_skipped(index: Index) -> None:
    await index.put("a", "one", "two")
    waiting = sorted(id for id, _text in await index.meaning.without_meaning(5))
    await index.put("a", "three")
    assert await index.meaning.store(waiting, directions(2)) == 0
    state = await index.meaning.state()
    assert (state.passages, state.ready) == (1, 0)


async def test_the_newest_wait_first(index: Index) -> None:
    await index.put("old", "old text")
    await index.put("new", "new text")
    assert [text.splitlines()[0] for _id, text in await index.meaning.without_meaning(1)] == ["new text"]
    assert len(await index.meaning.without_meaning(10)) == 2
    await index.vectors(1)
    assert [text.splitlines()[0] for _id, text in await index.meaning.without_meaning(10)] == ["old text"]


# ---- the database alone ---------------------------------------------------------------------------------------------


@pytest.fixture(params=("sqlite", "sealed"))
async def stored(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Index]:
    key = KEY if request.param == "sealed" else None
    path = tmp_path / "workspace.db"
    database = await Database.open(path, key=key, clock=SetClock(), publish=lambda _events: None, prepare=prepare)
    yield Index(SqliteWords(database), SqliteVectors(database, MODEL), database=database, path=path, key=key)
    await database.close()
    check_whole(path, key)


async def test_messages_are_appended_and_removed_one_by_one(stored: Index) -> None:
    database = stored.database
    assert database is not None

    def say(part: str, text: str) -> Sequence[PassageDraft]:
        return [PassageDraft(text, part=part)]

    for part, text in (("m1", "who has the key"), ("m2", "the porter"), ("m3", "thank you")):
        drafts = say(part, text)
        await database.write(lambda tx, d=drafts: append_passages(tx, Kind.MESSAGE, "s", d, title="Talk", at=1.0))
    assert [(p.ordinal, p.part) for p in await stored.words.of_owner(Kind.MESSAGE, "s")] == [
        (0, "m1"),
        (1, "m2"),
        (2, "m3"),
    ]
    texts = [text for _id, text in await stored.meaning.without_meaning(2)]
    assert texts == ["thank you\nthe porter", "the porter\nwho has the key"]  # the model reads what was said before
    assert await database.write(lambda tx: remove_part(tx, Kind.MESSAGE, "s", "m2")) == 1
    assert await stored.owners("porter") == []
    assert await stored.owners("key") == ["s"]


async def test_another_model_means_embedding_again(stored: Index) -> None:
    assert stored.database is not None
    await stored.put("a", "one", "two")
    rows = await stored.vectors(10)
    same = SqliteVectors(stored.database, MODEL)
    assert len(await same.nearest(rows[:1], Filters(), 5)) == 2
    other = SqliteVectors(stored.database, ModelInfo("other", MODEL.dimension, 256, "b" * 64))
    await other.prepare()
    state = await other.state()
    assert (state.passages, state.ready) == (2, 0)
    assert await other.nearest(rows[:1], Filters(), 5) == []
    assert len(await other.without_meaning(10)) == 2


async def test_codes_are_read_again_after_opening(stored: Index) -> None:
    assert stored.database is not None
    for n in range(50):
        await stored.put(f"o{n:02}", f"text {n}")
    rows = await stored.vectors(100)
    again = SqliteVectors(stored.database, MODEL)
    assert [hit.owner for hit in await again.nearest(rows[3:4], Filters(), 1)] == ["o03"]
    again.close()


async def test_cancelling_a_search_leaves_the_index_free(stored: Index) -> None:
    await stored.put("a", *(f"word number {n}" for n in range(200)))
    for _ in range(10):
        task = asyncio.create_task(stored.owners("word"))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert await stored.owners("word") == ["a"] * 20


async def test_words_go_on_where_the_vector_functions_are_missing(
    stored: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stored.put("a", "one", "two")
    rows = await stored.vectors(10)
    assert stored.database is not None
    assert stored.path is not None
    await stored.database.close()
    monkeypatch.setattr(driver, "_load_vectors", lambda _connection: "Search by meaning is off.")
    database = await Database.open(
        stored.path, key=stored.key, clock=SetClock(), publish=lambda _events: None, prepare=prepare
    )
    stored.database = database
    stored.words, stored.meaning = SqliteWords(database), SqliteVectors(database, MODEL)
    assert "meaning is off" in database.trouble
    assert await stored.owners("one") == ["a"]
    with pytest.raises(EnvironmentFault, match="meaning is off"):
        await stored.meaning.nearest(rows[:1], Filters(), 1)
    await stored.put("b", "three")
    await stored.vectors(1)  # vectors are still stored
    await database.close()


async def test_the_nearest_piece_of_a_passage_counts(index: Index) -> None:
    await index.put("letter", "One thing was done in spring. Another thing was done in autumn.")
    await index.put("other", "something else")
    texts = [text for _id, text in await index.meaning.without_meaning(5)]
    assert texts[0] == "something else"
    assert texts[2:] == ["One thing was done in spring.", "Another thing was done in autumn."]
    whole, first, second, other, asked = directions(5)
    ids = sorted({id for id, _text in await index.meaning.without_meaning(5)})
    assert await index.meaning.store([ids[0]] * 3 + [ids[1]], np.stack((whole, first, second, other))) == 2
    for row in (whole, first, second, asked):
        found = await index.meaning.nearest(row[None, :], Filters(), 5)
        scores = {hit.owner: hit.score for hit in found}
        own, nearest = float(whole @ row), max(float(first @ row), float(second @ row))
        assert scores["letter"] == pytest.approx((own + nearest) / 2, abs=0.01)
        assert scores["other"] == pytest.approx(float(other @ row), abs=0.01)
        assert [hit.score for hit in found] == sorted(scores.values(), reverse=True)
    assert (await index.meaning.vectors([ids[0]]))[0] @ whole == pytest.approx(1.0, abs=0.01)
    await index.drop("letter")
    assert [hit.owner for hit in await index.meaning.nearest(second[None, :], Filters(), 5)] == ["other"]


async def test_pieces_beyond_what_memory_holds_still_rank(stored: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    assert stored.database is not None
    for n in range(4):
        await stored.put(f"o{n}", f"text {n}")
    ids = sorted(id for id, _text in await stored.meaning.without_meaning(9))
    rows = directions(12)
    await stored.meaning.store([id for id in ids for _ in range(3)], rows)
    monkeypatch.setattr(vectors, "MOST_CODES", 6)
    again = SqliteVectors(stored.database, MODEL)
    found = await again.nearest(rows[4:5], Filters(), 2)  # the second row of o1: one of its pieces
    assert found[0].owner == "o1"
    assert found[0].score == pytest.approx((1 + float(rows[3] @ rows[4])) / 2, abs=0.01)
    await stored.put("new", "text")
    (waiting,) = [id for id, _text in await again.without_meaning(9)]
    assert await again.store([waiting, waiting], directions(2, seed=8)) == 1
    assert len(await again.nearest(rows[:1], Filters(), 9)) == 5


async def test_a_run_of_common_words_is_looked_for_among_the_newest(
    stored: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "RANKED_WHOLE", 3)
    monkeypatch.setattr(ranking, "RUN_NEWEST", 4)
    for n in range(8):
        await stored.put(f"o{n}", "this is here")
    run = as_typed("this is here", parse("this is here "))
    assert run is not None
    assert {hit.owner for hit in (await stored.words.side_by_side(run, Filters(), 20)).found} == {
        "o4",
        "o5",
        "o6",
        "o7",
    }


async def test_an_answer_says_how_much_of_the_question_it_covers(stored: Index) -> None:
    for n in range(30):
        await stored.put(f"o{n}", f"letter number{n} about gardens")
    await stored.put("a", "the boiler broke in winter")

    async def covered(text: str) -> float:
        return (await stored.words.any_of(parse(text).content, Filters(), 10)).covered

    assert await covered("boiler winter ") > 0.8
    assert 0.2 < await covered("boiler unheard unknown ") < 0.5
    assert await covered("boiler unheard unknown words without end ") < await covered("boiler unheard ")
