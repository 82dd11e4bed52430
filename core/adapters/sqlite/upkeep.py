"""UpkeepPort on the tables of papers."""

import json

from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.paper_rows import SELECT, find_paper, paper_of
from core.domain.changes import Operation
from core.domain.extraction import Note
from core.domain.papers import Paper
from core.errors import NotFound


class SqliteUpkeep:
    """Everything here is written down as the program's own doing."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def digests(self) -> set[str]:
        sql = "SELECT digest FROM papers UNION SELECT digest FROM former_bytes"
        rows = await self._database.read(lambda connection: connection.execute(sql).fetchall())
        return {str(row[0]) for row in rows}

    async def some(self, after: int, count: int) -> list[Paper]:
        sql = f"{SELECT} WHERE removed_at IS NULL AND number > ? ORDER BY number LIMIT ?"
        rows = await self._database.read(lambda connection: connection.execute(sql, (after, count)).fetchall())
        return [paper_of(row) for row in rows]

    async def set_note(self, id: str, code: str, note: Note | None) -> Paper:
        def operation(tx: Transaction) -> Paper:
            paper = find_paper(tx.connection, id)
            if paper is None:
                raise NotFound("This paper is not in the workspace any more.")
            others = [each for each in paper.notes if each.code != code]
            notes = tuple(others if note is None else [*others, note])
            if notes == paper.notes:
                return paper
            written = json.dumps([(each.code, each.sentence, each.page) for each in notes])
            tx.execute(
                "UPDATE papers SET notes = ?, updated_at = ?, version = version + 1 WHERE id = ?", (written, tx.now, id)
            )
            tx.changed("paper", id, paper.version + 1, Operation.UPDATED)
            changed = find_paper(tx.connection, id)
            assert changed is not None
            return changed

        return await self._database.write(operation, "system")
