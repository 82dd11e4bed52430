"""RowsPort, on each list of a workspace."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.adapters.extraction.formats import MEDIA_TYPES, READERS
from core.adapters.sqlite import rows as listing
from core.domain.extraction import Extracted, PassageDraft, Refusal, RefusalCode
from core.domain.folding import fold
from core.domain.formats import GROUPS
from core.domain.memory import Role
from core.domain.papers import Artifact
from core.domain.tiers import HALF_LIFE, Tier
from core.errors import InvalidValue
from core.ports.rows import ListQuery, RowsPort
from tests.contracts.conftest import Setting

TITLES = st.text(alphabet=st.sampled_from("abÄäéÉßﬁＡ漢 %_\"'*"), max_size=6)


async def titles(rows: RowsPort, query: ListQuery) -> list[str]:
    read = await rows.rows(await rows.snapshot(query))
    return [row.title for row in read if row is not None]


async def remembered(setting: Setting, *names: str) -> None:
    for n, name in enumerate(names):
        setting.clock.now += 1
        await setting.memory.remember(f"k{n}", n, list(Tier)[n % 2], metadata={"title": name})


async def test_an_empty_list(setting: Setting) -> None:
    for rows in (setting.records, setting.sessions, setting.entries, setting.paper_rows, setting.messages.of("x")):
        numbers = await rows.snapshot(ListQuery())
        assert (numbers.typecode, len(numbers)) == ("q", 0)
        assert list(await rows.rows([])) == []
        assert list(await rows.rows([1, 2])) == [None, None]


async def test_records_in_their_own_order_and_others(setting: Setting) -> None:
    await remembered(setting, "one", "two", "three")
    await setting.memory.reinforce("k0")
    assert await titles(setting.records, ListQuery()) == ["three", "two", "one"]
    assert await titles(setting.records, ListQuery(descending=True)) == ["one", "two", "three"]
    assert await titles(setting.records, ListQuery(sort="updated")) == ["one", "two", "three"]
    assert await titles(setting.records, ListQuery(sort="accesses", descending=True)) == ["one", "three", "two"]
    setting.clock.now += 1
    await setting.memory.remember("k0", 0, Tier.WORKING, metadata={"title": "one again"})
    assert await titles(setting.records, ListQuery()) == ["one again", "three", "two"]


async def test_the_count_is_of_the_whole_list(setting: Setting) -> None:
    assert await setting.records.count() == 0
    await remembered(setting, "one", "two", "three")
    await setting.memory.forget("k1")
    assert await setting.records.count() == 2
    session = await setting.conversations.begin("A call")
    await setting.conversations.begin("Another")
    await setting.conversations.add(session.id, Role.USER, "Hello")
    assert await setting.sessions.count() == 2
    assert await setting.messages.of(session.id).count() == 1


async def test_rows_in_the_order_asked_for_and_gaps_where_one_is_gone(setting: Setting) -> None:
    await remembered(setting, "one", "two", "three")
    numbers = await setting.records.snapshot(ListQuery())
    await setting.memory.forget("k1")
    read = await setting.records.rows([numbers[2], numbers[1], numbers[0], 99_999])
    assert [row and row.title for row in read] == ["one", None, "three", None]


async def test_a_number_is_never_used_again(setting: Setting) -> None:
    await remembered(setting, "one", "two")
    (newest, *_) = await setting.records.snapshot(ListQuery())
    await setting.memory.forget("k1")
    await setting.memory.remember("k1", 1, Tier.WORKING)
    assert newest not in await setting.records.snapshot(ListQuery())


async def test_facets(setting: Setting) -> None:
    await remembered(setting, "one", "two", "three")
    await setting.memory.remember("k", 1, Tier.WORKING, "elsewhere", {"title": "far"})
    assert setting.records.facets["tier"] == tuple(Tier)
    assert setting.records.facets["namespace"] == ()
    assert await titles(setting.records, ListQuery(where={"tier": "working"})) == ["far", "three", "one"]
    assert await titles(setting.records, ListQuery(where={"tier": "working", "namespace": "default"})) == [
        "three",
        "one",
    ]
    assert await titles(setting.records, ListQuery(where={"namespace": "nowhere"})) == []


async def test_what_a_list_does_not_know_is_refused(setting: Setting) -> None:
    for query in (
        ListQuery(sort="number; DROP TABLE records"),
        ListQuery(sort="salt"),
        ListQuery(where={"salt": "1"}),
        ListQuery(where={"tier": "marble"}),
    ):
        with pytest.raises(InvalidValue):
            await setting.records.snapshot(query)
    with pytest.raises(InvalidValue):
        await setting.records.rows(range(1025))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("arzt", ["Ärztin", "Zahnarzt"]),
        ("ÄRZT", ["Ärztin", "Zahnarzt"]),
        ("a\u0308rzt", ["Ärztin", "Zahnarzt"]),
        ("strasse", ["Lange Straße"]),
        ("STRASSE lange", ["Lange Straße"]),
        ("%", ["100 %"]),
        ("_", ["a_b"]),
        ("'", ["it's"]),
        ('"', []),
        ("k3", ["100 %"]),
        ("fix", ["ﬁx"]),
        ("  ", ["it's", "ﬁx", "a_b", "100 %", "Lange Straße", "Zahnarzt", "Ärztin"]),
    ],
)
async def test_the_filter_is_literal_and_ignores_case_and_accents(
    setting: Setting, text: str, found: list[str]
) -> None:
    await remembered(setting, "Ärztin", "Zahnarzt", "Lange Straße", "100 %", "a_b", "ﬁx", "it's")
    assert sorted(await titles(setting.records, ListQuery(text=text))) == sorted(found)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(TITLES, max_size=8, unique=True), text=TITLES, descending=st.booleans())
async def test_every_list_filters_and_sorts_as_python_does(
    setting: Setting, names: list[str], text: str, descending: bool
) -> None:
    for session in await setting.sessions.rows(await setting.sessions.snapshot(ListQuery())):
        assert session is not None
        await setting.conversations.remove(session.id)
    for name in names:
        await setting.conversations.begin(name)
    kept = [(fold(" ".join(name.split())), n) for n, name in enumerate(names)]
    kept = [(name, n) for name, n in kept if all(word in name for word in fold(text).split())]
    found = await setting.sessions.snapshot(ListQuery(text=text))
    assert len(found) == len(kept)
    numbers = sorted(await setting.sessions.snapshot(ListQuery()))
    if setting.database is not None:  # the fake lowers titles only
        ordered = await setting.sessions.snapshot(ListQuery(sort="title", text=text, descending=descending))
        expected = sorted(kept, key=lambda pair: (pair[0].encode(), pair[1]), reverse=descending)
        assert list(ordered) == [numbers[n] for _, n in expected]


async def test_a_filter_that_finds_many_keeps_the_order(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    await remembered(setting, *(f"{'even' if n % 2 == 0 else 'odd'} {n * 7 % 50}" for n in range(50)))
    for query in (ListQuery(text="even"), ListQuery(text="even", sort="updated", where={"tier": "working"})):
        few = await setting.records.snapshot(query)
        monkeypatch.setattr(listing, "FEW", 3)
        many = await setting.records.snapshot(query)
        monkeypatch.undo()
        assert list(many) == list(few)
        assert (many.typecode, len(many)) == ("q", 25)


async def test_sessions_entries_and_papers(setting: Setting) -> None:
    for title in ("b", "a"):
        setting.clock.now += 1
        session = await setting.conversations.begin(title)
        await setting.conversations.add(session.id, Role.USER, "x")
    await setting.conversations.archive(session.id)
    assert await titles(setting.sessions, ListQuery()) == ["a", "b"]
    assert await titles(setting.sessions, ListQuery(where={"archived": "no"})) == ["b"]
    assert await titles(setting.sessions, ListQuery(where={"archived": "yes"})) == ["a"]
    assert await titles(setting.sessions, ListQuery(sort="title", descending=True)) == ["b", "a"]

    await setting.shared.set("b", 1)
    await setting.shared.set("A", 2)
    entries = await setting.entries.rows(await setting.entries.snapshot(ListQuery()))
    assert [entry and entry.key for entry in entries] == ["A", "b"]

    for n, name in enumerate(("Zahn.pdf", "arzt.txt")):
        setting.clock.now += 1
        await setting.papers.add(Artifact(f"{n:064}", 100 - n, setting.clock.now), name, "/")
    paper = await setting.papers.claim()
    assert paper is not None
    await setting.papers.refuse(paper.id, Refusal(RefusalCode.DAMAGED, "It is damaged."))

    async def names(query: ListQuery) -> list[str]:
        read = await setting.paper_rows.rows(await setting.paper_rows.snapshot(query))
        return [row.name for row in read if row is not None]

    assert await names(ListQuery()) == ["arzt.txt", "Zahn.pdf"]
    assert await names(ListQuery(sort="name", descending=True)) == ["Zahn.pdf", "arzt.txt"]
    assert await names(ListQuery(sort="size")) == ["arzt.txt", "Zahn.pdf"]
    assert await names(ListQuery(where={"state": "attention"})) == ["arzt.txt"]
    assert await names(ListQuery(text="ZAHN")) == ["Zahn.pdf"]


async def test_every_sort_and_facet_that_a_list_names_works(setting: Setting) -> None:
    await remembered(setting, "one", "two")
    session = await setting.conversations.begin("s")
    await setting.conversations.add(session.id, Role.USER, "x")
    await setting.shared.set("k", 1)
    await setting.papers.add(Artifact("0" * 64, 1, 0.0), "a", "/")
    for rows in (
        setting.records,
        setting.sessions,
        setting.entries,
        setting.paper_rows,
        setting.messages.of(session.id),
    ):
        whole = sorted(await rows.snapshot(ListQuery()))
        assert whole
        for sort in rows.sorts:
            for descending in (False, True):
                assert sorted(await rows.snapshot(ListQuery(sort=sort, descending=descending))) == whole
        for name, values in rows.facets.items():
            parts = [await rows.snapshot(ListQuery(where={name: value})) for value in values]
            if values:
                assert sorted(number for part in parts for number in part) == whole


async def test_sorting_by_salience_is_sorting_by_what_is_left(setting: Setting) -> None:
    if "salience" not in setting.records.sorts:
        return  # the fake sorts by less
    for n, tier in enumerate((*Tier, *Tier)):
        setting.clock.now += HALF_LIFE[Tier.WORKING] * n
        await setting.memory.remember(f"k{n}", n, tier, metadata={"title": f"t{n}"})
        await setting.memory.reinforce(f"k{n}", delta=(n % 3) - 1.0)
    recalled = await setting.memory.recall("", limit=100)
    saliences = [round(record.score or 0, 9) for record in recalled]
    listed = await titles(setting.records, ListQuery(sort="salience", descending=True))
    score = {record.title: round(record.score or 0, 9) for record in recalled}
    assert [score[title] for title in listed] == saliences


async def test_papers_are_narrowed_to_a_group_of_formats(setting: Setting) -> None:
    for n, format in enumerate(("pdf", "eml", "msg", "png")):
        paper, _ = await setting.papers.add(Artifact(f"{n:064}", 1, 0.0), format, "/")
        await setting.papers.finish(paper.id, Extracted("", format, [PassageDraft("text")]))
    mail = await setting.paper_rows.rows(await setting.paper_rows.snapshot(ListQuery(where={"group": "mail"})))
    assert {paper.name for paper in mail if paper is not None} == {"eml", "msg"}
    with pytest.raises(InvalidValue):
        await setting.paper_rows.snapshot(ListQuery(where={"group": "nonsense"}))


def test_every_format_that_is_read_has_a_group_and_words() -> None:
    named = {name for names in GROUPS.values() for name in names}
    assert {format for _reader, format in READERS.values()} <= named
    assert named <= set(MEDIA_TYPES) | {"ico"}
