"""Sessions and their messages (ConversationPort over SQLite).

Every message is searchable: its passages belong to the session and name the message as their part, so a session that is
removed takes them all with it. What is removed stands in the trash with its messages, and not in these tables.
"""

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.adapters.sqlite import conversation_rows as rows
from core.adapters.sqlite.cutting import cut
from core.adapters.sqlite.driver import Connection, Row
from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.passages import remove_part
from core.adapters.sqlite.retitling import analysed_under, retitle_passages
from core.adapters.sqlite.session_trash import SessionKeeper, in_trash, to_trash
from core.adapters.sqlite.trashing import drop_from_trash
from core.adapters.sqlite.values import decoded_object, encoded_object, storable
from core.domain.changes import Operation
from core.domain.conversations import Outcome, Spot, TakenIn, last_line, spots
from core.domain.folding import fold
from core.domain.memory import Json, Message, Role, Session
from core.domain.passages import Kind
from core.domain.scopes import check_key
from core.domain.text import clean, one_line
from core.errors import InvalidValue, NotFound, UserError, VersionConflict
from core.ports.cutting import CutterPort

LIMIT = 1000  # messages in one answer
TOGETHER = 200  # messages that are taken over in one write, so that others wait only a moment


class SqliteConversations:
    """The sessions of one workspace. `actor` is who the changes are written down for."""

    def __init__(self, database: Database, cutter: CutterPort, actor: str = "person") -> None:
        self._database = database
        self._cutter = cutter
        self._actor = actor

    # ---- while it goes on -------------------------------------------------------------------------------------------

    async def begin(self, title: str, session: str | None = None) -> Session:
        id = uuid.uuid4().hex if session is None else storable(check_key(session, "session"), "session")
        title = one_line(title)

        def operation(tx: Transaction) -> Session:
            if (known := rows.find_session(tx.connection, id)) is not None:
                return known
            if in_trash(tx.connection, id) is not None:
                raise UserError("This conversation is in the trash. Take it out first, or begin another one.")
            new = Session(id, title, tx.now, tx.now, 0)
            rows.insert_session(tx, new)
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
            known = rows.existing(tx.connection, session)
            position = rows.next_position(tx.connection, session)
            said_at = tx.now if at is None else at
            message = Message(id, session, position, Role(role), content, said_at, decoded_object(metadata_text))
            rows.insert_message(tx, (message, metadata_text, drafts), known.title)
            tx.execute(
                "UPDATE sessions SET messages = messages + 1, last_line = ? WHERE id = ?",
                (last_line(content), session),
            )
            rows.touch(tx, session)
            return message

        return await self._database.write(operation, self._actor)

    async def messages(self, session: str, limit: int = 100, before: int | None = None) -> list[Message]:
        if not 1 <= limit <= LIMIT:
            raise InvalidValue(f"From 1 to {LIMIT:,} messages can be read at once.")
        sql = (
            f"SELECT {', '.join(rows.MESSAGE_COLUMNS)} FROM messages "
            f"WHERE {rows.OF_SESSION} AND position < ? ORDER BY position DESC LIMIT ?"
        )

        def operation(connection: Connection) -> list[Row]:
            rows.existing(connection, session)
            return connection.execute(sql, (session, 2**62 if before is None else before, limit)).fetchall()

        return [rows.message_of(row) for row in reversed(await self._database.read(operation))]

    async def find(self, session: str, text: str) -> list[Spot]:
        wanted = fold(text)
        sql = (
            f"SELECT id, position, content FROM messages WHERE {rows.OF_SESSION} AND instr(folded(content), ?) > 0 "
            "ORDER BY position"
        )

        def operation(connection: Connection) -> list[Row]:
            rows.existing(connection, session)
            return connection.execute(sql, (session, wanted)).fetchall() if wanted.strip() else []

        found = await self._database.read(operation)
        return await asyncio.to_thread(
            lambda: [Spot(id, at, start, end) for id, at, content in found for start, end in spots(content, text)]
        )

    async def get(self, session: str) -> Session | None:
        return await self._database.read(lambda connection: rows.find_session(connection, session))

    # ---- what a person does with it ---------------------------------------------------------------------------------

    async def rename(self, session: str, title: str, read: str | None = None) -> Session:
        title = storable(one_line(title), "title")
        if not title:
            raise InvalidValue("Give the conversation a title.")
        ready = await analysed_under(self._database, Kind.MESSAGE, session, title)

        def operation(tx: Transaction) -> Session:
            known = rows.existing(tx.connection, session)
            if read is not None and known.title != read:
                raise VersionConflict(
                    f"The title was changed to “{known.title}” while you were typing. "
                    "Save again to replace it, or cancel to keep it."
                )
            if known.title == title:
                return known
            tx.execute("UPDATE sessions SET title = ?, title_folded = ? WHERE id = ?", (title, fold(title), session))
            retitle_passages(tx, Kind.MESSAGE, session, title, ready)
            return rows.touch(tx, session, known.updated_at)

        return await self._database.write(operation, self._actor)

    async def clear(self, session: str) -> int:
        def operation(tx: Transaction) -> int:
            rows.existing(tx.connection, session)
            count = rows.remove_messages(tx, session)
            if count:
                rows.count_messages(tx, session)
                rows.touch(tx, session)
            return count

        return await self._database.write(operation, self._actor)

    async def archive(self, session: str, archived: bool = True, at: float | None = None) -> Session:
        def operation(tx: Transaction) -> Session:
            known = rows.existing(tx.connection, session)
            if (known.archived_at is not None) == archived:
                return known
            since = (tx.now if at is None else at) if archived else None
            tx.execute("UPDATE sessions SET archived_at = ? WHERE id = ?", (since, session))
            return rows.touch(tx, session, known.updated_at)

        return await self._database.write(operation, self._actor)

    async def remove(self, session: str) -> bool:
        def operation(tx: Transaction) -> bool:
            known = rows.find_session(tx.connection, session)
            if known is not None:
                to_trash(tx, known)
            return known is not None

        return await self._database.write(operation, self._actor)

    async def restore(self, session: str) -> Session:
        found = await self._database.read(lambda connection: in_trash(connection, session))
        if found is None:
            if (known := await self.get(session)) is not None:
                raise VersionConflict(f"The conversation “{known.title}” is here already. It stays as it is now.")
            raise NotFound("This conversation is not in the trash any more.")
        place, number, content = found
        put_back = await SessionKeeper(self._cutter).returning(content, number)

        def operation(tx: Transaction) -> Session:
            put_back(tx)
            if not drop_from_trash(tx, place):
                raise NotFound("This conversation is not in the trash any more.")
            return rows.existing(tx.connection, session)

        return await self._database.write(operation, self._actor)

    # ---- what comes from elsewhere ----------------------------------------------------------------------------------

    async def take(self, session: Session, messages: Sequence[Message]) -> TakenIn:
        storable(check_key(session.id, "session"), "session")
        known = await self.get(session.id)
        outcome = Outcome.NEW if known is None else Outcome.KNOWN
        if known is None and await self._database.read(lambda c: in_trash(c, session.id)) is not None:
            known, outcome = await self.restore(session.id), Outcome.BACK
        here = await self._database.read(lambda c: _ids(c, session.id))
        new = [message for message in messages if message.id not in here]
        if new and outcome is Outcome.KNOWN:
            outcome = Outcome.GROWN
        for start in range(0, max(len(new), 1), TOGETHER):
            ready = await rows.made_ready(self._cutter, new[start : start + TOGETHER], (known or session).title)
            known = await self._database.write(lambda tx, ready=ready: _take(tx, session, ready), self._actor)
        assert known is not None
        return TakenIn(known, outcome, tuple(message.id for message in new))

    async def drop(self, session: str, messages: Sequence[str]) -> int:
        def operation(tx: Transaction) -> int:
            known = rows.find_session(tx.connection, session)
            count = 0
            for id in messages if known is not None else ():
                if tx.execute(f"DELETE FROM messages WHERE {rows.OF_SESSION} AND id = ?", (session, id)).rowcount:
                    remove_part(tx, Kind.MESSAGE, session, id)
                    tx.changed("message", id, 2, Operation.DELETED)
                    count += 1
            if count and known is not None:
                rows.count_messages(tx, session)
                rows.touch(tx, session, known.updated_at)
            return count

        return await self._database.write(operation, self._actor)


def _take(tx: Transaction, session: Session, ready: Sequence[rows.Ready]) -> Session:
    """Put the session there if it isn't, and these messages behind those that it has."""
    known = rows.find_session(tx.connection, session.id)
    if known is None:
        rows.insert_session(tx, replace(session, title=one_line(session.title), messages=0, last_line=""))
        tx.changed("session", session.id, session.version, Operation.CREATED)
    here, position = _ids(tx.connection, session.id), rows.next_position(tx.connection, session.id)
    title = known.title if known is not None else one_line(session.title)
    new = [each for each in ready if each[0].id not in here]
    for message, _, _ in new:
        if tx.execute("SELECT 1 FROM messages WHERE id = ?", (message.id,)).fetchone() is not None:
            raise InvalidValue("It names a message that belongs to another conversation.")
    for message, metadata, drafts in new:
        rows.insert_message(tx, (replace(message, session=session.id, position=position), metadata, drafts), title)
        position += 1
    if new:
        rows.count_messages(tx, session.id)
    if known is not None and new:
        return rows.touch(tx, session.id, max(known.updated_at, session.updated_at))
    return rows.existing(tx.connection, session.id)


def _ids(connection: Connection, session: str) -> set[str]:
    found = connection.execute(f"SELECT id FROM messages WHERE {rows.OF_SESSION}", (session,)).fetchall()
    return {str(row[0]) for row in found}
