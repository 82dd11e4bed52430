"""ConversationPort and MessageRows."""

import asyncio

import pytest

from core.domain.changes import Operation
from core.domain.conversations import Outcome, ToldConversation, Turn, as_session
from core.domain.memory import Role, Session
from core.errors import InvalidValue, NotFound, UserError, VersionConflict
from core.ports.rows import ListQuery
from tests.contracts.conftest import Setting


async def begun(setting: Setting, *contents: str) -> Session:
    session = await setting.conversations.begin("Recall letters")
    for content in contents:
        setting.clock.now += 1
        await setting.conversations.add(session.id, Role.USER, content)
    now = await setting.conversations.get(session.id)
    assert now is not None
    return now


async def contents(setting: Setting, session: Session, **limits: int) -> list[str]:
    return [message.content for message in await setting.conversations.messages(session.id, **limits)]


async def test_a_session_is_begun_once(setting: Setting) -> None:
    session = await setting.conversations.begin("  A title \n on lines ", "chat-1")
    assert session == Session("chat-1", "A title on lines", setting.clock.now, setting.clock.now, 0)
    assert (
        await setting.conversations.begin("another", "chat-1") == session == await setting.conversations.get("chat-1")
    )
    assert await setting.conversations.get("chat-2") is None
    assert (await setting.conversations.begin("x")).id != (await setting.conversations.begin("x")).id
    for bad in ("", "a/b", "a\0"):
        with pytest.raises(InvalidValue):
            await setting.conversations.begin("x", bad)


async def test_messages_keep_order_role_time_and_metadata(setting: Setting) -> None:
    session = await begun(setting)
    written = [
        await setting.conversations.add(session.id, role, f"said by {role}", at, {"n": [n]})
        for n, (role, at) in enumerate(zip(Role, (5.5, None, 1.0, 0.0), strict=True))
    ]
    assert await setting.conversations.messages(session.id) == written
    assert [message.position for message in written] == [0, 1, 2, 3]
    assert [message.at for message in written] == [5.5, setting.clock.now, 1.0, 0.0]
    assert [message.role for message in written] == list(Role)
    assert written[3].metadata == {"n": [3]}


async def test_the_newest_messages_are_read_page_by_page(setting: Setting) -> None:
    session = await begun(setting, *"abcdefg")
    assert await contents(setting, session, limit=3) == ["e", "f", "g"]
    assert await contents(setting, session, limit=3, before=4) == ["b", "c", "d"]
    assert await contents(setting, session, limit=3, before=1) == ["a"]
    assert await contents(setting, session, before=0) == []
    for limit in (0, 1001):
        with pytest.raises(InvalidValue):
            await setting.conversations.messages(session.id, limit)


async def test_a_session_tells_how_it_stands(setting: Setting) -> None:
    session = await begun(setting, "first", "second line\n  and more " + "x" * 500)
    assert session.messages == 2
    assert session.updated_at == setting.clock.now
    assert session.version == 3
    assert session.last_line.startswith("second line and more xxx")
    assert len(session.last_line) <= 160


async def test_an_unknown_session_is_an_error_and_not_an_empty_answer(setting: Setting) -> None:
    for call in (
        lambda: setting.conversations.messages("missing"),
        lambda: setting.conversations.add("missing", Role.USER, "x"),
        lambda: setting.conversations.clear("missing"),
        lambda: setting.conversations.archive("missing"),
    ):
        with pytest.raises(NotFound):
            await call()
    assert not await setting.conversations.remove("missing")


async def test_clearing_removes_the_messages_alone(setting: Setting) -> None:
    session = await begun(setting, "about amalgam", "about ceramics")
    other = await begun(setting, "about amalgam too")
    assert await setting.conversations.clear(session.id) == 2
    assert await setting.conversations.clear(session.id) == 0
    assert await contents(setting, session) == []
    assert await setting.passages("message", session.id) in ([], None)
    assert await contents(setting, other) == ["about amalgam too"]
    await setting.conversations.add(session.id, Role.USER, "again")
    assert [message.position for message in await setting.conversations.messages(session.id)] == [0]


async def test_archiving_and_bringing_back(setting: Setting) -> None:
    session = await begun(setting, "x")
    archived = await setting.conversations.archive(session.id)
    assert archived.archived_at == setting.clock.now
    assert await setting.conversations.archive(session.id) == archived
    assert await contents(setting, session) == ["x"]
    back = await setting.conversations.archive(session.id, False)
    assert (back.archived_at, back.version) == (None, session.version + 2)
    assert (await setting.conversations.archive(session.id, at=7.0)).archived_at == 7.0


async def test_a_removed_session_is_nowhere_but_in_the_trash(setting: Setting) -> None:
    session = await begun(setting, "nasopharynx", "larynx")
    assert await setting.passages("message", session.id) in (["nasopharynx", "larynx"], None)
    assert await setting.conversations.remove(session.id)
    assert not await setting.conversations.remove(session.id)
    assert await setting.conversations.get(session.id) is None
    assert await setting.passages("message", session.id) in ([], None)
    for call in (setting.conversations.messages, lambda id: setting.conversations.find(id, "larynx")):
        with pytest.raises(NotFound):
            await call(session.id)
    assert list(await setting.messages.of(session.id).snapshot(ListQuery())) == []
    assert list(await setting.sessions.snapshot(ListQuery())) == []
    with pytest.raises(UserError, match="in the trash"):  # nobody gets at it by beginning it again
        await setting.conversations.begin("x", session.id)


async def test_a_removed_session_comes_back_exactly(setting: Setting) -> None:
    session = await begun(setting, "one", "two")
    await begun(setting, "another")
    session = await setting.conversations.archive(session.id)
    messages = await setting.conversations.messages(session.id)
    order = list(await setting.sessions.snapshot(ListQuery()))
    await setting.conversations.remove(session.id)
    setting.clock.now += 100
    assert await setting.conversations.restore(session.id) == session
    assert await setting.conversations.get(session.id) == session
    assert await setting.conversations.messages(session.id) == messages
    assert await setting.passages("message", session.id) in (["one", "two"], None)
    assert list(await setting.sessions.snapshot(ListQuery())) == order  # under the number that it had
    with pytest.raises(VersionConflict):
        await setting.conversations.restore(session.id)
    with pytest.raises(NotFound):
        await setting.conversations.restore("missing")


async def test_a_session_is_removed_and_restored_again_and_again(setting: Setting) -> None:
    session = await begun(setting, "one")
    for content in ("two", "three"):
        await setting.conversations.remove(session.id)
        await setting.conversations.restore(session.id)
        await setting.conversations.add(session.id, Role.USER, content)
    assert await contents(setting, session) == ["one", "two", "three"]


async def test_a_new_title_is_what_it_is_found_by(setting: Setting) -> None:
    session = await begun(setting, "about amalgam")
    renamed = await setting.conversations.rename(session.id, "  Fillings \n of Mrs Adler ")
    assert (renamed.title, renamed.version) == ("Fillings of Mrs Adler", session.version + 1)
    assert renamed.updated_at == session.updated_at  # nothing was said
    assert await setting.conversations.rename(session.id, "Fillings of Mrs Adler") == renamed
    assert len(await setting.sessions.snapshot(ListQuery(text="adler"))) == 1
    assert len(await setting.sessions.snapshot(ListQuery(text="recall"))) == 0
    assert await setting.passages("message", session.id) in (["about amalgam"], None)
    if setting.database is not None:
        sql = "SELECT count(*) FROM passage_index WHERE passage_index MATCH ?"
        counts = [
            await setting.database.read(lambda c, w=w: c.execute(sql, (w,)).fetchone()) for w in ("adler", "recall")
        ]
        assert counts == [(1,), (0,)]
        words = await setting.database.read(lambda c: c.execute("SELECT word FROM vocabulary").fetchall())
        assert ("adler",) in words
        assert ("recall",) not in words
        assert ("amalgam",) in words
    with pytest.raises(InvalidValue):
        await setting.conversations.rename(session.id, " \n ")
    with pytest.raises(NotFound):
        await setting.conversations.rename("missing", "x")
    with pytest.raises(VersionConflict, match=r"Fillings|changed"):
        await setting.conversations.rename(session.id, "mine", read="Recall letters")
    assert (await setting.conversations.rename(session.id, "mine", read=renamed.title)).title == "mine"


async def test_words_are_found_where_they_stand(setting: Setting) -> None:
    session = await begun(setting, "The café is open. CAFE, café", "none here", "A Cafe%_ \U0001f600 café")
    await begun(setting, "café elsewhere")
    found = await setting.conversations.find(session.id, "CAFÉ")
    messages = {message.id: message for message in await setting.conversations.messages(session.id)}
    said = [(spot.position, messages[spot.message].content[spot.start : spot.end]) for spot in found]
    assert said == [(0, "café"), (0, "CAFE"), (0, "café"), (2, "Cafe"), (2, "café")]
    assert [spot.position for spot in await setting.conversations.find(session.id, "e%_")] == [2]
    for nothing in ("", "  ", "zebra"):
        assert await setting.conversations.find(session.id, nothing) == []
    with pytest.raises(NotFound):
        await setting.conversations.find("missing", "x")


def told(*contents: str, id: str = "c-1", title: str = "Room plan") -> ToldConversation:
    turns = (
        Turn(Role.USER if n % 2 == 0 else Role.ASSISTANT, text, 100.0 + n, f"m{n}") for n, text in enumerate(contents)
    )
    return ToldConversation("ChatGPT", id, title, 100.0, None, tuple(turns))


async def test_what_comes_from_elsewhere_arrives_once(setting: Setting) -> None:
    session, messages = as_session(told("Which room?", "The north room."), setting.clock.now)
    first = await setting.conversations.take(session, messages)
    assert (first.outcome, first.added) == (Outcome.NEW, tuple(message.id for message in messages))
    assert first.session == session == await setting.conversations.get(session.id)
    assert (session.origin, session.created_at, session.updated_at) == ("ChatGPT", 100.0, 101.0)
    assert await setting.conversations.messages(session.id) == messages
    assert await setting.passages("message", session.id) in (["Which room?", "The north room."], None)
    again = await setting.conversations.take(*as_session(told("Which room?", "The north room."), 5.0))
    assert (again.outcome, again.added, again.session) == (Outcome.KNOWN, (), session)


async def test_what_grew_elsewhere_gets_its_new_messages_alone(setting: Setting) -> None:
    session, messages = as_session(told("a", "b"), setting.clock.now)
    await setting.conversations.take(session, messages)
    await setting.conversations.rename(session.id, "My own title")
    grown = await setting.conversations.take(*as_session(told("a", "b", "c"), setting.clock.now))
    assert (grown.outcome, len(grown.added)) == (Outcome.GROWN, 1)
    assert await contents(setting, session) == ["a", "b", "c"]
    assert (grown.session.title, grown.session.messages, grown.session.last_line) == ("My own title", 3, "c")
    assert grown.session.updated_at == 102.0
    assert await setting.conversations.drop(session.id, grown.added) == 1
    assert await setting.conversations.drop(session.id, grown.added) == 0
    assert await contents(setting, session) == ["a", "b"]
    now = await setting.conversations.get(session.id)
    assert (now.messages, now.last_line) == (2, "b")
    assert await setting.passages("message", session.id) in (["a", "b"], None)
    assert await setting.conversations.drop("missing", ["x"]) == 0


async def test_what_lies_in_the_trash_comes_out_when_it_is_given_again(setting: Setting) -> None:
    session, messages = as_session(told("a"), setting.clock.now)
    await setting.conversations.take(session, messages)
    await setting.conversations.remove(session.id)
    back = await setting.conversations.take(*as_session(told("a", "b"), setting.clock.now))
    assert (back.outcome, len(back.added)) == (Outcome.BACK, 1)
    assert await contents(setting, session) == ["a", "b"]


async def test_no_message_is_taken_from_another_session(setting: Setting) -> None:
    session, messages = as_session(told("a"), setting.clock.now)
    await setting.conversations.take(session, messages)
    other, _ = as_session(told(id="c-2"), setting.clock.now)
    with pytest.raises(InvalidValue, match="another conversation"):
        await setting.conversations.take(other, messages)
    assert await contents(setting, session) == ["a"]


async def test_long_and_empty_conversations_are_taken_over_whole(setting: Setting) -> None:
    session, messages = as_session(told(*(f"message {n}" for n in range(450))), setting.clock.now)
    assert len((await setting.conversations.take(session, messages)).added) == 450
    assert [message.position for message in await setting.conversations.messages(session.id, 1000)] == list(range(450))
    empty, none = as_session(told(id="c-2", title=""), setting.clock.now)
    assert (await setting.conversations.take(empty, none)).session == empty
    assert await contents(setting, empty) == []


async def test_many_writers_to_one_session(setting: Setting) -> None:
    session = await begun(setting)
    await asyncio.gather(*(setting.conversations.add(session.id, Role.TOOL, f"m{n}") for n in range(40)))
    messages = await setting.conversations.messages(session.id)
    assert [message.position for message in messages] == list(range(40))
    assert {message.content for message in messages} == {f"m{n}" for n in range(40)}


async def test_hostile_text_is_kept_or_cleaned(setting: Setting) -> None:
    session = await begun(setting, "'; DROP TABLE messages; --", "<script>", "a\0b\x1b[31mred", "\ud800half", "", " ")
    kept = await contents(setting, session)
    assert kept[:2] == ["'; DROP TABLE messages; --", "<script>"]
    assert kept[2] == "a bred"
    assert kept[3] == "\ufffdhalf"
    assert session.messages == 6


async def test_every_write_is_in_the_stream(setting: Setting) -> None:
    session = await begun(setting, "x")
    await setting.conversations.remove(session.id)
    stream = [(change.kind, change.operation, change.version) for change in await setting.changes.after(0)]
    assert stream == [
        ("session", Operation.CREATED, 1),
        ("message", Operation.CREATED, 1),
        ("session", Operation.UPDATED, 2),
        ("message", Operation.DELETED, 2),
        ("session", Operation.DELETED, 3),
    ]
    assert max(change.sequence for change in setting.published) == 5


async def test_messages_as_a_list(setting: Setting) -> None:
    session = await begun(setting, "Äpfel", "pears", "ÄPFEL und pears")
    await begun(setting, "apfel elsewhere")
    rows = setting.messages.of(session.id)
    numbers = await rows.snapshot(ListQuery())
    read = await rows.rows(numbers)
    assert read == await setting.conversations.messages(session.id)
    assert list(await rows.snapshot(ListQuery(descending=True))) == list(reversed(numbers))
    assert list(await rows.snapshot(ListQuery(text="apfel"))) == [numbers[0], numbers[2]]
    assert list(await rows.snapshot(ListQuery(where={"role": "user"}))) == list(numbers)
    assert list(await rows.snapshot(ListQuery(where={"role": "tool"}))) == []
    foreign = await setting.messages.of("another").rows(numbers)
    assert list(foreign) == [None] * 3
