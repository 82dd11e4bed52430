"""RecordBookPort: edits, undo, versions, accesses, proposals."""

import asyncio
from dataclasses import replace
from itertools import pairwise

import pytest

from core.domain.changes import Operation
from core.domain.history import KEPT_ACCESSES, KEPT_VERSIONS, OFTEN, AccessKind
from core.domain.memory import Json, Record, Source
from core.domain.tiers import DAY, Tier
from core.errors import InvalidValue, NotFound, VersionConflict
from core.ports.rows import ListQuery
from tests.contracts.conftest import Setting


async def there(setting: Setting, key: str, namespace: str = "default") -> Record:
    record = await setting.memory.get(key, namespace)
    assert record is not None
    return record


# ---- edits ----------------------------------------------------------------------------------------------------------


async def test_an_edit_changes_what_people_may_change_and_nothing_else(setting: Setting) -> None:
    source = Source("session", "s1", "Telephone")
    await setting.another("assistant:Ada").remember("key", "old words", Tier.WORKING, source=source)
    setting.clock.now += 5
    read = await setting.memory.reinforce("key", delta=0.5)
    setting.clock.now += 5
    wanted = replace(
        read, value={"a": [1]}, tier=Tier.SEMANTIC, metadata={"title": "T", "tags": ["x"]}, pinned=True,
        salience=9.0, access_count=99, created_at=0.0, created_by="nobody", source=None,
    )  # fmt: skip
    edited = await setting.book.edit(wanted, read.version)
    assert edited == replace(
        read, value={"a": [1]}, tier=Tier.SEMANTIC, metadata={"title": "T", "tags": ["x"]}, pinned=True,
        version=2, updated_at=setting.clock.now, updated_by="person",
    )  # fmt: skip
    assert (edited.created_by, edited.source) == ("assistant:Ada", source)
    assert edited == await there(setting, "key")
    assert await setting.memory.recall("words") == []
    assert len(await setting.memory.recall("T", tags=["X"])) == 1


async def test_an_edit_of_what_was_changed_meanwhile_carries_both(setting: Setting) -> None:
    read = await setting.memory.remember("key", "first", Tier.WORKING)
    theirs = await setting.another("assistant:Ada").remember("key", "theirs", Tier.WORKING)
    before = await setting.changes.latest()
    mine = replace(read, value="mine")
    with pytest.raises(VersionConflict) as caught:
        await setting.book.edit(mine, read.version)
    assert caught.value.present == theirs
    assert isinstance(caught.value.wanted, Record)
    assert caught.value.wanted.value == "mine"
    assert await there(setting, "key") == theirs
    assert await setting.changes.latest() == before
    assert (await setting.book.edit(mine, theirs.version)).value == "mine"
    assert (await setting.book.edit(replace(mine, value="mine again"), None)).version == 4


async def test_an_access_is_no_conflict(setting: Setting) -> None:
    read = await setting.memory.remember("key", "word", Tier.WORKING)
    await setting.memory.reinforce("key")
    await setting.another("assistant:Ada").recall("word", learn=True)
    edited = await setting.book.edit(replace(read, value="new"), read.version)
    assert (edited.access_count, edited.version) == (2, 2)


async def test_an_edit_of_what_was_forgotten_meanwhile(setting: Setting) -> None:
    read = await setting.memory.remember("key", 1, Tier.WORKING)
    await setting.memory.forget("key")
    with pytest.raises(VersionConflict) as caught:
        await setting.book.edit(replace(read, value=2), read.version)
    assert caught.value.present is None
    with pytest.raises(NotFound):
        await setting.book.edit(replace(read, value=2), None)


async def test_an_edit_that_changes_nothing_writes_nothing(setting: Setting) -> None:
    read = await setting.memory.remember("key", {"a": 1}, Tier.WORKING)
    before = await setting.changes.latest()
    setting.clock.now += 1
    assert await setting.book.edit(read, read.version) == read
    assert await setting.changes.latest() == before
    edited = await setting.book.edit(replace(read, value={"a": True}), read.version)  # equal to Python, not to people
    assert edited.version == 2


async def test_of_many_edits_of_one_version_one_is_written(setting: Setting) -> None:
    read = await setting.memory.remember("key", 0, Tier.WORKING)
    tried = await asyncio.gather(
        *(setting.book.edit(replace(read, value=n + 1), read.version) for n in range(25)), return_exceptions=True
    )
    written = [each for each in tried if isinstance(each, Record)]
    assert len(written) == 1
    assert sum(isinstance(each, VersionConflict) for each in tried) == 24
    assert await there(setting, "key") == written[0]


async def test_a_record_is_taken_in_exactly(setting: Setting) -> None:
    given = Record(
        "office", "k", ["v"], Tier.EPISODIC, {"title": "T", "tags": ["old"]}, 0.25, 7, 10.0, 20.0, 30.0, True, 12,
        "assistant:Ada", "import", Source("import", "", "notes.csv"),
    )  # fmt: skip
    assert await setting.book.take(given) == given == await setting.memory.get("k", "office")
    assert [found.key for found in await setting.memory.recall("", namespace="office", tags=["OLD"])] == ["k"]
    with pytest.raises(VersionConflict) as caught:
        await setting.book.take(replace(given, value=2))
    assert caught.value.present == given


# ---- undo -----------------------------------------------------------------------------------------------------------


async def test_undoing_an_edit_restores_what_was_written(setting: Setting) -> None:
    read = await setting.memory.remember("key", "nasopharynx", Tier.EPISODIC, metadata={"tags": ["a"]})
    setting.clock.now += 9
    edited = await setting.book.edit(replace(read, value="larynx", tier=Tier.WORKING, metadata={}), read.version)
    used = await setting.memory.reinforce("key")  # meanwhile, by somebody else
    undone = await setting.book.undo_edit(read, edited)
    assert undone == replace(
        read, version=3, salience=used.salience, access_count=1, last_accessed_at=used.last_accessed_at
    )
    assert undone == await there(setting, "key")
    assert await setting.memory.recall("larynx") == []
    assert len(await setting.memory.recall("nasopharynx", tags=["a"])) == 1
    redone = await setting.book.undo_edit(edited, undone)
    assert (redone.value, redone.updated_at, redone.version) == ("larynx", edited.updated_at, 4)


async def test_undoing_one_edit_after_another(setting: Setting) -> None:
    states = [await setting.memory.remember("key", 0, Tier.WORKING)]
    for n in range(1, 5):
        setting.clock.now += 1
        states.append(await setting.book.edit(replace(states[-1], value=n), None))
    for before, after in reversed(list(pairwise(states))):
        undone = await setting.book.undo_edit(before, after)
        assert replace(undone, version=0) == replace(before, version=0)
    for before, after in pairwise(states):
        redone = await setting.book.undo_edit(after, before)
        assert replace(redone, version=0) == replace(after, version=0)


async def test_undoing_what_was_changed_again_is_refused(setting: Setting) -> None:
    read = await setting.memory.remember("key", 1, Tier.WORKING)
    edited = await setting.book.edit(replace(read, value=2), read.version)
    again = await setting.memory.remember("key", 3, Tier.WORKING)
    with pytest.raises(VersionConflict) as caught:
        await setting.book.undo_edit(read, edited)
    assert caught.value.present == again
    await setting.memory.forget("key")
    with pytest.raises(VersionConflict):
        await setting.book.undo_edit(read, edited)


async def test_undoing_an_access_restores_salience_and_history(setting: Setting) -> None:
    await setting.memory.remember("key", 1, Tier.WORKING)
    before = await setting.memory.reinforce("key", delta=0.5)
    history = await setting.book.accesses("key")
    setting.clock.now += DAY
    after = await setting.memory.reinforce("key", delta=1.0)
    assert await setting.book.undo_access(before, after) == before == await there(setting, "key")
    assert await setting.book.accesses("key") == history
    again = await setting.book.undo_access(after, before)
    assert again == after
    assert len(await setting.book.accesses("key")) == 2
    await setting.memory.reinforce("key")
    with pytest.raises(VersionConflict):
        await setting.book.undo_access(before, after)


# ---- versions -------------------------------------------------------------------------------------------------------


async def test_every_write_keeps_the_former_version(setting: Setting) -> None:
    source = Source("paper", "p1", "Leaflet.pdf")
    first = await setting.another("assistant:Ada").remember("key", {"n": 1}, Tier.WORKING, metadata={"title": "A"})
    setting.clock.now += 10
    second = await setting.memory.remember("key", [2], Tier.SEMANTIC, source=source)
    setting.clock.now += 10
    await setting.memory.reinforce("key")
    third = await setting.book.edit(replace(second, value=3, pinned=True), second.version)
    versions = await setting.book.versions("key")
    assert [(v.version, v.value, v.tier, v.pinned, v.at, v.by, v.present) for v in versions] == [
        (3, 3, Tier.SEMANTIC, True, third.updated_at, "person", True),
        (2, [2], Tier.SEMANTIC, False, second.updated_at, "person", False),
        (1, {"n": 1}, Tier.WORKING, False, first.updated_at, "assistant:Ada", False),
    ]
    assert [v.source for v in versions] == [source, source, None]
    assert versions[2].metadata == {"title": "A"}
    assert await setting.book.versions("key", limit=2) == versions[:2]
    assert await setting.book.versions("other") == []


async def test_a_former_version_is_written_anew(setting: Setting) -> None:
    first = await setting.memory.remember("key", "nasopharynx", Tier.EPISODIC, metadata={"title": "T", "tags": ["a"]})
    await setting.memory.remember("key", "larynx", Tier.WORKING)
    setting.clock.now += 5
    restored = await setting.book.restore_version("key", version=1, expected=2)
    assert (restored.value, restored.tier, restored.metadata) == (first.value, first.tier, first.metadata)
    assert (restored.version, restored.updated_at, restored.updated_by) == (3, setting.clock.now, "person")
    assert len(await setting.memory.recall("nasopharynx", tags=["A"])) == 1
    assert await setting.memory.recall("larynx") == []
    assert [v.version for v in await setting.book.versions("key")] == [3, 2, 1]
    with pytest.raises(VersionConflict):
        await setting.book.restore_version("key", version=1, expected=2)
    with pytest.raises(NotFound):
        await setting.book.restore_version("key", version=9)
    with pytest.raises(NotFound):
        await setting.book.restore_version("nothing", version=1)


async def test_a_key_that_is_remembered_again_begins_a_history_of_its_own(setting: Setting) -> None:
    for n in range(3):
        await setting.memory.remember("key", n, Tier.WORKING)
    await setting.memory.reinforce("key")
    await setting.memory.forget("key")
    await setting.memory.remember("key", "new", Tier.WORKING)
    assert [v.value for v in await setting.book.versions("key")] == ["new"]
    assert await setting.book.accesses("key") == []


async def test_the_oldest_versions_are_let_go(setting: Setting) -> None:
    for n in range(KEPT_VERSIONS + 5):
        await setting.memory.remember("key", n, Tier.WORKING)
    versions = await setting.book.versions("key", limit=KEPT_VERSIONS)
    assert [v.version for v in versions] == list(range(KEPT_VERSIONS + 5, 5, -1))
    with pytest.raises(NotFound):
        await setting.book.restore_version("key", version=4)
    for limit in (0, KEPT_VERSIONS + 1):
        with pytest.raises(InvalidValue):
            await setting.book.versions("key", limit=limit)


# ---- accesses -------------------------------------------------------------------------------------------------------


async def test_accesses_say_who_used_it_when_and_for_what(setting: Setting) -> None:
    await setting.memory.remember("key", "opening hours of the clinic", Tier.SEMANTIC)
    await setting.memory.remember("other", "opening of the wine", Tier.SEMANTIC, "cellar")
    setting.clock.now += 10
    found = await setting.another("assistant:Ada").recall("When do we\nopen the  clinic?", learn=True)
    setting.clock.now += 10
    await setting.memory.reinforce("key", delta=0.5)
    await setting.memory.recall("clinic")
    now = setting.clock.now
    assert [(a.kind, a.at, a.by, a.salience, a.question) for a in await setting.book.accesses("key")] == [
        (AccessKind.REINFORCED, now, "person", 1.5, ""),
        (AccessKind.RECALLED, now - 10, "assistant:Ada", 1.0, "When do we open the clinic?"),
    ]
    assert [record.access_count for record in found] == [0]  # as it was before
    record = await there(setting, "key")
    assert (record.access_count, record.version, record.last_accessed_at) == (2, 1, now)
    assert await setting.book.accesses("other", "cellar") == []
    assert await setting.book.accesses("missing") == []


async def test_learning_restores_what_has_faded(setting: Setting) -> None:
    await setting.memory.remember("key", "word", Tier.WORKING)
    setting.clock.now += 3 * DAY
    faded = (await setting.memory.recall("word", learn=True))[0]
    fresh = (await setting.memory.recall("word"))[0]
    assert faded.why is not None
    assert fresh.why is not None
    assert faded.why.salience < 0.1
    assert fresh.why.salience == 1.0
    change = (await setting.changes.of("record", fresh.id, 1))[0]
    assert (change.operation, change.version) == (Operation.UPDATED, 1)


async def test_the_history_of_accesses_is_bounded(setting: Setting) -> None:
    await setting.memory.remember("key", 1, Tier.WORKING)
    for _ in range(KEPT_ACCESSES + 20):
        await setting.memory.reinforce("key")
    assert len(await setting.book.accesses("key")) == KEPT_ACCESSES
    assert (await there(setting, "key")).access_count == KEPT_ACCESSES + 20


# ---- tags, namespaces, proposals ------------------------------------------------------------------------------------


async def test_tags_and_namespaces_are_counted(setting: Setting) -> None:
    rows: list[tuple[str, str, Json]] = [
        ("a", "one", ["Teeth", "Ärzte"]), ("b", "one", ["teeth", "teeth"]), ("c", "two", ["TEETH", "x"]),
        ("d", "two", "no list"), ("e", "two", [1, "", "  "]),
    ]  # fmt: skip
    for key, namespace, tags in rows:
        await setting.memory.remember(key, 1, Tier.WORKING, namespace, {"tags": tags})
    assert [(tag.lower(), count) for tag, count in await setting.book.tags()] == [
        ("teeth", 3), ("1", 1), ("ärzte", 1), ("x", 1),
    ]  # fmt: skip
    assert [(tag.lower(), count) for tag, count in await setting.book.tags("one")] == [("teeth", 2), ("ärzte", 1)]
    assert await setting.book.namespaces() == [("one", 2), ("two", 3)]
    await setting.memory.forget_all("two")
    assert [(tag.lower(), count) for tag, count in await setting.book.tags()] == [("teeth", 2), ("ärzte", 1)]


async def test_writers_are_counted(setting: Setting) -> None:
    assert await setting.book.writers() == []
    other = setting.another("assistant:desk")
    for key, memory in (("a", setting.memory), ("b", other), ("c", other)):
        await memory.remember(key, 1, Tier.SEMANTIC)
    assert await setting.book.writers() == [("assistant:desk", 2), ("person", 1)]
    await setting.memory.remember("b", 2, Tier.SEMANTIC)
    await other.forget("c")
    assert await setting.book.writers() == [("person", 2)]


async def test_what_is_used_often_is_proposed_and_never_promoted_by_itself(setting: Setting) -> None:
    for key, tier, uses in (("often", Tier.WORKING, OFTEN), ("seldom", Tier.WORKING, OFTEN - 1)):
        await setting.memory.remember(key, "word", tier)
        for _ in range(uses):
            await setting.memory.reinforce(key)
    await setting.memory.remember("event", "word", Tier.EPISODIC)
    for _ in range(3 * OFTEN):
        await setting.memory.reinforce("event")
    (proposal,) = await setting.book.proposals()
    assert (proposal.record.key, proposal.to) == ("often", Tier.SEMANTIC)
    assert (await there(setting, "often")).tier is Tier.WORKING
    record = proposal.record
    accepted = await setting.book.edit(replace(record, tier=proposal.to), record.version)
    assert (accepted.tier, accepted.salience, accepted.access_count) == (Tier.SEMANTIC, record.salience, OFTEN)
    assert await setting.book.proposals() == []


async def test_a_refused_proposal_comes_again_after_as_many_uses(setting: Setting) -> None:
    await setting.memory.remember("key", 1, Tier.WORKING)
    for _ in range(OFTEN):
        await setting.memory.reinforce("key")
    await setting.book.refuse("key")
    assert setting.published[-1].ids == ("7:default:key",)
    for _ in range(OFTEN - 1):
        await setting.memory.reinforce("key")
        assert await setting.book.proposals() == []
    await setting.memory.reinforce("key")
    assert len(await setting.book.proposals()) == 1
    await setting.book.refuse("key")
    assert await setting.book.proposals() == []
    await setting.book.unrefuse("key")
    assert len(await setting.book.proposals()) == 1
    for act in (setting.book.refuse, setting.book.unrefuse):
        with pytest.raises(NotFound):
            await act("missing")


async def test_lists_are_narrowed_by_tag_and_writer(setting: Setting) -> None:
    if "tag" not in setting.records.facets:
        return  # the fake narrows by less
    await setting.memory.remember("a", 1, Tier.WORKING, metadata={"tags": ["Ärzte"]})
    await setting.another("assistant:Ada").remember("b", 1, Tier.WORKING, metadata={"tags": ["other"]})
    for where, count in (({"tag": "arzte"}, 1), ({"tag": "none"}, 0), ({"by": "assistant:Ada"}, 1)):
        assert len(await setting.records.snapshot(ListQuery(where=where))) == count
