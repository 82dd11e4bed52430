"""Conversations in memory: ConversationPort and MessageRows."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.domain.changes import Operation
from core.domain.conversations import Outcome, Spot, TakenIn, spots
from core.domain.folding import fold
from core.domain.memory import Json, Message, Role, Session
from core.domain.scopes import check_key
from core.domain.text import clean, one_line
from core.errors import InvalidValue, NotFound, UserError, VersionConflict
from tests.fakes.rows import FakeRows
from tests.fakes.store import FakeStore


def kept(value: Any) -> Any:
    """A copy, as JSON keeps it. Raises InvalidValue for what JSON can't say."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        raise InvalidValue("That is no JSON value.") from None


class FakeConversations:
    """The sessions of one workspace, with a trash of their own."""

    def __init__(self, store: FakeStore, actor: str = "person") -> None:
        self._store = store
        self._actor = actor
        self._sessions: dict[str, Session] = {}
        self._messages: dict[str, list[Message]] = {}
        self._numbers: dict[str, int] = {}
        self._trash: dict[str, tuple[Session, list[Message]]] = {}

    def _number(self, id: str) -> int:
        return self._numbers.setdefault(id, len(self._numbers) + 1)

    def _existing(self, session: str) -> Session:
        if session not in self._sessions:
            raise NotFound("This conversation is not in the workspace any more.")
        return self._sessions[session]

    def _set(self, session: Session, at: float | None = None, **values: Any) -> Session:
        now = self._store.clock() if at is None else at
        self._sessions[session.id] = new = replace(session, version=session.version + 1, updated_at=now, **values)
        self._store.changed("session", session.id, new.version, Operation.UPDATED, self._actor)
        return new

    async def begin(self, title: str, session: str | None = None) -> Session:
        id = uuid.uuid4().hex if session is None else check_key(session, "session")
        if id in self._sessions:
            return self._sessions[id]
        if id in self._trash:
            raise UserError("This conversation is in the trash.")
        now = self._store.clock()
        self._sessions[id] = Session(id, one_line(title), now, now, 0)
        self._messages[id] = []
        self._number(id)
        self._store.changed("session", id, 1, Operation.CREATED, self._actor)
        return self._sessions[id]

    async def add(
        self,
        session: str,
        role: Role,
        content: str,
        at: float | None = None,
        metadata: Mapping[str, Json] | None = None,
    ) -> Message:
        known = self._existing(session)
        content = clean(content)
        said_at = self._store.clock() if at is None else at
        position = len(self._messages[session])
        message = Message(uuid.uuid4().hex, session, position, Role(role), content, said_at, kept(dict(metadata or {})))
        self._put(message)
        self._set(known, messages=known.messages + 1, last_line=one_line(content)[:160])
        return message

    def _put(self, message: Message) -> None:
        self._messages[message.session].append(message)
        self._number(message.id)
        self._store.changed("message", message.id, 1, Operation.CREATED, self._actor)

    async def messages(self, session: str, limit: int = 100, before: int | None = None) -> list[Message]:
        if not 1 <= limit <= 1000:
            raise InvalidValue("From 1 to 1,000 messages can be read at once.")
        self._existing(session)
        return [message for message in self._messages[session] if before is None or message.position < before][-limit:]

    async def find(self, session: str, text: str) -> list[Spot]:
        self._existing(session)
        return [
            Spot(message.id, message.position, start, end)
            for message in self._messages[session]
            for start, end in (spots(message.content, text) if fold(text).strip() else [])
        ]

    async def get(self, session: str) -> Session | None:
        return self._sessions.get(session)

    async def rename(self, session: str, title: str, read: str | None = None) -> Session:
        title = one_line(title)
        if not title:
            raise InvalidValue("Give the conversation a title.")
        known = self._existing(session)
        if read is not None and known.title != read:
            raise VersionConflict("The title was changed meanwhile.")
        return known if known.title == title else self._set(known, known.updated_at, title=title)

    async def clear(self, session: str) -> int:
        known = self._existing(session)
        gone = self._empty(session)
        if gone:
            self._set(known, messages=0, last_line="")
        return len(gone)

    def _empty(self, session: str) -> list[Message]:
        gone, self._messages[session] = self._messages[session], []
        for message in gone:
            self._store.changed("message", message.id, 2, Operation.DELETED, self._actor)
        return gone

    async def archive(self, session: str, archived: bool = True, at: float | None = None) -> Session:
        known = self._existing(session)
        if (known.archived_at is not None) == archived:
            return known
        return self._set(
            known, known.updated_at, archived_at=(self._store.clock() if at is None else at) if archived else None
        )

    async def remove(self, session: str) -> bool:
        if session not in self._sessions:
            return False
        gone = self._empty(session)
        del self._messages[session]
        known = self._sessions.pop(session)
        self._trash[session] = known, gone
        self._store.changed("session", session, known.version + 1, Operation.DELETED, self._actor)
        return True

    async def restore(self, session: str) -> Session:
        if session in self._sessions:
            raise VersionConflict("The conversation is here already.")
        if session not in self._trash:
            raise NotFound("This conversation is not in the trash any more.")
        known, messages = self._trash.pop(session)
        self._sessions[session], self._messages[session] = known, []
        for message in messages:
            self._put(message)
        self._store.changed("session", session, known.version, Operation.CREATED, self._actor)
        return known

    async def take(self, session: Session, messages: Sequence[Message]) -> TakenIn:
        check_key(session.id, "session")
        known = self._sessions.get(session.id)
        outcome = Outcome.NEW if known is None else Outcome.KNOWN
        if known is None and session.id in self._trash:
            known, outcome = await self.restore(session.id), Outcome.BACK
        if known is None:
            self._sessions[session.id] = replace(session, title=one_line(session.title))
            self._messages[session.id] = []
            self._number(session.id)
            self._store.changed("session", session.id, session.version, Operation.CREATED, self._actor)
        here = {message.id for message in self._messages[session.id]}
        new = [message for message in messages if message.id not in here]
        others = {message.id for id, messages in self._messages.items() if id != session.id for message in messages}
        if others.intersection(message.id for message in new):
            raise InvalidValue("It names a message that belongs to another conversation.")
        last = max((message.position for message in self._messages[session.id]), default=-1)
        for position, message in enumerate(new, last + 1):
            self._put(replace(message, session=session.id, position=position))
        if known is not None and new:
            outcome = Outcome.GROWN if outcome is Outcome.KNOWN else outcome
            ended = max(known.updated_at, session.updated_at)
            self._set(known, ended, messages=len(here) + len(new), last_line=one_line(new[-1].content)[:160])
        return TakenIn(self._sessions[session.id], outcome, tuple(message.id for message in new))

    async def drop(self, session: str, messages: Sequence[str]) -> int:
        if session not in self._sessions:
            return 0
        gone = [message for message in self._messages[session] if message.id in messages]
        left = self._messages[session] = [message for message in self._messages[session] if message not in gone]
        for message in gone:
            self._store.changed("message", message.id, 2, Operation.DELETED, self._actor)
        if gone:
            known = self._sessions[session]
            said = one_line(left[-1].content)[:160] if left else ""
            self._set(known, known.updated_at, messages=len(left), last_line=said)
        return len(gone)

    def rows(self) -> FakeRows[Session]:
        return FakeRows(
            everything=lambda: {self._number(id): session for id, session in self._sessions.items()},
            title=lambda session: session.title,
            own_key=lambda session: session.updated_at,
            own_descending=True,
            sort_keys={"title": lambda session: session.title.lower(), "updated": lambda session: session.updated_at},
            facet_values={
                "archived": lambda session: "no" if session.archived_at is None else "yes",
                "origin": lambda session: session.origin,
            },
            facets={"archived": ("no", "yes"), "origin": ()},
        )

    def of(self, session: str) -> FakeRows[Message]:
        return FakeRows(
            everything=lambda: {self._number(message.id): message for message in self._messages.get(session, [])},
            title=lambda message: message.content,
            own_key=lambda message: message.position,
            own_descending=False,
            sort_keys={"position": lambda message: message.position},
            facet_values={"role": lambda message: message.role},
            facets={"role": tuple(Role)},
        )
