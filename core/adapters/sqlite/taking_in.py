"""Bytes that come in, and the papers that they become."""

import uuid

from core.adapters.sqlite.engine import Transaction
from core.adapters.sqlite.paper_rows import SELECT, existing, paper_of, touch
from core.adapters.sqlite.paper_trash import take_from_trash
from core.domain.changes import Operation
from core.domain.extraction import RefusalCode
from core.domain.folding import fold
from core.domain.papers import Artifact, Paper, PaperState


def take_in(tx: Transaction, artifact: Artifact, name: str, origin: str) -> tuple[Paper, bool]:
    """The paper of bytes that are in the store, and whether it is new or came back."""
    paper, new = _given(tx, artifact, name, origin)
    if origin:
        tx.execute(
            "INSERT INTO paper_places (paper, place, taken_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (paper.id, origin, tx.now),
        )
    return is_there(tx, paper, linked=False), new


def _given(tx: Transaction, artifact: Artifact, name: str, origin: str) -> tuple[Paper, bool]:
    known = with_bytes(tx, artifact.digest)
    if known is None:
        return new_paper(tx, artifact, name, origin), True
    return (known, False) if known.removed_at is None else (again(tx, known, name, origin), True)


def with_bytes(tx: Transaction, digest: str) -> Paper | None:
    """The paper that has these bytes, removed ones included."""
    row = tx.execute(f"{SELECT} WHERE digest = ?", (digest,)).fetchone()
    return None if row is None else paper_of(row)


def new_paper(tx: Transaction, artifact: Artifact, name: str, origin: str, linked: bool = False) -> Paper:
    _note_bytes(tx, artifact)
    id = uuid.uuid4().hex
    tx.execute(
        "INSERT INTO papers (id, digest, name, name_folded, origin, byte_length, state, added_at, updated_at, linked,"
        " version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)",
        (
            id,
            artifact.digest,
            name,
            fold(name),
            origin,
            artifact.byte_length,
            PaperState.WAITING,
            tx.now,
            tx.now,
            linked,
        ),
    )
    tx.changed("paper", id, 1, Operation.CREATED)
    return existing(tx, id)


def again(tx: Transaction, paper: Paper, name: str, origin: str) -> Paper:
    """A removed paper whose bytes are given once more."""
    take_from_trash(tx, paper)
    tx.execute(
        "UPDATE papers SET removed_at = NULL, state = 'waiting', attempts = 0, reason_code = '', reason = '', name = ?,"
        " name_folded = ?, origin = ? WHERE id = ?",
        (name, fold(name), origin, paper.id),
    )
    return touch(tx, paper.id, Operation.CREATED)


def is_there(tx: Transaction, paper: Paper, linked: bool) -> Paper:
    """Its bytes are at hand: in the store, or (`linked`) in a file. What could not be read for want of them waits
    again."""
    stays_linked = paper.linked and linked
    missing = paper.state is PaperState.ATTENTION and paper.reason_code == RefusalCode.MISSING
    if stays_linked == paper.linked and paper.gone_at is None and not missing:
        return paper
    tx.execute("UPDATE papers SET linked = ?, gone_at = NULL WHERE id = ?", (stays_linked, paper.id))
    if missing:
        tx.execute(
            "UPDATE papers SET state = 'waiting', attempts = 0, reason_code = '', reason = '' WHERE id = ?",
            (paper.id,),
        )
    return touch(tx, paper.id)


def follow(tx: Transaction, paper: Paper, artifact: Artifact, linked: bool) -> Paper:
    """The file of a paper was changed: the paper goes on with its new bytes, and is read again. Its former text is
    found until then."""
    _note_bytes(tx, artifact)
    tx.execute(
        "INSERT INTO former_bytes (paper, digest, replaced_at) VALUES (?, ?, ?)"
        " ON CONFLICT DO UPDATE SET replaced_at = excluded.replaced_at",
        (paper.id, paper.digest, tx.now),
    )
    tx.execute(
        "UPDATE papers SET digest = ?, byte_length = ?, linked = ?, gone_at = NULL, state = 'waiting', scan = 0,"
        " attempts = 0, reason_code = '', reason = '' WHERE id = ?",
        (artifact.digest, artifact.byte_length, linked, paper.id),
    )
    return touch(tx, paper.id)


def _note_bytes(tx: Transaction, artifact: Artifact) -> None:
    tx.execute(
        "INSERT INTO artifacts (digest, byte_length, added_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        (artifact.digest, artifact.byte_length, artifact.added_at),
    )
