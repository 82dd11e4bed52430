"""Ranking for recall: relevance (BM25) x present salience with words, present salience alone without.

A word that stands in very many passages tells little and is costly to rank (SQLite walks its whole list), so common
words are left aside where the question has rarer ones; where it has none, the newest that match count as equally
relevant.
"""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.adapters.sqlite.driver import Connection, Row
from core.domain.memory import record_id
from core.domain.tiers import Tier, salience_now
from core.domain.writing import plain

COMMON = 5000  # passages; about 10 ms to rank
NEWEST = 2000  # passages that are looked at for common words
SMALL = 500  # records of a namespace that is looked through one by one; 60 µs each
WORDS = 32  # of a question; the rest of a longer one is left aside
TITLE_WEIGHT, TEXT_WEIGHT, EXTRA_WEIGHT = 3.0, 1.0, 1.0

_OF_NAMESPACE = "p.kind = 'record' AND p.owner >= :first AND p.owner < :after"
_PRESENCE = "r.number, r.salience, r.last_accessed_at, r.tier, r.pinned, r.updated_at"


@dataclass(frozen=True, slots=True)
class Recall:
    """words: distinct, in index form. now: UTC seconds."""

    words: tuple[str, ...]
    namespace: str
    tier: Tier | None
    limit: int
    now: float


Best = list[tuple[int, float]]
"""(row number of a record, score), best first."""


def relevant(connection: Connection, asked: Recall) -> Best:
    """The records that hold at least one of the words."""
    words, ranked = _telling(connection, asked.words[:WORDS])
    first = record_id(asked.namespace, "")
    params: dict[str, object] = {
        "namespace": asked.namespace,
        "first": first,
        "after": f"{first[:-1]};",  # the character after the colon
        "match": " OR ".join(f'"{word}"' for word in words),
        "tier": asked.tier,
    }
    rank = f"-bm25(passage_index, {TITLE_WEIGHT}, {TEXT_WEIGHT}, {EXTRA_WEIGHT})" if ranked else "1.0"
    sql = f"""
        SELECT {rank}, {_PRESENCE}
        FROM passage_index CROSS JOIN passages p ON p.id = passage_index.rowid
        CROSS JOIN records r ON r.namespace = :namespace AND r.key = substr(p.owner, length(:first) + 1)
        WHERE passage_index MATCH :match AND {_OF_NAMESPACE} AND (:tier IS NULL OR r.tier = :tier)
    """
    if not ranked:
        if _is_small(connection, asked.namespace):  # then looking it through beats looking for it among the others
            sql += f" AND passage_index.rowid IN (SELECT id FROM passages p WHERE {_OF_NAMESPACE})"
        sql += f" ORDER BY passage_index.rowid DESC LIMIT {NEWEST}"
    best: dict[int, tuple[float, float]] = {}  # a record counts by its best passage
    for relevance, number, *presence in connection.execute(sql, params):
        score = relevance * _salience(presence, asked.now)
        if number not in best or score > best[number][0]:
            best[number] = (score, presence[-1])
    return _top(((number, score, updated) for number, (score, updated) in best.items()), asked.limit)


def _is_small(connection: Connection, namespace: str) -> bool:
    counted = "SELECT count(*) FROM (SELECT 1 FROM records WHERE namespace = ? LIMIT ?)"
    row = connection.execute(counted, (namespace, SMALL + 1)).fetchone()
    return row is not None and int(row[0]) <= SMALL


def present(connection: Connection, asked: Recall) -> Best:
    """The most present records.

    Within a tier they are the first by freshness, by salience (those faded to the floor) or among the pinned.
    """
    found: dict[int, Row] = {}
    for tier in [asked.tier] if asked.tier else list(Tier):
        for index, order in (("freshness", "freshness"), ("salience", "salience"), ("pinned", "salience")):
            sql = f"""
                SELECT {_PRESENCE} FROM records r INDEXED BY records_{index}
                WHERE namespace = ? AND tier = ? {"AND pinned = 1" if index == "pinned" else ""}
                ORDER BY {order} DESC, updated_at DESC LIMIT ?
            """
            found |= {row[0]: row for row in connection.execute(sql, (asked.namespace, tier, asked.limit))}
    return _top(
        ((number, _salience(presence, asked.now), presence[-1]) for number, *presence in found.values()), asked.limit
    )


def _telling(connection: Connection, words: Sequence[str]) -> tuple[Sequence[str], bool]:
    """The words to look for, and whether ranking them is affordable."""
    marks = ", ".join("?" * len(words))
    plain_of = {word: plain(word) for word in words}
    counts = dict(
        connection.execute(
            f"SELECT word, passages FROM vocabulary WHERE word IN ({marks})", list(plain_of.values())
        ).fetchall()
    )
    rare = [word for word in words if counts.get(plain_of[word], 0) <= COMMON]
    return (rare, True) if rare else (words, False)


def _salience(presence: Sequence[object], now: float) -> float:
    salience, accessed, tier, pinned, _ = presence
    return salience_now(float(str(salience)), float(str(accessed)), now, Tier(str(tier)), pinned=bool(pinned))


def _top(scored: Iterable[tuple[int, float, float]], limit: int) -> Best:
    best = heapq.nlargest(limit, scored, key=lambda row: (row[1], row[2], row[0]))
    return [(number, score) for number, score, _ in best]
