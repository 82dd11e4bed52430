"""Papers as rows of the database."""

import json

from core.adapters.sqlite.driver import Connection, Row
from core.adapters.sqlite.engine import Transaction
from core.domain.changes import Operation
from core.domain.extraction import Note
from core.domain.papers import Paper, PaperState
from core.errors import NotFound

COLUMNS = (
    "number", "id", "digest", "name", "origin", "byte_length", "state", "added_at", "updated_at", "title",
    "format", "media_type", "pages", "written_on", "reason_code", "reason", "notes", "attempts", "passages",
    "removed_at", "version", "scan", "linked", "gone_at",
    """
    max(0, passages - CASE (SELECT waiting FROM passage_totals) WHEN 0 THEN 0 ELSE (
        SELECT count(*) FROM passages p JOIN passages_waiting w ON w.passage = p.id
        WHERE p.kind = 'paper' AND p.owner = papers.id
    ) END)
    """,
)  # fmt: skip
SELECT = f"SELECT {', '.join(COLUMNS)} FROM papers"


def paper_of(row: Row) -> Paper:
    """The paper in a row of COLUMNS."""
    number, id, digest, name, origin, byte_length, state, added_at, updated_at, *read = row
    title, format, media_type, pages, written_on, reason_code, reason, notes, *counts = read
    attempts, passages, removed_at, version, scan, linked, gone_at, meaning_done = counts
    return Paper(
        id=id,
        number=number,
        digest=digest,
        name=name,
        origin=origin,
        byte_length=byte_length,
        state=PaperState(state),
        added_at=added_at,
        updated_at=updated_at,
        title=title,
        format=format,
        media_type=media_type,
        pages=pages,
        written_on=written_on,
        reason_code=reason_code,
        reason=reason,
        notes=() if notes == "[]" else tuple(Note(*note) for note in json.loads(notes)),
        attempts=attempts,
        passages=passages,
        meaning_done=meaning_done,
        removed_at=removed_at,
        version=version,
        scan=bool(scan),
        linked=bool(linked),
        gone_at=gone_at,
    )


def find_paper(connection: Connection, id: str) -> Paper | None:
    row = connection.execute(f"{SELECT} WHERE id = ?", (id,)).fetchone()
    return paper_of(row) if row is not None else None


def existing(tx: Transaction, id: str) -> Paper:
    """Raises NotFound."""
    paper = find_paper(tx.connection, id)
    if paper is None:
        raise gone()
    return paper


def gone() -> NotFound:
    return NotFound("This paper is not in the workspace any more.")


def touch(tx: Transaction, id: str, operation: Operation = Operation.UPDATED) -> Paper:
    """The paper was changed: its next version, in the stream of changes."""
    tx.execute("UPDATE papers SET updated_at = ?, version = version + 1 WHERE id = ?", (tx.now, id))
    paper = existing(tx, id)
    tx.changed("paper", id, paper.version, operation)
    return paper
