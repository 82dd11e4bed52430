"""Settings and context that a workspace shares (SharedPort over SQLite)."""

from collections.abc import Mapping

from core.adapters.sqlite.cutting import cut
from core.adapters.sqlite.driver import Connection, Row
from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.passages import Analysed, remove_passages, replace_passages
from core.adapters.sqlite.values import decoded, decoded_object, encoded, encoded_object, storable
from core.domain.changes import Operation
from core.domain.folding import fold
from core.domain.memory import Json, SharedEntry
from core.domain.passages import Kind
from core.domain.readable import entry_label, entry_text
from core.domain.scopes import check_key
from core.errors import VersionConflict
from core.ports.cutting import CutterPort

COLUMNS = ("number", "key", "value", "updated_at", "updated_by", "metadata", "version")
_SELECT = f"SELECT {', '.join(COLUMNS)} FROM shared"


def shared_of(row: Row) -> SharedEntry:
    """The entry in a row of COLUMNS."""
    _, key, value, updated_at, updated_by, metadata, version = row
    return SharedEntry(key, decoded(value), updated_at, updated_by, decoded_object(metadata), version)


class SqliteShared:
    """The shared entries of one workspace. `actor` is who the changes are written down for."""

    def __init__(self, database: Database, cutter: CutterPort, actor: str = "person") -> None:
        self._database = database
        self._cutter = cutter
        self._actor = actor

    async def get(self, key: str) -> SharedEntry | None:
        return await self._database.read(lambda connection: _find(connection, check_key(key)))

    async def set(self, key: str, value: Json, metadata: Mapping[str, Json] | None = None) -> SharedEntry:
        storable(check_key(key), "key")
        value_text = encoded(value, f"value of “{key}”")
        metadata_text = encoded_object(metadata, f"metadata of “{key}”")
        drafts = await self._cut(key, value)

        def operation(tx: Transaction) -> SharedEntry:
            known = _find(tx.connection, key)
            version = known.version + 1 if known else 1
            entry = SharedEntry(key, decoded(value_text), tx.now, self._actor, decoded_object(metadata_text), version)
            _put(tx, entry, value_text, metadata_text, drafts)
            tx.changed("shared", key, version, Operation.UPDATED if known else Operation.CREATED)
            return entry

        return await self._database.write(operation, self._actor)

    async def delete(self, key: str) -> bool:
        check_key(key)

        def operation(tx: Transaction) -> bool:
            known = _find(tx.connection, key)
            if known is None:
                return False
            remove_passages(tx, Kind.SHARED, key)
            tx.execute("DELETE FROM shared WHERE key = ?", (key,))
            tx.changed("shared", key, known.version + 1, Operation.DELETED)
            return True

        return await self._database.write(operation, self._actor)

    async def restore(self, entry: SharedEntry) -> SharedEntry:
        value_text = encoded(entry.value, f"value of “{entry.key}”")
        metadata_text = encoded_object(entry.metadata, f"metadata of “{entry.key}”")
        drafts = await self._cut(entry.key, entry.value)

        def operation(tx: Transaction) -> SharedEntry:
            if _find(tx.connection, entry.key) is not None:
                raise VersionConflict(f"“{entry.key}” was set again meanwhile. It stays as it is now.")
            _put(tx, entry, value_text, metadata_text, drafts)
            tx.changed("shared", entry.key, entry.version, Operation.CREATED)
            return entry

        return await self._database.write(operation, self._actor)

    async def _cut(self, key: str, value: Json) -> Analysed:
        return await cut(self._cutter, entry_text(key, value), key, heading=entry_label(key))


def _find(connection: Connection, key: str) -> SharedEntry | None:
    row = connection.execute(f"{_SELECT} WHERE key = ?", (key,)).fetchone()
    return shared_of(row) if row is not None else None


def _put(tx: Transaction, entry: SharedEntry, value: str, metadata: str, drafts: Analysed) -> None:
    tx.execute(
        "INSERT INTO shared (key, key_folded, value, metadata, updated_at, updated_by, version)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE"
        " SET value = excluded.value, metadata = excluded.metadata,"
        " updated_at = excluded.updated_at, updated_by = excluded.updated_by, version = excluded.version",
        (entry.key, fold(entry.key), value, metadata, entry.updated_at, entry.updated_by, entry.version),
    )
    replace_passages(tx, Kind.SHARED, entry.key, drafts, title=entry.key, at=entry.updated_at)
