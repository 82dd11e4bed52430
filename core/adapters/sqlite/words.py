"""Passages found by words: full-text search, the vocabulary, and the passages themselves."""

import json
from collections.abc import Sequence

from core.adapters.sqlite.driver import Connection, Row
from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.filtering import condition
from core.adapters.sqlite.ranking import clauses, holding_all, holding_any, holding_run
from core.adapters.sqlite.vocabulary import Vocabulary
from core.domain.passages import Kind, Passage
from core.domain.query import Filters
from core.domain.terms import Term
from core.ports.index import WordAnswer

_PASSAGE = (
    "SELECT p.id, p.kind, p.owner, p.ordinal, t.text, t.title, p.page, t.heading, p.part, p.at, p.format "
    "FROM passages p JOIN passage_texts t USING (id)"
)


class SqliteWords:
    """Fulfils WordIndexPort on the readers of one database; cancelling a call interrupts its statement."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._vocabulary = Vocabulary()

    async def all_of(self, terms: Sequence[Term], filters: Filters, limit: int) -> WordAnswer:
        return await self._database.read(lambda c: holding_all(c, terms, condition(filters), limit))

    async def any_of(self, terms: Sequence[Term], filters: Filters, limit: int) -> WordAnswer:
        return await self._database.read(lambda c: holding_any(c, terms, condition(filters), limit))

    async def side_by_side(self, run: Term, filters: Filters, limit: int) -> WordAnswer:
        return await self._database.read(lambda c: holding_run(c, run, condition(filters), limit))

    async def frequencies(self, terms: Sequence[Term]) -> list[int]:
        return await self._database.read(lambda c: [clause.passages for clause in clauses(c, terms)])

    async def similar(self, word: str, limit: int = 8) -> list[tuple[str, int]]:
        return await self._database.read(lambda c: self._vocabulary.similar(c, word, limit))

    async def passages(self, ids: Sequence[int]) -> list[Passage]:
        found = await self._database.read(lambda c: _by_id(c, ids))
        return [found[id] for id in ids if id in found]

    async def of_owner(self, kind: Kind, owner: str, first: int = 0, count: int = 200) -> list[Passage]:
        def read(connection: Connection) -> list[Passage]:
            rows = connection.execute(
                f"{_PASSAGE} WHERE p.kind = ? AND p.owner = ? AND p.ordinal >= ? ORDER BY p.ordinal LIMIT ?",
                (kind.value, owner, first, count),
            )
            return [_passage(row) for row in rows.fetchall()]

        return await self._database.read(read)


def _by_id(connection: Connection, ids: Sequence[int]) -> dict[int, Passage]:
    rows = connection.execute(
        f"{_PASSAGE} WHERE p.id IN (SELECT value FROM json_each(?))", (json.dumps(list(ids)),)
    ).fetchall()
    return {int(row[0]): _passage(row) for row in rows}


def _passage(row: Row) -> Passage:
    id, kind, owner, ordinal, text, title, page, heading, part, at, format = row
    path = tuple(str(step) for step in json.loads(heading)) if heading else ()
    return Passage(id, Kind(kind), owner, ordinal, text, title, page, path, part, at, format)
