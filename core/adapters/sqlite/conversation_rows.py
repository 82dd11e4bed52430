"""The rows of sessions and messages: reading and writing them."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from core.adapters.sqlite.driver import Connection, Row
from core.adapters.sqlite.engine import Transaction
from core.adapters.sqlite.passages import Analysed, analyse, append_passages, remove_passages
from core.adapters.sqlite.values import decoded_object, encoded_object
from core.domain.changes import Operation
from core.domain.conversations import last_line
from core.domain.folding import fold
from core.domain.memory import Message, Role, Session
from core.domain.passages import Kind
from core.errors import NotFound
from core.ports.cutting import CutterPort

SESSION_COLUMNS = (
    "number", "id", "title", "created_at", "updated_at", "messages", "archived_at", "version", "last_line", "origin",
    "dated",
)  # fmt: skip
MESSAGE_COLUMNS = (
    "number", "id", "(SELECT id FROM sessions s WHERE s.number = messages.session)", "position", "role", "content",
    "at", "metadata",
)  # fmt: skip
OF_SESSION = "session = (SELECT number FROM sessions WHERE id = ?)"
Ready = tuple[Message, str, Analysed]
"""A message, its metadata as JSON text, its passages."""
GONE = "This conversation is not in the workspace any more."


def session_of(row: Row) -> Session:
    """The session in a row of SESSION_COLUMNS."""
    return Session(*row[1:-1], dated=bool(row[-1]))


def message_of(row: Row) -> Message:
    """The message in a row of MESSAGE_COLUMNS."""
    _, id, session, position, role, content, at, metadata = row
    return Message(id, session, position, Role(role), content, at, decoded_object(metadata))


def find_session(connection: Connection, session: str) -> Session | None:
    row = connection.execute(f"SELECT {', '.join(SESSION_COLUMNS)} FROM sessions WHERE id = ?", (session,)).fetchone()
    return session_of(row) if row is not None else None


def existing(connection: Connection, session: str) -> Session:
    known = find_session(connection, session)
    if known is None:
        raise NotFound(GONE)
    return known


def all_messages(connection: Connection, session: str) -> list[Message]:
    sql = f"SELECT {', '.join(MESSAGE_COLUMNS)} FROM messages WHERE {OF_SESSION} ORDER BY position"
    return [message_of(row) for row in connection.execute(sql, (session,)).fetchall()]


def insert_session(tx: Transaction, session: Session, number: int | None = None) -> None:
    """number: the row number that it had before; None gives it a new one."""
    tx.execute(
        "INSERT INTO sessions (number, id, title, title_folded, created_at, updated_at, messages, archived_at,"
        " last_line, version, origin, dated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            number,
            session.id,
            session.title,
            fold(session.title),
            session.created_at,
            session.updated_at,
            session.messages,
            session.archived_at,
            session.last_line,
            session.version,
            session.origin,
            session.dated,
        ),
    )


async def made_ready(cutter: CutterPort, messages: Sequence[Message], title: str) -> list[Ready]:
    """What costs time, off the writer and off the loop: messages with their metadata as JSON and their passages."""

    def ready(message: Message) -> Ready:
        metadata = encoded_object(message.metadata, "metadata of the message")
        drafts = [replace(draft, part=message.id) for draft in cutter.cut(message.content)]
        return message, metadata, analyse(drafts, title)

    return await asyncio.to_thread(lambda: [ready(message) for message in messages]) if messages else []


def insert_message(tx: Transaction, ready: Ready, title: str) -> None:
    """Write a message, its passages under the session's title, and its change."""
    message, metadata, drafts = ready
    tx.execute(
        "INSERT INTO messages (id, session, position, role, content, at, metadata)"
        " VALUES (?, (SELECT number FROM sessions WHERE id = ?), ?, ?, ?, ?, ?)",
        (message.id, message.session, message.position, message.role, message.content, message.at, metadata),
    )
    append_passages(tx, Kind.MESSAGE, message.session, drafts, title=title, at=message.at)
    tx.changed("message", message.id, 1, Operation.CREATED)


def next_position(connection: Connection, session: str) -> int:
    row = connection.execute(f"SELECT max(position) FROM messages WHERE {OF_SESSION}", (session,)).fetchone()
    return 0 if row is None or row[0] is None else int(row[0]) + 1


def remove_messages(tx: Transaction, session: str) -> int:
    """Remove all messages of a session with their passages; answers how many."""
    ids = [str(row[0]) for row in tx.execute(f"SELECT id FROM messages WHERE {OF_SESSION}", (session,)).fetchall()]
    remove_passages(tx, Kind.MESSAGE, session)
    tx.execute(f"DELETE FROM messages WHERE {OF_SESSION}", (session,))
    for id in ids:
        tx.changed("message", id, 2, Operation.DELETED)
    return len(ids)


def touch(tx: Transaction, session: str, at: float | None = None) -> Session:
    """Count a write of the session. at: when it was last added to; None for now."""
    tx.execute(
        "UPDATE sessions SET updated_at = ?, version = version + 1 WHERE id = ?",
        (tx.now if at is None else at, session),
    )
    known = existing(tx.connection, session)
    tx.changed("session", session, known.version, Operation.UPDATED)
    return known


def count_messages(tx: Transaction, session: str) -> None:
    """Make the session tell truly how many messages it has and what the last one says."""
    row = tx.execute(f"SELECT count(*), max(position) FROM messages WHERE {OF_SESSION}", (session,)).fetchone()
    count, last = row if row is not None else (0, None)
    said = tx.execute(f"SELECT content FROM messages WHERE {OF_SESSION} AND position = ?", (session, last)).fetchone()
    tx.execute(
        "UPDATE sessions SET messages = ?, last_line = ? WHERE id = ?",
        (count, last_line(str(said[0])) if said else "", session),
    )
