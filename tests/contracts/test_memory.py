"""MemoryPort."""

import asyncio
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain.changes import Operation
from core.domain.memory import Json, Source, record_id, split_record_id
from core.domain.tiers import DAY, FLOOR, HALF_LIFE, HOUR, Tier
from core.errors import InvalidValue, NotFound, VersionConflict
from core.ports.rows import ListQuery
from tests.contracts.conftest import Setting

HOSTILE = (
    '"', '""', '"""', "'", "''", "';--", "'; DROP TABLE records; --", "*", "**", "a*", "*a", "^", "^a", "(", ")", "()",
    "((a)", "AND", "OR", "NOT", "NEAR", "a AND", "OR b", "NOT a", "a NEAR b", "NEAR(a b, 5)", "title:a",
    "body : a", "{title body}: a", "-a", "a -b", "+a", "a + b", "C++", "C#", "design-doc", "foo:bar", "a.b", "a\\b",
    "%", "_", "%a%", "?", "?1", ":a", "@a", "$a", "\0", "a\0b", "\n", "\t", "\u200b", "\ufeff", "\u202e", "🦷",
    "é́́", "漢字かな", "ภาษาไทย", "العربية", "\ud800", "a" * 10_000, "a " * 5_000, "<b>", "&amp;", "${x}", "{{x}}",
    "rowid", "rank", "passage_index", "../..", "/", "\\",
)  # fmt: skip


async def test_what_is_remembered_is_got_back(setting: Setting) -> None:
    value: Json = {"checkup": 40.5, "open": [True, None, {"Mo": "8–17"}], "name": "Ärztin 🦷 漢字"}
    record = await setting.memory.remember(
        "price list", value, Tier.SEMANTIC, metadata={"title": "Prices", "tags": ["a"]}
    )
    assert (record.salience, record.access_count, record.version, record.score) == (1.0, 0, 1, None)
    assert record.created_at == record.updated_at == record.last_accessed_at == setting.clock.now
    assert (record.title, record.tags, record.pinned) == ("Prices", ("a",), False)
    assert await setting.memory.get("price list") == record
    assert await setting.memory.get("price list", "other") is None
    assert await setting.memory.get("nothing") is None


async def test_a_known_key_keeps_its_history(setting: Setting) -> None:
    await setting.memory.remember("key", "old", Tier.WORKING, metadata={"a": 1})
    setting.clock.now += 60
    reinforced = await setting.memory.reinforce("key", delta=0.5)
    setting.clock.now += 60
    record = await setting.memory.remember("key", "new", Tier.EPISODIC)
    expected = replace(
        reinforced, value="new", tier=Tier.EPISODIC, metadata={}, updated_at=setting.clock.now, version=2
    )
    assert record == expected == await setting.memory.get("key")


@pytest.mark.parametrize(
    "value", [None, True, 0, -1.5, 10**30, "", "text", [], {}, [[[]]], {"": {"": ""}}, "a\0b", "\ud83e"]
)
async def test_any_json_value_is_kept_exactly(setting: Setting, value: Json) -> None:
    await setting.memory.remember("key", value, Tier.WORKING, metadata={"value": value})
    record = await setting.memory.get("key")
    assert record is not None
    assert record.value == record.metadata["value"] == value
    assert type(record.value) is type(value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, b"bytes", object()])
async def test_what_is_no_json_is_refused(setting: Setting, value: object) -> None:
    with pytest.raises(InvalidValue):
        await setting.memory.remember("key", value, Tier.WORKING)
    assert await setting.memory.get("key") is None


@pytest.mark.parametrize("bad", ["", " ", "a\0b", "a..b", "..", "a/b", "a\\b"])
async def test_keys_and_namespaces_that_are_refused(setting: Setting, bad: str) -> None:
    memory = setting.memory
    for call in (
        lambda: memory.remember(bad, 1, Tier.WORKING),
        lambda: memory.remember("key", 1, Tier.WORKING, bad),
        lambda: memory.get(bad),
        lambda: memory.get("key", bad),
        lambda: memory.forget(bad),
        lambda: memory.forget("key", bad),
        lambda: memory.forget_all(bad),
        lambda: memory.reinforce(bad),
        lambda: memory.reinforce("key", bad),
        lambda: memory.recall("word", namespace=bad),
    ):
        with pytest.raises(InvalidValue):
            await call()
    assert await setting.changes.latest() == 0


@pytest.mark.parametrize("limit", [0, -1, 101])
async def test_limits_that_are_refused(setting: Setting, limit: int) -> None:
    with pytest.raises(InvalidValue):
        await setting.memory.recall("word", limit=limit)


async def test_keys_and_namespaces_that_look_alike_when_joined_stay_apart(setting: Setting) -> None:
    pairs = [("a", "b:c"), ("a:b", "c"), ("1:a", "b"), ("1", "a:b"), ("a", "b"), (":", "a"), ("a:", ":"), ("2:a:", "b")]
    for namespace, key in pairs:
        await setting.memory.remember(key, f"cinnamon {namespace}|{key}", Tier.SEMANTIC, namespace)
    for namespace, key in pairs:
        record = await setting.memory.get(key, namespace)
        assert record is not None
        assert record.value == f"cinnamon {namespace}|{key}"
        found = await setting.memory.recall("cinnamon", namespace=namespace)
        assert {(found_one.namespace, found_one.key) for found_one in found} == {p for p in pairs if p[0] == namespace}
    assert await setting.memory.forget("b:c", "a")
    assert await setting.memory.get("c", "a:b") is not None


@given(st.text(), st.text())
def test_record_ids_can_be_taken_apart(namespace: str, key: str) -> None:
    assert split_record_id(record_id(namespace, key)) == (namespace, key)


@given(st.tuples(st.text(), st.text()), st.tuples(st.text(), st.text()))
def test_record_ids_never_collide(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert (record_id(*one) == record_id(*other)) == (one == other)


async def test_recall_finds_words_of_key_title_tags_and_value(setting: Setting) -> None:
    await setting.memory.remember(
        "recallInterval_days",
        {"months": 6, "note": "after a crown"},
        Tier.PROCEDURAL,
        metadata={"title": "Recall", "tags": ["hygiene"]},
    )
    await setting.memory.remember("other", "nothing of it", Tier.PROCEDURAL)
    for word in ("interval", "CROWN", "Recall", "hygiene", "months", "6"):
        assert [record.key for record in await setting.memory.recall(word)] == ["recallInterval_days"], word
    assert await setting.memory.recall("zzz") == []
    assert await setting.memory.recall("crown", namespace="elsewhere") == []
    assert await setting.memory.recall("crown", Tier.WORKING) == []
    assert len(await setting.memory.recall("crown", Tier.PROCEDURAL)) == 1


async def test_recall_ranks_by_relevance_and_salience(setting: Setting) -> None:
    for key in ("a", "b", "c"):
        await setting.memory.remember(key, "the amalgam separator is serviced", Tier.SEMANTIC)
    for n in range(20):
        await setting.memory.remember(f"filler {n}", "something else entirely", Tier.SEMANTIC)
    await setting.memory.reinforce("b", delta=3.0)
    await setting.memory.reinforce("c", delta=-0.9)
    found = await setting.memory.recall("amalgam")
    assert [record.key for record in found] == ["b", "a", "c"]
    scores = [record.score for record in found if record.score is not None]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == pytest.approx(4.0 * scores[1])
    assert scores[2] == pytest.approx(0.1 * scores[1])


async def test_what_fades_falls_behind(setting: Setting) -> None:
    await setting.memory.remember("old", "sterilisation cycle", Tier.SEMANTIC)
    setting.clock.now += HALF_LIFE[Tier.SEMANTIC]
    await setting.memory.remember("new", "sterilisation cycle", Tier.SEMANTIC)
    found = await setting.memory.recall("sterilisation")
    assert [record.key for record in found] == ["new", "old"]
    assert found[1].score == pytest.approx(0.5 * (found[0].score or 0))
    await setting.memory.reinforce("old", delta=0.0)
    again = await setting.memory.recall("sterilisation")
    assert again[0].score == pytest.approx(again[1].score)


@pytest.mark.parametrize("query", ["", "   ", "?!…", "--", '"', "( )", "\n"])
async def test_without_words_the_most_present_come_first(setting: Setting, query: str) -> None:
    await setting.memory.remember("first", 1, Tier.SEMANTIC)
    setting.clock.now += 1
    await setting.memory.remember("second", 1, Tier.SEMANTIC)
    await setting.memory.remember("strong", 1, Tier.SEMANTIC)
    await setting.memory.reinforce("strong", delta=1.0)
    assert [record.key for record in await setting.memory.recall(query, limit=2)] == ["strong", "second"]


async def test_presence_is_compared_across_tiers_floors_and_times(setting: Setting) -> None:
    """With many candidates, the best by present salience are exactly those of a plain sort."""
    tiers = list(Tier)
    for n in range(120):
        setting.clock.now += (n % 13) * HOUR * 3
        await setting.memory.remember(f"k{n}", n, tiers[n % 4])
        if n % 3 == 0:
            await setting.memory.reinforce(f"k{n}", delta=(n % 7) - 2.0)
    setting.clock.now += 2 * DAY
    for tier in (None, *tiers):
        everything = await setting.memory.recall("", tier, limit=100)
        top = await setting.memory.recall("", tier, limit=7)
        scores = [record.score or 0.0 for record in everything]
        assert scores == sorted(scores, reverse=True)
        assert [record.score for record in top] == pytest.approx(scores[:7])
    assert scores[-1] >= 0.0
    assert FLOOR > 0


async def test_filters_come_before_the_limit(setting: Setting) -> None:
    await setting.memory.remember("wanted", "gutta percha", Tier.EPISODIC)
    for n in range(150):
        await setting.memory.remember(f"k{n}", "gutta percha", Tier.SEMANTIC)
        await setting.memory.remember(f"k{n}", "gutta percha", Tier.EPISODIC, "elsewhere")
    assert [record.key for record in await setting.memory.recall("gutta", Tier.EPISODIC, limit=1)] == ["wanted"]
    assert [record.key for record in await setting.memory.recall("", Tier.EPISODIC, limit=1)] == ["wanted"]


async def test_every_query_is_taken_literally(setting: Setting) -> None:
    await setting.memory.remember("key", "a plain text about design-doc and C++", Tier.SEMANTIC)
    for query in HOSTILE:
        found = await setting.memory.recall(query)
        assert {record.key for record in found} <= {"key"}, query
    assert [record.key for record in await setting.memory.recall("Design-Doc")] == ["key"]


async def test_hostile_keys_and_values_are_found_again(setting: Setting) -> None:
    for n, text in enumerate(HOSTILE):
        allowed = "".join(c for c in text if c not in "\0/\\." and not "\ud800" <= c <= "\udfff")
        key = f"key {n} {allowed}"
        await setting.memory.remember(key, f"uniqueword{n} {text}", Tier.SEMANTIC, metadata={"title": text})
        assert [record.key for record in await setting.memory.recall(f"uniqueword{n}")] == [key]
        record = await setting.memory.get(key)
        assert record is not None
        assert record.value == f"uniqueword{n} {text}"


async def test_looking_is_no_access(setting: Setting) -> None:
    before = await setting.memory.remember("key", "word", Tier.WORKING)
    setting.clock.now += 10
    await setting.memory.recall("word")
    await setting.memory.recall("")
    assert await setting.memory.get("key") == before


async def test_twenty_five_reinforcements_end_at_exactly_six(setting: Setting) -> None:
    await setting.memory.remember("key", 1, Tier.WORKING)
    await asyncio.gather(*(setting.memory.reinforce("key", delta=0.2) for _ in range(25)))
    record = await setting.memory.get("key")
    assert record is not None
    assert (record.salience, record.access_count, record.version) == (6.0, 25, 1)


async def test_salience_is_never_below_zero(setting: Setting) -> None:
    await setting.memory.remember("key", "word", Tier.WORKING)
    record = await setting.memory.reinforce("key", delta=-7.0)
    assert record.salience == 0.0
    assert (await setting.memory.recall("word"))[0].score == 0.0
    assert (await setting.memory.recall(""))[0].score == 0.0


@pytest.mark.parametrize("delta", [float("nan"), float("inf"), float("-inf")])
async def test_deltas_that_are_refused(setting: Setting, delta: float) -> None:
    before = await setting.memory.remember("key", 1, Tier.WORKING)
    with pytest.raises(InvalidValue):
        await setting.memory.reinforce("key", delta=delta)
    assert await setting.memory.get("key") == before


async def test_reinforcing_nothing_is_an_error(setting: Setting) -> None:
    with pytest.raises(NotFound, match="no memory"):
        await setting.memory.reinforce("missing")


async def test_forgetting_leaves_nothing(setting: Setting) -> None:
    record = await setting.memory.remember("key", "nasopharynx", Tier.WORKING)
    assert await setting.passages("record", record.id) in (["nasopharynx"], None)
    assert await setting.memory.forget("key")
    assert not await setting.memory.forget("key")
    assert await setting.memory.get("key") is None
    assert await setting.memory.recall("nasopharynx") == []
    assert await setting.passages("record", record.id) in ([], None)


async def test_writing_again_forgets_the_old_words(setting: Setting) -> None:
    await setting.memory.remember("key", "nasopharynx", Tier.WORKING)
    await setting.memory.remember("key", "larynx", Tier.WORKING)
    assert await setting.memory.recall("nasopharynx") == []
    assert len(await setting.memory.recall("larynx")) == 1


async def test_forgetting_a_namespace(setting: Setting) -> None:
    for n in range(5):
        await setting.memory.remember(f"k{n}", "word", Tier.WORKING, "one")
    await setting.memory.remember("k0", "word", Tier.WORKING, "two")
    assert await setting.memory.forget_all("one") == 5
    assert await setting.memory.forget_all("one") == 0
    assert await setting.memory.recall("word", namespace="one") == []
    assert len(await setting.memory.recall("word", namespace="two")) == 1


async def test_pinned_records_do_not_fade(setting: Setting) -> None:
    record = await setting.memory.remember("pinned", 1, Tier.WORKING)
    await setting.book.edit(replace(record, pinned=True), record.version)
    await setting.memory.remember("other", 1, Tier.WORKING)
    setting.clock.now += 30 * DAY
    found = await setting.memory.recall("")
    assert [(record.key, record.score) for record in found] == [("pinned", 1.0), ("other", FLOOR)]


async def test_every_write_is_in_the_stream_and_published(setting: Setting) -> None:
    memory = setting.memory
    record = await memory.remember("key", 1, Tier.WORKING)
    await memory.remember("key", 2, Tier.WORKING)
    await memory.reinforce("key")
    await memory.forget("key")
    await memory.forget("key")
    with pytest.raises(NotFound):
        await memory.reinforce("key")
    stream = await setting.changes.after(0)
    expected = [(1, Operation.CREATED), (2, Operation.UPDATED), (2, Operation.UPDATED), (3, Operation.DELETED)]
    assert [(change.version, change.operation) for change in stream] == expected
    assert {(change.kind, change.id, change.actor) for change in stream} == {("record", record.id, "person")}
    assert [(event.kind, event.ids, event.sequence) for event in setting.published if event.kind == "record"] == [
        ("record", (record.id,), sequence) for sequence in range(1, 5)
    ]
    assert [event.kind for event in setting.published].count("trash") == 1
    await setting.another("assistant:Ada").remember("key", 1, Tier.WORKING)
    assert (await setting.changes.of("record", record.id, 1))[0].actor == "assistant:Ada"
    assert setting.published[-1].origin == "assistant:Ada"


async def test_twenty_five_writers_to_one_key(setting: Setting) -> None:
    records = await asyncio.gather(*(setting.memory.remember("key", n, Tier.WORKING) for n in range(25)))
    assert sorted(record.version for record in records) == list(range(1, 26))
    last = next(record for record in records if record.version == 25)
    assert await setting.memory.get("key") == last


async def test_a_burst_of_a_hundred_and_fifty_tasks(setting: Setting) -> None:
    async def work(n: int) -> None:
        key = f"k{n}"
        await setting.memory.remember(key, f"burst number{n}", Tier.SEMANTIC)
        if n % 3 == 0:
            await setting.memory.reinforce(key)
        elif n % 3 == 1:
            assert [record.key for record in await setting.memory.recall(f"number{n}")] == [key]
        else:
            assert await setting.memory.forget(key)

    await asyncio.gather(*(work(n) for n in range(150)))
    left = await setting.records.snapshot(ListQuery())
    assert len(left) == 100


async def test_large_values(setting: Setting) -> None:
    value = "word " * 20_000  # 100 KB
    await setting.memory.remember("large", value, Tier.SEMANTIC)
    record = await setting.memory.get("large")
    assert record is not None
    assert record.value == value
    assert [found.key for found in await setting.memory.recall("word")] == ["large"]


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet=st.characters(exclude_characters="/\\\0.", exclude_categories=["Cs"]), min_size=1))
async def test_any_allowed_key_is_kept(setting: Setting, key: str) -> None:
    if not key.strip():
        return
    record = await setting.memory.remember(key, key, Tier.WORKING, key)
    assert record.id == record_id(key, key)
    assert await setting.memory.get(key, key) == record
    assert await setting.memory.forget(key, key)


# ---- filters, reasons, expected versions ----------------------------------------------------------------------------


async def test_tags_are_applied_before_the_limit(setting: Setting) -> None:
    await setting.memory.remember("wanted", "gutta percha", Tier.SEMANTIC, metadata={"tags": ["Ärzte", "b"]})
    await setting.memory.reinforce("wanted", delta=-0.9)
    for n in range(150):
        await setting.memory.remember(f"k{n}", "gutta percha", Tier.SEMANTIC, metadata={"tags": ["b"]})
        await setting.memory.remember(f"k{n}", "gutta percha", Tier.SEMANTIC, "elsewhere", {"tags": ["ärzte", "b"]})
    for query in ("gutta", ""):
        for tags in (["ARZTE"], ["ärzte", "B"]):
            found = await setting.memory.recall(query, limit=1, tags=tags)
            assert [(record.key, record.namespace) for record in found] == [("wanted", "default")]
        assert await setting.memory.recall(query, tags=["ärzte", "none"]) == []
        assert await setting.memory.recall(query, Tier.WORKING, tags=["ärzte"]) == []
        assert len(await setting.memory.recall(query, limit=100, tags=["b"])) == 100


async def test_times_are_applied_before_the_limit(setting: Setting) -> None:
    start = setting.clock.now
    for n in range(120):
        setting.clock.now = start + n
        await setting.memory.remember(f"k{n}", "gutta percha", Tier.SEMANTIC)
    for query in ("gutta", ""):
        found = await setting.memory.recall(query, limit=3, after=start + 10, before=start + 11)
        assert sorted(record.key for record in found) == ["k10", "k11"]
        assert [record.key for record in await setting.memory.recall(query, before=start)] == ["k0"]
        assert await setting.memory.recall(query, after=start + 500) == []


async def test_the_most_present_with_filters_are_those_of_a_plain_sort(setting: Setting) -> None:
    tiers = list(Tier)
    for n in range(80):
        setting.clock.now += (n % 13) * HOUR * 3
        await setting.memory.remember(f"k{n}", n, tiers[n % 4], metadata={"tags": ["odd" if n % 2 else "even"]})
        if n % 3 == 0:
            await setting.memory.reinforce(f"k{n}", delta=(n % 7) - 2.0)
    setting.clock.now += 2 * DAY
    everything = await setting.memory.recall("", limit=100)
    odd = [record.key for record in everything if "odd" in record.tags]
    assert [record.key for record in await setting.memory.recall("", limit=100, tags=["odd"])] == odd
    assert [record.key for record in await setting.memory.recall("", limit=5, tags=["odd"])] == odd[:5]


async def test_each_hit_says_why(setting: Setting) -> None:
    await setting.memory.remember("a", "the amalgam separator", Tier.SEMANTIC, metadata={"title": "Service"})
    await setting.memory.remember("b", "amalgam", Tier.SEMANTIC)
    await setting.memory.reinforce("b", delta=1.0)
    for record in await setting.memory.recall("amalgam separators service 2024"):
        why = record.why
        assert why is not None
        assert record.score == pytest.approx(why.relevance * why.salience)
        assert why.salience == record.salience
        assert why.similarity is None
        assert why.by_words == why.relevance
        assert 0 < why.relevance <= 1
        assert set(why.words) <= {"amalgam", "separators", "service"}
        assert "amalgam" in why.words
    (record, *_) = await setting.memory.recall("")
    assert record.why is not None
    assert (record.key, record.why.relevance, record.why.words) == ("b", 1.0, ())
    got = await setting.memory.get("a")
    assert got is not None
    assert (got.score, got.why) == (None, None)


@pytest.mark.parametrize(
    ("held", "asked"),
    [
        ("diagnosis", "diagnoses"), ("diagnoses", "diagnosis"), ("prosthesis", "Prostheses"), ("apices", "apex"),
        ("vertebrae", "vertebra"), ("bronchi", "bronchus"), ("criteria", "criterion"), ("bacterium", "bacteria"),
    ],
)  # fmt: skip
async def test_plurals_that_stemming_leaves_apart_are_found_by_words_alone(
    setting: Setting, held: str, asked: str
) -> None:
    await setting.memory.remember("key", f"the {held} of the patient", Tier.SEMANTIC)
    await setting.memory.remember("other", "something else", Tier.SEMANTIC)
    (record,) = await setting.memory.recall(asked)
    assert record.key == "key"
    assert record.why is not None
    assert record.why.words == (asked.lower(),)


async def test_words_that_only_hold_a_question_together_find_nothing(setting: Setting) -> None:
    await setting.memory.remember("wanted", "Where the amalgam separator is", Tier.SEMANTIC)
    await setting.memory.remember("other", "This is the one that we have", Tier.SEMANTIC)
    assert [record.key for record in await setting.memory.recall("Where is the amalgam?")] == ["wanted"]
    assert await setting.memory.recall("Where do we have the toothpaste?") == []
    assert {record.key for record in await setting.memory.recall("the")} == {"wanted", "other"}


async def test_remembering_what_was_changed_meanwhile(setting: Setting) -> None:
    first = await setting.memory.remember("key", 1, Tier.WORKING, expected=0)
    second = await setting.memory.remember("key", 2, Tier.WORKING, expected=first.version)
    for expected in (0, first.version):
        with pytest.raises(VersionConflict) as caught:
            await setting.memory.remember("key", 3, Tier.WORKING, expected=expected)
        assert caught.value.present == second
    assert await setting.memory.get("key") == second
    await setting.memory.forget("key")
    with pytest.raises(VersionConflict) as caught:
        await setting.memory.remember("key", 3, Tier.WORKING, expected=second.version)
    assert caught.value.present is None


async def test_a_record_says_who_wrote_it_and_from_what(setting: Setting) -> None:
    source = Source("session", "s1", "Telephone with “Ada”")
    record = await setting.another("assistant:Ada").remember("key", 1, Tier.WORKING, source=source)
    assert (record.created_by, record.updated_by, record.source) == ("assistant:Ada", "assistant:Ada", source)
    again = await setting.memory.remember("key", 2, Tier.WORKING)
    assert (again.created_by, again.updated_by, again.source) == ("assistant:Ada", "person", None)
    assert await setting.memory.get("key") == again


async def test_remembering_again_keeps_the_pin(setting: Setting) -> None:
    record = await setting.memory.remember("key", 1, Tier.WORKING)
    await setting.book.edit(replace(record, pinned=True), record.version)
    assert (await setting.memory.remember("key", 2, Tier.EPISODIC)).pinned


# ---- at the same time -----------------------------------------------------------------------------------------------


async def test_fifty_memories_and_thirty_shared_entries_at_once(setting: Setting) -> None:
    await asyncio.gather(
        *(setting.memory.remember(f"k{n}", f"word{n}", Tier.SEMANTIC) for n in range(50)),
        *(setting.shared.set(f"s{n}", n) for n in range(30)),
    )
    assert len(await setting.records.snapshot(ListQuery())) == 50
    assert len(await setting.entries.snapshot(ListQuery())) == 30
    assert [record.key for record in await setting.memory.recall("word17")] == ["k17"]


async def test_ten_actors_write_and_ten_read_at_once(setting: Setting) -> None:
    writers = [setting.another(f"assistant:{n}") for n in range(10)]
    readers = [setting.another(f"reader:{n}") for n in range(10)]

    async def write(n: int) -> None:
        for round in range(5):
            await writers[n].remember(f"k{n}", f"word{n} round{round}", Tier.SEMANTIC)

    async def read(n: int) -> None:
        for _ in range(5):
            assert {record.key for record in await readers[n].recall(f"word{n}")} <= {f"k{n}"}

    await asyncio.gather(*(write(n) for n in range(10)), *(read(n) for n in range(10)))
    for n in range(10):
        record = await setting.memory.get(f"k{n}")
        assert record is not None
        assert (record.version, record.updated_by) == (5, f"assistant:{n}")


async def test_learning_at_the_same_time_counts_every_access(setting: Setting) -> None:
    await setting.memory.remember("key", "word", Tier.WORKING)
    await asyncio.gather(*(setting.another(f"assistant:{n}").recall("word", learn=True) for n in range(25)))
    record = await setting.memory.get("key")
    assert record is not None
    assert (record.access_count, record.salience, record.version) == (25, 1.0, 1)
    assert {access.by for access in await setting.book.accesses("key")} == {f"assistant:{n}" for n in range(25)}


async def test_hostile_tags_and_learned_questions_are_taken_literally(setting: Setting) -> None:
    await setting.memory.remember("key", "a plain text", Tier.SEMANTIC, metadata={"tags": list(HOSTILE)})
    for text in HOSTILE:
        found = await setting.memory.recall("plain", tags=[text], learn=True)
        assert {record.key for record in found} <= {"key"}, text
        await setting.memory.recall(text, learn=True)
    assert len(await setting.memory.recall("plain", tags=["a.b", "%", "<b>", "🦷"])) == 1
    assert await setting.memory.recall("plain", tags=["a.c"]) == []
    assert await setting.book.tags()
