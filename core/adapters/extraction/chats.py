"""Chat exports (ChatGPT, Claude) as papers: every conversation readable, who said what, hidden context left out."""

import json
from datetime import UTC, datetime

from core.adapters.extraction.chat_exports import UNKNOWN, conversation
from core.adapters.extraction.loose import items
from core.adapters.extraction.source import Source
from core.domain.conversations import ToldConversation, Turn
from core.domain.memory import Role

SPEAKERS = {Role.USER: "Person", Role.ASSISTANT: "Assistant", Role.TOOL: "Tool", Role.SYSTEM: "Assistant"}


def read(source: Source) -> None:
    """Each conversation is a part under its title; one that can't be read is named."""
    conversations = items(json.loads(source.text()))
    for number, raw in enumerate(conversations, 1):
        told = conversation(raw, number)
        title = told.title if told is not None else ""
        named = title or f"Conversation {number} without a title"
        turns = _said(told) if isinstance(told, ToldConversation) else []
        if not isinstance(told, ToldConversation) or not turns:
            source.transcript.note("attachment_named", f"{named} in {source.name} has no messages that can be read.")
            source.transcript.paragraph(title)
            continue
        if len(conversations) == 1:
            source.transcript.describe(title=named)
        with source.transcript.part(named):
            source.transcript.heading(named, 1)
            if told.begun_at is not None:
                source.transcript.paragraph(f"Begun: {datetime.fromtimestamp(told.begun_at, UTC):%Y-%m-%d %H:%M}")
            for turn in turns:
                source.transcript.paragraph(f"{SPEAKERS[turn.role]}: {turn.content}")


def _said(told: ToldConversation) -> list[Turn]:
    """What somebody said; the rules that an assistant is given are no part of what people look for in a paper."""
    return [turn for turn in told.turns if turn.role is not Role.SYSTEM or UNKNOWN in turn.metadata]
