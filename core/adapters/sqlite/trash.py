"""The trash of a workspace (ForgottenPort over SQLite)."""

import json
from collections.abc import Mapping, Sequence

from core.adapters.sqlite.driver import Connection, Row
from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.trashing import TrashKeeper, drop_from_trash
from core.domain.trash import Trashed
from core.errors import NotFound

COLUMNS = ("number", "kind", "id", "title", "preview", "removed_at", "removed_by")
SELECT = f"SELECT {', '.join(COLUMNS)} FROM trash"
AT_ONCE = 500  # things that are erased in one transaction


def trashed_of(row: Row) -> Trashed:
    """The thing in a row of COLUMNS."""
    return Trashed(*row)


class SqliteTrash:
    """keepers: for each kind of thing that may lie here. `actor` is who the changes are written down for."""

    def __init__(self, database: Database, keepers: Mapping[str, TrashKeeper], actor: str = "person") -> None:
        self._database = database
        self._keepers = keepers
        self._actor = actor

    async def find(self, kind: str, id: str) -> Trashed | None:
        sql = f"{SELECT} WHERE kind = ? AND id = ? ORDER BY number DESC LIMIT 1"
        row = await self._database.read(lambda connection: connection.execute(sql, (kind, id)).fetchone())
        return trashed_of(row) if row is not None else None

    async def restore(self, number: int) -> Trashed:
        thing, row, content = await self._database.read(lambda connection: held_in_trash(connection, number))
        put_back = await self._keepers[thing.kind].returning(json.loads(content), row)

        def operation(tx: Transaction) -> Trashed:
            held_in_trash(tx.connection, number)
            put_back(tx)
            drop_from_trash(tx, number)
            return thing

        return await self._database.write(operation, self._actor)

    async def erase(self, numbers: Sequence[int]) -> int:
        gone = 0
        for start in range(0, len(numbers), AT_ONCE):
            some = json.dumps(list(numbers[start : start + AT_ONCE]))
            gone += await self._erase("number IN (SELECT value FROM json_each(?))", (some,), AT_ONCE)
        return gone

    async def erase_until(self, instant: float, limit: int = AT_ONCE) -> int:
        return await self._erase("removed_at <= ?", (instant,), limit)

    async def oldest(self) -> float | None:
        row = await self._database.read(lambda c: c.execute("SELECT min(removed_at) FROM trash").fetchone())
        return row[0] if row else None

    async def empty(self) -> int:
        gone = 0
        while erased := await self._erase("1", (), AT_ONCE):
            gone += erased
        return gone

    async def _erase(self, where: str, params: tuple[object, ...], limit: int) -> int:
        def operation(tx: Transaction) -> int:
            rows = tx.execute(
                f"SELECT number, kind, row FROM trash WHERE {where} ORDER BY removed_at, number LIMIT ?",
                (*params, limit),
            ).fetchall()
            for kind in sorted({str(row[1]) for row in rows}):
                self._keepers[kind].erase(tx, [int(row[2]) for row in rows if row[1] == kind])
            tx.executemany("DELETE FROM trash WHERE number = ?", [(row[0],) for row in rows])
            if rows:
                tx.derived("trash", tuple(str(row[0]) for row in rows))
            return len(rows)

        return await self._database.write(operation, self._actor)


def held_in_trash(connection: Connection, number: int) -> tuple[Trashed, int, str]:
    """A thing in the trash, the number of its row, and its content."""
    row = connection.execute(f"SELECT {', '.join(COLUMNS)}, row, content FROM trash WHERE number = ?", (number,))
    found = row.fetchone()
    if found is None:
        raise NotFound("This is not in the trash any more.")
    return trashed_of(found[: len(COLUMNS)]), int(found[-2]), str(found[-1])
