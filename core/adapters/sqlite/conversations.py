"""Sessions and their messages (ConversationPort over SQLite).

Every message is searchable: its passages belong to the session and name the message as their part, so a session that is
removed takes them all with it.
"""

import uuid
from collections.abc import Mapping, Sequence

from core.adapters.sqlite.cutting import cut
from core.adapters.sqlite.driver import Connection, Row
from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.passages import Analysed, append_passages, remove_passages
from core.adapters.sqlite.values import decoded_object, encoded_object, storable
from core.domain.changes import Operation
from core.domain.folding import fold
from core.domain.memory import Json, Message, Role, Session
from core.domain.passages import Kind
from core.domain.scopes import check_key
from core.domain.text import clean, one_line
from core.errors import InvalidValue, NotFound, VersionConflict
from core.ports.cutting import CutterPort

LIMIT = 1000  # messages in one answer
LAST_LINE = 160  # characters of the last message that a list shows

SESSION_COLUMNS = (
    "number", "id", "title", "created_at", "updated_at", "messages", "archived_at", "version", "last_line",
)  # fmt: skip
MESSAGE_COLUMNS = (
    "number", "id", "(SELECT id FROM sessions s WHERE s.number = messages.session)", "position", "role", "content",
    "at", "metadata",
)  # fmt: skip


def session_of(row: Row) -> Session:
    """The session in a row of SESSION_COLUMNS."""
    return Session(*row[1:])


def message_of(row: Row) -> Message:
    """The message in a row of MESSAGE_COLUMNS."""
    _, id, session, position, role, content, at, metadata = row
    return Message(id, session, position, Role(role), content, at, decoded_object(metadata))


class SqliteConversations:
    """The sessions of one workspace. `actor` is who the changes are written down for."""

    def __init__(self, database: Database, cutter: CutterPort, actor: str = "person") -> None:
        self._database = database
        self._cutter = cutter
        self._actor = actor

    async def begin(self, title: str, session: str | None = None) -> Session:
        id = uuid.uuid4().hex if session is None else storable(check_key(session, "session"), "session")
        title = one_line(title)

        def operation(tx: Transaction) -> Session:
            if (known := _find(tx.connection, id)) is not None:
                return known
            new = Session(id, title, tx.now, tx.now, 0)
            _insert_session(tx, new)
            tx.changed("session", id, 1, Operation.CREATED)
            return new

        return await self._database.write(operation, self._actor)

    async def add(
        self,
        session: str,
        role: Role,
        content: str,
        at: float | None = None,
        metadata: Mapping[str, Json] | None = None,
    ) -> Message:
        id = uuid.uuid4().hex
        content = clean(content)
        metadata_text = encoded_object(metadata, "metadata of the message")
        found = await self.get(session)
        drafts = await cut(self._cutter, content, found.title if found else "", part=id)

        def operation(tx: Transaction) -> Message:
            known = _existing(tx.connection, session)
            row = tx.execute(
                "SELECT max(position) FROM messages WHERE session = (SELECT number FROM sessions WHERE id = ?)",
                (session,),
            ).fetchone()
            position = 0 if row is None or row[0] is None else int(row[0]) + 1
            said_at = tx.now if at is None else at
            message = Message(id, session, position, Role(role), content, said_at, decoded_object(metadata_text))
            _insert_message(tx, message, metadata_text)
            append_passages(tx, Kind.MESSAGE, session, drafts, title=known.title, at=said_at)
            tx.changed("message", id, 1, Operation.CREATED)
            _set_session(tx, known, known.messages + 1, _line(content))
            return message

        return await self._database.write(operation, self._actor)

    async def messages(self, session: str, limit: int = 100, before: int | None = None) -> list[Message]:
        if not 1 <= limit <= LIMIT:
            raise InvalidValue(f"From 1 to {LIMIT:,} messages can be read at once.")
        sql = (
            f"SELECT {', '.join(MESSAGE_COLUMNS)} FROM messages "
            "WHERE session = (SELECT number FROM sessions WHERE id = ?) AND position < ? ORDER BY position DESC LIMIT ?"
        )

        def operation(connection: Connection) -> list[Row]:
            _existing(connection, session)
            return connection.execute(sql, (session, 2**62 if before is None else before, limit)).fetchall()

        return [message_of(row) for row in reversed(await self._database.read(operation))]

    async def clear(self, session: str) -> int:
        def operation(tx: Transaction) -> int:
            known = _existing(tx.connection, session)
            count = _remove_messages(tx, session)
            if count:
                _set_session(tx, known, 0, "")
            return count

        return await self._database.write(operation, self._actor)

    async def archive(self, session: str, archived: bool = True) -> Session:
        def operation(tx: Transaction) -> Session:
            known = _existing(tx.connection, session)
            if (known.archived_at is not None) == archived:
                return known
            tx.execute("UPDATE sessions SET archived_at = ? WHERE id = ?", (tx.now if archived else None, session))
            return _touch(tx, session)

        return await self._database.write(operation, self._actor)

    async def remove(self, session: str) -> bool:
        def operation(tx: Transaction) -> bool:
            known = _find(tx.connection, session)
            if known is None:
                return False
            _remove_messages(tx, session)
            tx.execute("DELETE FROM sessions WHERE id = ?", (session,))
            tx.changed("session", session, known.version + 1, Operation.DELETED)
            return True

        return await self._database.write(operation, self._actor)

    async def restore(self, session: Session, messages: Sequence[Message]) -> Session:
        ready: list[tuple[Message, str, Analysed]] = []
        for message in messages:
            metadata = encoded_object(message.metadata, "metadata of the message")
            ready.append((message, metadata, await cut(self._cutter, message.content, session.title, part=message.id)))

        def operation(tx: Transaction) -> Session:
            if _find(tx.connection, session.id) is not None:
                raise VersionConflict(f"The conversation “{session.title}” is here already. It stays as it is now.")
            _insert_session(tx, session)
            for message, metadata, drafts in ready:
                _insert_message(tx, message, metadata)
                append_passages(tx, Kind.MESSAGE, session.id, drafts, title=session.title, at=message.at)
                tx.changed("message", message.id, 1, Operation.CREATED)
            tx.changed("session", session.id, session.version, Operation.CREATED)
            return session

        return await self._database.write(operation, self._actor)

    async def get(self, session: str) -> Session | None:
        return await self._database.read(lambda connection: _find(connection, session))


def _find(connection: Connection, session: str) -> Session | None:
    row = connection.execute(f"SELECT {', '.join(SESSION_COLUMNS)} FROM sessions WHERE id = ?", (session,)).fetchone()
    return session_of(row) if row is not None else None


def _existing(connection: Connection, session: str) -> Session:
    known = _find(connection, session)
    if known is None:
        raise NotFound("This conversation is not in the workspace any more.")
    return known


def _insert_session(tx: Transaction, session: Session) -> None:
    tx.execute(
        "INSERT INTO sessions (id, title, title_folded, created_at, updated_at, messages, archived_at, last_line,"
        " version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            session.id,
            session.title,
            fold(session.title),
            session.created_at,
            session.updated_at,
            session.messages,
            session.archived_at,
            session.last_line,
            session.version,
        ),
    )


def _insert_message(tx: Transaction, message: Message, metadata: str) -> None:
    tx.execute(
        "INSERT INTO messages (id, session, position, role, content, at, metadata)"
        " VALUES (?, (SELECT number FROM sessions WHERE id = ?), ?, ?, ?, ?, ?)",
        (message.id, message.session, message.position, message.role, message.content, message.at, metadata),
    )


def _remove_messages(tx: Transaction, session: str) -> int:
    of_session = "session = (SELECT number FROM sessions WHERE id = ?)"
    ids = [str(row[0]) for row in tx.execute(f"SELECT id FROM messages WHERE {of_session}", (session,)).fetchall()]
    remove_passages(tx, Kind.MESSAGE, session)
    tx.execute(f"DELETE FROM messages WHERE {of_session}", (session,))
    for id in ids:
        tx.changed("message", id, 2, Operation.DELETED)
    return len(ids)


def _set_session(tx: Transaction, known: Session, messages: int, last_line: str) -> None:
    tx.execute("UPDATE sessions SET messages = ?, last_line = ? WHERE id = ?", (messages, last_line, known.id))
    _touch(tx, known.id)


def _touch(tx: Transaction, session: str) -> Session:
    tx.execute("UPDATE sessions SET updated_at = ?, version = version + 1 WHERE id = ?", (tx.now, session))
    known = _existing(tx.connection, session)
    tx.changed("session", session, known.version, Operation.UPDATED)
    return known


def _line(content: str) -> str:
    return one_line(content[: 4 * LAST_LINE])[:LAST_LINE]
