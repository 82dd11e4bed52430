"""Writing passages: the rows, and with them (by triggers) the full-text index, the vocabulary and the waiting list.

Other adapters call these functions inside their own transaction, so that a thing and its passages are stored together.
What costs time (forms for the index, other spellings, vocabulary) is `analyse`, which they call before, off the writer.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.adapters.sqlite.engine import Transaction
from core.domain.extraction import PassageDraft
from core.domain.passages import Kind
from core.domain.spellings import extra_words
from core.domain.writing import index_form, tokens

VOCABULARY_WORD = range(3, 33)  # characters; shorter words have too many neighbours, longer ones are no words


@dataclass(frozen=True, slots=True)
class Analysed:
    """Passages ready to be written under `title`. texts: (title, heading, text, label, body, extra) of each.
    words: in how many of the passages each word of the vocabulary stands."""

    title: str
    drafts: Sequence[PassageDraft]
    texts: list[tuple[str, str, str, str | None, str | None, str]]
    words: Counter[str]


def analyse(drafts: Sequence[PassageDraft], title: str) -> Analysed:
    """About 0.4 ms a passage; pure, for any thread."""
    texts = [_texts(draft, title) for draft in drafts]
    words = Counter(word for draft in drafts for word in vocabulary_of(title, draft.heading, draft.text))
    return Analysed(title, drafts, texts, words)


def _texts(draft: PassageDraft, title: str) -> tuple[str, str, str, str | None, str | None, str]:
    heading = json.dumps(draft.heading, ensure_ascii=False) if draft.heading else ""
    label = index_form("\n".join((title, *draft.heading)))
    body = index_form(draft.text)
    same_label, same_body = label == title, body == draft.text
    extra = _extra(label, draft.text)
    return title, heading, draft.text, None if same_label else label, None if same_body else body, extra


def replace_passages(
    tx: Transaction,
    kind: Kind,
    owner: str,
    drafts: Sequence[PassageDraft] | Analysed,
    *,
    title: str,
    at: float | None,
    format: str = "",
) -> int:
    """Make `drafts` all the passages of one thing, in this order. Answers how many there are now.

    title: searched above the text, in every passage; passages analysed under another title are analysed again.
    at: UTC seconds for the date filter. format: short reader format.
    """
    remove_passages(tx, kind, owner)
    return _insert(tx, kind, owner, drafts, 0, title, at, format)


def append_passages(
    tx: Transaction,
    kind: Kind,
    owner: str,
    drafts: Sequence[PassageDraft] | Analysed,
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
    drafts: Sequence[PassageDraft] | Analysed,
    first: int,
    title: str,
    at: float | None,
    format: str,
) -> int:
    ready = drafts if isinstance(drafts, Analysed) else analyse(drafts, title)
    if ready.title != title:  # the thing was renamed after they were analysed
        ready = analyse(ready.drafts, title)
    for ordinal, (draft, texts) in enumerate(zip(ready.drafts, ready.texts, strict=True), first):
        cursor = tx.execute(
            "INSERT INTO passages(kind, owner, ordinal, part, page, at, format) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (kind.value, owner, ordinal, draft.part, draft.page, at, format),
        )
        tx.execute(
            "INSERT INTO passage_texts(id, title, heading, text, label, body, extra) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (cursor.lastrowid, *texts),
        )
    count_words(ready.words, tx, 1)
    return len(ready.drafts)


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
        found = (vocabulary_of(title, json.loads(heading or "[]"), text) for title, heading, text in rows)
        count_words(Counter(word for words in found for word in words), tx, -1)
        tx.execute(f"DELETE FROM passages WHERE {where}", parameters)
    return len(rows)


def count_words(counts: Counter[str], tx: Transaction, step: int) -> None:
    """Note that so many passages more (step 1) or fewer (-1) hold each word."""
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
