"""Storage: durable writes a second, reads, long lists, remember and recall. python -m benchmarks.storage [--rows N]

Every figure stands beside a peer in the same run: the standard library's sqlite3 with a commit for each write, and
aiosqlite over the same driver. Prints Markdown. Each write is on disk when it is answered (WAL, synchronous = FULL).
"""

import argparse
import asyncio
import os
import platform
import random
import shutil
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiosqlite
import sqlcipher3.dbapi2 as sqlcipher

from core.adapters.sqlite import lists
from core.adapters.sqlite.driver import Connection
from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.memory import SqliteMemory
from core.adapters.sqlite.migrations import prepare
from core.domain.extraction import PassageDraft
from core.domain.tiers import Tier
from core.ports.rows import ListQuery

CALLERS = (1, 8, 200)
SECONDS = 2.0
SCHEMA = (
    "CREATE TABLE things (number INTEGER PRIMARY KEY, key TEXT UNIQUE, value TEXT, at REAL)",
    "CREATE TABLE log (sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT, at REAL)",
)
PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "busy_timeout = 10000", "temp_store = MEMORY")
LOOK = "SELECT number FROM things WHERE key = ?"
PUT = "INSERT INTO things (key, value, at) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
NOTE = "INSERT INTO log (id, at) VALUES (?, ?)"
VALUE = "a remembered sentence of usual length, as an assistant would write it down " * 3


class OnePassage:
    def cut(self, text: str) -> list[PassageDraft]:
        return [PassageDraft(text)]


def statements(key: str) -> list[tuple[str, tuple[Any, ...]]]:
    """One write as the program does it: look, put, note the change."""
    return [(LOOK, (key,)), (PUT, (key, VALUE, 1.0)), (NOTE, (key, 1.0))]


# ---- writers: each answers a function that does one durable write ---------------------------------------------------


@asynccontextmanager
async def ours(folder: Path, key: bytes | None = None):
    def tables(connection: Connection) -> None:
        for statement in SCHEMA:
            connection.execute(statement)

    database = await Database.open(
        folder / "ours.db", key=key, clock=time.time, publish=lambda events: None, prepare=tables
    )

    async def write(name: str) -> None:
        def operation(tx: Transaction) -> None:
            for sql, params in statements(name):
                tx.execute(sql, params).fetchone()

        await database.write(operation)

    yield write
    await database.close()


@asynccontextmanager
async def one_commit_each(folder: Path):
    connection = sqlite3.connect(folder / "standard.db", isolation_level=None)
    for sql in (*(f"PRAGMA {pragma}" for pragma in PRAGMAS), *SCHEMA):
        connection.execute(sql)

    async def write(name: str) -> None:
        connection.execute("BEGIN IMMEDIATE")
        for sql, params in statements(name):
            connection.execute(sql, params).fetchone()
        connection.execute("COMMIT")

    yield write
    connection.close()


async def aiosqlite_connection(path: Path) -> aiosqlite.Connection:
    connection = await aiosqlite.Connection(lambda: sqlcipher.connect(str(path), isolation_level=None), 64)  # type: ignore[arg-type]
    for pragma in PRAGMAS:
        await connection.execute(f"PRAGMA {pragma}")
    return connection


@asynccontextmanager
async def aiosqlite_each(folder: Path):
    """aiosqlite, one commit for each write, writers in turn."""
    connection = await aiosqlite_connection(folder / "each.db")
    for sql in SCHEMA:
        await connection.execute(sql)
    turn = asyncio.Lock()

    async def write(name: str) -> None:
        async with turn:
            await connection.execute("BEGIN IMMEDIATE")
            for sql, params in statements(name):
                cursor = await connection.execute(sql, params)
                await cursor.close()
            await connection.execute("COMMIT")

    yield write
    await connection.close()


@asynccontextmanager
async def aiosqlite_grouped(folder: Path):
    """aiosqlite with a group commit of its own: up to 200 writes in a transaction, a savepoint each."""
    connection = await aiosqlite_connection(folder / "grouped.db")
    for sql in SCHEMA:
        await connection.execute(sql)
    waiting: asyncio.Queue[tuple[str, asyncio.Future[None]]] = asyncio.Queue()

    async def run() -> None:
        while True:
            group = [await waiting.get()]
            while len(group) < 200 and not waiting.empty():
                group.append(waiting.get_nowait())
            await connection.execute("BEGIN IMMEDIATE")
            for name, _ in group:
                await connection.execute("SAVEPOINT operation")
                for sql, params in statements(name):
                    cursor = await connection.execute(sql, params)
                    await cursor.close()
                await connection.execute("RELEASE operation")
            await connection.execute("COMMIT")
            for _, done in group:
                done.set_result(None)

    runner = asyncio.get_running_loop().create_task(run())

    async def write(name: str) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting.put_nowait((name, done))
        await done

    yield write
    runner.cancel()
    await asyncio.gather(runner, return_exceptions=True)
    await connection.close()


async def rate(write: Callable[[str], Awaitable[None]], callers: int) -> tuple[float, float]:
    """Writes a second, and the 95th percentile of one write in ms."""
    times: list[float] = []
    until = time.perf_counter() + SECONDS

    async def caller(number: int) -> None:
        count = 0
        while (started := time.perf_counter()) < until:
            await write(f"{number}-{count}-{started}")
            times.append(time.perf_counter() - started)
            count += 1

    await asyncio.gather(*(caller(number) for number in range(callers)))
    return len(times) / SECONDS, percentile(times, 0.95)


def percentile(times: list[float], part: float) -> float:
    """In ms."""
    return sorted(times)[min(len(times) - 1, int(len(times) * part))] * 1000


async def writes(folder: Path) -> None:
    print("\n## Durable writes (look, put, note: three statements each)\n")
    print("| | " + " | ".join(f"{n} callers: writes/s | p95 ms" for n in CALLERS) + " |")
    print("|---|" + "---:|" * (2 * len(CALLERS)))
    for name, make in (
        ("standard sqlite3, a commit each", one_commit_each),
        ("aiosqlite over sqlcipher3, a commit each", aiosqlite_each),
        ("aiosqlite over sqlcipher3, group commit", aiosqlite_grouped),
        ("this engine", ours),
        ("this engine, sealed", lambda folder: ours(folder, bytes(32))),
    ):
        cells: list[str] = []
        for callers in CALLERS:
            place = Path(tempfile.mkdtemp(dir=folder))
            async with make(place) as write:
                speed, late = await rate(write, callers)
            cells += [f"{speed:,.0f}", f"{late:.1f}"]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


# ---- reads ----------------------------------------------------------------------------------------------------------


async def reads(folder: Path) -> None:
    """Small reads: a hop between threads for each statement, or one for the whole question."""
    print("\n## Small reads (three look-ups by key in one snapshot)\n")
    print("| | 1 caller: reads/s | 8 callers: reads/s |\n|---|---:|---:|")
    database = await Database.open(
        folder / "reads.db", key=None, clock=time.time, publish=lambda events: None, prepare=tables_with_things
    )
    connection = await aiosqlite_connection(folder / "reads.db")

    async def through_engine(name: str) -> None:
        await database.read(lambda c: [c.execute(LOOK, (name,)).fetchone() for _ in range(3)])

    async def through_aiosqlite(name: str) -> None:
        for _ in range(3):
            async with connection.execute(LOOK, (name,)) as cursor:
                await cursor.fetchone()

    for label, read in (("aiosqlite over sqlcipher3", through_aiosqlite), ("this engine", through_engine)):
        speeds = [(await rate(read, callers))[0] for callers in (1, 8)]
        print(f"| {label} | {speeds[0]:,.0f} | {speeds[1]:,.0f} |", flush=True)
    await connection.close()
    await database.close()


def tables_with_things(connection: Connection) -> None:
    for statement in SCHEMA:
        connection.execute(statement)
    connection.execute("BEGIN")
    connection.executemany(PUT, ((str(n), VALUE, 1.0) for n in range(10_000)))
    connection.execute("COMMIT")


# ---- long lists -----------------------------------------------------------------------------------------------------


def many_records(connection: Connection, rows: int) -> None:
    """Records without passages, as fast as SQLite takes them."""
    prepare(connection)
    chance = random.Random(3)
    tiers = list(Tier)

    def values() -> Iterator[tuple[object, ...]]:
        for n in range(rows):
            at = 1.7e9 + chance.random() * 3e7
            title = f"note {n * 7919 % rows} about {VALUE[: 20 + n % 30]}"
            yield (
                f"key-{n}",
                tiers[n % 4],
                f'"{VALUE}"',
                f'{{"title":"{title}"}}',
                f"{title}\nkey-{n}",
                n % 9,
                n,
                at,
                at,
                at,
            )

    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO records (namespace, key, tier, value, metadata, title_folded, salience, freshness, access_count,"
        " created_at, updated_at, last_accessed_at, version) VALUES ('default', ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, 1)",
        values(),
    )
    connection.execute("COMMIT")


async def long_lists(folder: Path, rows: int) -> None:
    print(f"\n## Long lists, {rows:,} records\n")
    print("| | ms |\n|---|---:|")
    database = await Database.open(
        folder / "lists.db",
        key=None,
        clock=time.time,
        publish=lambda events: None,
        prepare=lambda connection: many_records(connection, rows),
    )
    records = lists.record_rows(database)
    queries = {
        "snapshot, own order": ListQuery(),
        "snapshot, by title": ListQuery(sort="title"),
        "snapshot, one tier": ListQuery(where={"tier": "semantic"}),
        "snapshot, by salience (no index)": ListQuery(sort="salience", descending=True),
        "filter, few rows": ListQuery(text=f"note {rows - 7} "),
        "filter, every row": ListQuery(text="note"),
    }
    numbers = await records.snapshot(ListQuery())
    for label, query in queries.items():
        started = time.perf_counter()
        found = await records.snapshot(query)
        print(f"| {label} ({len(found):,}) | {(time.perf_counter() - started) * 1000:.0f} |", flush=True)
    chance = random.Random(5)
    for count in (50, 256):
        times: list[float] = []
        for _ in range(200):
            first = chance.randrange(max(1, len(numbers) - count))
            started = time.perf_counter()
            await records.rows(numbers[first : first + count])
            times.append(time.perf_counter() - started)
        label = f"a jump to any {count} rows, p50 / p95"
        print(f"| {label} | {statistics.median(times) * 1000:.2f} / {percentile(times, 0.95):.2f} |", flush=True)
    heavy = asyncio.ensure_future(records.snapshot(ListQuery(sort="salience")))
    await asyncio.sleep(0.1)
    started = time.perf_counter()
    heavy.cancel()
    await asyncio.gather(heavy, return_exceptions=True)
    await records.rows(numbers[:50])
    print(f"| a page after a snapshot was cancelled | {(time.perf_counter() - started) * 1000:.1f} |")
    await database.close()


# ---- memory ---------------------------------------------------------------------------------------------------------


async def memory(folder: Path) -> None:
    print("\n## Memory (each record with its passage and index words)\n")
    print("| | 1 caller: calls/s | p95 ms | 8 callers: calls/s | p95 ms |\n|---|---:|---:|---:|---:|")
    database = await Database.open(
        folder / "memory.db", key=None, clock=time.time, publish=lambda events: None, prepare=prepare
    )
    store = SqliteMemory(database, OnePassage())
    chance = random.Random(1)
    known = [f"k{n}" for n in range(500)]
    for key in known:
        await store.remember(key, f"{VALUE} {key}", Tier.SEMANTIC)
    calls: dict[str, Callable[[str], Awaitable[object]]] = {
        "remember, new": lambda name: store.remember(name, f"{VALUE} {name}", Tier.SEMANTIC),
        "remember, known": lambda name: store.remember(chance.choice(known), f"{VALUE} {name}", Tier.SEMANTIC),
        "reinforce": lambda name: store.reinforce(chance.choice(known)),
        "get": lambda name: store.get(chance.choice(known)),
        "recall, one word": lambda name: store.recall(chance.choice(known)),
        "recall, no words": lambda name: store.recall(""),
    }
    for label, call in calls.items():

        async def once(name: str, call: Callable[[str], Awaitable[object]] = call) -> None:
            await call(name)

        cells: list[str] = []
        for callers in (1, 8):
            speed, late = await rate(once, callers)
            cells += [f"{speed:,.0f}", f"{late:.1f}"]
        print(f"| {label} | {' | '.join(cells)} |", flush=True)
    await database.close()


async def main(rows: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="muniment-storage-"))
    sqlite = sqlcipher.sqlite_version  # pyright: ignore[reportAttributeAccessIssue]
    print(f"Python {platform.python_version()}, SQLite {sqlite}, {os.cpu_count()} cores")
    try:
        await writes(folder)
        await reads(folder)
        await memory(folder)
        await long_lists(folder, rows)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000, help="records in the long list")
    asyncio.run(main(parser.parse_args().rows))
