"""Papers in the trash: the row of a removed paper stays, so that its bytes know it when they are given once more."""

from collections.abc import Callable, Sequence

from core.adapters.sqlite.engine import Transaction
from core.adapters.sqlite.paper_rows import SELECT, paper_of, touch
from core.adapters.sqlite.removing import remove
from core.adapters.sqlite.trashing import Content, lay_in_trash
from core.domain.changes import Operation
from core.domain.erasure import Doomed
from core.domain.papers import Paper, PaperState
from core.domain.passages import Kind

KIND = Kind.PAPER.value


def put_in_trash(tx: Transaction, paper: Paper) -> None:
    """Before its passages are dropped: the beginning of its text is kept for the list."""
    first = tx.execute(
        "SELECT t.text FROM passages p JOIN passage_texts t ON t.id = p.id WHERE p.kind = ? AND p.owner = ?"
        " ORDER BY p.ordinal LIMIT 1",
        (KIND, paper.id),
    ).fetchone()
    text = str(first[0]) if first else ""
    lay_in_trash(tx, KIND, paper.id, number=paper.number, title=paper.name, text=text, content="{}")


def take_from_trash(tx: Transaction, paper: Paper) -> None:
    """It is back, whoever brought it."""
    tx.execute("DELETE FROM trash WHERE kind = ? AND id = ?", (KIND, paper.id))
    tx.derived("trash")


def put_back(tx: Transaction, paper: Paper) -> Paper:
    """Undo its removal. The passages are gone, so what was searchable or on its way is read again."""
    tx.execute("UPDATE papers SET removed_at = NULL WHERE id = ?", (paper.id,))
    if paper.state in {PaperState.READING, PaperState.SEARCHABLE}:
        tx.execute("UPDATE papers SET state = 'waiting', attempts = 0, scan = 0 WHERE id = ?", (paper.id,))
    return touch(tx, paper.id, Operation.CREATED)


class PaperKeeper:
    """TrashKeeper of papers."""

    async def returning(self, content: Content, row: int) -> Callable[[Transaction], None]:
        def operation(tx: Transaction) -> None:
            for paper in _removed(tx, [row]):
                put_back(tx, paper)

        return operation

    def erase(self, tx: Transaction, rows: Sequence[int]) -> None:
        """The bytes are left for the upkeep, which collects what nothing refers to."""
        for paper in _removed(tx, rows):
            remove(tx, Doomed.PAPER, paper.id)


def _removed(tx: Transaction, rows: Sequence[int]) -> list[Paper]:
    marks = ", ".join("?" * len(rows))
    sql = f"{SELECT} WHERE number IN ({marks}) AND removed_at IS NOT NULL"
    return [paper_of(row) for row in tx.execute(sql, tuple(rows)).fetchall()]
