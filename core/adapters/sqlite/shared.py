"""Settings and context that a workspace shares (SharedPort over SQLite)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.adapters.sqlite.cutting import cut
from core.adapters.sqlite.driver import Connection, Row
from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.history import checked_limit, erase_history, former, keep_former, one_former
from core.adapters.sqlite.passages import Analysed, remove_passages, replace_passages
from core.adapters.sqlite.trashing import Content, move_to_trash
from core.adapters.sqlite.values import decoded, decoded_object, encoded, encoded_object, storable
from core.domain.changes import Operation
from core.domain.folding import fold
from core.domain.history import KEPT_VERSIONS, SharedVersion, is_same_entry
from core.domain.memory import Json, SharedEntry, ValueType, type_of
from core.domain.passages import Kind
from core.domain.readable import entry_label, entry_text
from core.domain.scopes import check_key
from core.errors import InvalidValue, NotFound, VersionConflict
from core.ports.cutting import CutterPort

COLUMNS = ("number", "key", "value", "updated_at", "updated_by", "metadata", "version", "type")
_SELECT = f"SELECT {', '.join(COLUMNS)} FROM shared"
KIND = "shared"


def shared_of(row: Row) -> SharedEntry:
    """The entry in a row of COLUMNS."""
    _, key, value, updated_at, updated_by, metadata, version, type = row
    return SharedEntry(key, decoded(value), updated_at, updated_by, decoded_object(metadata), version, ValueType(type))


@dataclass(frozen=True, slots=True)
class _Ready:
    """An entry ready to be written: its JSON as text, and its passages."""

    entry: SharedEntry
    value: str
    metadata: str
    passages: Analysed


class SqliteShared:
    """The shared entries of one workspace. `actor` is who the changes are written down for."""

    def __init__(self, database: Database, cutter: CutterPort, actor: str = "person") -> None:
        self._database = database
        self._cutter = cutter
        self._actor = actor

    async def get(self, key: str) -> SharedEntry | None:
        found = await self._database.read(lambda connection: _find(connection, check_key(key)))
        return found and found[1]

    async def set(
        self,
        key: str,
        value: Json,
        metadata: Mapping[str, Json] | None = None,
        *,
        type: ValueType | None = None,
        expected: int | None = None,
    ) -> SharedEntry:
        made = await _ready(self._cutter, SharedEntry(key, value, 0.0, "", dict(metadata or {})))

        def operation(tx: Transaction) -> SharedEntry:
            known = _find(tx.connection, key)
            _check_expected(expected, known and known[1], made.entry)
            kind = type or (known[1].type if known else type_of(made.entry.value))
            if not kind.allows(made.entry.value):
                raise InvalidValue(f"“{key}” takes {_NAMES[kind]}, and this is {_NAMES[type_of(made.entry.value)]}.")
            return _written(tx, known, replace(made, entry=replace(made.entry, type=kind)))

        return await self._database.write(operation, self._actor)

    async def delete(self, key: str, *, expected: int | None = None) -> bool:
        check_key(key)

        def operation(tx: Transaction) -> bool:
            known = _find(tx.connection, key)
            if known is None:
                return False
            number, entry = known
            _check_expected(expected, entry, entry)
            move_to_trash(
                tx, KIND, key, table="shared", columns=COLUMNS, number=number, title=key,
                text=entry_text(key, entry.value),
            )  # fmt: skip
            remove_passages(tx, Kind.SHARED, key)
            tx.execute("DELETE FROM shared WHERE number = ?", (number,))
            tx.changed(KIND, key, entry.version + 1, Operation.DELETED)
            return True

        return await self._database.write(operation, self._actor)

    async def undo_edit(self, before: SharedEntry, after: SharedEntry) -> SharedEntry:
        made = await _ready(self._cutter, before)

        def operation(tx: Transaction) -> SharedEntry:
            known = _find(tx.connection, before.key)
            if known is None or not is_same_entry(known[1], after):
                raise VersionConflict(
                    f"“{before.key}” was changed again meanwhile. It stays as it is now.",
                    present=known and known[1],
                    wanted=made.entry,
                )
            keep_former(tx, KIND, known[0])
            entry = replace(made.entry, version=known[1].version + 1)
            _put(tx, replace(made, entry=entry), known[0])
            tx.changed(KIND, entry.key, entry.version, Operation.UPDATED)
            return entry

        return await self._database.write(operation, self._actor)

    async def versions(self, key: str, limit: int = 100) -> list[SharedVersion]:
        check_key(key)
        checked_limit(limit, KEPT_VERSIONS, "versions")

        def operation(connection: Connection) -> list[SharedVersion]:
            known = _find(connection, key)
            if known is None:
                return []
            older = former(connection, KIND, known[0], limit)
            return [_present(known[1]), *(_version(row) for row in older)][:limit]

        return await self._database.read(operation)

    async def restore_version(self, key: str, version: int, *, expected: int | None = None) -> SharedEntry:
        check_key(key)
        made = await _ready(self._cutter, await self._database.read(lambda c: _at_version(c, key, version)))

        def operation(tx: Transaction) -> SharedEntry:
            known = _find(tx.connection, key)
            _check_expected(expected, known and known[1], made.entry)
            return _written(tx, known, made)

        return await self._database.write(operation, self._actor)


class SharedKeeper:
    """TrashKeeper of shared entries."""

    def __init__(self, cutter: CutterPort) -> None:
        self._cutter = cutter

    async def returning(self, content: Content, row: int) -> Callable[[Transaction], None]:
        made = await _ready(self._cutter, shared_of(tuple(content[column] for column in COLUMNS)))
        entry = made.entry

        def operation(tx: Transaction) -> None:
            known = _find(tx.connection, entry.key)
            if known is not None:
                raise VersionConflict(
                    f"“{entry.key}” was set again meanwhile. It stays as it is now.", present=known[1], wanted=entry
                )
            _put(tx, made, row)
            tx.changed(KIND, entry.key, entry.version, Operation.CREATED)

        return operation

    def erase(self, tx: Transaction, rows: Sequence[int]) -> None:
        erase_history(tx, KIND, rows)


_NAMES = {
    ValueType.TEXT: "a text",
    ValueType.NUMBER: "a number",
    ValueType.YES_NO: "yes or no",
    ValueType.LIST: "a list",
    ValueType.STRUCTURE: "values with names",
    ValueType.ANYTHING: "anything",
}

_Known = tuple[int, SharedEntry]
"""The number of an entry's row, and the entry."""


async def _ready(cutter: CutterPort, entry: SharedEntry) -> _Ready:
    storable(check_key(entry.key), "key")
    value = encoded(entry.value, f"value of “{entry.key}”")
    metadata = encoded_object(entry.metadata, f"metadata of “{entry.key}”")
    entry = replace(entry, value=decoded(value), metadata=decoded_object(metadata))
    passages = await cut(cutter, entry_text(entry.key, entry.value), entry.key, heading=entry_label(entry.key))
    return _Ready(entry, value, metadata, passages)


def _check_expected(expected: int | None, present: SharedEntry | None, wanted: SharedEntry) -> None:
    if expected is None or expected == (present.version if present else 0):
        return
    said = "was changed meanwhile" if present else "was deleted meanwhile"
    if expected == 0:
        said = "is here already"
    raise VersionConflict(f"“{wanted.key}” {said}. Nothing was written.", present=present, wanted=wanted)


def _written(tx: Transaction, known: _Known | None, made: _Ready) -> SharedEntry:
    """Write now, as who the transaction is for, keeping what stood there."""
    if known is not None:
        keep_former(tx, KIND, known[0])
    version = known[1].version + 1 if known else 1
    entry = replace(made.entry, updated_at=tx.now, updated_by=tx.actor, version=version)
    _put(tx, replace(made, entry=entry), known[0] if known else None)
    tx.changed(KIND, entry.key, version, Operation.UPDATED if known else Operation.CREATED)
    return entry


def _find(connection: Connection, key: str) -> _Known | None:
    row = connection.execute(f"{_SELECT} WHERE key = ?", (key,)).fetchone()
    return (int(row[0]), shared_of(row)) if row is not None else None


def _put(tx: Transaction, made: _Ready, number: int | None) -> None:
    entry = made.entry
    tx.execute(
        "INSERT INTO shared (number, key, key_folded, value, metadata, updated_at, updated_by, version, type)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE"
        " SET value = excluded.value, metadata = excluded.metadata,"
        " updated_at = excluded.updated_at, updated_by = excluded.updated_by, version = excluded.version,"
        " type = excluded.type",
        (
            number, entry.key, fold(entry.key), made.value, made.metadata, entry.updated_at, entry.updated_by,
            entry.version, entry.type.value,
        ),
    )  # fmt: skip
    replace_passages(tx, Kind.SHARED, entry.key, made.passages, title=entry.key, at=entry.updated_at)


def _present(entry: SharedEntry) -> SharedVersion:
    return SharedVersion(
        entry.version, entry.value, entry.type, entry.metadata, entry.updated_at, entry.updated_by, present=True
    )


def _version(row: Row) -> SharedVersion:
    version, value, metadata, type, _pinned, _source, at, by = row
    return SharedVersion(version, decoded(value), ValueType(type), decoded_object(metadata), at, by)


def _at_version(connection: Connection, key: str, version: int) -> SharedEntry:
    """The entry with what it held at a version."""
    known = _find(connection, key)
    if known is None:
        raise NotFound(f"There is no shared entry “{key}”.")
    number, entry = known
    if version == entry.version:
        return entry
    row = one_former(connection, KIND, number, version)
    if row is None:
        raise NotFound(f"Version {version} of “{key}” is not kept any more.")
    held = _version(row)
    return replace(entry, value=held.value, type=held.type, metadata=held.metadata)
