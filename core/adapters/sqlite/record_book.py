"""What people do with records (RecordBookPort over SQLite): edits, undo, versions, accesses, proposals."""

from collections.abc import Callable
from dataclasses import replace

from core.adapters.sqlite.driver import Connection, Row
from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.history import (
    accesses,
    checked_limit,
    former,
    note_access,
    one_former,
    unnote_accesses,
)
from core.adapters.sqlite.records import (
    COLUMNS,
    KIND,
    Kept,
    Ready,
    check_expected,
    check_name,
    find,
    insert,
    noted,
    put_accesses,
    ready,
    record_of,
    source_of,
    update,
)
from core.adapters.sqlite.values import decoded, decoded_object
from core.domain.changes import Operation
from core.domain.history import (
    KEPT_ACCESSES,
    KEPT_VERSIONS,
    OFTEN,
    Access,
    AccessKind,
    Promotion,
    RecordVersion,
    is_same_content,
    is_same_use,
    is_same_writing,
    used_as,
)
from core.domain.memory import Record
from core.domain.tiers import Tier
from core.errors import NotFound, VersionConflict
from core.ports.cutting import CutterPort

PROPOSALS = 100


class SqliteRecordBook:
    """The records of one workspace. `actor` is who the changes are written down for."""

    def __init__(self, database: Database, cutter: CutterPort, actor: str = "person") -> None:
        self._database = database
        self._cutter = cutter
        self._actor = actor

    async def edit(self, changed: Record, expected: int | None) -> Record:
        made = await ready(self._cutter, changed)

        def operation(tx: Transaction) -> Record:
            known = find(tx.connection, changed.namespace, changed.key)
            if known is None:
                raise _missing(changed.key, changed.namespace, made.record, expected)
            check_expected(expected, known.record, made.record)
            return _edited(tx, known, made)

        return await self._database.write(operation, self._actor)

    async def take(self, record: Record) -> Record:
        made = await ready(self._cutter, record)

        def operation(tx: Transaction) -> Record:
            known = find(tx.connection, record.namespace, record.key)
            check_expected(0, known and known.record, made.record)
            insert(tx, made)
            return noted(tx, made.record, Operation.CREATED)

        return await self._database.write(operation, self._actor)

    async def undo_edit(self, before: Record, after: Record) -> Record:
        made = await ready(self._cutter, before)

        def operation(tx: Transaction) -> Record:
            known = find(tx.connection, before.namespace, before.key)
            if known is None or not is_same_writing(known.record, after):
                raise changed_again(known, made.record)
            record = replace(used_as(made.record, known.record), version=known.record.version + 1)
            update(tx, known, made.with_(record))
            return noted(tx, record, Operation.UPDATED)

        return await self._database.write(operation, self._actor)

    async def undo_access(self, before: Record, after: Record) -> Record:
        check_name(before.namespace, before.key)

        def operation(tx: Transaction) -> Record:
            known = find(tx.connection, before.namespace, before.key)
            if known is None or not is_same_use(known.record, after):
                raise changed_again(known, before)
            record = used_as(known.record, before)
            put_accesses(tx, known.number, record)
            _recount(tx, known, record)
            return noted(tx, record, Operation.UPDATED)

        return await self._database.write(operation, self._actor)

    async def versions(self, key: str, namespace: str = "default", limit: int = 100) -> list[RecordVersion]:
        check_name(namespace, key)
        checked_limit(limit, KEPT_VERSIONS, "versions")

        def operation(connection: Connection) -> list[RecordVersion]:
            known = find(connection, namespace, key)
            if known is None:
                return []
            older = former(connection, KIND, known.number, limit)
            return [_present(known.record), *(_version(row) for row in older)][:limit]

        return await self._database.read(operation)

    async def restore_version(
        self, key: str, namespace: str = "default", *, version: int, expected: int | None = None
    ) -> Record:
        check_name(namespace, key)
        read = await self._database.read(lambda connection: _at_version(connection, key, namespace, version))
        made = await ready(self._cutter, read)

        def operation(tx: Transaction) -> Record:
            known = _known(tx.connection, key, namespace)
            check_expected(expected, known.record, made.record)
            return _edited(tx, known, made, source=True)

        return await self._database.write(operation, self._actor)

    async def accesses(self, key: str, namespace: str = "default", limit: int = 100) -> list[Access]:
        check_name(namespace, key)
        checked_limit(limit, KEPT_ACCESSES, "accesses")

        def operation(connection: Connection) -> list[Access]:
            known = find(connection, namespace, key)
            return [] if known is None else accesses(connection, known.number, limit)

        return await self._database.read(operation)

    async def tags(self, namespace: str | None = None) -> list[tuple[str, int]]:
        sql = (
            "SELECT min(tag), count(*) FROM record_tags"
            " WHERE :namespace IS NULL OR record IN (SELECT number FROM records WHERE namespace = :namespace)"
            " GROUP BY folded ORDER BY count(*) DESC, folded"
        )
        return await self._counted(sql, {"namespace": namespace})

    async def namespaces(self) -> list[tuple[str, int]]:
        return await self._counted("SELECT namespace, count(*) FROM records GROUP BY namespace ORDER BY namespace", {})

    async def writers(self) -> list[tuple[str, int]]:
        sql = "SELECT updated_by, count(*) FROM records GROUP BY updated_by ORDER BY count(*) DESC, updated_by"
        return await self._counted(sql, {})

    async def _counted(self, sql: str, params: dict[str, object]) -> list[tuple[str, int]]:
        rows = await self._database.read(lambda connection: connection.execute(sql, params).fetchall())
        return [(str(name), int(count)) for name, count in rows]

    async def proposals(self, limit: int = 100) -> list[Promotion]:
        checked_limit(limit, PROPOSALS, "proposals")
        columns = ", ".join(f"r.{column}" for column in COLUMNS)
        sql = (
            f"SELECT {columns} FROM records r LEFT JOIN refusals f ON f.record = r.number"
            " WHERE r.tier = ? AND r.access_count >= ? AND r.access_count >= 2 * coalesce(f.access_count, 0)"
            " ORDER BY r.access_count DESC, r.number DESC LIMIT ?"
        )
        params = (Tier.WORKING.value, OFTEN, limit)
        rows = await self._database.read(lambda connection: connection.execute(sql, params).fetchall())
        return [Promotion(record_of(row)) for row in rows]

    async def refuse(self, key: str, namespace: str = "default") -> None:
        await self._answer(
            key,
            namespace,
            lambda tx, known: tx.execute(
                "INSERT INTO refusals (record, access_count, at) VALUES (?, ?, ?) ON CONFLICT (record)"
                " DO UPDATE SET access_count = excluded.access_count, at = excluded.at",
                (known.number, known.record.access_count, tx.now),
            ),
        )

    async def unrefuse(self, key: str, namespace: str = "default") -> None:
        await self._answer(
            key, namespace, lambda tx, known: tx.execute("DELETE FROM refusals WHERE record = ?", (known.number,))
        )

    async def _answer(self, key: str, namespace: str, act: Callable[[Transaction, Kept], object]) -> None:
        check_name(namespace, key)

        def operation(tx: Transaction) -> None:
            known = _known(tx.connection, key, namespace)
            act(tx, known)
            tx.derived(KIND, (known.record.id,))

        await self._database.write(operation, self._actor)


def _edited(tx: Transaction, known: Kept, made: Ready, *, source: bool = False) -> Record:
    """Write what a person may change, where it differs. source: take that over as well."""
    old, new = known.record, made.record
    record = replace(
        old,
        value=new.value,
        tier=new.tier,
        metadata=new.metadata,
        pinned=new.pinned,
        source=new.source if source else old.source,
    )
    if is_same_content(old, record):
        return old
    record = replace(record, updated_at=tx.now, updated_by=tx.actor, version=old.version + 1)
    update(tx, known, made.with_(record))
    return noted(tx, record, Operation.UPDATED)


def _recount(tx: Transaction, known: Kept, record: Record) -> None:
    """Bring the access history to what the record counts."""
    more = record.access_count - known.record.access_count
    if more < 0:
        unnote_accesses(tx, known.number, -more)
    for _ in range(min(more, KEPT_ACCESSES)):
        note_access(tx, known.number, AccessKind.REINFORCED, record.salience)


def _known(connection: Connection, key: str, namespace: str) -> Kept:
    known = find(connection, namespace, key)
    if known is None:
        raise NotFound(f"There is no memory “{key}” in “{namespace}”.")
    return known


def _missing(key: str, namespace: str, wanted: Record, expected: int | None) -> Exception:
    if expected is None:
        return NotFound(f"There is no memory “{key}” in “{namespace}”.")
    return VersionConflict(f"“{wanted.title}” was forgotten meanwhile. Nothing was written.", wanted=wanted)


def changed_again(known: Kept | None, wanted: Record) -> VersionConflict:
    return VersionConflict(
        f"“{wanted.title}” was changed again meanwhile. It stays as it is now.",
        present=known and known.record,
        wanted=wanted,
    )


def _present(record: Record) -> RecordVersion:
    return RecordVersion(
        record.version, record.value, record.tier, record.metadata, record.pinned, record.updated_at,
        record.updated_by, record.source, present=True,
    )  # fmt: skip


def _version(row: Row) -> RecordVersion:
    version, value, metadata, tier, pinned, source, at, by = row
    return RecordVersion(
        version, decoded(value), Tier(tier), decoded_object(metadata), bool(pinned), at, by, source_of(source)
    )


def _at_version(connection: Connection, key: str, namespace: str, version: int) -> Record:
    """The record with what it held at a version."""
    known = _known(connection, key, namespace)
    if version == known.record.version:
        return known.record
    row = one_former(connection, KIND, known.number, version)
    if row is None:
        raise NotFound(f"Version {version} of “{known.record.title}” is not kept any more.")
    held = _version(row)
    return replace(
        known.record,
        value=held.value,
        tier=held.tier,
        metadata=held.metadata,
        pinned=held.pinned,
        source=held.source,
    )
