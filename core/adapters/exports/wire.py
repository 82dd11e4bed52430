"""How conversations travel over the pipe: small frames, so that neither side stalls over a long one."""

from collections.abc import Iterator
from typing import Any

from core.domain.conversations import LeftOut, ToldConversation, Turn
from core.domain.memory import Role

FRAME_CHARACTERS = 40_000
MAX_MESSAGE = 4_000_000  # characters; nobody says more at once


def frames_of(told: ToldConversation | LeftOut) -> Iterator[dict[str, Any]]:
    """A head, then its messages in batches."""
    if isinstance(told, LeftOut):
        yield {"left": [told.title, told.sentence]}
        return
    head = [told.origin, told.id, told.title, told.begun_at, told.ended_at, told.archived, list(told.notes)]
    yield {"head": head}
    batch: list[list[Any]] = []
    size = 0
    for turn in told.turns:
        batch.append([turn.role.value, turn.content[:MAX_MESSAGE], turn.at, turn.id, turn.metadata])
        size += len(turn.content) + 100
        if size >= FRAME_CHARACTERS:
            yield {"turns": batch}
            batch, size = [], 0
    if batch:
        yield {"turns": batch}


class Collector:
    """Puts the frames together again. Raises KeyError, TypeError or ValueError on what is none."""

    def __init__(self) -> None:
        self._told: list[ToldConversation | LeftOut] = []
        self._head: list[Any] | None = None
        self._turns: list[Turn] = []

    def add(self, body: dict[str, Any]) -> None:
        if "turns" in body:
            self._turns += [
                Turn(Role(role), str(content), at, str(id), dict(metadata))
                for role, content, at, id, metadata in body["turns"]
            ]
            return
        self._finish()
        if "left" in body:
            title, sentence = body["left"]
            self._told.append(LeftOut(str(title), str(sentence)))
        else:
            self._head = list(body["head"])

    def all(self) -> list[ToldConversation | LeftOut]:
        self._finish()
        return self._told

    def _finish(self) -> None:
        if self._head is not None:
            origin, id, title, begun, ended, archived, notes = self._head
            turns = tuple(self._turns)
            self._told.append(ToldConversation(origin, id, title, begun, ended, turns, archived, tuple(notes)))
        self._head, self._turns = None, []
