"""Whatever is done to conversations, in any order: taking it back, last first, restores what was there."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.conversations import Outcome, TakenIn, ToldConversation, Turn, as_session
from core.domain.memory import Role
from core.ports.conversations import ConversationPort
from core.ports.rows import ListQuery
from tests.contracts.conftest import Setting, check_whole, fake, real
from tests.fakes.store import SetClock

Undo = Callable[[], Awaitable[object]]
WORDS = ("ramp", "lift", "Größe", "key to the door", "")

act = st.tuples(
    st.sampled_from(["rename", "archive", "unarchive", "remove", "take"]),
    st.integers(0, 3),
    st.sampled_from(WORDS),
    st.integers(0, 4),
)


def told(number: int, count: int) -> ToldConversation:
    turns = (Turn(Role.USER, f"{WORDS[n % len(WORDS)]} {n}", 100.0 + n, f"m{number}-{n}") for n in range(count))
    return ToldConversation("Claude", f"c{number}", f"Talk {number}", 100.0, None, tuple(turns))


async def state(setting: Setting) -> dict[str, Any]:
    """Everything but the counts of writes."""
    rows = await setting.sessions.rows(await setting.sessions.snapshot(ListQuery()))
    found: dict[str, Any] = {}
    for session in rows:
        assert session is not None
        messages = await setting.conversations.messages(session.id, 1000)
        passages = await setting.passages("message", session.id)
        spots = await setting.conversations.find(session.id, "ramp")
        kept = (session.title, session.created_at, session.archived_at, session.messages, session.last_line)
        found[session.id] = (kept, messages, passages, spots)
    return found


async def taken_back(port: ConversationPort, taken: TakenIn) -> None:
    if taken.outcome in (Outcome.GROWN, Outcome.BACK):
        await port.drop(taken.session.id, taken.added)
    if taken.outcome in (Outcome.NEW, Outcome.BACK):
        await port.remove(taken.session.id)


async def done(setting: Setting, what: str, number: int, words: str, count: int) -> Undo | None:
    """Do it as the window does; answers what takes it back, None where nothing was done."""
    port = setting.conversations
    id = as_session(told(number, 0), 0.0)[0].id
    if what == "take":
        taken = await port.take(*as_session(told(number, count), setting.clock.now))
        return lambda: taken_back(port, taken)
    known = await port.get(id)
    if known is None:
        return None
    if what == "rename" and words:
        await port.rename(id, words)
        return lambda: port.rename(id, known.title)
    if what == "remove":
        await port.remove(id)
        return lambda: port.restore(id)
    if what in ("archive", "unarchive") and (known.archived_at is None) == (what == "archive"):
        await port.archive(id, what == "archive")
        return lambda: port.archive(id, what != "archive", known.archived_at)
    return None


async def played(setting: Setting, before: Sequence[tuple[str, int, str, int]], acts: Sequence[Any]) -> None:
    for what, number, words, count in before:
        await done(setting, what, number, words, count)
        setting.clock.now += 1
    states, undos = [], []
    for what, number, words, count in acts:
        states.append(await state(setting))
        undos.append(await done(setting, what, number, words, count))
        setting.clock.now += 1
    for undo, wanted in zip(reversed(undos), reversed(states), strict=True):
        if undo is not None:
            await undo()
        assert await state(setting) == wanted


@settings(max_examples=60)
@given(st.lists(act, max_size=6), st.lists(act, min_size=1, max_size=12))
def test_undo_restores_what_was_there_in_the_fake(before: list[Any], acts: list[Any]) -> None:
    asyncio.run(played(fake(Path("/nowhere"), SetClock(), []), before, acts))


@settings(max_examples=15)
@given(st.lists(act, max_size=6), st.lists(act, min_size=1, max_size=12))
def test_undo_restores_what_was_there_in_sqlite(tmp_path_factory: Any, before: list[Any], acts: list[Any]) -> None:
    folder = tmp_path_factory.mktemp("undo")

    async def run() -> None:
        setting = await real(folder, SetClock(), [], None)
        assert setting.database is not None
        try:
            await played(setting, before, acts)
        finally:
            await setting.database.close()

    asyncio.run(run())
    check_whole(folder / "workspace.db", None)
