"""Sessions on their way into the trash and out of it: whole, with their messages."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from core.adapters.sqlite.conversation_rows import (
    all_messages,
    find_session,
    insert_message,
    insert_session,
    made_ready,
    remove_messages,
)
from core.adapters.sqlite.driver import Connection
from core.adapters.sqlite.engine import Transaction
from core.adapters.sqlite.trashing import lay_in_trash
from core.adapters.sqlite.values import encoded
from core.domain.changes import Operation
from core.domain.memory import Message, Role, Session
from core.errors import VersionConflict
from core.ports.cutting import CutterPort


def to_trash(tx: Transaction, known: Session) -> None:
    """Put a session with all its messages into the trash."""
    row = tx.execute("SELECT number FROM sessions WHERE id = ?", (known.id,)).fetchone()
    messages = all_messages(tx.connection, known.id)
    told: list[Any] = [[m.id, m.position, m.role.value, m.content, m.at, m.metadata] for m in messages]
    remove_messages(tx, known.id)
    tx.execute("DELETE FROM sessions WHERE id = ?", (known.id,))
    tx.changed("session", known.id, known.version + 1, Operation.DELETED)
    lay_in_trash(
        tx,
        "session",
        known.id,
        number=int(row[0]) if row else 0,
        title=known.title,
        text="\n".join(message.content for message in messages[:20]),
        content=encoded({"session": asdict(known), "messages": told}, "conversation"),
    )


def in_trash(connection: Connection, session: str) -> tuple[int, int, dict[str, Any]] | None:
    """(place in the trash, row number before, content) of what was removed last under this id."""
    row = connection.execute(
        "SELECT number, row, content FROM trash WHERE kind = 'session' AND id = ? ORDER BY number DESC LIMIT 1",
        (session,),
    ).fetchone()
    return (int(row[0]), int(row[1]), json.loads(row[2])) if row is not None else None


def held(content: dict[str, Any]) -> tuple[Session, list[Message]]:
    """The session and the messages in what lies in the trash."""
    session = Session(**content["session"])
    messages = [
        Message(id, session.id, position, Role(role), text, at, metadata)
        for id, position, role, text, at, metadata in content["messages"]
    ]
    return session, messages


class SessionKeeper:
    """TrashKeeper of sessions: their messages lie in the trash with them."""

    def __init__(self, cutter: CutterPort) -> None:
        self._cutter = cutter

    async def returning(self, content: dict[str, Any], row: int) -> Callable[[Transaction], None]:
        """Make the messages' passages ready; the answer puts all of it back under its old number."""
        session, messages = held(content)
        ready = await made_ready(self._cutter, messages, session.title)

        def operation(tx: Transaction) -> None:
            if find_session(tx.connection, session.id) is not None:
                raise VersionConflict(f"The conversation “{session.title}” is here already. It stays as it is now.")
            insert_session(tx, session, row or None)
            for each in ready:
                insert_message(tx, each, session.title)
            tx.changed("session", session.id, session.version, Operation.CREATED)

        return operation

    def erase(self, tx: Transaction, rows: Sequence[int]) -> None:
        """Nothing of a session is left elsewhere."""
