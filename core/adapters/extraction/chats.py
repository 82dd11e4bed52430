"""Chat exports (ChatGPT, Claude): every conversation readable, who said what, hidden context left out."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from core.adapters.extraction.loose import items, mapping, word
from core.adapters.extraction.source import Source

SPEAKERS = {"user": "Person", "human": "Person", "assistant": "Assistant", "tool": "Tool"}
CONTEXT = ("user_editable_context", "model_editable_context")  # put in by the program, not said by anybody


def is_export(content: object) -> bool:
    """Conversations as ChatGPT ("mapping") or Claude ("chat_messages") writes them, one or a list."""
    return any("mapping" in mapping(item) or "chat_messages" in mapping(item) for item in items(content)[:200])


def read(source: Source) -> None:
    """Each conversation is a part under its title; one that can't be read is named."""
    conversations = items(json.loads(source.text()))
    for number, conversation in enumerate(map(mapping, conversations), 1):
        title = word(conversation.get("title")) or word(conversation.get("name"))
        named = title or f"Conversation {number} without a title"
        turns = list(_turns(conversation))
        if not turns:
            source.transcript.note("attachment_named", f"{named} in {source.name} has no messages that can be read.")
            source.transcript.paragraph(title)
            continue
        if len(conversations) == 1:
            source.transcript.describe(title=named)
        with source.transcript.part(named):
            source.transcript.heading(named, 1)
            if when := _when(conversation.get("create_time") or conversation.get("created_at")):
                source.transcript.paragraph(f"Begun: {when}")
            for speaker, text in turns:
                source.transcript.paragraph(f"{speaker}: {text}")


def _when(value: Any) -> str:
    if isinstance(value, (int, float)) and 0 < value < 4e9:
        return datetime.fromtimestamp(value, UTC).strftime("%Y-%m-%d %H:%M")
    return word(value)[:16].replace("T", " ") if word(value)[:4].isdigit() else ""


def _turns(conversation: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for message in map(mapping, items(conversation.get("chat_messages"))):
        if text := _claude_text(message):
            yield SPEAKERS.get(word(message.get("sender")), "Assistant"), text
    yield from _chatgpt_turns(mapping(conversation.get("mapping")))


def _claude_text(message: dict[str, Any]) -> str:
    texts: list[str] = []
    for block in map(mapping, items(message.get("content"))):
        texts.append(word(block.get("text")) or word(block.get("transcript")))
        texts.extend(word(mapping(part).get("text")) for part in items(block.get("content")))
        if block.get("type") == "tool_use":
            texts.append(f"{block.get('name')}: {json.dumps(block.get('input'), ensure_ascii=False)}")
    return "\n".join(filter(None, texts)) or word(message.get("text"))


def _chatgpt_turns(nodes: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Messages from the roots downwards, branches in their order; loops and lost parents end the walk."""
    seen: set[str] = set()
    roots = [key for key, node in nodes.items() if mapping(node).get("parent") not in nodes]
    stack = list(reversed(roots or list(nodes)))
    while stack:
        key = stack.pop()
        if key in seen:
            continue
        seen.add(key)
        node = mapping(nodes.get(key))
        if (turn := _chatgpt_turn(mapping(node.get("message")))) is not None:
            yield turn
        stack.extend(reversed([child for child in items(node.get("children")) if isinstance(child, str)]))


def _chatgpt_turn(message: dict[str, Any]) -> tuple[str, str] | None:
    role = word(mapping(message.get("author")).get("role"))
    content = mapping(message.get("content"))
    hidden = mapping(message.get("metadata")).get("is_visually_hidden_from_conversation")
    if role == "system" or hidden or content.get("content_type") in CONTEXT:
        return None
    texts = [word(content.get("text")), word(content.get("result"))]
    texts.extend(word(part) or word(mapping(part).get("text")) for part in items(content.get("parts")))
    texts.extend(word(mapping(thought).get("content")) for thought in items(content.get("thoughts")))
    text = "\n".join(filter(str.strip, texts))
    return (SPEAKERS.get(role, "Assistant"), text) if text else None
