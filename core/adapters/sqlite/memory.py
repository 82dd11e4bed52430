"""Records (MemoryPort over SQLite). How recall ranks stands in `recall`."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.adapters.sqlite import recall
from core.adapters.sqlite.cutting import cut
from core.adapters.sqlite.driver import Connection, Row
from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.passages import Analysed, remove_passages, replace_passages
from core.adapters.sqlite.values import decoded, decoded_object, encoded, encoded_object, storable
from core.domain.changes import Operation
from core.domain.folding import fold
from core.domain.memory import Json, Record
from core.domain.passages import Kind
from core.domain.readable import record_label, record_text
from core.domain.scopes import check_key
from core.domain.text import clean, one_line
from core.domain.tiers import HALF_LIFE, Tier, check_delta
from core.domain.writing import words
from core.errors import InvalidValue, NotFound, VersionConflict
from core.ports.cutting import CutterPort

LIMIT = 100  # records in one answer to recall
DIGITS = 9  # decimals kept of salience, so that ten times 0.1 is 1
GONE = -1e300  # freshness of salience 0, whose logarithm is no number

COLUMNS = (
    "number", "namespace", "key", "value", "tier", "metadata", "salience", "access_count", "created_at", "updated_at",
    "last_accessed_at", "pinned", "version",
)  # fmt: skip
_SELECT = f"SELECT {', '.join(COLUMNS)} FROM records"


def record_of(row: Row) -> Record:
    """The record in a row of COLUMNS."""
    _, namespace, key, value, tier, metadata, salience, accesses, created, updated, accessed, pinned, version = row
    return Record(
        namespace, key, decoded(value), Tier(tier), decoded_object(metadata), salience, accesses, created, updated,
        accessed, bool(pinned), version,
    )  # fmt: skip


class SqliteMemory:
    """The records of one workspace. `actor` is who the changes are written down for."""

    def __init__(self, database: Database, cutter: CutterPort, actor: str = "person") -> None:
        self._database = database
        self._cutter = cutter
        self._actor = actor

    async def remember(
        self,
        key: str,
        value: Json,
        tier: Tier,
        namespace: str = "default",
        metadata: Mapping[str, Json] | None = None,
    ) -> Record:
        _check(namespace, key)
        tier = Tier(tier)
        value_text = encoded(value, f"value of “{key}”")
        metadata_text = encoded_object(metadata, f"metadata of “{key}”")
        draft = Record(namespace, key, decoded(value_text), tier, decoded_object(metadata_text), 1.0, 0, 0.0, 0.0, 0.0)
        drafts = await self._cut(draft)

        def operation(tx: Transaction) -> Record:
            known = _find(tx.connection, namespace, key)
            if known is None:
                record = replace(draft, created_at=tx.now, updated_at=tx.now, last_accessed_at=tx.now)
            else:
                record = replace(draft, **_kept(known), updated_at=tx.now, version=known.version + 1)
            _put(tx, record, value_text, metadata_text)
            _index(tx, record, drafts)
            tx.changed("record", record.id, record.version, Operation.UPDATED if known else Operation.CREATED)
            return record

        return await self._database.write(operation, self._actor)

    async def recall(
        self, query: str, tier: Tier | None = None, namespace: str = "default", limit: int = 10
    ) -> list[Record]:
        check_key(namespace, "namespace")
        if not 1 <= limit <= LIMIT:
            raise InvalidValue(f"From 1 to {LIMIT} memories can be recalled at once.")
        asked = recall.Recall(
            tuple(dict.fromkeys(words(query))), namespace, tier and Tier(tier), limit, self._database.clock()
        )

        def operation(connection: Connection) -> list[tuple[float, Row]]:
            best = recall.relevant(connection, asked) if asked.words else recall.present(connection, asked)
            found = connection.execute(
                f"{_SELECT} WHERE number IN ({', '.join('?' * len(best))})", [number for number, _ in best]
            ).fetchall()
            rows = {row[0]: row for row in found}
            return [(score, rows[number]) for number, score in best]

        return [replace(record_of(row), score=score) for score, row in await self._database.read(operation)]

    async def get(self, key: str, namespace: str = "default") -> Record | None:
        _check(namespace, key)
        return await self._database.read(lambda connection: _find(connection, namespace, key))

    async def forget(self, key: str, namespace: str = "default") -> bool:
        _check(namespace, key)

        def operation(tx: Transaction) -> bool:
            known = _find(tx.connection, namespace, key)
            if known is None:
                return False
            _remove(tx, known)
            return True

        return await self._database.write(operation, self._actor)

    async def forget_all(self, namespace: str) -> int:
        check_key(namespace, "namespace")

        def operation(tx: Transaction) -> int:
            rows = tx.execute(f"{_SELECT} WHERE namespace = ?", (namespace,)).fetchall()
            for row in rows:
                _remove(tx, record_of(row))
            return len(rows)

        return await self._database.write(operation, self._actor)

    async def reinforce(self, key: str, namespace: str = "default", delta: float = 0.1) -> Record:
        _check(namespace, key)
        check_delta(delta)

        def operation(tx: Transaction) -> Record:
            known = _find(tx.connection, namespace, key)
            if known is None:
                raise NotFound(f"There is no memory “{key}” in “{namespace}”.")
            record = replace(
                known,
                salience=max(0.0, round(known.salience + delta, DIGITS)),
                access_count=known.access_count + 1,
                last_accessed_at=tx.now,
                version=known.version + 1,
            )
            tx.execute(
                "UPDATE records SET salience = ?, freshness = ?, access_count = ?, last_accessed_at = ?, version = ?"
                " WHERE namespace = ? AND key = ?",
                (
                    record.salience,
                    _freshness(record),
                    record.access_count,
                    record.last_accessed_at,
                    record.version,
                    namespace,
                    key,
                ),
            )
            tx.changed("record", record.id, record.version, Operation.UPDATED)
            return record

        return await self._database.write(operation, self._actor)

    async def restore(self, record: Record) -> Record:
        _check(record.namespace, record.key)
        value_text = encoded(record.value, f"value of “{record.key}”")
        metadata_text = encoded_object(record.metadata, f"metadata of “{record.key}”")
        record = replace(record, score=None)
        drafts = await self._cut(record)

        def operation(tx: Transaction) -> Record:
            if _find(tx.connection, record.namespace, record.key) is not None:
                raise VersionConflict(f"“{record.title}” was written again meanwhile. It stays as it is now.")
            _put(tx, record, value_text, metadata_text)
            _index(tx, record, drafts)
            tx.changed("record", record.id, record.version, Operation.CREATED)
            return record

        return await self._database.write(operation, self._actor)

    async def close(self) -> None:
        """Nothing is held here: the workspace owns the database."""

    async def _cut(self, record: Record) -> Analysed:
        return await cut(self._cutter, record_text(record), one_line(record.title), heading=record_label(record))


def _check(namespace: str, key: str) -> None:
    storable(check_key(namespace, "namespace"), "namespace")
    storable(check_key(key), "key")


def _find(connection: Connection, namespace: str, key: str) -> Record | None:
    row = connection.execute(f"{_SELECT} WHERE namespace = ? AND key = ?", (namespace, key)).fetchone()
    return record_of(row) if row is not None else None


def _kept(known: Record) -> dict[str, Any]:
    """What a record keeps when its key is remembered again."""
    return {
        "salience": known.salience,
        "access_count": known.access_count,
        "created_at": known.created_at,
        "last_accessed_at": known.last_accessed_at,
        "pinned": known.pinned,
    }


def _put(tx: Transaction, record: Record, value: str, metadata: str) -> None:
    title = clean(record.title if record.title == record.key else f"{record.title}\n{record.key}")
    values: Sequence[object] = (
        record.namespace, record.key, record.tier, value, metadata, fold(title), record.salience, _freshness(record),
        record.access_count, record.created_at, record.updated_at, record.last_accessed_at, record.pinned,
        record.version,
    )  # fmt: skip
    tx.execute(
        "INSERT INTO records (namespace, key, tier, value, metadata, title_folded, salience, freshness, access_count,"
        f" created_at, updated_at, last_accessed_at, pinned, version) VALUES ({', '.join('?' * len(values))})"
        " ON CONFLICT (namespace, key) DO UPDATE SET tier = excluded.tier, value = excluded.value,"
        " metadata = excluded.metadata, title_folded = excluded.title_folded, freshness = excluded.freshness,"
        " updated_at = excluded.updated_at, version = excluded.version",
        values,
    )


def _index(tx: Transaction, record: Record, drafts: Analysed) -> None:
    replace_passages(tx, Kind.RECORD, record.id, drafts, title=one_line(record.title), at=record.updated_at)


def _remove(tx: Transaction, record: Record) -> None:
    remove_passages(tx, Kind.RECORD, record.id)
    tx.execute("DELETE FROM records WHERE namespace = ? AND key = ?", (record.namespace, record.key))
    tx.changed("record", record.id, record.version + 1, Operation.DELETED)


def _freshness(record: Record) -> float:
    """See the table: log2 of the salience at last access, and that access in half-lives."""
    if record.salience <= 0:
        return GONE
    return math.log2(record.salience) + record.last_accessed_at / HALF_LIFE[record.tier]
