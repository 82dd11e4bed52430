"""One writer with group commit, a few interruptible readers, over one database file.

Operations are plain functions that get a `Transaction` (writes) or a `Connection` (reads) and run on the thread of
their connection, so an operation costs one hop between threads however many statements it has. Up to GROUP operations
share one BEGIN IMMEDIATE … COMMIT; each has a savepoint of its own, so one that fails undoes itself alone. Nobody gets
an answer before the commit that holds it is on disk (synchronous = FULL).
"""

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from core.adapters.sqlite import driver
from core.adapters.sqlite.driver import Connection, Cursor, Params
from core.clock import Clock
from core.domain.changes import Operation
from core.events import Changed

T = TypeVar("T")

GROUP = 200
GROUP_SECONDS = 0.05  # a group that has run so long is committed, so that a small write doesn't wait for many big ones
WAIT_SHARE = 0.5  # of the time that a commit lately took: so long others are waited for
LATELY = 8  # commits
READERS = 3
ATTEMPTS = 10
FIRST_WAIT = 0.05  # seconds; each further wait is 1.5 times as long
INTERRUPT_AGAIN = 0.005  # seconds
ROLLBACKS = 100

Publish = Callable[[Sequence[Changed]], None]


class Transaction:
    """What a write operation works with. Every change to canonical data is noted with `changed`, in its transaction."""

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
    """alone: the operation gets the bare connection, outside of any transaction."""

    operation: Callable[[Any], Any]
    actor: str
    future: "asyncio.Future[Any]"
    alone: bool = False
    result: Any = None
    error: BaseException | None = None
    noted: Sequence[Changed] = ()


# Stands for "take the next from the queue", where None says stop.
_NOTHING: Any = object()


class _Reader:
    def __init__(self, connection: Connection, number: int) -> None:
        self.connection = connection
        self.thread = ThreadPoolExecutor(1, thread_name_prefix=f"reader-{number}")
        self.closed = False

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self.thread, self.connection.close)
        self.closed = True
        self.thread.shutdown()


class Database:
    """Open with `Database.open`; use on one event loop. `trouble` says what doesn't work here ("" if all does)."""

    def __init__(self, path: Path, key: bytes | None, clock: Clock, publish: Publish) -> None:
        self.path = path
        self.trouble = ""
        self._key = key
        self.clock = clock
        self._publish = publish
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._readers: asyncio.LifoQueue[_Reader] = asyncio.LifoQueue()
        self._all_readers: list[_Reader] = []
        self._writer: threading.Thread | None = None
        self._stopped: asyncio.Future[None] = self._loop.create_future()
        self._closed = False
        self._committing = 0.0  # seconds that a commit lately took
        self._expected = 1  # operations of the last group

    @classmethod
    async def open(
        cls, path: Path, *, key: bytes | None, clock: Clock, publish: Publish, prepare: Callable[[Connection], None]
    ) -> "Database":
        """Open the file and bring it up to date: `prepare` (the migrations) runs on the writer before anything else.

        Raises WorkspaceUnreadable for a damaged file or a wrong key, EnvironmentFault where the disk or folder refuses.
        """
        database = cls(path, key, clock, publish)
        try:
            connection = await asyncio.to_thread(database._open_writer, prepare)
            database._writer = threading.Thread(
                target=database._write_loop, args=(connection,), name=f"writer-{path.parent.name}", daemon=True
            )
            database._writer.start()
            for number in range(READERS):
                reader_connection, _ = await asyncio.to_thread(driver.connect, path, key, read_only=True)
                reader = _Reader(reader_connection, number)
                database._all_readers.append(reader)
                database._readers.put_nowait(reader)
        except BaseException as error:
            await database.close()
            if isinstance(error, Exception):
                raise driver.said(error, path) from error
            raise
        return database

    def _open_writer(self, prepare: Callable[[Connection], None]) -> Connection:
        with suppress(OSError):  # SQLite says it better
            self.path.touch(mode=0o600, exist_ok=False)  # the log and its index take the same permissions
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
        """Run `operation` in a transaction and answer after the commit; it finishes even when the caller is cancelled.

        It may run more than once (where the file was locked), so it must not change anything but the database.
        """
        if self._closed:
            raise RuntimeError("the database is closed")
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put(_Job(operation, actor, future))
        return await future

    async def alone(self, operation: Callable[[Connection], T]) -> T:
        """Run `operation` on the writer outside of any transaction: what SQLite does in none (VACUUM, checkpoints).

        Other writes wait for it. It finishes even when the caller is cancelled.
        """
        if self._closed:
            raise RuntimeError("the database is closed")
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put(_Job(operation, "system", future, alone=True))
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
            await _interrupted(reader.connection, running)
            raise
        except Exception as error:
            if self._closed and driver.is_interrupted(error):
                raise RuntimeError("the database is closed") from None
            raise driver.said(error, self.path) from error
        finally:
            self._readers.put_nowait(reader)

    async def close(self) -> None:
        """Finish the writes that were asked for, interrupt reads, write the log back, close every connection.

        May be called twice."""
        if self._closed:
            return
        self._closed = True
        for _ in range(len(self._all_readers)):
            reader = await self._idle_reader()
            await reader.close()
        if self._writer is not None:
            self._jobs.put(None)
            await self._stopped
            self._writer.join()

    async def _idle_reader(self) -> "_Reader":
        while True:
            try:
                return await asyncio.wait_for(self._readers.get(), INTERRUPT_AGAIN)
            except TimeoutError:
                for reader in self._all_readers:
                    if not reader.closed:
                        reader.connection.interrupt()

    # ---- on the writer's thread -------------------------------------------------------------------------------------

    def _write_loop(self, connection: Connection) -> None:
        job = self._jobs.get()
        while job is not None:
            group, job = self._run_alone(connection, job) if job.alone else self._run_group(connection, job)
            self._on_loop(self._answer, group)
            job = self._jobs.get() if job is _NOTHING else job
        with suppress(Exception):  # where it fails, the log is replayed at the next open
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        self._on_loop(self._stopped.set_result, None)

    def _on_loop(self, call: Callable[..., object], *args: object) -> None:
        with suppress(RuntimeError):  # the loop is closed; what was written stands
            self._loop.call_soon_threadsafe(call, *args)

    def _run_alone(self, connection: Connection, job: _Job) -> "tuple[list[_Job], _Job | None]":
        try:
            job.result = job.operation(connection)
        except Exception as error:
            _roll_back(connection)
            job.error = driver.said(error, self.path)
        return [job], _NOTHING

    def _run_group(self, connection: Connection, first: _Job) -> "tuple[list[_Job], _Job | None]":
        """Run what waits, up to GROUP operations or GROUP_SECONDS, in one transaction. Answers these, and what was
        taken from the queue and not run: one that runs alone, None when asked to stop, else _NOTHING."""
        group, following = [first], _NOTHING
        try:
            connection.execute("BEGIN IMMEDIATE")
            until = time.monotonic() + GROUP_SECONDS
            self._run_job(connection, group[0])
            while len(group) < GROUP and time.monotonic() < until and (job := self._next(len(group))) is not _NOTHING:
                if job is None or job.alone:
                    following = job
                    break
                group.append(job)
                self._run_job(connection, job)
            started = time.monotonic()
            connection.execute("COMMIT")
            self._committing += (time.monotonic() - started - self._committing) / LATELY
            self._expected = len(group)
        except Exception as error:
            _roll_back(connection)
            self._run_apart(connection, group, error)
        return group, following

    def _next(self, gathered: int) -> "_Job | None":
        """The next operation for a group, _NOTHING where there is none.

        Where more came together in the last group, its callers are likely to come again: they are waited for, for half
        of what a commit lately took, which is what a group of its own would cost them (as commit_delay in PostgreSQL).
        """
        try:
            if gathered >= self._expected or not self._jobs.empty():
                return self._jobs.get_nowait()
            return self._jobs.get(timeout=min(self._committing * WAIT_SHARE, GROUP_SECONDS))
        except queue.Empty:
            return _NOTHING

    def _run_apart(self, connection: Connection, group: list[_Job], error: Exception) -> None:
        """After a fault of the whole file: each operation by itself, so that one too big for the disk stops none."""
        for job in group:
            if not driver.is_locked(error):
                error = self._run_once(connection, job) or error
                continue
            for attempt in range(ATTEMPTS):
                time.sleep(FIRST_WAIT * 1.5**attempt)
                fault = self._run_once(connection, job)
                if fault is None or not driver.is_locked(fault):
                    break
            else:
                for waiting in group[group.index(job) :]:  # nobody waits for the same lock ten more times
                    waiting.error, waiting.noted = driver.said(error, self.path), ()
                return

    def _run_once(self, connection: Connection, job: _Job) -> Exception | None:
        try:
            connection.execute("BEGIN IMMEDIATE")
            self._run_job(connection, job)
            connection.execute("COMMIT")
        except Exception as error:
            _roll_back(connection)
            job.error, job.noted = driver.said(error, self.path), ()
            return error
        return None

    def _run_job(self, connection: Connection, job: _Job) -> None:
        """Run one operation in its savepoint. An error of its own stays its own; one of the whole file is raised."""
        job.error, job.result, job.noted = None, None, ()
        connection.execute("SAVEPOINT operation")
        transaction = Transaction(connection, job.actor, self.clock())
        try:
            job.result = job.operation(transaction)
            job.noted = transaction.noted
        except Exception as error:
            if driver.of_file(error):
                raise
            connection.execute("ROLLBACK TO operation")
            job.error = error
        connection.execute("RELEASE operation")

    # ---- on the loop ------------------------------------------------------------------------------------------------

    def _answer(self, group: list[_Job]) -> None:
        noted: list[Changed] = []
        for job in group:
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


async def _interrupted(connection: Connection, running: "asyncio.Future[Any]") -> None:
    """Interrupt until the read has ended, whatever happens to the caller meanwhile: its reader is wanted by others."""
    while not running.done():  # an interrupt between two statements is lost, so it is said again
        connection.interrupt()
        with suppress(asyncio.CancelledError):
            await asyncio.wait([running], timeout=INTERRUPT_AGAIN)
    if not running.cancelled():
        running.exception()  # fetched, so that nobody calls it forgotten


def _in_snapshot(connection: Connection, operation: Callable[[Connection], T]) -> T:
    _roll_back(connection)  # where an interrupt hit the last read's ROLLBACK
    connection.execute("BEGIN")
    try:
        return operation(connection)
    finally:
        _roll_back(connection)


def _roll_back(connection: Connection) -> None:
    for _ in range(ROLLBACKS):
        if not connection.in_transaction:
            return
        with suppress(driver.OperationalError):  # interrupted, or SQLite has rolled back by itself
            connection.execute("ROLLBACK")
