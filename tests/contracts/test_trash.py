"""ForgottenPort: what is forgotten comes back exactly, or is erased."""

from dataclasses import replace

import pytest

from core.domain.changes import Operation
from core.domain.memory import Source
from core.domain.tiers import DAY, Tier
from core.domain.trash import KEPT
from core.errors import NotFound, VersionConflict
from core.ports.rows import ListQuery
from tests.contracts.conftest import Setting


async def number_of(setting: Setting, kind: str, id: str) -> int:
    thing = await setting.trash.find(kind, id)
    assert thing is not None
    return thing.number


async def left(setting: Setting, tables: tuple[str, ...] = ("versions", "accesses", "refusals", "trash")) -> list[int]:
    """How many rows the history tables hold; nothing to look at in the fakes."""
    if setting.database is None:
        return [0] * len(tables)
    counts = [f"(SELECT count(*) FROM {table})" for table in tables]
    row = await setting.database.read(lambda c: c.execute(f"SELECT {', '.join(counts)}").fetchone())
    return list(row or ())


async def test_a_forgotten_record_comes_back_exactly_with_its_history(setting: Setting) -> None:
    await setting.memory.remember("key", "first", Tier.WORKING, metadata={"title": "Tïtle", "tags": ["a"]})
    setting.clock.now += 5
    await setting.memory.reinforce("key", delta=1.5)
    source = Source("session", "s", "Call")
    await setting.another("assistant:Ada").remember("key", "nasopharynx", Tier.EPISODIC, source=source)
    await setting.book.refuse("key")
    read = await setting.memory.get("key")
    assert read is not None
    record = await setting.book.edit(replace(read, pinned=True, metadata={"tags": ["b"]}), read.version)
    versions, accesses = await setting.book.versions("key"), await setting.book.accesses("key")
    (row,) = await setting.records.snapshot(ListQuery())
    await setting.memory.forget("key")
    assert await setting.memory.recall("nasopharynx") == []
    assert await setting.book.tags() == []
    setting.clock.now += DAY

    thing = await setting.trash.restore(await number_of(setting, "record", record.id))
    assert (thing.kind, thing.id, thing.title, thing.preview) == ("record", record.id, "key", "nasopharynx")
    assert await setting.memory.get("key") == record
    assert await setting.book.versions("key") == versions
    assert await setting.book.accesses("key") == accesses
    assert list(await setting.records.snapshot(ListQuery())) == [row]
    assert [found.key for found in await setting.memory.recall("nasopharynx", tags=["b"])] == ["key"]
    assert await setting.passages("record", record.id) in (["nasopharynx"], None)
    assert await setting.trash.find("record", record.id) is None
    assert list(await setting.trashed.snapshot(ListQuery())) == []
    change = (await setting.changes.of("record", record.id, 1))[0]
    assert (change.operation, change.version) == (Operation.CREATED, record.version)
    assert setting.published[-1].kind in ("record", "trash")


async def test_what_stands_in_its_place_stays_and_so_does_what_lies_in_the_trash(setting: Setting) -> None:
    old = await setting.memory.remember("key", "old", Tier.WORKING)
    await setting.memory.forget("key")
    new = await setting.memory.remember("key", "new", Tier.WORKING)
    number = await number_of(setting, "record", old.id)
    with pytest.raises(VersionConflict) as caught:
        await setting.trash.restore(number)
    assert caught.value.present == new
    assert caught.value.wanted == old
    assert await setting.memory.get("key") == new
    assert await setting.trash.find("record", old.id) is not None
    await setting.memory.forget("key")
    assert await number_of(setting, "record", old.id) != number  # the newest is found first
    await setting.trash.restore(number)
    assert await setting.memory.get("key") == old


async def test_a_shared_entry_comes_back_exactly(setting: Setting) -> None:
    await setting.shared.set("key", 1)
    entry = await setting.shared.set("key", 2, {"m": 3})
    versions = await setting.shared.versions("key")
    assert await setting.shared.delete("key")
    assert await setting.passages("shared", "key") in ([], None)
    setting.clock.now += 50
    thing = await setting.trash.restore(await number_of(setting, "shared", "key"))
    assert (thing.kind, thing.title, thing.preview) == ("shared", "key", "2")
    assert await setting.shared.get("key") == entry
    assert await setting.shared.versions("key") == versions
    await setting.shared.delete("key")
    await setting.shared.set("key", "again")
    with pytest.raises(VersionConflict):
        await setting.trash.restore(await number_of(setting, "shared", "key"))


async def test_a_namespace_is_forgotten_into_the_trash(setting: Setting) -> None:
    for n in range(3):
        await setting.memory.remember(f"k{n}", "word", Tier.WORKING, "one")
    assert await setting.memory.forget_all("one") == 3
    numbers = list(await setting.trashed.snapshot(ListQuery(where={"kind": "record"})))
    assert len(numbers) == 3
    for number in numbers:
        await setting.trash.restore(number)
    assert len(await setting.memory.recall("word", namespace="one")) == 3


async def test_the_list_of_the_trash(setting: Setting) -> None:
    await setting.memory.remember("a", "x" * 2000, Tier.WORKING, metadata={"title": "Ärzte"})
    await setting.shared.set("b", 1)
    await setting.memory.forget("a")
    setting.clock.now += 60
    await setting.shared.delete("b")
    numbers = await setting.trashed.snapshot(ListQuery())
    things = [thing for thing in await setting.trashed.rows(numbers) if thing is not None]
    assert [(thing.kind, thing.title) for thing in things] == [("shared", "b"), ("record", "Ärzte")]
    assert [thing.removed_by for thing in things] == ["person", "person"]
    assert things[0].erased_at == setting.clock.now + KEPT
    assert len(things[1].preview) == 500
    assert await setting.trash.oldest() == setting.clock.now - 60
    assert len(await setting.trashed.snapshot(ListQuery(text="arzte"))) == 1
    assert len(await setting.trashed.snapshot(ListQuery(where={"kind": "shared"}))) == 1


async def test_erasing_takes_the_history_along(setting: Setting) -> None:
    for key in ("a", "b", "c"):
        await setting.memory.remember(key, 1, Tier.WORKING)
        await setting.memory.remember(key, 2, Tier.WORKING)
        await setting.memory.reinforce(key)
        await setting.book.refuse(key)
    await setting.shared.set("s", 1)
    await setting.shared.set("s", 2)
    await setting.memory.forget("a")
    await setting.memory.forget("b")
    await setting.shared.delete("s")
    number = await number_of(setting, "record", "7:default:a")
    assert await setting.trash.erase([number, number + 1000]) == 1
    with pytest.raises(NotFound):
        await setting.trash.restore(number)
    assert await setting.trash.find("record", "7:default:b") is not None
    assert await setting.trash.empty() == 2
    assert await setting.trash.oldest() is None
    assert await setting.trash.empty() == 0
    assert await left(setting) in ([1, 1, 1, 0], [0, 0, 0, 0])  # those of "c", which was never forgotten
    assert len(await setting.book.versions("c")) == 2


async def test_the_oldest_are_erased_first(setting: Setting) -> None:
    for n in range(5):
        await setting.memory.remember(f"k{n}", n, Tier.WORKING)
        await setting.memory.forget(f"k{n}")
        setting.clock.now += DAY
    start = setting.clock.now - 5 * DAY
    assert await setting.trash.erase_until(start - 1) == 0
    assert await setting.trash.erase_until(start + 2 * DAY, limit=2) == 2
    assert await setting.trash.erase_until(start + 2 * DAY, limit=2) == 1
    assert await setting.trash.find("record", "7:default:k2") is None
    assert await setting.trash.find("record", "7:default:k3") is not None
    assert setting.published[-1].kind == "trash"


async def test_what_is_not_there_can_not_be_restored(setting: Setting) -> None:
    with pytest.raises(NotFound, match="not in the trash"):
        await setting.trash.restore(1)
    assert await setting.trash.find("record", "7:default:x") is None
