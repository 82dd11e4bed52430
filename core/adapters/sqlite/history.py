"""Former versions and accesses: writing, reading, and letting go of the oldest."""

from collections.abc import Sequence

from core.adapters.sqlite.driver import Connection, Row
from core.adapters.sqlite.engine import Transaction
from core.domain.history import KEPT_ACCESSES, KEPT_VERSIONS, Access, AccessKind
from core.domain.text import one_line
from core.errors import InvalidValue

QUESTION = 500  # characters that are kept of one

# What a version's columns are in the table of its kind.
_FORMER = {
    "record": "SELECT 'record', number, version, value, metadata, tier, pinned, source, updated_at, updated_by"
    " FROM records",
    "shared": "SELECT 'shared', number, version, value, metadata, type, 0, '', updated_at, updated_by FROM shared",
    **{
        kind: f"SELECT '{kind}', number, version, value, files, '', 0,"
        f" json_array(place, origin, revision, modified), updated_at, updated_by FROM {kind}s"
        for kind in ("agent", "skill")
    },
}
COLUMNS = "version, value, metadata, type, pinned, source, at, actor"


def keep_former(tx: Transaction, kind: str, number: int) -> None:
    """Copy what stands in a row into its versions, before it is written over."""
    tx.execute(
        "INSERT INTO versions (kind, row, version, value, metadata, type, pinned, source, at, actor)"
        f" {_FORMER[kind]} WHERE number = ?",
        (number,),
    )
    tx.execute(
        "DELETE FROM versions WHERE kind = ? AND row = ? AND version <= (SELECT max(version) FROM versions"
        " WHERE kind = ? AND row = ?) - ?",
        (kind, number, kind, number, KEPT_VERSIONS),
    )


def former(connection: Connection, kind: str, number: int, limit: int) -> list[Row]:
    """Rows of COLUMNS, newest first."""
    return connection.execute(
        f"SELECT {COLUMNS} FROM versions WHERE kind = ? AND row = ? ORDER BY version DESC LIMIT ?",
        (kind, number, limit),
    ).fetchall()


def one_former(connection: Connection, kind: str, number: int, version: int) -> Row | None:
    """A row of COLUMNS."""
    return connection.execute(
        f"SELECT {COLUMNS} FROM versions WHERE kind = ? AND row = ? AND version = ?", (kind, number, version)
    ).fetchone()


def checked_limit(limit: int, most: int, what: str) -> int:
    if not 1 <= limit <= most:
        raise InvalidValue(f"From 1 to {most} {what} can be read at once.")
    return limit


def note_access(tx: Transaction, number: int, kind: AccessKind, salience: float, question: str = "") -> None:
    """Write an access down; the oldest beyond KEPT_ACCESSES is let go."""
    tx.execute(
        "INSERT INTO accesses (record, kind, at, actor, salience, question) VALUES (?, ?, ?, ?, ?, ?)",
        (number, kind.value, tx.now, tx.actor, salience, one_line(question)[:QUESTION]),
    )
    tx.execute(
        "DELETE FROM accesses WHERE record = ? AND number <= (SELECT number FROM accesses WHERE record = ?"
        " ORDER BY number DESC LIMIT 1 OFFSET ?)",
        (number, number, KEPT_ACCESSES),
    )


def unnote_accesses(tx: Transaction, number: int, count: int) -> None:
    """Take the newest accesses back."""
    tx.execute(
        "DELETE FROM accesses WHERE number IN (SELECT number FROM accesses WHERE record = ?"
        " ORDER BY number DESC LIMIT ?)",
        (number, count),
    )


def accesses(connection: Connection, number: int, limit: int) -> list[Access]:
    """Newest first."""
    rows = connection.execute(
        "SELECT kind, at, actor, salience, question FROM accesses WHERE record = ? ORDER BY number DESC LIMIT ?",
        (number, limit),
    ).fetchall()
    return [Access(AccessKind(kind), at, by, salience, question) for kind, at, by, salience, question in rows]


def erase_history(tx: Transaction, kind: str, numbers: Sequence[int]) -> None:
    """Erase versions and accesses of rows that are gone for good."""
    tx.executemany("DELETE FROM versions WHERE kind = ? AND row = ?", [(kind, number) for number in numbers])
    if kind == "record":
        tx.executemany("DELETE FROM accesses WHERE record = ?", [(number,) for number in numbers])
        tx.executemany("DELETE FROM refusals WHERE record = ?", [(number,) for number in numbers])
