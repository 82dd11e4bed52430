"""Writing passages: the rows, and with them (by triggers) the full-text index, the vocabulary and the waiting list.

Other adapters call these functions inside their own transaction, so that a thing and its passages are stored together.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from core.adapters.sqlite.engine import Transaction
from core.domain.extraction import PassageDraft
from core.domain.passages import Kind
from core.domain.spellings import extra_words
from core.domain.writing import index_form, tokens

VOCABULARY_WORD = range(3, 33)  # characters; shorter words have too many neighbours, longer ones are no words


def replace_passages(
    tx: Transaction,
    kind: Kind,
    owner: str,
    drafts: Sequence[PassageDraft],
    *,
    title: str,
    at: float | None,
    format: str = "",
) -> int:
    """Make `drafts` all the passages of one thing, in this order. Answers how many there are now.

    title: searched above the text, in every passage. at: UTC seconds for the date filter. format: short reader format.
    """
    remove_passages(tx, kind, owner)
    return _insert(tx, kind, owner, drafts, 0, title, at, format)


def append_passages(
    tx: Transaction,
    kind: Kind,
    owner: str,
    drafts: Sequence[PassageDraft],
    *,
    title: str,
    at: float | None,
    format: str = "",
) -> int:
    """Add passages behind those that the thing has. A message is a `part` of its session, which is the `owner`."""
    row = tx.execute("SELECT max(ordinal) FROM passages WHERE kind = ? AND owner = ?", (kind.value, owner)).fetchone()
    first = 0 if row is None or row[0] is None else int(row[0]) + 1
    return _insert(tx, kind, owner, drafts, first, title, at, format)


def remove_passages(tx: Transaction, kind: Kind, owner: str) -> int:
    """Remove every passage of one thing from text, index and vectors; answers how many there were."""
    return _remove(tx, "kind = ? AND owner = ?", (kind.value, owner))


def remove_part(tx: Transaction, kind: Kind, owner: str, part: str) -> int:
    """Remove the passages of one part (a message of a session); answers how many there were."""
    return _remove(tx, "kind = ? AND owner = ? AND part = ?", (kind.value, owner, part))


def _insert(
    tx: Transaction,
    kind: Kind,
    owner: str,
    drafts: Sequence[PassageDraft],
    first: int,
    title: str,
    at: float | None,
    format: str,
) -> int:
    for ordinal, draft in enumerate(drafts, first):
        cursor = tx.execute(
            "INSERT INTO passages(kind, owner, ordinal, part, page, at, format) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (kind.value, owner, ordinal, draft.part, draft.page, at, format),
        )
        heading = json.dumps(draft.heading, ensure_ascii=False) if draft.heading else ""
        label = index_form("\n".join((title, *draft.heading)))
        body = index_form(draft.text)
        tx.execute(
            "INSERT INTO passage_texts(id, title, heading, text, label, body, extra) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                cursor.lastrowid,
                title,
                heading,
                draft.text,
                None if label == title else label,
                None if body == draft.text else body,
                _extra(label, draft.text),
            ),
        )
    _count((vocabulary_of(title, draft.heading, draft.text) for draft in drafts), tx, 1)
    return len(drafts)


def _extra(label: str, text: str) -> str:
    return extra_words(f"{label}\n{text}")


def vocabulary_of(title: str, heading: Iterable[str], text: str) -> set[str]:
    """The words of a passage that a misspelt word may be repaired to."""
    return {
        token.word
        for token in tokens("\n".join((title, *heading, text)))
        if len(token.word) in VOCABULARY_WORD and token.word.isalpha()
    }


def _remove(tx: Transaction, where: str, parameters: tuple[str, ...]) -> int:
    rows = tx.execute(
        f"SELECT title, heading, text FROM passage_texts WHERE id IN (SELECT id FROM passages WHERE {where})",
        parameters,
    ).fetchall()
    if rows:
        _count((vocabulary_of(title, json.loads(heading or "[]"), text) for title, heading, text in rows), tx, -1)
        tx.execute(f"DELETE FROM passages WHERE {where}", parameters)
    return len(rows)


def _count(words: Iterable[set[str]], tx: Transaction, step: int) -> None:
    counts = Counter(word for passage in words for word in passage)
    if step > 0:
        tx.executemany(
            "INSERT INTO vocabulary(word, passages) VALUES (?, ?) "
            "ON CONFLICT(word) DO UPDATE SET passages = passages + excluded.passages",
            sorted(counts.items()),
        )
    else:
        tx.executemany(
            "UPDATE vocabulary SET passages = passages - ? WHERE word = ?",
            [(count, word) for word, count in sorted(counts.items())],
        )
        tx.executemany("DELETE FROM vocabulary WHERE word = ? AND passages <= 0", [(word,) for word in sorted(counts)])
