"""ConsolidationPort: pairs that say the same, merged by a person's choice and taken back exactly."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from core.adapters.sqlite import alike as looking
from core.adapters.sqlite.consolidation import SqliteConsolidation
from core.adapters.sqlite.vectors import SqliteVectors
from core.domain.consolidation import MERGED_FROM, Choice, Pair, Side
from core.domain.memory import Record, Source
from core.domain.tiers import Tier
from core.errors import InvalidValue, NotFound, VersionConflict
from core.ports.consolidation import ConsolidationPort
from core.ports.embedding import ModelInfo
from tests.contracts.conftest import Setting, real
from tests.fakes.consolidation import FakeConsolidation
from tests.fakes.cutting import OnePassage
from tests.fakes.records import FakeRecords

MODEL = ModelInfo("test", 64, 256, "a" * 64)
NEAR, FAR = (1.0, 0.1), (0.0, 1.0)


@dataclass
class Desk:
    """A setting with the port under test."""

    setting: Setting
    port: ConsolidationPort

    async def put(self, key: str, text: str, means: Sequence[float] = (), namespace: str = "default") -> Record:
        """A memory; means: its vector, in its first dimensions."""
        record = await self.setting.memory.remember(
            key, text, Tier.WORKING, namespace, {"title": key.title(), "tags": [key, "Access"]}
        )
        if not means:
            return record
        vector = np.zeros((1, MODEL.dimension), np.float32)
        vector[0, : len(means)] = np.array(means) / np.linalg.norm(means)
        if isinstance(self.port, FakeConsolidation):
            self.port.vectors[record.id] = vector[0].tolist()
        else:
            database = self.setting.database
            assert database is not None
            sql = "SELECT id FROM passages WHERE owner = ?"
            rows = await database.read(lambda c: c.execute(sql, (record.id,)).fetchall())
            await SqliteVectors(database, MODEL).store([int(rows[0][0])], vector)
        return record

    async def pair(self) -> Pair:
        return (await self.port.pairs())[0]

    async def keys(self) -> list[set[str]]:
        return [{pair.left.key, pair.right.key} for pair in await self.port.pairs()]


@pytest.fixture
async def desk(setting: Setting) -> AsyncIterator[Desk]:
    if setting.database is None:
        assert isinstance(setting.memory, FakeRecords)
        yield Desk(setting, FakeConsolidation(setting.memory._shelf))
        return
    yield Desk(setting, SqliteConsolidation(setting.database, OnePassage()))
    await SqliteVectors(setting.database, replace(MODEL, digest="b" * 64)).prepare()  # they wait again, as is checked


async def test_the_same_words_are_a_pair_without_any_vector(desk: Desk) -> None:
    await desk.put("ramp", "The ramp is behind the house.")
    await desk.put("lift", "The lift is out of order.")
    await desk.put("slope", "the RAMP  is behind the house")
    pairs = await desk.port.pairs()
    assert [(pair.left.key, pair.right.key, pair.similarity, pair.same_words) for pair in pairs] == [
        ("ramp", "slope", 1.0, True)
    ]


async def test_what_means_the_same_is_a_pair_and_what_doesnt_is_none(desk: Desk) -> None:
    await desk.put("ramp", "The ramp is behind the house.", NEAR)
    await desk.put("lift", "Lunch is at noon.", FAR)
    await desk.put("slope", "Wheelchairs come in from behind.", NEAR)
    (pair,) = await desk.port.pairs()
    assert (pair.left.key, pair.right.key) == ("ramp", "slope")
    assert pair.similarity == pytest.approx(1.0, abs=0.01)
    assert not pair.same_words
    assert pair.differing() == (("the", "ramp", "is", "house"), ("wheelchairs", "come", "in", "from"))


async def test_each_pair_once_across_pieces_and_never_across_namespaces(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "PIECE", 2)
    for key in ("a", "b", "c"):
        await desk.put(key, f"Text {key}.", NEAR)
        await desk.put(key, f"Text {key}.", NEAR, "other")
    assert sorted(map(sorted, await desk.keys())) == [["a", "b"], ["a", "c"], ["b", "c"]]
    assert len(await desk.port.pairs("other")) == 3
    assert len(await desk.port.pairs("other", 2)) == 2
    assert await desk.port.pairs("third") == []
    for wrong in (0, 101):
        with pytest.raises(InvalidValue):
            await desk.port.pairs("default", wrong)


async def test_looking_merges_nothing_and_counts_as_no_access(desk: Desk) -> None:
    before = [await desk.put(key, "The same.") for key in ("a", "b")]
    heard = len(desk.setting.published)
    await desk.port.pairs()
    assert [await desk.setting.memory.get(record.key) for record in before] == before
    assert len(desk.setting.published) == heard


@pytest.mark.parametrize("side", list(Side))
async def test_the_kept_one_takes_over_what_the_other_adds(desk: Desk, side: Side) -> None:
    memory, clock = desk.setting.memory, desk.setting.clock
    paper = Source("paper", "p1", "List")
    await memory.remember("a", "Ring twice.", Tier.SEMANTIC, metadata={"tags": ["door"], "own": 1}, source=paper)
    clock.now += 60
    await desk.setting.another("assistant:desk").remember("b", "ring twice", Tier.WORKING, metadata={"tags": ["Bell"]})
    pair = await desk.pair()
    done = await desk.port.merge(pair, Choice(side))
    kept, gone = (pair.left, pair.right) if side is Side.LEFT else (pair.right, pair.left)
    after = await memory.get(kept.key)
    assert after == done.after
    assert await memory.get(gone.key) is None
    assert after.value == kept.value
    assert set(after.tags) == {"door", "Bell"}
    assert (after.tier, after.created_at, after.created_by) == (Tier.SEMANTIC, pair.left.created_at, "person")
    assert after.source == paper
    origins = after.metadata[MERGED_FROM]
    assert isinstance(origins, list)
    assert {origin["by"] for origin in origins} == {"person", "assistant:desk"}
    assert {"kind": "paper", "id": "p1"} in [origin.get("from") for origin in origins]
    versions = await desk.setting.book.versions(kept.key)
    assert [(v.version, v.value) for v in versions] == [(2, kept.value), (1, kept.value)]
    thing = await desk.setting.trash.find("record", gone.id)
    assert thing is not None
    assert thing.number == done.trashed
    assert await desk.port.pairs() == []


@pytest.mark.parametrize("choice", [Choice(Side.LEFT), Choice(Side.RIGHT), Choice(Side.LEFT, "Both in one.")])
async def test_undo_puts_both_back_exactly(desk: Desk, choice: Choice) -> None:
    memory, clock = desk.setting.memory, desk.setting.clock
    before = [await desk.put("a", "Ring twice."), await desk.put("b", "ring twice")]
    clock.now += 5
    before[1] = await memory.reinforce("b")
    texts = [await desk.setting.passages("record", record.id) for record in before]
    clock.now += 5
    done = await desk.port.merge(await desk.pair(), choice)
    assert done.after.value == (choice.text or done.before.value)
    clock.now += 5
    await desk.port.unmerge(done)
    after = [await memory.get(record.key) for record in before]
    assert [replace(record, version=1) for record in after if record] == before
    assert [await desk.setting.passages("record", record.id) for record in before] == texts
    assert len(await desk.setting.book.accesses("b")) == 1
    assert await desk.setting.trash.find("record", done.gone.id) is None
    assert await desk.keys() == [{"a", "b"}]


async def test_what_was_used_since_keeps_that_when_the_merge_is_undone(desk: Desk) -> None:
    await desk.put("a", "Same.")
    await desk.put("b", "Same.")
    done = await desk.port.merge(await desk.pair(), Choice(Side.LEFT))
    used = await desk.setting.memory.reinforce("a")
    await desk.port.unmerge(done)
    after = await desk.setting.memory.get("a")
    assert after is not None
    assert (after.access_count, after.salience) == (1, used.salience)


@pytest.mark.parametrize("changed", ["a", "b"])
@pytest.mark.parametrize("gone", [False, True])
async def test_what_changed_since_it_was_shown_is_not_merged(desk: Desk, changed: str, gone: bool) -> None:
    await desk.put("a", "Same.")
    await desk.put("b", "Same.")
    pair = await desk.pair()
    if gone:
        await desk.setting.memory.forget(changed)
    else:
        await desk.setting.another("assistant:desk").remember(changed, "Other.", Tier.WORKING)
    stood = [await desk.setting.memory.get(key) for key in ("a", "b")]
    with pytest.raises(VersionConflict):
        await desk.port.merge(pair, Choice(Side.LEFT))
    assert [await desk.setting.memory.get(key) for key in ("a", "b")] == stood


@pytest.mark.parametrize("what", ["kept changed", "key taken", "erased"])
async def test_an_undo_that_comes_too_late_changes_nothing(desk: Desk, what: str) -> None:
    await desk.put("a", "Same.")
    await desk.put("b", "Same.")
    done = await desk.port.merge(await desk.pair(), Choice(Side.LEFT))
    if what == "kept changed":
        await desk.put("a", "Other.")
    elif what == "key taken":
        await desk.put("b", "Other.")
    else:
        await desk.setting.trash.empty()
    stood = [await desk.setting.memory.get(key) for key in ("a", "b")]
    with pytest.raises(NotFound if what == "erased" else VersionConflict):
        await desk.port.unmerge(done)
    assert [await desk.setting.memory.get(key) for key in ("a", "b")] == stood


async def test_a_refused_pair_stays_refused_until_that_is_undone(desk: Desk) -> None:
    for key in ("a", "b"):
        await desk.put(key, "Same.")
    pair = await desk.pair()
    await desk.port.refuse(pair)
    await desk.port.refuse(pair)
    assert await desk.port.pairs() == []
    await desk.put("a", "same")  # written again it is still the same memory
    assert await desk.port.pairs() == []
    if desk.setting.database is not None:  # it outlasts the session
        assert await SqliteConsolidation(desk.setting.database, OnePassage()).pairs() == []
    await desk.port.unrefuse(pair)
    assert await desk.keys() == [{"a", "b"}]
    await desk.setting.memory.forget("b")
    with pytest.raises(NotFound):
        await desk.port.refuse(pair)


async def test_nothing_is_carried_into_another_workspace(desk: Desk, tmp_path: Path) -> None:
    for key in ("a", "b"):
        await desk.put(key, "Same.")
    pair = await desk.pair()
    (tmp_path / "other").mkdir()
    other = await real(tmp_path / "other", desk.setting.clock, [], None)
    assert other.database is not None
    there = SqliteConsolidation(other.database, OnePassage())
    try:
        with pytest.raises(VersionConflict):
            await there.merge(pair, Choice(Side.LEFT))
        with pytest.raises(NotFound):
            await there.refuse(pair)
        done = await desk.port.merge(pair, Choice(Side.LEFT))
        with pytest.raises(NotFound):
            await there.unmerge(done)
        assert await there.pairs() == []
        assert await other.records.count() == 0
    finally:
        await other.database.close()
