"""Moving rows into the trash, and what each kind of thing needs to come back from it."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from core.adapters.sqlite.engine import Transaction
from core.adapters.sqlite.history import erase_history
from core.adapters.sqlite.passages import remove_passages
from core.adapters.sqlite.records import COLUMNS, KIND, Kept, find, insert, noted, ready, record_of
from core.domain.changes import Operation
from core.domain.folding import fold
from core.domain.passages import Kind
from core.domain.readable import record_text
from core.domain.text import clean
from core.domain.trash import PREVIEW
from core.errors import VersionConflict
from core.ports.cutting import CutterPort

Content = dict[str, Any]
"""The columns of a row that lies in the trash, by name."""


class TrashKeeper(Protocol):
    """What the trash must know of one kind of thing."""

    async def returning(self, content: Content, row: int) -> Callable[[Transaction], None]:
        """Make ready, off the writer, what puts the row back under its number. It raises VersionConflict where
        something stands in its place."""
        ...

    def erase(self, tx: Transaction, rows: Sequence[int]) -> None:
        """Erase what these rows left behind elsewhere (versions, messages, …)."""
        ...


def move_to_trash(
    tx: Transaction, kind: str, id: str, *, table: str, columns: Sequence[str], number: int, title: str, text: str
) -> int:
    """Copy a row with these columns into the trash. The caller deletes it, and notes the change. Answers its place.

    text: of the whole thing; its beginning is kept for the list.
    """
    row = tx.execute(f"SELECT {', '.join(columns)} FROM {table} WHERE number = ?", (number,)).fetchone()
    content = json.dumps(dict(zip(columns, row or (), strict=True)), ensure_ascii=False)
    return lay_in_trash(tx, kind, id, number=number, title=clean(title), text=clean(text), content=content)


def lay_in_trash(tx: Transaction, kind: str, id: str, *, number: int, title: str, text: str, content: str) -> int:
    """Write a thing into the trash; answers its place there. number: of its own row. text: as in `move_to_trash`."""
    cursor = tx.execute(
        "INSERT INTO trash (kind, id, row, title, title_folded, preview, content, removed_at, removed_by)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (kind, id, number, title, fold(title), text[:PREVIEW], content, tx.now, tx.actor),
    )
    tx.derived("trash")
    return cursor.lastrowid


def drop_from_trash(tx: Transaction, place: int) -> bool:
    """Whether something lay at this place: it doesn't any more."""
    lay = tx.execute("DELETE FROM trash WHERE number = ?", (place,)).rowcount > 0
    tx.derived("trash", (str(place),))
    return lay


def trash_record(tx: Transaction, known: Kept) -> int:
    """Move a record into the trash; answers its place there. Its versions and accesses stay and wait for it."""
    record = known.record
    place = move_to_trash(
        tx, KIND, record.id, table="records", columns=COLUMNS, number=known.number, title=record.title,
        text=record_text(record),
    )  # fmt: skip
    remove_passages(tx, Kind.RECORD, record.id)
    tx.execute("DELETE FROM records WHERE number = ?", (known.number,))
    noted(tx, replace(record, version=record.version + 1), Operation.DELETED)
    return place


class RecordKeeper:
    """TrashKeeper of records."""

    def __init__(self, cutter: CutterPort) -> None:
        self._cutter = cutter

    async def returning(self, content: Content, row: int) -> Callable[[Transaction], None]:
        made = await ready(self._cutter, record_of(tuple(content[column] for column in COLUMNS)))
        record = made.record

        def operation(tx: Transaction) -> None:
            known = find(tx.connection, record.namespace, record.key)
            if known is not None:
                raise VersionConflict(
                    f"“{record.title}” was written again meanwhile. It stays as it is now.",
                    present=known.record,
                    wanted=record,
                )
            insert(tx, made, row)
            noted(tx, record, Operation.CREATED)

        return operation

    def erase(self, tx: Transaction, rows: Sequence[int]) -> None:
        erase_history(tx, KIND, rows)
