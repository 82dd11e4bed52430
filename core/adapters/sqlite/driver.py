"""The SQLite driver: sqlcipher3 for plain and sealed workspaces alike, so that one code path serves both.

It has no type stubs, so the few things that we use are named here. Its exceptions are not `sqlite3.Error`.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol, cast

import sqlcipher3.dbapi2 as _driver  # pyright: ignore[reportMissingTypeStubs]
import sqlite_vec  # pyright: ignore[reportMissingTypeStubs]

Row = tuple[Any, ...]
Params = Sequence[object] | dict[str, object]

DatabaseError: type[Exception] = _driver.DatabaseError  # pyright: ignore
OperationalError: type[Exception] = _driver.OperationalError  # pyright: ignore
IntegrityError: type[Exception] = _driver.IntegrityError  # pyright: ignore


class Cursor(Protocol):
    @property
    def rowcount(self) -> int: ...
    @property
    def lastrowid(self) -> int: ...
    def fetchone(self) -> Row | None: ...
    def fetchall(self) -> list[Row]: ...
    def __iter__(self) -> "Iterable[Row]": ...  # pyright: ignore[reportReturnType]
    def __next__(self) -> Row: ...


class Connection(Protocol):
    def execute(self, sql: str, params: Params = ..., /) -> Cursor: ...
    def executemany(self, sql: str, params: Iterable[Params], /) -> Cursor: ...
    def interrupt(self) -> None: ...
    def close(self) -> None: ...


def connect(path: Path, key: bytes | None, *, read_only: bool = False) -> tuple[Connection, str]:
    """A connection in autocommit mode with our pragmas, and a sentence if vectors are not available ("" if they are).

    key: 32 raw bytes for a sealed workspace. Raises OperationalError or DatabaseError (a wrong key shows as "not a database").
    The connection may be used by any thread, by one at a time.
    """
    connection = cast(Any, _driver).connect(str(path), isolation_level=None, check_same_thread=False, cached_statements=256)
    try:
        if key is not None:
            if len(key) != 32:
                raise ValueError("a workspace's key has 32 bytes")
            connection.execute(f"PRAGMA key = \"x'{key.hex()}'\"")
        for pragma in (
            "busy_timeout = 10000",
            "foreign_keys = ON",
            "synchronous = FULL",
            "temp_store = MEMORY",  # nothing of a workspace goes to a temporary file
            f"cache_size = {-65536 if key is not None else -16384}",  # KiB; a sealed page is costly to read again
            "recursive_triggers = ON",
        ):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # the key is checked at the first read
        trouble = _load_vectors(connection)
        if read_only:
            connection.execute("PRAGMA query_only = ON")
    except BaseException:
        connection.close()
        raise
    return cast(Connection, connection), trouble


def _load_vectors(connection: Any) -> str:
    try:
        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vec.loadable_path())  # pyright: ignore
        connection.enable_load_extension(False)
    except Exception as error:
        return f"Search by meaning is off: its extension can't be loaded ({type(error).__name__})."
    return ""


def is_locked(error: BaseException) -> bool:
    """True for the two errors that go away by waiting."""
    text = str(error).lower()
    return isinstance(error, OperationalError) and ("locked" in text or "busy" in text)


def is_full(error: BaseException) -> bool:
    text = str(error).lower()
    return isinstance(error, OperationalError) and ("disk is full" in text or "disk i/o error" in text)
