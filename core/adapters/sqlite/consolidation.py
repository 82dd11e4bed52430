"""Merging records that say the same (ConsolidationPort over SQLite)."""

import json
from collections.abc import Callable
from dataclasses import replace

from core.adapters.sqlite.alike import alike
from core.adapters.sqlite.driver import Connection
from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.history import checked_limit
from core.adapters.sqlite.record_book import changed_again
from core.adapters.sqlite.records import SELECT, Kept, check_expected, check_name, find, noted, ready, record_of, update
from core.adapters.sqlite.trash import held_in_trash
from core.adapters.sqlite.trashing import RecordKeeper, drop_from_trash, trash_record
from core.domain.changes import Operation
from core.domain.consolidation import Choice, Merged, Pair, chosen, merged
from core.domain.history import is_same_use, is_same_writing, used_as
from core.domain.memory import Record
from core.domain.scopes import check_key
from core.errors import NotFound
from core.ports.cutting import CutterPort

PAIRS = 100
APART = "apart "
"""Names in `meta` that begin so stand for a refused pair: the numbers of both rows, which are never used again."""


class SqliteConsolidation:
    """The records of one workspace. `actor` is who the changes are written down for."""

    def __init__(self, database: Database, cutter: CutterPort, actor: str = "person") -> None:
        self._database = database
        self._cutter = cutter
        self._actor = actor

    async def pairs(self, namespace: str = "default", limit: int = PAIRS) -> list[Pair]:
        check_key(namespace, "namespace")
        checked_limit(limit, PAIRS, "pairs")
        found = await alike(self._database, namespace)
        return await self._database.read(lambda connection: _pairs(connection, found, limit))

    async def merge(self, pair: Pair, choice: Choice) -> Merged:
        kept, other = chosen(pair, choice)
        made = await ready(self._cutter, merged(kept, other, choice.text))

        def operation(tx: Transaction) -> Merged:
            known, gone = find(tx.connection, kept.namespace, kept.key), find(tx.connection, other.namespace, other.key)
            check_expected(kept.version, known and known.record, made.record)
            check_expected(other.version, gone and gone.record, other)
            assert known is not None  # its version is 1 or more
            assert gone is not None
            # what both hold is what was read; how often they were used may not be
            after = replace(
                merged(known.record, gone.record),
                value=made.record.value,
                metadata=made.record.metadata,
                updated_at=tx.now,
                updated_by=tx.actor,
                version=known.record.version + 1,
            )
            update(tx, known, made.with_(after))
            place = trash_record(tx, gone)
            noted(tx, after, Operation.UPDATED)
            return Merged(known.record, after, gone.record, place)

        return await self._database.write(operation, self._actor)

    async def unmerge(self, merged: Merged) -> None:
        before, after = merged.before, merged.after
        made = await ready(self._cutter, before)
        _, row, content = await self._database.read(lambda connection: held_in_trash(connection, merged.trashed))
        put_back = await RecordKeeper(self._cutter).returning(json.loads(content), row)

        def operation(tx: Transaction) -> None:
            known = find(tx.connection, before.namespace, before.key)
            if known is None or not is_same_writing(known.record, after):
                raise changed_again(known, made.record)
            held_in_trash(tx.connection, merged.trashed)
            used = made.record if is_same_use(known.record, after) else known.record
            record = replace(used_as(made.record, used), version=known.record.version + 1)
            put_back(tx)
            update(tx, known, made.with_(record))
            drop_from_trash(tx, merged.trashed)
            noted(tx, record, Operation.UPDATED)

        await self._database.write(operation, self._actor)

    async def refuse(self, pair: Pair) -> None:
        await self._answer(
            pair,
            lambda tx, name: tx.execute(
                "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", (name, str(tx.now))
            ),
        )

    async def unrefuse(self, pair: Pair) -> None:
        await self._answer(pair, lambda tx, name: tx.execute("DELETE FROM meta WHERE name = ?", (name,)))

    async def _answer(self, pair: Pair, act: Callable[[Transaction, str], object]) -> None:
        def operation(tx: Transaction) -> None:
            left, right = _known(tx.connection, pair.left), _known(tx.connection, pair.right)
            act(tx, _apart(left.number, right.number))
            tx.derived("record", (left.record.id, right.record.id))

        await self._database.write(operation, self._actor)


def _apart(one: int, other: int) -> str:
    return f"{APART}{min(one, other)} {max(one, other)}"


def _known(connection: Connection, record: Record) -> Kept:
    check_name(record.namespace, record.key)
    known = find(connection, record.namespace, record.key)
    if known is None:
        raise NotFound(f"“{record.title}” is not there any more.")
    return known


def _pairs(connection: Connection, found: list[tuple[int, int, float]], limit: int) -> list[Pair]:
    """The first of these pairs that weren't refused and are both there still."""
    names = connection.execute("SELECT name FROM meta WHERE substr(name, 1, ?) = ?", (len(APART), APART)).fetchall()
    refused = {str(row[0]) for row in names}
    pairs: list[Pair] = []
    for one, other, similarity in found:
        if len(pairs) == limit:
            break
        if _apart(one, other) in refused:
            continue
        rows = connection.execute(f"{SELECT} WHERE number IN (?, ?)", (one, other)).fetchall()
        if len(rows) == 2:
            left, right = sorted((record_of(row) for row in rows), key=lambda record: (record.created_at, record.key))
            pairs.append(Pair(left, right, similarity))
    return pairs
