"""Chat exports (ChatGPT, Claude): every conversation readable, who said what, hidden context left out."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from core.adapters.extraction.source import Source

SPEAKERS = {"user": "Person", "human": "Person", "assistant": "Assistant", "tool": "Tool"}


def is_export(content: Any) -> bool:
    """Conversations as ChatGPT ("mapping") or Claude ("chat_messages") writes them, one or a list."""
    items = content if isinstance(content, list) else [content]
    return any(isinstance(item, dict) and ("mapping" in item or "chat_messages" in item) for item in items[:200])


def read(source: Source) -> None:
    """Each conversation is a part under its title; one that can't be read is named."""
    content = json.loads(source.text())
    items: list[Any] = content if isinstance(content, list) else [content]
    for number, item in enumerate(items, 1):
        title = _title(item) or f"Conversation {number} without a title"
        try:
            turns = list(_turns(item))
        except (KeyError, TypeError, AttributeError, ValueError, IndexError):
            source.transcript.note("attachment_named", f"{title} in {source.name} can't be read and was left out.")
            continue
        if not turns:
            source.transcript.note("attachment_named", f"{title} in {source.name} has no messages that can be read.")
            if isinstance(item, dict) and _title(item):
                source.transcript.paragraph(title)
            continue
        if len(items) == 1:
            source.transcript.describe(title=title)
        with source.transcript.part(title):
            source.transcript.heading(title, 1)
            if when := _when(item.get("create_time") or item.get("created_at")):
                source.transcript.paragraph(f"Begun: {when}")
            for speaker, text in turns:
                source.transcript.paragraph(f"{speaker}: {text}")


def _title(item: Any) -> str:
    value = item.get("title") or item.get("name") if isinstance(item, dict) else None
    return value if isinstance(value, str) else ""


def _when(value: Any) -> str | None:
    if isinstance(value, (int, float)) and 0 < value < 4e9:
        return datetime.fromtimestamp(value, UTC).strftime("%Y-%m-%d %H:%M")
    return value[:16].replace("T", " ") if isinstance(value, str) and value[:4].isdigit() else None


def _turns(item: Any) -> Iterator[tuple[str, str]]:
    if "chat_messages" in item:
        for message in item["chat_messages"] or []:
            text = _claude_text(message) if isinstance(message, dict) else ""
            if text:
                yield SPEAKERS.get(str(message.get("sender")), "Assistant"), text
    else:
        yield from _chatgpt_turns(item["mapping"])


def _claude_text(message: dict[str, Any]) -> str:
    texts: list[str] = []
    for block in message.get("content") or []:
        if isinstance(block, dict):
            texts.append(str(block.get("text") or block.get("transcript") or ""))
            if isinstance(inner := block.get("content"), list):
                texts.extend(str(part.get("text") or "") for part in inner if isinstance(part, dict))
            if block.get("type") == "tool_use":
                texts.append(f"{block.get('name')}: {json.dumps(block.get('input'), ensure_ascii=False)}")
    return "\n".join(filter(None, texts)) or str(message.get("text") or "")


def _chatgpt_turns(mapping: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Messages from the roots downwards, branches in their order; loops and lost parents end the walk."""
    seen: set[str] = set()
    roots = [key for key, node in mapping.items() if isinstance(node, dict) and node.get("parent") not in mapping]
    stack = list(reversed(roots or list(mapping)))
    while stack:
        key = stack.pop()
        node = mapping.get(key)
        if key in seen or not isinstance(node, dict):
            continue
        seen.add(key)
        message = node.get("message")
        if isinstance(message, dict) and (turn := _chatgpt_turn(message)) is not None:
            yield turn
        stack.extend(reversed([child for child in node.get("children") or [] if isinstance(child, str)]))


def _chatgpt_turn(message: dict[str, Any]) -> tuple[str, str] | None:
    role = str((message.get("author") or {}).get("role"))
    metadata = message.get("metadata") or {}
    if role == "system" or metadata.get("is_visually_hidden_from_conversation"):
        return None
    content = message.get("content") or {}
    kind = content.get("content_type")
    if kind in ("user_editable_context", "model_editable_context"):
        return None
    texts = [str(content[key]) for key in ("text", "result") if content.get(key)]
    for part in content.get("parts") or []:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            texts.append(str(part.get("text") or ""))
    texts.extend(
        str(thought.get("content") or "") for thought in content.get("thoughts") or [] if isinstance(thought, dict)
    )
    text = "\n".join(filter(str.strip, texts))
    return (SPEAKERS.get(role, "Assistant"), text) if text else None
