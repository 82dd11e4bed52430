"""The SQLite driver: sqlcipher3 for plain and sealed workspaces alike, so that one code path serves both.

It has no type stubs, so the few things that we use are named here. Its exceptions are not `sqlite3.Error`.
"""

import errno
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, cast

import sqlcipher3.dbapi2 as _driver  # pyright: ignore[reportMissingTypeStubs]
import sqlite_vec  # pyright: ignore[reportMissingTypeStubs]

from core.domain.folding import fold
from core.errors import EnvironmentFault, WorkspaceUnreadable

Row = tuple[Any, ...]
Params = Sequence[object] | dict[str, object]

_errors = cast(Any, _driver)
DatabaseError: type[Exception] = _errors.DatabaseError
OperationalError: type[Exception] = _errors.OperationalError
IntegrityError: type[Exception] = _errors.IntegrityError


class Cursor(Protocol):
    @property
    def rowcount(self) -> int: ...
    @property
    def lastrowid(self) -> int: ...
    def fetchone(self) -> Row | None: ...
    def fetchall(self) -> list[Row]: ...
    def fetchmany(self, size: int = ..., /) -> list[Row]: ...
    def __iter__(self) -> Iterator[Row]: ...
    def __next__(self) -> Row: ...


class Connection(Protocol):
    @property
    def in_transaction(self) -> bool: ...
    def execute(self, sql: str, params: Params = ..., /) -> Cursor: ...
    def executemany(self, sql: str, params: Iterable[Params], /) -> Cursor: ...
    def interrupt(self) -> None: ...
    def close(self) -> None: ...


def connect(path: Path, key: bytes | None, *, read_only: bool = False) -> tuple[Connection, str]:
    """A connection in autocommit mode with our pragmas, and a sentence if vectors don't work here ("" if they do).

    key: 32 raw bytes for a sealed workspace. Raises OperationalError or DatabaseError (a wrong key: `is_unreadable`).
    The connection may be used by any thread, by one at a time.
    """
    connection = cast(Any, _driver).connect(
        str(path), isolation_level=None, check_same_thread=False, cached_statements=256
    )
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
            "secure_delete = FAST",  # what is deleted is overwritten where its page is written anyway
            f"journal_size_limit = {64 * 1024 * 1024}",  # bytes that the log keeps after a burst
        ):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # the key is checked at the first read
        connection.create_function("folded", 1, _folded, deterministic=True)
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
        connection.load_extension(cast(Any, sqlite_vec).loadable_path())
        connection.enable_load_extension(False)
    except Exception as error:
        return f"Search by meaning is off: its extension can't be loaded ({type(error).__name__})."
    return ""


def _folded(text: object) -> str:
    """SQL function: what `core.domain.folding.fold` answers, for lists whose folded text is not stored."""
    return fold(str(text))


def is_locked(error: BaseException) -> bool:
    """True for the errors that go away by waiting."""
    text = str(error).lower()
    return isinstance(error, OperationalError) and ("locked" in text or "busy" in text)


def is_full(error: BaseException) -> bool:
    """True where there is no room left."""
    return isinstance(error, OperationalError) and "disk is full" in str(error).lower()


def is_failing(error: BaseException) -> bool:
    """True where the disk can't be read or written, or the folder is read-only or gone."""
    text = str(error).lower()
    return isinstance(error, OperationalError) and (
        "disk i/o error" in text or "readonly" in text or "unable to open database" in text
    )


def is_unreadable(error: BaseException) -> bool:
    """True for a file that is damaged, or sealed with another key."""
    text = str(error).lower()
    return isinstance(error, DatabaseError) and ("not a database" in text or "malformed" in text)


def is_interrupted(error: BaseException) -> bool:
    return isinstance(error, OperationalError) and "interrupted" in str(error).lower()


def of_file(error: BaseException) -> bool:
    """True for an error of the whole file, not of one operation on it."""
    return is_locked(error) or is_full(error) or is_failing(error) or is_unreadable(error)


def said(error: Exception, path: Path) -> Exception:
    """The error as a sentence for people where it is about the file; otherwise the error itself."""
    name = path.parent.name
    if is_full(error) or (isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT}):
        return EnvironmentFault(
            f"There is no room left on the disk of “{name}”. Nothing that was saved is lost; "
            "free some space and try again."
        )
    if is_locked(error):
        return EnvironmentFault(f"Another program holds “{name}”. Close it there and try again.")
    if is_failing(error) or isinstance(error, OSError):
        return EnvironmentFault(
            f"The folder of “{name}” can't be read or written now ({error}). Check the disk it lies on."
        )
    if is_unreadable(error):
        return WorkspaceUnreadable(
            f"The database of “{name}” can't be read: it is damaged, or locked with another key. Nothing was changed."
        )
    return error
