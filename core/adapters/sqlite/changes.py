"""The stored change stream (ChangePort over SQLite). It is written by `Transaction.changed` alone."""

from core.adapters.sqlite.driver import Row
from core.adapters.sqlite.engine import Database
from core.domain.changes import Change, Operation
from core.errors import InvalidValue

LIMIT = 1000
COLUMNS = "sequence, kind, id, version, operation, at, actor"


class SqliteChanges:
    """Reads the stream of one workspace."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def latest(self) -> int:
        row = await self._database.read(lambda c: c.execute("SELECT max(sequence) FROM changes").fetchone())
        return int(row[0] or 0) if row else 0

    async def after(self, sequence: int, limit: int = 100) -> list[Change]:
        sql = f"SELECT {COLUMNS} FROM changes WHERE sequence > ? ORDER BY sequence LIMIT ?"
        return await self._list(sql, (sequence, _checked(limit)))

    async def of(self, kind: str, id: str, limit: int = 100) -> list[Change]:
        sql = f"SELECT {COLUMNS} FROM changes WHERE kind = ? AND id = ? ORDER BY sequence DESC LIMIT ?"
        return await self._list(sql, (kind, id, _checked(limit)))

    async def _list(self, sql: str, params: tuple[object, ...]) -> list[Change]:
        found = await self._database.read(lambda connection: connection.execute(sql, params).fetchall())
        return [_change(row) for row in found]


def _change(row: Row) -> Change:
    return Change(row[0], row[1], row[2], row[3], Operation(row[4]), row[5], row[6])


def _checked(limit: int) -> int:
    if not 1 <= limit <= LIMIT:
        raise InvalidValue(f"From 1 to {LIMIT:,} changes can be read at once.")
    return limit
