"""The engine: group commit, interruptible reads, and what happens when the disk or another process gets in the way."""

import asyncio
import gc
import random
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from core.adapters.sqlite import driver, engine
from core.adapters.sqlite.driver import Connection
from core.adapters.sqlite.engine import Database, Transaction, merged
from core.domain.changes import Operation
from core.errors import EnvironmentFault, WorkspaceUnreadable
from core.events import Changed

KEY = bytes(range(32))
HEAVY = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000000) SELECT sum(i) FROM n"


def prepare(connection: Connection) -> None:
    connection.execute("CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT UNIQUE)")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS changes"
        " (sequence INTEGER PRIMARY KEY AUTOINCREMENT, kind, id, version, operation, at, actor)"
    )


def add(text: str) -> Callable[[Transaction], int]:
    return lambda tx: tx.execute("INSERT INTO notes (text) VALUES (?)", (text,)).lastrowid


def count(connection: Connection) -> int:
    row = connection.execute("SELECT count(*) FROM notes").fetchone()
    assert row is not None
    return int(row[0])


async def opened(path: Path, key: bytes | None = None, publish: engine.Publish = lambda events: None) -> Database:
    return await Database.open(path, key=key, clock=time.time, publish=publish, prepare=prepare)


@pytest.fixture
def published() -> list[Sequence[Changed]]:
    return []


@pytest.fixture
async def database(tmp_path: Path, published: list[Sequence[Changed]]) -> AsyncIterator[Database]:
    database = await opened(tmp_path / "workspace.db", publish=published.append)
    yield database
    await database.close()


class Counting:
    """Stands between the writer and its connection and counts commits."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.commits = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)

    def execute(self, sql: str, params: Any = ()) -> Any:
        self.commits += sql == "COMMIT"
        return self.connection.execute(sql, params)


async def test_writes_share_commits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counters: list[Counting] = []
    connect = driver.connect

    def counted(path: Path, key: bytes | None, *, read_only: bool = False) -> tuple[Any, str]:
        connection, trouble = connect(path, key, read_only=read_only)
        if read_only:
            return connection, trouble
        counters.append(Counting(connection))
        return counters[-1], trouble

    monkeypatch.setattr(driver, "connect", counted)
    database = await opened(tmp_path / "workspace.db")
    try:
        held = asyncio.Event()
        loop = asyncio.get_running_loop()

        def slow(tx: Transaction) -> None:
            loop.call_soon_threadsafe(held.set)
            time.sleep(engine.GROUP_SECONDS * 2)

        first = asyncio.ensure_future(database.write(slow))
        await held.wait()
        before = counters[0].commits
        await asyncio.gather(first, *(database.write(add(f"note {n}")) for n in range(400)))
        assert counters[0].commits - before <= 10
        assert await database.read(count) == 400
    finally:
        await database.close()


async def test_an_operation_that_fails_undoes_itself_alone(database: Database) -> None:
    await database.write(add("taken"))

    def half(tx: Transaction) -> None:
        add("half")(tx)
        tx.changed("note", "half", 1, Operation.CREATED)
        add("taken")(tx)

    results = await asyncio.gather(
        database.write(add("before")), database.write(half), database.write(add("after")), return_exceptions=True
    )
    assert isinstance(results[1], driver.IntegrityError)
    texts = await database.read(lambda c: [row[0] for row in c.execute("SELECT text FROM notes ORDER BY id")])
    assert texts == ["taken", "before", "after"]
    assert await database.read(lambda c: c.execute("SELECT * FROM changes").fetchall()) == []


async def test_changes_are_published_once_after_the_commit(
    database: Database, published: list[Sequence[Changed]]
) -> None:
    def changing(id: str) -> Callable[[Transaction], None]:
        return lambda tx: tx.changed("note", id, 1, Operation.CREATED)

    await asyncio.gather(*(database.write(changing(f"n{n}"), "assistant:Ada") for n in range(20)))
    noted = [change for changes in published for change in changes]
    assert [id for change in noted for id in change.ids] == [f"n{n}" for n in range(20)]
    assert {change.origin for change in noted} == {"assistant:Ada"}
    assert noted[-1].sequence == 20


def test_merged_changes_keep_order_and_the_highest_sequence() -> None:
    changes = [
        Changed("a", ("1",), "person", 3),
        Changed("b", ("2",), "person", 4),
        Changed("a", ("1", "3"), "person", 5),
    ]
    assert merged(changes) == [Changed("a", ("1", "3"), "person", 5), Changed("b", ("2",), "person", 4)]
    assert merged([*changes, Changed("a", (), "person")])[0] == Changed("a", (), "person", 5)


async def test_a_cancelled_read_frees_its_reader_at_once(database: Database) -> None:
    heavy = [asyncio.ensure_future(database.read(lambda c: c.execute(HEAVY).fetchone())) for _ in range(engine.READERS)]
    await asyncio.sleep(0.1)
    started = time.perf_counter()
    for read in heavy:
        read.cancel()
    await asyncio.gather(*heavy, return_exceptions=True)
    assert await database.read(count) == 0
    assert time.perf_counter() - started < 0.5
    assert all(read.cancelled() for read in heavy)


async def test_reads_cancelled_at_any_moment_leave_their_readers_whole(database: Database) -> None:
    await asyncio.gather(*(database.write(add(f"note {n}")) for n in range(300)))
    chance = random.Random(7)

    def chunks(connection: Connection) -> int:
        seen = 0
        for _ in range(20):
            seen = len(connection.execute("SELECT a.id FROM notes a, notes b LIMIT 3000").fetchall())
        return seen

    for _ in range(60):
        reads = [asyncio.ensure_future(database.read(chunks)) for _ in range(engine.READERS + 1)]
        await asyncio.sleep(chance.random() * 0.01)
        for read in reads:
            read.cancel()
        if chance.random() < 0.3:  # cancelled again while the interrupt is on its way
            await asyncio.sleep(0)
            for read in reads:
                read.cancel()
        await asyncio.gather(*reads, return_exceptions=True)
        assert await asyncio.gather(*(database.read(count) for _ in range(engine.READERS))) == [300] * engine.READERS
    gc.collect()  # an error that nobody fetched would be logged now, and fail the test


async def test_a_read_sees_one_moment(database: Database) -> None:
    await database.write(add("first"))
    begun = asyncio.Event()
    written = asyncio.Event()
    loop = asyncio.get_running_loop()

    def twice(connection: Connection) -> tuple[int, int]:
        before = count(connection)
        loop.call_soon_threadsafe(begun.set)
        asyncio.run_coroutine_threadsafe(written.wait(), loop).result()
        return before, count(connection)

    read = asyncio.ensure_future(database.read(twice))
    await begun.wait()
    await database.write(add("second"))
    written.set()
    assert await read == (1, 1)
    assert await database.read(count) == 2


async def test_the_write_of_a_cancelled_caller_is_kept(database: Database) -> None:
    write = asyncio.ensure_future(database.write(add("kept")))
    await asyncio.sleep(0)
    write.cancel()
    with pytest.raises(asyncio.CancelledError):
        await write
    await database.write(add("next"))
    assert await database.read(count) == 2


async def test_readers_can_not_write(database: Database) -> None:
    with pytest.raises(Exception, match="can't be read or written"):
        await database.read(lambda c: c.execute("INSERT INTO notes (text) VALUES ('x')"))
    assert await database.read(count) == 0


async def test_closing_finishes_writes_and_interrupts_reads(tmp_path: Path) -> None:
    database = await opened(tmp_path / "workspace.db")
    read = asyncio.ensure_future(database.read(lambda c: c.execute(HEAVY).fetchone()))
    writes = [asyncio.ensure_future(database.write(add(f"note {n}"))) for n in range(500)]
    await asyncio.sleep(0.05)
    started = time.perf_counter()
    await database.close()
    assert time.perf_counter() - started < 2
    await asyncio.gather(*writes)
    with pytest.raises(RuntimeError, match="closed"):
        await read
    with pytest.raises(RuntimeError, match="closed"):
        await database.write(add("late"))
    await database.close()
    assert not (tmp_path / "workspace.db-wal").exists()
    again = await opened(tmp_path / "workspace.db")
    assert await again.read(count) == 500
    await again.close()


async def test_a_file_held_by_another_process_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = await opened(tmp_path / "workspace.db")
    other, _ = driver.connect(tmp_path / "workspace.db", None)
    try:
        await database.write(lambda tx: tx.execute("PRAGMA busy_timeout = 20"))
        other.execute("BEGIN IMMEDIATE")
        write = asyncio.ensure_future(database.write(add("patient")))
        await asyncio.sleep(0.4)
        assert not write.done()
        assert await database.read(count) == 0  # readers go on
        other.execute("COMMIT")
        await write
        monkeypatch.setattr(engine, "ATTEMPTS", 3)
        other.execute("BEGIN IMMEDIATE")
        results = await asyncio.gather(*(database.write(add(f"refused {n}")) for n in range(3)), return_exceptions=True)
        other.execute("ROLLBACK")
        assert [type(result) for result in results] == [EnvironmentFault] * 3
        assert "Another program holds" in str(results[0])
        await database.write(add("and it goes on"))
        assert await database.read(count) == 2
    finally:
        other.close()
        await database.close()


async def test_where_there_is_no_write_ahead_log_it_says_so_and_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = driver.connect

    class Refusing(Counting):
        def execute(self, sql: str, params: Any = ()) -> Any:
            return super().execute("PRAGMA journal_mode = DELETE" if "journal_mode" in sql else sql, params)

    def refusing(path: Path, key: bytes | None, *, read_only: bool = False) -> tuple[Any, str]:
        connection, trouble = connect(path, key, read_only=read_only)
        return Refusing(connection), trouble

    monkeypatch.setattr(driver, "connect", refusing)
    database = await opened(tmp_path / "workspace.db")
    assert "saving is slower here" in database.trouble
    await asyncio.gather(*(database.write(add(f"note {n}")) for n in range(50)))
    assert await database.read(count) == 50
    await database.close()


async def test_a_sealed_file_opens_with_its_key_alone(tmp_path: Path) -> None:
    path = tmp_path / "clinic" / "workspace.db"
    path.parent.mkdir()
    database = await opened(path, KEY)
    await database.write(add("Kowalski has an allergy to penicillin"))
    files = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"Kowalski" not in files
    assert b"SQLite format 3" not in files
    await database.close()
    for wrong in (bytes(32), None):
        with pytest.raises(WorkspaceUnreadable, match=r"clinic.*another key"):
            await opened(path, wrong)
    again = await opened(path, KEY)
    assert await again.read(count) == 1
    await again.close()


async def test_a_plain_file_does_not_open_with_a_key(tmp_path: Path) -> None:
    await (await opened(tmp_path / "workspace.db")).close()
    with pytest.raises(WorkspaceUnreadable):
        await opened(tmp_path / "workspace.db", KEY)


async def test_a_damaged_file_is_said_and_nothing_is_left_open(tmp_path: Path) -> None:
    path = tmp_path / "workspace.db"
    path.write_bytes(b"This is not a database at all. " * 500)
    with pytest.raises(WorkspaceUnreadable, match="damaged"):
        await opened(path)
    assert path.read_bytes().startswith(b"This is not")


async def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match="can't be read or written"):
        await opened(tmp_path / "gone" / "workspace.db")


async def test_durability_is_asked_of_the_disk(database: Database) -> None:
    pragmas = await database.write(
        lambda tx: [
            tx.execute(f"PRAGMA {name}").fetchall()[0][0] for name in ("synchronous", "journal_mode", "foreign_keys")
        ]
    )
    assert pragmas == [2, "wal", 1]


async def test_the_files_are_private(database: Database) -> None:
    await database.write(add("x"))
    modes = {file.name: file.stat().st_mode & 0o777 for file in database.path.parent.iterdir()}
    assert modes == {"workspace.db": 0o600, "workspace.db-wal": 0o600, "workspace.db-shm": 0o600}


def test_the_standard_library_reads_a_plain_file(tmp_path: Path) -> None:
    """What people store can be opened without us."""
    connection, _ = driver.connect(tmp_path / "plain.db", None)
    connection.execute("CREATE TABLE t (x)")
    connection.execute("INSERT INTO t VALUES (1)")
    connection.close()
    other = sqlite3.connect(tmp_path / "plain.db")
    assert other.execute("SELECT x FROM t").fetchall() == [(1,)]
    other.close()


async def test_what_runs_alone_runs_in_its_turn_outside_of_any_transaction(database: Database) -> None:
    def alone(connection: Connection) -> int:
        assert not connection.in_transaction
        connection.execute("VACUUM")
        return count(connection)

    def broken(connection: Connection) -> None:
        connection.execute("BEGIN")
        connection.execute("INSERT INTO notes (text) VALUES ('half')")
        raise ValueError("stopped")

    answers = await asyncio.gather(
        database.write(add("a")),
        database.write(add("b")),
        database.alone(alone),
        database.write(add("c")),
        database.alone(broken),
        database.alone(alone),
        database.write(add("d")),
        return_exceptions=True,
    )
    assert isinstance(answers[4], ValueError)
    assert [answers[2], answers[5], await database.read(count)] == [2, 3, 4]
    await asyncio.gather(database.alone(alone), database.close())
    with pytest.raises(RuntimeError, match="closed"):
        await database.alone(alone)
