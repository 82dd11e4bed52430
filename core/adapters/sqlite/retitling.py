"""Passages under another title: what belongs to a thing that was renamed is found by its new name at once."""

import json
from collections import Counter
from collections.abc import Mapping

from core.adapters.sqlite.driver import Connection, Row
from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.passages import Analysed, analyse, count_words, vocabulary_of
from core.domain.extraction import PassageDraft
from core.domain.passages import Kind

_OF_OWNER = (
    "SELECT p.id, t.title, t.heading, t.text FROM passages p JOIN passage_texts t ON t.id = p.id"
    " WHERE p.kind = ? AND p.owner = ?"
)


async def analysed_under(database: Database, kind: Kind, owner: str, title: str) -> dict[int, Analysed]:
    """Every passage of a thing, by id, ready to stand under another title; made off the writer."""

    def operation(connection: Connection) -> dict[int, Analysed]:
        rows = connection.execute(_OF_OWNER, (kind.value, owner)).fetchall()
        return {int(row[0]): _analysed(row, title) for row in rows}

    return await database.read(operation)


def retitle_passages(tx: Transaction, kind: Kind, owner: str, title: str, ready: Mapping[int, Analysed]) -> None:
    """Put every passage of a thing under this title, in text, index and vocabulary. ready: from `analysed_under`;
    passages that came meanwhile are analysed now. Vectors of messages are made without the title and stay."""
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    for row in tx.execute(_OF_OWNER, (kind.value, owner)).fetchall():
        id, old, heading, text = row
        analysed = ready.get(int(id)) or _analysed(row, title)
        tx.execute(
            "UPDATE passage_texts SET title = ?, heading = ?, text = ?, label = ?, body = ?, extra = ? WHERE id = ?",
            (*analysed.texts[0], id),
        )
        before.update(vocabulary_of(old, json.loads(heading or "[]"), text))
        after.update(analysed.words)
    count_words(after - before, tx, 1)
    count_words(before - after, tx, -1)


def _analysed(row: Row, title: str) -> Analysed:
    _id, _old, heading, text = row
    return analyse([PassageDraft(text=text, heading=tuple(json.loads(heading or "[]")))], title)
