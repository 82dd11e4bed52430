"""One writer with group commit, a few interruptible readers, over one database file.

Operations are plain functions that get a `Transaction` (writes) or a `Connection` (reads) and run on the thread of their
connection, so an operation costs one hop between threads however many statements it has. Up to GROUP operations share one
BEGIN IMMEDIATE … COMMIT; each has a savepoint of its own, so one that fails undoes itself alone. Nobody gets an answer
before the commit that holds it is on disk (synchronous = FULL).
"""

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from core.adapters.sqlite import driver
from core.adapters.sqlite.driver import Connection, Cursor, Params
from core.clock import Clock
from core.domain.changes import Operation
from core.errors import EnvironmentFault
from core.events import Changed

T = TypeVar("T")

GROUP = 200
READERS = 3
ATTEMPTS = 10
FIRST_WAIT = 0.05  # seconds; each further wait is 1.5 times as long

Publish = Callable[[Sequence[Changed]], None]


class Transaction:
    """What a write operation works with. Every change to canonical data is noted with `changed`, in the same transaction."""

    def __init__(self, connection: Connection, actor: str, now: float) -> None:
        self._connection = connection
        self.actor = actor
        self.now = now
        self.noted: list[Changed] = []

    def execute(self, sql: str, params: Params = ()) -> Cursor:
        return self._connection.execute(sql, params)

    def executemany(self, sql: str, params: Sequence[Params]) -> Cursor:
        return self._connection.executemany(sql, params)

    @property
    def connection(self) -> Connection:
        """For functions that read and are shared with readers."""
        return self._connection

    def changed(self, kind: str, id: str, version: int, operation: Operation) -> None:
        """Write the change into the stream and note the event that is published after the commit."""
        cursor = self.execute(
            "INSERT INTO changes(kind, id, version, operation, at, actor) VALUES (?, ?, ?, ?, ?, ?)",
            (kind, id, version, operation.value, self.now, self.actor),
        )
        self.noted.append(Changed(kind, (id,), self.actor, cursor.lastrowid))

    def derived(self, kind: str, ids: tuple[str, ...] = ()) -> None:
        """Note an event about derived data (vectors, queue order), which has no place in the stored stream."""
        self.noted.append(Changed(kind, ids, self.actor))


@dataclass(slots=True)
class _Job:
    operation: Callable[[Transaction], Any]
    actor: str
    future: "asyncio.Future[Any]"
    result: Any = None
    error: BaseException | None = None
    noted: Sequence[Changed] = ()


class _Reader:
    def __init__(self, connection: Connection, number: int) -> None:
        self.connection = connection
        self.thread = ThreadPoolExecutor(1, thread_name_prefix=f"reader-{number}")


class Database:
    """Open with `Database.open`; use on one event loop. `trouble` says what doesn't work here ("" if all does)."""

    def __init__(self, path: Path, key: bytes | None, clock: Clock, publish: Publish) -> None:
        self.path = path
        self.trouble = ""
        self._key = key
        self._clock = clock
        self._publish = publish
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._readers: asyncio.LifoQueue[_Reader] = asyncio.LifoQueue()
        self._all_readers: list[_Reader] = []
        self._writer: threading.Thread | None = None
        self._stopped: asyncio.Future[None] | None = None
        self._closed = False

    @classmethod
    async def open(
        cls, path: Path, *, key: bytes | None, clock: Clock, publish: Publish, prepare: Callable[[Connection], None]
    ) -> "Database":
        """Open the file and bring it up to date: `prepare` (the migrations) runs on the writer before anything else."""
        database = cls(path, key, clock, publish)
        try:
            connection = await asyncio.to_thread(database._open_writer, prepare)
            database._writer = threading.Thread(
                target=database._write_loop, args=(connection,), name=f"writer-{path.parent.name}", daemon=True
            )
            database._stopped = database._loop.create_future()
            database._writer.start()
            for number in range(READERS):
                reader_connection, _ = await asyncio.to_thread(driver.connect, path, key, read_only=True)
                reader = _Reader(reader_connection, number)
                database._all_readers.append(reader)
                database._readers.put_nowait(reader)
        except BaseException:
            await database.close()
            raise
        return database

    def _open_writer(self, prepare: Callable[[Connection], None]) -> Connection:
        connection, self.trouble = driver.connect(self.path, self._key)
        try:
            row = connection.execute("PRAGMA journal_mode = WAL").fetchone()
            if row is None or str(row[0]).lower() != "wal":
                note = "This folder lies on a drive that can't keep a write-ahead log; saving is slower here."
                self.trouble = f"{self.trouble} {note}".strip()
            prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    async def write(self, operation: Callable[[Transaction], T], actor: str = "person") -> T:
        """Run `operation` in a transaction and answer after the commit. It finishes even when the caller is cancelled."""
        if self._closed:
            raise RuntimeError("the database is closed")
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put(_Job(operation, actor, future))
        return await future

    async def read(self, operation: Callable[[Connection], T]) -> T:
        """Run `operation` on a reader, in one snapshot. Cancelling interrupts the statement and frees the reader."""
        if self._closed:
            raise RuntimeError("the database is closed")
        reader = await self._readers.get()
        running = self._loop.run_in_executor(reader.thread, _in_snapshot, reader.connection, operation)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            while not running.done():  # an interrupt between two statements is lost, so it is said again
                reader.connection.interrupt()
                await asyncio.wait([running], timeout=0.005)
            running.exception()
            raise
        finally:
            self._readers.put_nowait(reader)

    async def close(self) -> None:
        """Finish the writes that were asked for, write the log back, close every connection. May be called twice."""
        if self._closed:
            return
        self._closed = True
        for _ in range(len(self._all_readers)):
            reader = await self._readers.get()
            await self._loop.run_in_executor(reader.thread, reader.connection.close)
            reader.thread.shutdown()
        if self._writer is not None and self._stopped is not None:
            self._jobs.put(None)
            await self._stopped
            self._writer.join()

    # ---- on the writer's thread -------------------------------------------------------------------------------------

    def _write_loop(self, connection: Connection) -> None:
        running = True
        while running:
            batch, running = self._next_batch()
            if batch:
                self._run_batch(connection, batch)
                self._loop.call_soon_threadsafe(self._answer, batch)
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except Exception:
            pass  # the log is replayed at the next open
        connection.close()
        stopped = self._stopped
        if stopped is not None:
            self._loop.call_soon_threadsafe(lambda: stopped.done() or stopped.set_result(None))

    def _next_batch(self) -> tuple[list[_Job], bool]:
        batch: list[_Job] = []
        job = self._jobs.get()
        while True:
            if job is None:
                return batch, False
            batch.append(job)
            if len(batch) == GROUP:
                return batch, True
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                return batch, True

    def _run_batch(self, connection: Connection, batch: list[_Job]) -> None:
        for attempt in range(ATTEMPTS):
            try:
                connection.execute("BEGIN IMMEDIATE")
                for job in batch:
                    self._run_job(connection, job)
                connection.execute("COMMIT")
                return
            except Exception as error:
                _roll_back(connection)
                if driver.is_locked(error) and attempt + 1 < ATTEMPTS:
                    time.sleep(FIRST_WAIT * 1.5**attempt)
                    continue
                fault = _as_fault(error, self.path)
                for job in batch:
                    job.error, job.noted = fault, ()
                return

    def _run_job(self, connection: Connection, job: _Job) -> None:
        """Run one operation in its savepoint. An error of its own stays its own; one of the whole file is raised."""
        job.error, job.result, job.noted = None, None, ()
        connection.execute("SAVEPOINT operation")
        transaction = Transaction(connection, job.actor, self._clock())
        try:
            job.result = job.operation(transaction)
            job.noted = transaction.noted
        except Exception as error:
            if driver.is_locked(error) or driver.is_full(error):
                raise
            connection.execute("ROLLBACK TO operation")
            job.error = error
        connection.execute("RELEASE operation")

    # ---- on the loop ------------------------------------------------------------------------------------------------

    def _answer(self, batch: list[_Job]) -> None:
        noted: list[Changed] = []
        for job in batch:
            noted.extend(job.noted)
            if job.future.done():  # the caller was cancelled; the write stands all the same
                continue
            if job.error is not None:
                job.future.set_exception(job.error)
            else:
                job.future.set_result(job.result)
        if noted:
            self._publish(merged(noted))


def merged(noted: Sequence[Changed]) -> list[Changed]:
    """One event a kind and origin, in order of first appearance, with the highest sequence."""
    groups: dict[tuple[str, str], list[Changed]] = {}
    for change in noted:
        groups.setdefault((change.kind, change.origin), []).append(change)
    result: list[Changed] = []
    for (kind, origin), changes in groups.items():
        everything = any(not change.ids for change in changes)
        ids = () if everything else tuple(dict.fromkeys(id for change in changes for id in change.ids))
        result.append(Changed(kind, ids, origin, max(change.sequence for change in changes)))
    return result


def _in_snapshot(connection: Connection, operation: Callable[[Connection], T]) -> T:
    connection.execute("BEGIN")
    try:
        return operation(connection)
    finally:
        _roll_back(connection)


def _roll_back(connection: Connection) -> None:
    try:
        connection.execute("ROLLBACK")
    except driver.OperationalError:
        pass  # SQLite has rolled back by itself


def _as_fault(error: Exception, path: Path) -> Exception:
    if driver.is_full(error):
        return EnvironmentFault(f"There is no room left on the disk for {path.parent.name}. Nothing was lost; free some space and try again.")
    if driver.is_locked(error):
        return EnvironmentFault(f"Another program holds {path.parent.name}. Close it there and try again.")
    return error
