"""Exports of conversations, read in their own process: what is told, what is left out, and what does harm."""

import json
import sys
import zipfile
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from core.adapters.exports.process import ProcessExports
from core.domain.conversations import LeftOut, ToldConversation
from core.domain.memory import Role
from core.errors import UserError

COMMAND = [sys.executable, "-m", "core.adapters.workers", "exports"]


@pytest.fixture
async def exports() -> AsyncIterator[ProcessExports]:
    exports = ProcessExports(COMMAND)
    yield exports
    await exports.close()
    await exports.close()


async def told(exports: ProcessExports, path: Path) -> list[ToldConversation | LeftOut]:
    return await exports.some(path, 0, await exports.open(path))


async def whole(exports: ProcessExports, path: Path) -> list[ToldConversation]:
    found = await told(exports, path)
    assert all(isinstance(each, ToldConversation) for each in found), found
    return [each for each in found if isinstance(each, ToldConversation)]


def written(folder: Path, content: Any, name: str = "conversations.json") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


def zipped(folder: Path, members: dict[str, bytes], name: str = "export.zip") -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in members.items():
            archive.writestr(member, data)
    return path


def claude(*texts: str, name: str = "Ramp", uuid: str = "c1") -> dict[str, Any]:
    messages = [
        {"uuid": f"m{n}", "sender": ("human", "assistant")[n % 2], "text": text, "created_at": "2026-01-02T10:00:00Z"}
        for n, text in enumerate(texts)
    ]
    return {"uuid": uuid, "name": name, "created_at": "2026-01-02T10:00:00Z", "chat_messages": messages}


def chatgpt(nodes: Mapping[str, tuple[str | None, str, str]], **more: Any) -> dict[str, Any]:
    """nodes: key to (parent, role, text)."""
    mapping = {
        key: {
            "id": key,
            "parent": parent,
            "message": {"id": key, "author": {"role": role}, "content": {"parts": [text]}},
        }
        for key, (parent, role, text) in nodes.items()
    }
    return {"id": "g1", "title": "Room plan", "mapping": mapping, **more}


async def test_an_archive_as_it_is_sent(exports: ProcessExports, tmp_path: Path) -> None:
    members = {
        "user.json": b"{}",
        "chat.html": b"<html>",
        "conversations-000.json": json.dumps([claude("a")]).encode(),
        "conversations-001.json": json.dumps([claude("b", uuid="c2"), claude("c", uuid="c3")]).encode(),
        "__MACOSX/conversations.json": b"rubbish",
    }
    path = zipped(tmp_path, members)
    assert await exports.seems(path) == "Claude"
    assert [each.id for each in await whole(exports, path)] == ["c1", "c2", "c3"]


async def test_branches_are_told_with_the_way_that_was_gone_last(exports: ProcessExports, tmp_path: Path) -> None:
    nodes = {
        "q": (None, "user", "Which room?"),
        "a1": ("q", "assistant", "The south room."),
        "a2": ("q", "assistant", "The north room."),
        "t": ("a2", "user", "Thanks"),
    }
    (talk,) = await whole(exports, written(tmp_path, [chatgpt(nodes, current_node="t")]))
    assert [(turn.content, turn.metadata) for turn in talk.turns] == [
        ("Which room?", {}),
        ("The south room.", {"aside": True}),
        ("The north room.", {}),
        ("Thanks", {}),
    ]
    assert [turn.role for turn in talk.turns][:2] == [Role.USER, Role.ASSISTANT]


async def test_loops_and_lost_parents_end(exports: ProcessExports, tmp_path: Path) -> None:
    nodes = {"a": ("b", "user", "one"), "b": ("a", "user", "two"), "c": ("gone", "user", "three")}
    (talk,) = await whole(exports, written(tmp_path, [chatgpt(nodes)]))
    assert "three" in [turn.content for turn in talk.turns]


async def test_what_was_handed_over_is_told(exports: ProcessExports, tmp_path: Path) -> None:
    talk = claude("Look at this")
    talk["chat_messages"][0] |= {
        "attachments": [{"file_name": "hours.txt", "extracted_content": "8 to 5"}],
        "files": [{"file_name": "door.png"}],
    }
    (found,) = await whole(exports, written(tmp_path, [talk]))
    assert found.turns[0].content == "Look at this\n[Attachment: hours.txt]\n8 to 5\n[File: door.png]"


async def test_one_damaged_conversation_is_named_and_the_others_come(exports: ProcessExports, tmp_path: Path) -> None:
    good = json.dumps(claude("a")).encode()
    text = b"[" + good + b', {"uuid": "bad", "name": oops}, {"title": "No list", "create_time": 1}, 5, ' + good + b"]"
    found = await told(exports, written(tmp_path, text))
    assert [type(each).__name__ for each in found] == ["ToldConversation", "LeftOut", "LeftOut", "ToldConversation"]
    left = [each.sentence for each in found if isinstance(each, LeftOut)]
    assert left[0].startswith("Conversation 2 in “conversations.json” is damaged")
    assert "“No list”" in left[1]


async def test_json_lines_of_messages_and_of_conversations(exports: ProcessExports, tmp_path: Path) -> None:
    lines = [
        {"session": "s1", "role": "user", "content": "Which room?", "timestamp": "2026-01-02T10:00:00+01:00"},
        {"session": "s2", "role": "human", "text": "Hours?"},
        {
            "session": "s1",
            "role": "assistant",
            "content": [{"type": "text", "text": "The north room."}],
            "at": 1767344401,
        },
        {"title": "Whole", "messages": [{"role": "user", "content": "All in one line"}]},
        {"something": "else"},
    ]
    text = "\n".join([*(json.dumps(line) for line in lines), "not json", ""])
    found = await told(exports, written(tmp_path, text.encode(), "talk.jsonl"))
    talks = {each.id or each.title: each for each in found if isinstance(each, ToldConversation)}
    assert [(turn.role.value, turn.content) for turn in talks["s1"].turns] == [
        ("user", "Which room?"),
        ("assistant", "The north room."),
    ]
    assert [turn.at for turn in talks["s1"].turns] == [1767344400.0, 1767344401.0]
    assert talks["s2"].turns[0].content == "Hours?"
    assert talks["Whole"].turns[0].content == "All in one line"
    assert [each.title for each in found if isinstance(each, LeftOut)] == ["Line 5", "Line 6"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
async def test_encodings(exports: ProcessExports, tmp_path: Path, encoding: str) -> None:
    text = json.dumps([claude("Größe 日本")], ensure_ascii=False).encode(encoding)
    (talk,) = await whole(exports, written(tmp_path, text))
    assert talk.turns[0].content == "Größe 日本"


@pytest.mark.parametrize(
    "value", [float("nan"), -5, 1e30, "", "0000", {}, [], True, "9999-99-99", "1-1-1T00:00:00+14:00"]
)
async def test_dates_that_are_none_do_no_harm(exports: ProcessExports, tmp_path: Path, value: object) -> None:
    talk: dict[str, Any] = {**claude("a"), "created_at": value}
    talk["chat_messages"][0]["created_at"] = value
    (found,) = await whole(exports, written(tmp_path, [talk]))
    assert (found.begun_at, found.turns[0].at) == (None, None)
    assert any("date" in note for note in found.notes)


HOSTILE = {
    "deep.json": b"[" + b'{"mapping":' * 200_000 + b"1" + b"}" * 200_000 + b"]",
    "wide.json": json.dumps([{"mapping": {"a": {"message": {"content": {"parts": [[[[]]], {}, 5, None]}}}}}]).encode(),
    "types.json": json.dumps(
        [{"mapping": {"a": 5, "b": None, "c": {"children": [5, {}, None], "parent": []}}}]
    ).encode(),
    "claude.json": json.dumps([{"chat_messages": [5, None, {"content": 7, "sender": []}, {"content": [[]]}]}]).encode(),
    "surrogates.json": rb'[{"chat_messages": [{"sender": "human", "text": "\ud800 half \u0000"}], "name": "\udfff"}]',
    "numbers.json": b'[{"title": "n", "create_time": ' + b"9" * 10_000 + b', "chat_messages": []}]',
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
async def test_hostile_content_is_told_or_left_out(exports: ProcessExports, tmp_path: Path, name: str) -> None:
    found = await told(exports, written(tmp_path, HOSTILE[name], name))
    for each in found:
        assert isinstance(each, LeftOut) or len(each.turns) <= 1


REFUSED = {
    "truncated.json": (b'[{"title": "a", "mapping": {', "breaks off"),
    "empty.json": (b"", "no export"),
    "letter.txt": (b"Dear Mrs Adler", "no export"),
    "list.json": (b"[]", "holds no conversations"),
    "noise.zip": (b"PK\x03\x04 noise", "damaged"),
}


@pytest.mark.parametrize("name", sorted(REFUSED))
async def test_what_is_no_export_is_refused_with_a_sentence(exports: ProcessExports, tmp_path: Path, name: str) -> None:
    data, words = REFUSED[name]
    with pytest.raises(UserError, match=rf"“{name}”.*{words}"):
        await exports.open(written(tmp_path, data, name))
    assert await exports.seems(tmp_path / name) == ("ChatGPT" if name == "truncated.json" else "")


async def test_archives_that_are_none_or_do_harm(exports: ProcessExports, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"holds no file of conversations"):
        await exports.open(zipped(tmp_path, {"letter.txt": b"x"}))
    bomb = zipped(tmp_path, {"conversations.json": b"[" + b" " * 60_000_000 + b"]"}, "bomb.zip")
    with pytest.raises(UserError, match="far larger"):
        await exports.open(bomb)
    assert await exports.seems(bomb) == ""
    with pytest.raises(UserError, match="not there any more"):
        await exports.open(tmp_path / "gone.json")


async def test_limits_of_time_and_memory_hold(tmp_path: Path) -> None:
    path = written(tmp_path, [claude("a" * 40_000_000)])
    slow, small = ProcessExports(COMMAND, seconds=0.01), ProcessExports(COMMAND, memory_bytes=500_000_000)
    for exports, words in ((slow, "too long"), (small, "more memory|stopped its reader")):
        with pytest.raises(UserError, match=words):
            await told(exports, path)
        await exports.close()
