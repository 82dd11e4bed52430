"""Records, conversations and shared entries in memory."""

import copy
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.domain.changes import Operation
from core.domain.memory import Json, Message, Record, Role, Session, SharedEntry
from core.domain.readable import record_label, record_text
from core.domain.scopes import check_key
from core.domain.text import clean, one_line
from core.domain.tiers import Tier, check_delta, salience_now
from core.domain.writing import plain, words
from core.errors import InvalidValue, NotFound, VersionConflict
from tests.fakes.rows import FakeRows
from tests.fakes.store import FakeStore, overlap


def kept(value: Any) -> Any:
    """A copy of the value as JSON gives it back; refuses what JSON can't hold."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidValue(f"This is no JSON value: {error}.") from None


def checked(text: str, what: str) -> str:
    check_key(text, what)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidValue(f"The {what} holds half a character.") from None
    return text


class FakeMemory:
    """MemoryPort."""

    def __init__(self, store: FakeStore, actor: str = "person") -> None:
        self._store = store
        self._actor = actor
        self._records: dict[tuple[str, str], Record] = {}
        self._numbers: dict[tuple[str, str], int] = {}
        self._last = 0

    def _changed(self, record: Record, operation: Operation) -> None:
        self._store.changed("record", record.id, record.version, operation, self._actor)

    def _put(self, record: Record) -> None:
        place = record.namespace, record.key
        if place not in self._numbers:
            self._last += 1
            self._numbers[place] = self._last
        self._records[place] = record

    async def remember(
        self,
        key: str,
        value: Json,
        tier: Tier,
        namespace: str = "default",
        metadata: Mapping[str, Json] | None = None,
    ) -> Record:
        checked(namespace, "namespace")
        checked(key, "key")
        now = self._store.clock()
        known = self._records.get((namespace, key))
        fresh = Record(namespace, key, kept(value), Tier(tier), kept(dict(metadata or {})), 1.0, 0, now, now, now)
        if known is None:
            record = fresh
        else:
            record = replace(
                known,
                value=fresh.value,
                tier=fresh.tier,
                metadata=fresh.metadata,
                updated_at=now,
                version=known.version + 1,
            )
        self._put(record)
        self._changed(record, Operation.UPDATED if known else Operation.CREATED)
        return copy.deepcopy(record)

    async def recall(
        self, query: str, tier: Tier | None = None, namespace: str = "default", limit: int = 10
    ) -> list[Record]:
        checked(namespace, "namespace")
        if not 1 <= limit <= 100:
            raise InvalidValue("From 1 to 100 memories can be recalled at once.")
        asked = [plain(word) for word in dict.fromkeys(words(query))]
        now = self._store.clock()
        scored: list[tuple[float, float, int, Record]] = []
        for place, record in self._records.items():
            if record.namespace != namespace or (tier is not None and record.tier is not tier):
                continue
            present = salience_now(record.salience, record.last_accessed_at, now, record.tier, pinned=record.pinned)
            if asked:
                found = overlap(
                    asked,
                    [
                        plain(word)
                        for word in words("\n".join((record.title, *record_label(record), record_text(record))))
                    ],
                )
                if not found:
                    continue
                present *= found
            scored.append((present, record.updated_at, self._numbers[place], replace(record, score=present)))
        scored.sort(key=lambda row: row[:3], reverse=True)
        return [copy.deepcopy(record) for *_, record in scored[:limit]]

    async def get(self, key: str, namespace: str = "default") -> Record | None:
        checked(namespace, "namespace")
        checked(key, "key")
        return copy.deepcopy(self._records.get((namespace, key)))

    async def forget(self, key: str, namespace: str = "default") -> bool:
        checked(namespace, "namespace")
        known = self._records.pop((namespace, checked(key, "key")), None)
        if known is None:
            return False
        del self._numbers[namespace, key]
        self._changed(replace(known, version=known.version + 1), Operation.DELETED)
        return True

    async def forget_all(self, namespace: str) -> int:
        checked(namespace, "namespace")
        keys = [record.key for record in self._records.values() if record.namespace == namespace]
        for key in keys:
            await self.forget(key, namespace)
        return len(keys)

    async def reinforce(self, key: str, namespace: str = "default", delta: float = 0.1) -> Record:
        known = await self.get(key, namespace)
        check_delta(delta)
        if known is None:
            raise NotFound(f"There is no memory “{key}” in “{namespace}”.")
        record = replace(
            known,
            salience=max(0.0, round(known.salience + delta, 9)),
            access_count=known.access_count + 1,
            last_accessed_at=self._store.clock(),
            version=known.version + 1,
        )
        self._put(record)
        self._changed(record, Operation.UPDATED)
        return copy.deepcopy(record)

    async def restore(self, record: Record) -> Record:
        if await self.get(record.key, record.namespace) is not None:
            raise VersionConflict(f"“{record.title}” was written again meanwhile.")
        self._put(replace(copy.deepcopy(record), score=None))
        self._changed(record, Operation.CREATED)
        return replace(record, score=None)

    async def close(self) -> None:
        pass

    def rows(self) -> FakeRows[Record]:
        return FakeRows(
            everything=lambda: {self._numbers[place]: record for place, record in self._records.items()},
            title=lambda record: f"{record.title}\n{record.key}",
            own_key=lambda record: record.updated_at,
            own_descending=True,
            sort_keys={"updated": lambda record: record.updated_at, "accesses": lambda record: record.access_count},
            facet_values={"tier": lambda record: record.tier, "namespace": lambda record: record.namespace},
            facets={"tier": tuple(Tier), "namespace": ()},
        )


class FakeConversations:
    """ConversationPort and MessageRows."""

    def __init__(self, store: FakeStore, actor: str = "person") -> None:
        self._store = store
        self._actor = actor
        self._sessions: dict[str, Session] = {}
        self._messages: dict[str, list[Message]] = {}
        self._numbers: dict[str, int] = {}

    def _number(self, id: str) -> int:
        return self._numbers.setdefault(id, len(self._numbers) + 1)

    def _existing(self, session: str) -> Session:
        if session not in self._sessions:
            raise NotFound("This conversation is not in the workspace any more.")
        return self._sessions[session]

    def _set(self, session: Session, **values: Any) -> Session:
        now = self._store.clock()
        self._sessions[session.id] = new = replace(session, version=session.version + 1, updated_at=now, **values)
        self._store.changed("session", session.id, new.version, Operation.UPDATED, self._actor)
        return new

    async def begin(self, title: str, session: str | None = None) -> Session:
        id = uuid.uuid4().hex if session is None else checked(session, "session")
        if id not in self._sessions:
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
        self._messages[session].append(message)
        self._number(message.id)
        self._store.changed("message", message.id, 1, Operation.CREATED, self._actor)
        self._set(known, messages=known.messages + 1, last_line=one_line(content)[:160])
        return message

    async def messages(self, session: str, limit: int = 100, before: int | None = None) -> list[Message]:
        if not 1 <= limit <= 1000:
            raise InvalidValue("From 1 to 1,000 messages can be read at once.")
        self._existing(session)
        return [message for message in self._messages[session] if before is None or message.position < before][-limit:]

    async def clear(self, session: str) -> int:
        known = self._existing(session)
        gone, self._messages[session] = self._messages[session], []
        for message in gone:
            self._store.changed("message", message.id, 2, Operation.DELETED, self._actor)
        if gone:
            self._set(known, messages=0, last_line="")
        return len(gone)

    async def archive(self, session: str, archived: bool = True) -> Session:
        known = self._existing(session)
        if (known.archived_at is not None) == archived:
            return known
        return self._set(known, archived_at=self._store.clock() if archived else None)

    async def remove(self, session: str) -> bool:
        if session not in self._sessions:
            return False
        for message in self._messages.pop(session):
            self._store.changed("message", message.id, 2, Operation.DELETED, self._actor)
        known = self._sessions.pop(session)
        self._store.changed("session", session, known.version + 1, Operation.DELETED, self._actor)
        return True

    async def restore(self, session: Session, messages: Sequence[Message]) -> Session:
        if session.id in self._sessions:
            raise VersionConflict(f"The conversation “{session.title}” is here already.")
        self._sessions[session.id], self._messages[session.id] = session, list(messages)
        self._store.changed("session", session.id, session.version, Operation.CREATED, self._actor)
        return session

    async def get(self, session: str) -> Session | None:
        return self._sessions.get(session)

    def rows(self) -> FakeRows[Session]:
        return FakeRows(
            everything=lambda: {self._number(id): session for id, session in self._sessions.items()},
            title=lambda session: session.title,
            own_key=lambda session: session.updated_at,
            own_descending=True,
            sort_keys={"title": lambda session: session.title.lower(), "updated": lambda session: session.updated_at},
            facet_values={"archived": lambda session: "no" if session.archived_at is None else "yes"},
            facets={"archived": ("no", "yes")},
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


class FakeShared:
    """SharedPort."""

    def __init__(self, store: FakeStore, actor: str = "person") -> None:
        self._store = store
        self._actor = actor
        self._entries: dict[str, SharedEntry] = {}
        self._numbers: dict[str, int] = {}

    async def get(self, key: str) -> SharedEntry | None:
        return copy.deepcopy(self._entries.get(check_key(key)))

    async def set(self, key: str, value: Json, metadata: Mapping[str, Json] | None = None) -> SharedEntry:
        known = self._entries.get(checked(key, "key"))
        version = known.version + 1 if known else 1
        entry = SharedEntry(key, kept(value), self._store.clock(), self._actor, kept(dict(metadata or {})), version)
        self._entries[key] = entry
        self._numbers.setdefault(key, len(self._numbers) + 1)
        self._store.changed("shared", key, version, Operation.UPDATED if known else Operation.CREATED, self._actor)
        return copy.deepcopy(entry)

    async def delete(self, key: str) -> bool:
        known = self._entries.pop(check_key(key), None)
        if known is None:
            return False
        self._store.changed("shared", key, known.version + 1, Operation.DELETED, self._actor)
        return True

    async def restore(self, entry: SharedEntry) -> SharedEntry:
        if entry.key in self._entries:
            raise VersionConflict(f"“{entry.key}” was set again meanwhile.")
        self._entries[entry.key] = entry
        self._numbers.setdefault(entry.key, len(self._numbers) + 1)
        self._store.changed("shared", entry.key, entry.version, Operation.CREATED, self._actor)
        return entry

    def rows(self) -> FakeRows[SharedEntry]:
        return FakeRows(
            everything=lambda: {self._numbers[key]: entry for key, entry in self._entries.items()},
            title=lambda entry: entry.key,
            own_key=lambda entry: entry.key.lower(),
            own_descending=False,
            sort_keys={"key": lambda entry: entry.key.lower(), "updated": lambda entry: entry.updated_at},
            facet_values={"by": lambda entry: entry.updated_by},
            facets={"by": ()},
        )
