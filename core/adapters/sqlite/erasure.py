"""Forgetting for good (ErasurePort over SQLite)."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from core.adapters.sqlite.driver import Connection, Row
from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.mentioning import mentioning, picked, watched
from core.adapters.sqlite.removing import hanging, remove, texts, unname
from core.domain.erasure import KIND_SAID, Doomed, ErasurePlan, Stage, Thing, Wanted
from core.domain.mentions import Mention
from core.domain.traces import Hashes, Traces, TraceTable, traces_of
from core.errors import EnvironmentFault
from core.ports.erasure import Begun, Orphans, Said

TOGETHER = 50  # things erased in one transaction
BLOCK = 1 << 20  # bytes of kept text that are compared at once
CHECKPOINTS = 3  # each waits up to ten seconds for other readers
STEPS = 6  # of tidying


class SqliteErasure:
    """`actor` is who the changes are written down for."""

    def __init__(self, database: Database, actor: str = "person") -> None:
        self._database = database
        self._actor = actor

    async def plan(self, wanted: Wanted) -> ErasurePlan:
        mention = Mention(wanted.name) if wanted.name else None

        def operation(connection: Connection) -> ErasurePlan:
            if mention is not None:
                things = list(mentioning(connection, mention))
            else:
                things = [thing for kind, id in dict.fromkeys(wanted.things) for thing in picked(connection, kind, id)]
            counts = Counter(KIND_SAID[thing.kind] for thing in things)
            for thing in things:
                counts.update(hanging(connection, thing.kind, thing.id))
            named = [thing.id for thing in things if thing.kind is Doomed.PAPER]
            unread: tuple[str, ...] = ()
            if mention is not None:
                rows = connection.execute(
                    "SELECT id, name FROM papers WHERE removed_at IS NULL AND (state <> 'searchable' OR scan = 1)"
                )
                unread = tuple(str(name) for id, name in rows if id not in named)
            kept = {name: n for name, n in counts.items() if n}
            return ErasurePlan(wanted, tuple(things), kept, unread, watched(connection, named))

        return await self._database.read(operation)

    async def begin(self, plan: ErasurePlan) -> Begun:
        def collect(connection: Connection) -> Traces:
            names = [plan.wanted.name] if plan.wanted.name else []
            return traces_of((*names, *_all_texts(connection, plan.things)))

        traces = await self._database.read(collect)
        things = json.dumps([[thing.kind.value, thing.id] for thing in plan.things], ensure_ascii=False)
        papers = json.dumps([thing.id for thing in plan.things if thing.kind is Doomed.PAPER])

        def operation(tx: Transaction) -> Begun:
            cursor = tx.execute(
                "INSERT INTO erasures (at, actor, stage, name, things, papers, counts, unread, seed, short, long,"
                " endings)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    tx.now, tx.actor, Stage.ROWS.value, plan.wanted.name, things, papers, json.dumps(dict(plan.counts)),
                    len(plan.unread), str(traces.seed), _stored(traces.short), _stored(traces.long),
                    _stored(traces.endings),
                ),
            )  # fmt: skip
            return Begun(cursor.lastrowid, tx.actor, Stage.ROWS, plan.counts, len(plan.unread))

        try:
            return await self._database.write(operation, self._actor)
        except asyncio.CancelledError:  # it may be written all the same
            seed = str(traces.seed)
            await self._database.write(lambda tx: tx.execute("DELETE FROM erasures WHERE seed = ?", (seed,)) and None)
            raise

    async def unfinished(self) -> list[Begun]:
        rows = await self._database.read(
            lambda c: c.execute("SELECT number, actor, stage, counts, unread FROM erasures ORDER BY number").fetchall()
        )
        return [Begun(int(n), str(by), Stage(at), json.loads(counts), unread) for n, by, at, counts, unread in rows]

    async def remove(self, begun: Begun, said: Said) -> Orphans:
        name, things = await self._things(begun)
        for start in range(0, len(things), TOGETHER):
            said(start, len(things))
            await self._database.write(lambda tx, some=things[start : start + TOGETHER]: _remove(tx, begun, some))
        if name:
            await self._database.write(lambda tx: unname(tx, Mention(name)))
        said(len(things), len(things))
        return await self.orphans(begun)

    async def orphans(self, begun: Begun) -> Orphans:
        digests, papers = await self._row(begun, "digests, papers")
        return Orphans(tuple(json.loads(digests)), tuple(json.loads(papers)))

    async def staying(self) -> frozenset[str]:
        sql = "SELECT digest FROM artifacts UNION SELECT digest FROM former_bytes UNION SELECT id FROM papers"
        return frozenset(await self._database.read(lambda c: [str(row[0]) for row in c.execute(sql).fetchall()]))

    async def reach(self, begun: Begun, stage: Stage) -> None:
        def operation(connection: Connection) -> None:
            connection.execute("PRAGMA secure_delete = ON")
            sql = "UPDATE erasures SET stage = ?"
            if stage in (Stage.SPACE, Stage.CHECK):  # words in it are not needed any more
                sql += ", name = '', things = '[]'"
            connection.execute(f"{sql} WHERE number = ?", (stage.value, begun.number))

        await self._database.alone(operation)

    async def tidy(self, begun: Begun, said: Said) -> None:
        steps = (
            "INSERT INTO passage_index (passage_index) VALUES ('optimize')",
            "INSERT INTO agents_fts (agents_fts) VALUES ('optimize')",
            "INSERT INTO skills_fts (skills_fts) VALUES ('optimize')",
            "DELETE FROM vocabulary WHERE passages <= 0",
            "VACUUM",
        )
        for number, sql in enumerate(steps):
            said(number, STEPS)
            await self._database.alone(lambda connection, sql=sql: connection.execute(sql) and None)
        said(len(steps), STEPS)
        await self._empty_log()
        said(STEPS, STEPS)

    async def _empty_log(self) -> None:
        for _ in range(CHECKPOINTS):
            row = await self._database.alone(lambda c: c.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone())
            if row is None or int(row[0]) == 0:
                return
        raise EnvironmentFault("Another program is reading this workspace. Close it there and try again.")

    async def traces(self, begun: Begun) -> Traces:
        seed, *held = await self._row(begun, "seed, short, long, endings")
        short, long, endings = (np.frombuffer(blob, "<u8") for blob in held)
        table = TraceTable(Traces(int(seed), short, long, endings))
        return await self._database.read(lambda connection: table.without(_kept_texts(connection)))

    async def end(self, begun: Begun) -> None:
        def operation(connection: Connection) -> None:
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("DELETE FROM erasures WHERE number = ?", (begun.number,))
            connection.execute("PRAGMA secure_delete = FAST")

        await self._database.alone(operation)
        await self._empty_log()

    async def _things(self, begun: Begun) -> tuple[str, list[tuple[Doomed, str]]]:
        name, held = await self._row(begun, "name, things")
        return str(name), [(Doomed(kind), str(id)) for kind, id in json.loads(held)]

    async def _row(self, begun: Begun, columns: str) -> Row:
        sql = f"SELECT {columns} FROM erasures WHERE number = ?"
        row = await self._database.read(lambda c: c.execute(sql, (begun.number,)).fetchone())
        if row is None:
            raise RuntimeError("this erasure has ended")
        return row


def _stored(hashes: Hashes) -> bytes:
    return hashes.astype("<u8").tobytes()


def _all_texts(connection: Connection, things: Sequence[Thing]) -> Iterator[str | bytes]:
    for thing in things:
        yield from texts(connection, thing.kind, thing.id)


def _remove(tx: Transaction, begun: Begun, things: Sequence[tuple[Doomed, str]]) -> None:
    digests = [digest for kind, id in things for digest in remove(tx, kind, id)]
    if digests:
        row = tx.execute("SELECT digests FROM erasures WHERE number = ?", (begun.number,)).fetchone()
        known: list[str] = json.loads(row[0]) if row else []
        tx.execute("UPDATE erasures SET digests = ? WHERE number = ?", (json.dumps(known + digests), begun.number))


def _kept_texts(connection: Connection) -> Iterator[bytes]:
    """All texts and blobs that stay, in blocks, and the words of the schema."""
    yield "\n".join(str(row[0]) for row in connection.execute("SELECT sql FROM sqlite_master").fetchall()).encode()
    tables = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        " AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'passage_index_%'"
        " AND name NOT LIKE '%s_fts_%'"
    ).fetchall()
    held = bytearray()
    for (table,) in tables:
        columns = [
            str(column[1])
            for column in connection.execute(f"PRAGMA table_info({table})").fetchall()
            if str(column[2]).upper() in ("TEXT", "BLOB")
        ]
        for row in connection.execute(f"SELECT {', '.join(columns)} FROM {table}") if columns else ():
            for value in row:
                if value:
                    held += value.encode("utf-8", "replace") if isinstance(value, str) else value
                    held += b"\n\0"
            if len(held) >= BLOCK:
                yield bytes(held)
                del held[:]
    yield bytes(held)
