"""Bringing a database up to date when it is opened.

Each step is one transaction together with its number (PRAGMA user_version), so a database always has one whole format.
Before the first step of an upgrade the file is copied beside itself under a name that says which upgrade; the copy is
kept, and the copy of a sealed workspace is sealed with the same key.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from core.adapters.sqlite.driver import Connection, DatabaseError, is_full, is_locked
from core.adapters.sqlite.schema import STEPS, Step
from core.domain.text import one_line
from core.errors import WorkspaceUnreadable

APPLICATION = 0x4D554E49  # "MUNI", PRAGMA application_id


def prepare(connection: Connection, steps: Sequence[Step] = STEPS) -> None:
    """Run the steps that the database lacks.

    Raises WorkspaceUnreadable for a file of a newer format, of another program, or where a step fails (the database
    then has the format that it had before that step), and the driver's error where the disk is full or the file locked.
    """
    name = one_line(_file(connection).parent.name)
    held = _format(connection)
    if held > steps[-1].number:
        raise WorkspaceUnreadable(
            f"“{name}” was saved by a newer Muniment (format {held}; this one reads up to {steps[-1].number}). "
            "Update Muniment to open it."
        )
    if held == 0 and _number(connection, "SELECT count(*) FROM sqlite_master") > 0:
        raise WorkspaceUnreadable(f"The database of “{name}” belongs to another program. Nothing was changed.")
    missing = [step for step in steps if step.number > held]
    if missing and held > 0:
        copy_before(connection, missing[0].number)
    for step in missing:
        _run(connection, step, name)


def copy_before(connection: Connection, number: int) -> Path:
    """Copy the database to `workspace.before-format-N.db` beside it, whole or not at all; earlier copies stay."""
    file = _file(connection)
    target = file.with_name(f"{file.stem}.before-format-{number}{file.suffix}")
    count = 1
    while target.exists():  # left by an upgrade that failed; the work done since then is not in it
        count += 1
        target = file.with_name(f"{file.stem}.before-format-{number}-{count}{file.suffix}")
    staged = target.with_suffix(".part")
    staged.unlink(missing_ok=True)
    try:
        connection.execute("VACUUM INTO CAST(? AS TEXT)", (os.fsencode(staged),))
        staged.chmod(0o600)
        descriptor = os.open(staged, os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        staged.replace(target)
    except BaseException:
        staged.unlink(missing_ok=True)
        raise
    return target


def _run(connection: Connection, step: Step, name: str) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _format(connection) >= step.number:  # somebody else upgraded it while we waited
            connection.execute("ROLLBACK")
            return
        step.apply(connection)
        connection.execute(f"PRAGMA user_version = {step.number}")
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute("COMMIT")
    except BaseException as error:
        with suppress(DatabaseError):  # SQLite may have rolled back by itself
            connection.execute("ROLLBACK")
        if isinstance(error, DatabaseError) and not (is_locked(error) or is_full(error)):
            raise WorkspaceUnreadable(
                f"“{name}” could not be brought up to date (step {step.number}, {step.name}: {error}). "
                "Nothing was changed; it opens in the Muniment that saved it."
            ) from error
        raise


def _format(connection: Connection) -> int:
    return _number(connection, "PRAGMA user_version")


def _number(connection: Connection, sql: str) -> int:
    row = connection.execute(sql).fetchone()
    return int(row[0]) if row else 0


def _file(connection: Connection) -> Path:
    # As bytes: a folder's name need not be UTF-8.
    row = connection.execute("SELECT CAST(file AS BLOB) FROM pragma_database_list WHERE name = 'main'").fetchone()
    return Path(os.fsdecode(row[0]) if row else "")
