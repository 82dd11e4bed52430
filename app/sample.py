"""Fills a workspace with the sample: a small clinic's papers, conversations, shared settings and memories.

The sample is a folder (`resources/sample/`): `papers/` is taken in as it lies there, `sample.toml` says what is
remembered,
`questions.toml` holds questions with the paper and page that answer them.
"""

import asyncio
import tomllib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.clock import Clock, system_clock
from core.domain.memory import Message, Record, Role, Session
from core.domain.papers import Taken
from core.domain.tiers import DAY, Tier
from core.services.workspace import Workspace

MINUTES_BETWEEN_MESSAGES = 2


@dataclass(frozen=True, slots=True)
class Filled:
    """What was added by this call; what was there already is not counted, `taken` excepted."""

    taken: tuple[Taken, ...]
    records: int
    conversations: int
    shared: int


@dataclass(frozen=True, slots=True)
class Question:
    """A question that the sample answers. kind: words, meaning, misspelt, code, date or number. page 0: no pages."""

    kind: str
    ask: str
    paper: str
    page: int


def questions(folder: Path) -> list[Question]:
    """The questions of the sample in `folder`."""
    listed = tomllib.loads((folder / "questions.toml").read_text("utf-8"))["questions"]
    return [Question(**each) for each in listed]


async def fill(workspace: Workspace, folder: Path, clock: Clock = system_clock) -> Filled:
    """Add the sample in `folder`. Calling it again adds only what is missing. Answers before the papers are read."""
    sample = tomllib.loads(await asyncio.to_thread((folder / "sample.toml").read_text, "utf-8"))
    now = clock()
    shared = [await _share(workspace, key, value) for key, value in sample["shared"].items()]
    records = [await _remember(workspace, entry, now) for entry in sample["records"]]
    conversations = [await _converse(workspace, entry, now) for entry in sample["conversations"]]
    taken = await workspace.papers.add([folder / "papers"])
    return Filled(tuple(taken), sum(records), sum(conversations), sum(shared))


async def _share(workspace: Workspace, key: str, value: object) -> bool:
    if await workspace.shared.get(key) is not None:
        return False
    await workspace.shared.set(key, value)
    return True


async def _remember(workspace: Workspace, entry: Mapping[str, Any], now: float) -> bool:
    """Put a record there with the age that the sample gives it."""
    if await workspace.memory.get(entry["key"]) is not None:
        return False
    created = now - entry["created"] * DAY
    record = Record(
        namespace="default",
        key=entry["key"],
        value=entry["value"],
        tier=Tier(entry["tier"]),
        metadata={"title": entry["title"], "tags": entry["tags"]},
        salience=entry["salience"],
        access_count=entry["uses"],
        created_at=created,
        updated_at=created,
        last_accessed_at=now - entry["accessed"] * DAY,
    )
    await workspace.book.take(record)
    return True


async def _converse(workspace: Workspace, entry: Mapping[str, Any], now: float) -> bool:
    """Put a conversation there with its messages a few minutes apart."""
    if await workspace.conversations.get(entry["id"]) is not None:
        return False
    begun = now - entry["days"] * DAY
    messages = [
        Message(
            id=uuid.uuid5(uuid.NAMESPACE_URL, f"muniment:sample:{entry['id']}:{position}").hex,
            session=entry["id"],
            position=position,
            role=Role(each["role"]),
            content=each["text"],
            at=begun + position * MINUTES_BETWEEN_MESSAGES * 60,
        )
        for position, each in enumerate(entry["messages"])
    ]
    ended = messages[-1].at or begun
    session = Session(
        id=entry["id"],
        title=entry["title"],
        created_at=begun,
        updated_at=ended,
        messages=len(messages),
        archived_at=ended if entry.get("archived") else None,
        last_line=messages[-1].content.splitlines()[0],
    )
    await workspace.conversations.take(session, messages)
    return True
