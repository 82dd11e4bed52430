"""Whatever is done to memories, shared entries and conversations: taken back in reverse, everything is as it was."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.memory import Role
from core.domain.tiers import Tier
from core.errors import InvalidValue
from tests.core.erasure.office import Office, opened
from tests.fakes.store import SetClock

Undo = Callable[[], Awaitable[object]]
KEYS = st.sampled_from(["a", "b", "c"])
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)
VALUES = st.one_of(TEXTS, st.integers(-5, 5), st.lists(TEXTS, max_size=3), st.dictionaries(TEXTS, TEXTS, max_size=2))
METADATA = st.fixed_dictionaries({}, optional={"title": TEXTS, "tags": st.lists(TEXTS, max_size=3), "x": VALUES})
STEPS = st.one_of(
    st.tuples(st.just("remember"), KEYS, VALUES, st.sampled_from(Tier), METADATA),
    st.tuples(st.just("edit"), KEYS, VALUES, st.sampled_from(Tier), METADATA),
    st.tuples(st.just("pin"), KEYS, st.booleans()),
    st.tuples(st.just("reinforce"), KEYS, st.floats(-3, 3)),
    st.tuples(st.just("forget"), KEYS),
    st.tuples(st.just("restore"), st.sampled_from(["record", "shared"]), KEYS),
    st.tuples(st.just("set"), KEYS, VALUES),
    st.tuples(st.just("delete"), KEYS),
    st.tuples(st.just("rename"), st.sampled_from(["s", "t"]), st.sampled_from(["Call", "Änderung", "third"])),
    st.tuples(st.just("remove"), st.sampled_from(["s", "t"])),
    st.tuples(st.just("archive"), st.sampled_from(["s", "t"])),
)

# What a person can see. Versions only ever rise, and what was added and taken back lies in the trash.
STATE = {
    "records": "SELECT namespace, key, tier, value, metadata, title_folded, salience, freshness, access_count,"
    " created_at, updated_at, last_accessed_at, pinned, created_by, updated_by, source FROM records",
    "tags": "SELECT r.key, t.folded, t.tag FROM record_tags t JOIN records r ON r.number = t.record",
    "uses": "SELECT r.key, a.kind, a.actor, a.salience, a.question FROM accesses a"
    " JOIN records r ON r.number = a.record",
    "shared": "SELECT key, key_folded, value, metadata, type, updated_at, updated_by FROM shared",
    "sessions": "SELECT id, title, title_folded, created_at, updated_at, messages, archived_at, last_line"
    " FROM sessions",
    "messages": "SELECT id, position, role, content, at, metadata FROM messages",
    "passages": "SELECT p.kind, p.owner, p.ordinal, p.at, t.title, t.heading, t.text, t.extra"
    " FROM passages p JOIN passage_texts t ON t.id = p.id",
    "words": "SELECT word, passages FROM vocabulary",
}


async def state(office: Office) -> dict[str, list[Any]]:
    def read(connection: Any) -> dict[str, list[Any]]:
        return {name: sorted(connection.execute(sql).fetchall(), key=repr) for name, sql in STATE.items()}

    return await office.database.read(read)


async def do(office: Office, step: tuple[Any, ...]) -> Undo | None:
    """Do it; answers what takes it back, None where there was nothing to do."""
    act, key, *rest = step
    return await ACTS[act](office, key, *rest)


async def remember(office: Office, key: str, value: Any, tier: Tier, metadata: dict[str, Any]) -> Undo:
    before = await office.memory.get(key)
    after = await office.memory.remember(key, value, tier, metadata=metadata)
    if before is None:
        return lambda: office.memory.forget(key)
    return lambda: office.book.undo_edit(before, after)


async def edit(office: Office, key: str, value: Any, tier: Tier, metadata: dict[str, Any]) -> Undo | None:
    before = await office.memory.get(key)
    if before is None:
        return None
    after = await office.book.edit(replace(before, value=value, tier=tier, metadata=metadata), before.version)
    return lambda: office.book.undo_edit(before, after)


async def pin(office: Office, key: str, pinned: bool) -> Undo | None:
    before = await office.memory.get(key)
    if before is None:
        return None
    after = await office.book.edit(replace(before, pinned=pinned), before.version)
    return lambda: office.book.undo_edit(before, after)


async def reinforce(office: Office, key: str, delta: float) -> Undo | None:
    before = await office.memory.get(key)
    if before is None:
        return None
    after = await office.memory.reinforce(key, delta=delta)
    return lambda: office.book.undo_access(before, after)


async def forget(office: Office, key: str) -> Undo | None:
    return (lambda: put_back(office, "record", key)) if await office.memory.forget(key) else None


async def put_back(office: Office, kind: str, key: str) -> None:
    thing = await office.trash.find(kind, f"7:default:{key}" if kind == "record" else key)
    assert thing is not None
    await office.trash.restore(thing.number)


async def restore(office: Office, kind: str, key: str) -> Undo | None:
    thing = await office.trash.find(kind, f"7:default:{key}" if kind == "record" else key)
    there = await (office.memory.get(key) if kind == "record" else office.shared.get(key))
    if thing is None or there is not None:
        return None
    await office.trash.restore(thing.number)
    return lambda: office.memory.forget(key) if kind == "record" else office.shared.delete(key)


async def set_shared(office: Office, key: str, value: Any) -> Undo | None:
    before = await office.shared.get(key)
    try:
        after = await office.shared.set(key, value)
    except InvalidValue:  # of another type than it has
        return None
    if before is None:
        return lambda: office.shared.delete(key)
    return lambda: office.shared.undo_edit(before, after)


async def delete(office: Office, key: str) -> Undo | None:
    return (lambda: put_back(office, "shared", key)) if await office.shared.delete(key) else None


async def rename(office: Office, id: str, title: str) -> Undo | None:
    before = await office.conversations.get(id)
    if before is None:
        return None
    await office.conversations.rename(id, title)
    return lambda: office.conversations.rename(id, before.title)


async def remove(office: Office, id: str) -> Undo | None:
    return (lambda: office.conversations.restore(id)) if await office.conversations.remove(id) else None


async def archive(office: Office, id: str) -> Undo | None:
    before = await office.conversations.get(id)
    if before is None or before.archived_at is not None:
        return None
    await office.conversations.archive(id)
    return lambda: office.conversations.archive(id, archived=False)


ACTS: dict[str, Callable[..., Awaitable[Undo | None]]] = {
    "remember": remember, "edit": edit, "pin": pin, "reinforce": reinforce, "forget": forget, "restore": restore,
    "set": set_shared, "delete": delete, "rename": rename, "remove": remove, "archive": archive,
}  # fmt: skip


async def run(folder: Path, before: list[tuple[Any, ...]], steps: list[tuple[Any, ...]]) -> None:
    clock = SetClock()
    office = await opened(folder / "north", clock)
    try:
        for id in ("s", "t"):
            await office.conversations.begin("Call", session=id)
            await office.conversations.add(id, Role.USER, "What time do you open")
            await office.conversations.add(id, Role.ASSISTANT, "At nine")
        for step in before:
            clock.now += 7
            await do(office, step)
        was = await state(office)
        undos: list[Undo] = []
        for step in steps:
            clock.now += 7
            if (undo := await do(office, step)) is not None:
                undos.append(undo)
        for undo in reversed(undos):
            clock.now += 7
            await undo()
        assert await state(office) == was
    finally:
        await office.close()


@settings(max_examples=40, deadline=None)
@given(before=st.lists(STEPS, max_size=6), steps=st.lists(STEPS, min_size=1, max_size=10))
def test_taking_back_in_reverse_restores_everything(before: list[Any], steps: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder), before, steps))
