"""Records (MemoryPort over SQLite). How recall ranks stands in `recall`."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.adapters.sqlite.driver import Connection
from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.history import note_access
from core.adapters.sqlite.recall import Recall, present, relevant
from core.adapters.sqlite.records import (
    SELECT,
    Kept,
    check_expected,
    check_name,
    find,
    insert,
    new_record,
    noted,
    put_accesses,
    ready,
    record_of,
    update,
)
from core.adapters.sqlite.trashing import trash_record
from core.domain.changes import Operation
from core.domain.fillers import telling
from core.domain.history import AccessKind
from core.domain.memory import Json, Record, Source
from core.domain.passages import Kind
from core.domain.query import Filters, RecordFilter
from core.domain.scopes import check_key
from core.domain.tiers import REINFORCEMENT, Tier, check_delta, reinforced
from core.domain.writing import words
from core.errors import EnvironmentFault, InvalidValue, NotFound
from core.ports.cutting import CutterPort
from core.ports.embedding import EmbeddingPort
from core.ports.index import MeaningIndexPort

LIMIT = 100  # records in one answer to recall
DEPTH = 200  # passages that are looked at by meaning
PATIENCE = 2.0  # seconds that an answer waits for the model; after that it is by words alone


class SqliteMemory:
    """The records of one workspace. `actor` is who the changes are written down for.

    Without `embedding` and `meaning`, or while they can't answer, recall goes by words alone.
    """

    def __init__(
        self,
        database: Database,
        cutter: CutterPort,
        actor: str = "person",
        *,
        embedding: EmbeddingPort | None = None,
        meaning: MeaningIndexPort | None = None,
    ) -> None:
        self._database = database
        self._cutter = cutter
        self._actor = actor
        self._embedding = embedding
        self._meaning = meaning

    async def remember(
        self,
        key: str,
        value: Json,
        tier: Tier,
        namespace: str = "default",
        metadata: Mapping[str, Json] | None = None,
        *,
        source: Source | None = None,
        expected: int | None = None,
    ) -> Record:
        made = await ready(self._cutter, new_record(namespace, key, value, tier, metadata, source))

        def operation(tx: Transaction) -> Record:
            known = find(tx.connection, namespace, key)
            check_expected(expected, known and known.record, made.record)
            fresh = replace(made.record, updated_at=tx.now, updated_by=tx.actor)
            if known is None:
                fresh = replace(fresh, created_at=tx.now, last_accessed_at=tx.now, created_by=tx.actor)
                insert(tx, made.with_(fresh))
                return noted(tx, fresh, Operation.CREATED)
            record = _remembered_again(known.record, fresh)
            update(tx, known, made.with_(record))
            return noted(tx, record, Operation.UPDATED)

        return await self._database.write(operation, self._actor)

    async def recall(
        self,
        query: str,
        tier: Tier | None = None,
        namespace: str = "default",
        limit: int = 10,
        *,
        tags: Sequence[str] = (),
        after: float | None = None,
        before: float | None = None,
        learn: bool = False,
    ) -> list[Record]:
        check_key(namespace, "namespace")
        if not 1 <= limit <= LIMIT:
            raise InvalidValue(f"From 1 to {LIMIT} memories can be recalled at once.")
        asked = Recall(
            telling(words(query)),
            RecordFilter(namespace, tier and Tier(tier), tuple(tags)),
            after,
            before,
            limit,
            self._database.clock(),
        )
        near = await self._near(query, asked) if asked.words else None

        def operation(connection: Connection) -> list[Record]:
            best = relevant(connection, asked, near) if asked.words else present(connection, asked)
            marks = ", ".join("?" * len(best))
            found = connection.execute(f"{SELECT} WHERE number IN ({marks})", [hit.number for hit in best])
            records = {int(row[0]): record_of(row) for row in found.fetchall()}
            return [replace(records[hit.number], score=hit.score, why=hit.why) for hit in best]

        answer = await self._database.read(operation)
        if learn and answer:
            await self._database.write(lambda tx: _learn(tx, answer, query), self._actor)
        return answer

    async def get(self, key: str, namespace: str = "default") -> Record | None:
        check_name(namespace, key)
        known = await self._database.read(lambda connection: find(connection, namespace, key))
        return known and known.record

    async def forget(self, key: str, namespace: str = "default") -> bool:
        check_name(namespace, key)

        def operation(tx: Transaction) -> bool:
            known = find(tx.connection, namespace, key)
            if known is not None:
                trash_record(tx, known)
            return known is not None

        return await self._database.write(operation, self._actor)

    async def forget_all(self, namespace: str) -> int:
        check_key(namespace, "namespace")

        def operation(tx: Transaction) -> int:
            rows = tx.execute(f"{SELECT} WHERE namespace = ?", (namespace,)).fetchall()
            for row in rows:
                trash_record(tx, Kept(int(row[0]), record_of(row)))
            return len(rows)

        return await self._database.write(operation, self._actor)

    async def reinforce(self, key: str, namespace: str = "default", delta: float = REINFORCEMENT) -> Record:
        check_name(namespace, key)
        check_delta(delta)

        def operation(tx: Transaction) -> Record:
            known = find(tx.connection, namespace, key)
            if known is None:
                raise NotFound(f"There is no memory “{key}” in “{namespace}”.")
            record = _accessed(tx, known, delta)
            note_access(tx, known.number, AccessKind.REINFORCED, record.salience)
            return noted(tx, record, Operation.UPDATED)

        return await self._database.write(operation, self._actor)

    async def close(self) -> None:
        """Nothing is held here: the workspace owns the database."""

    async def _near(self, query: str, asked: Recall) -> dict[str, float] | None:
        """The cosine of the nearest passage of each record; None where meaning can't answer now."""
        if self._embedding is None or self._meaning is None:
            return None
        if (await self._meaning.state()).ready == 0:
            return None
        filters = Filters(frozenset(), frozenset({Kind.RECORD}), after=asked.after, before=asked.before)
        try:
            vector = await asyncio.wait_for(self._embedding.query(query), PATIENCE)
            found = await self._meaning.nearest(vector, replace(filters, records=asked.among), DEPTH)
        except (EnvironmentFault, TimeoutError):
            return None
        near: dict[str, float] = {}
        for hit in found:
            near[hit.owner] = max(hit.score, near.get(hit.owner, hit.score))
        return near


def _remembered_again(known: Record, fresh: Record) -> Record:
    """What becomes of a known key: it keeps its salience, its accesses, when it was created and its pin."""
    return replace(
        known,
        value=fresh.value,
        tier=fresh.tier,
        metadata=fresh.metadata,
        source=fresh.source,
        updated_at=fresh.updated_at,
        updated_by=fresh.updated_by,
        version=known.version + 1,
    )


def _accessed(tx: Transaction, known: Kept, delta: float) -> Record:
    """Count an access; answers the record after it."""
    record = replace(
        known.record,
        salience=reinforced(known.record.salience, delta),
        access_count=known.record.access_count + 1,
        last_accessed_at=tx.now,
    )
    put_accesses(tx, known.number, record)
    return record


def _learn(tx: Transaction, answer: Sequence[Record], question: str) -> None:
    """Each record that was answered counts as accessed; one that was forgotten meanwhile doesn't."""
    for recalled in answer:
        known = find(tx.connection, recalled.namespace, recalled.key)
        if known is not None:
            record = _accessed(tx, known, 0.0)
            note_access(tx, known.number, AccessKind.RECALLED, record.salience, question)
            noted(tx, record, Operation.UPDATED)
