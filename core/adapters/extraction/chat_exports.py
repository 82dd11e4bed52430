"""Conversations in the exports of ChatGPT and Claude, and as plain lists of messages; told without hidden context.

Both readers use it: the one that reads an export as a paper, and the one that takes its conversations in.
"""

import json
import math
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, cast

from core.adapters.extraction.loose import items, mapping, word
from core.domain.conversations import LeftOut, ToldConversation, Turn
from core.domain.memory import Role

ROLES = {
    "user": Role.USER,
    "human": Role.USER,
    "person": Role.USER,
    "assistant": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "bot": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
UNKNOWN = "author_unknown"  # in the metadata of a message whose writer the export doesn't name
ASIDE = "aside"  # in the metadata of a message that was asked or answered again in another way
CONTEXT = ("user_editable_context", "model_editable_context")  # put in by the program, not said by anybody
LATEST = 4_102_444_800.0  # 2100-01-01, the last moment that counts as one
# References to pages and spans that ChatGPT's own window draws: \ue200cite\ue202turn0search1\ue201, \ue203…\ue204.
_CITATION = re.compile("\ue200[^\ue200\ue201]*\ue201|[\ue200-\ue206]")
MILLISECONDS = 1e11  # a larger number counts milliseconds


def is_export(content: object) -> bool:
    """Conversations as ChatGPT ("mapping") or Claude ("chat_messages") writes them, one or a list."""
    return any("mapping" in mapping(item) or "chat_messages" in mapping(item) for item in items(content)[:200])


def conversation(raw: object, number: int) -> ToldConversation | LeftOut | None:
    """What an item of an export tells. number: its place, for sentences. None for what is no conversation at all."""
    data = mapping(raw)
    title = word(data.get("title")) or word(data.get("name"))
    named = title or f"Conversation {number} without a title"
    notes: list[str] = []
    if "mapping" in data:
        origin, told = "ChatGPT", data["mapping"]
        whole = isinstance(told, dict)
        turns = list(_chatgpt_turns(mapping(cast(object, told)), word(data.get("current_node")))) if whole else None
    elif "chat_messages" in data:
        origin, told = "Claude", data["chat_messages"]
        turns = _listed(told, _claude_turn)
    elif "messages" in data:
        origin, told = "Muniment" if data.get("origin_program") == "Muniment" else "JSON", data["messages"]
        turns = _listed(told, plain_turn)
    elif title or "create_time" in data or "uuid" in data:
        return LeftOut(named, f"“{named}” holds no list of messages and was left out.")
    else:
        return None
    if turns is None:
        return LeftOut(named, f"The messages of “{named}” are damaged; it was left out.")
    if any(UNKNOWN in turn.metadata for turn in turns):
        notes.append(f"In “{named}” it isn't said who wrote some of the messages.")
    begun = _named_time(data, ("create_time", "created_at", "begun_at"), f"“{named}”", notes)
    ended = _named_time(data, ("update_time", "updated_at"), "", [])
    if not turns:
        notes.append(f"“{named}” holds no message.")
    archived = data.get("is_archived") is True or data.get("archived") is True
    id = next((text for key in ("conversation_id", "id", "uuid") if (text := _id(data.get(key)))), "")
    return ToldConversation(origin, id, title, begun, ended, tuple(turns), archived, tuple(notes))


def moment(value: object) -> float | None:
    """UTC seconds of a number (seconds or milliseconds) or of an ISO 8601 text; None for anything else."""
    if isinstance(value, str):
        try:
            then = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
        try:
            value = (then if then.tzinfo else then.replace(tzinfo=UTC)).timestamp()
        except (OverflowError, ValueError):
            return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    seconds = value / 1000 if value > MILLISECONDS else float(value)
    return seconds if 0 < seconds < LATEST else None


def plain_turn(raw: object) -> Turn | None:
    """A message as most programs write it: {"role", "content", …}; None for what says nothing."""
    data = mapping(raw)
    content = data.get("content", data.get("text"))
    text = word(content) or "\n".join(
        filter(None, (word(part) or word(mapping(part).get("text")) for part in items(content)))
    )
    if not text.strip():
        return None
    role = word(data.get("role")) or word(data.get("sender")) or word(mapping(data.get("author")).get("role"))
    times = (moment(data.get(name)) for name in ("at", "timestamp", "create_time", "created_at", "time"))
    kept = mapping(data.get("metadata"))
    turn = _turn(
        role, text, next((at for at in times if at is not None), None), _id(data.get("id") or data.get("uuid"))
    )
    return Turn(turn.role, text, turn.at, turn.id, kept | turn.metadata)


def _turn(role: str, text: str, at: float | None, id: str, **metadata: bool) -> Turn:
    """Whom nobody names has said it as a part of the conversation's frame, not as the person or the assistant."""
    known = ROLES.get(role.lower())
    extra = dict(metadata) if known is not None else {**metadata, UNKNOWN: True}
    return Turn(known or Role.SYSTEM, text, at, id, dict(extra))


def _listed(told: object, read: Any) -> list[Turn] | None:
    if not isinstance(told, list):
        return None
    return [turn for raw in items(cast(object, told)) if (turn := read(raw)) is not None]


def _id(value: object) -> str:
    return str(value) if isinstance(value, int | str) and not isinstance(value, bool) and len(str(value)) <= 500 else ""


def _named_time(data: dict[str, Any], names: tuple[str, ...], about: str, notes: list[str]) -> float | None:
    """The first of these that is a moment; one that is there and is none is noted."""
    for name in names:
        if (value := data.get(name)) is not None:
            if (at := moment(value)) is not None:
                return at
            notes.append(f"The date of {about} can't be read.")
    return None


# ---- Claude ---------------------------------------------------------------------------------------------------------


def _claude_turn(raw: object) -> Turn | None:
    message = mapping(raw)
    blocks = [mapping(block) for block in items(message.get("content"))]
    texts = [text for block in blocks if (text := _block_text(block))]
    text = "\n".join(texts) or word(message.get("text"))
    text = "\n".join(filter(None, [text, *_enclosed(message)]))
    if not text.strip():
        return None
    answers = bool(blocks) and all(block.get("type") == "tool_result" for block in blocks)
    role = "tool" if answers else word(message.get("sender"))  # the answer of a tool is stored as the person's
    return _turn(role, text, moment(message.get("created_at")), _id(message.get("uuid")))


def _block_text(block: dict[str, Any]) -> str:
    said = [word(block.get("text")) or word(block.get("transcript")) or word(block.get("thinking"))]
    content = block.get("content")
    said.extend(word(part) or word(mapping(part).get("text")) for part in items(content))
    if block.get("type") == "tool_use":
        said.append(f"{block.get('name')}: {json.dumps(block.get('input'), ensure_ascii=False)}")
    return "\n".join(filter(None, said))


def _enclosed(message: dict[str, Any]) -> Iterator[str]:
    """What was handed over with a message: the text of attachments, and the names of files."""
    for attachment in map(mapping, items(message.get("attachments"))):
        name, text = word(attachment.get("file_name")) or "attachment", word(attachment.get("extracted_content"))
        yield f"[Attachment: {name}]\n{text}".rstrip()
    for file in map(mapping, items(message.get("files"))):
        if name := word(file.get("file_name")):
            yield f"[File: {name}]"


# ---- ChatGPT --------------------------------------------------------------------------------------------------------


def _chatgpt_turns(nodes: dict[str, Any], current: str) -> Iterator[Turn]:
    """Messages from the roots downwards, branches in their order; loops and lost parents end the walk."""
    path = _path(nodes, current)
    below = _children(nodes)
    seen: set[str] = set()
    roots = [key for key, node in nodes.items() if not _known(mapping(node).get("parent"), nodes)]
    stack = list(reversed(roots)) + [key for key in reversed(list(nodes)) if not roots]
    while stack:
        key = stack.pop()
        if key in seen:
            continue
        seen.add(key)
        aside = bool(path) and key not in path
        if (turn := _chatgpt_turn(mapping(mapping(nodes.get(key)).get("message")), key, aside)) is not None:
            yield turn
        stack.extend(reversed(below.get(key, [])))


def _known(key: object, nodes: dict[str, Any]) -> bool:
    return isinstance(key, str) and key in nodes


def _children(nodes: dict[str, Any]) -> dict[str, list[str]]:
    """The nodes under each node: those that it names, and those that name it."""
    below: dict[str, list[str]] = {
        key: [child for child in items(mapping(node).get("children")) if isinstance(child, str)]
        for key, node in nodes.items()
    }
    named = {key: set(children) for key, children in below.items()}
    for key, node in nodes.items():
        parent = mapping(node).get("parent")
        if isinstance(parent, str) and parent in below and key not in named[parent]:
            below[parent].append(key)
    return below


def _path(nodes: dict[str, Any], current: str) -> set[str]:
    """The way from the last message shown up to the root; empty where the export doesn't tell."""
    path: set[str] = set()
    key: object = current
    while isinstance(key, str) and key in nodes and key not in path:
        path.add(key)
        key = mapping(nodes[key]).get("parent")
    return path


def _chatgpt_turn(message: dict[str, Any], key: str, aside: bool) -> Turn | None:
    role = word(mapping(message.get("author")).get("role"))
    content = mapping(message.get("content"))
    hidden = mapping(message.get("metadata")).get("is_visually_hidden_from_conversation")
    if hidden or content.get("content_type") in CONTEXT:
        return None
    texts = [word(content.get("text")), word(content.get("result"))]
    texts.extend(_part_text(part) for part in items(content.get("parts")))
    texts.extend(word(mapping(thought).get("content")) for thought in items(content.get("thoughts")))
    text = "\n".join(filter(str.strip, texts))
    if not text:
        return None
    at = moment(message.get("create_time"))
    return _turn(role, text, at, _id(message.get("id")) or key, **({ASIDE: True} if aside else {}))


def _part_text(part: object) -> str:
    if said := word(part) or word(mapping(part).get("text")):
        return _CITATION.sub("", said) if max(said) >= "\ue200" else said
    return "[Picture]" if mapping(part).get("content_type") == "image_asset_pointer" else ""
