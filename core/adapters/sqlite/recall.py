"""Ranking for recall: relevance x present salience with words in the question, present salience alone without.

Relevance joins both ways of finding, each from 0 to 1. Words: BM25 as a share of the best match, times how much of the
question the best match holds (the inverse document frequencies of its words among those of all), so that one common
word out of five is no good match because there is no better one. Meaning: the cosine of the nearest passage, from
LEAST_SIMILAR up. Where meaning can't answer, words are all of it. A record counts by its best passage.

A word that stands in very many passages tells little and is costly to rank (SQLite walks its whole list), so common
words are left aside where the question has rarer ones; where it has none, the newest that match count as equally
relevant.
"""

import heapq
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.adapters.sqlite.driver import Connection, Row
from core.adapters.sqlite.filtering import narrowing, of_records
from core.adapters.sqlite.presence import presence
from core.domain.folding import fold
from core.domain.memory import Why, record_id, split_record_id
from core.domain.plurals import other_forms
from core.domain.query import RecordFilter
from core.domain.text import clean
from core.domain.tiers import Tier, salience_now
from core.domain.writing import plain, stem, tokens

COMMON = 5000  # passages that hold a word, or several together; about 10 ms to rank
NEWEST = 2000  # passages that are looked at for common words
SMALL = 500  # records of a namespace that is looked through one by one; 60 µs each
FEW = 2000  # records that are sorted by their presence now, where a filter leaves no more; about 5 ms
WORDS = 32  # of a question; the rest of a longer one is left aside
TITLE_WEIGHT, TEXT_WEIGHT, EXTRA_WEIGHT = 3.0, 1.0, 1.0
LEAST_SIMILAR = 0.2  # cosine; below it two texts have nothing to do with each other
BY_WORDS, BY_MEANING = 0.5, 0.5  # shares of relevance where both ways answer

_PRESENCE = "r.number, r.salience, r.last_accessed_at, r.tier, r.pinned, r.updated_at"


@dataclass(frozen=True, slots=True)
class Recall:
    """words: distinct, in index form. after, before, now: UTC seconds."""

    words: tuple[str, ...]
    among: RecordFilter
    after: float | None
    before: float | None
    limit: int
    now: float

    def narrowed(self) -> tuple[str, list[object]]:
        """Tier, tags and times as a condition over `records r`, for behind another one."""
        sql, params = narrowing(self.among)
        if self.after is not None:
            sql += " AND r.updated_at >= ?"
            params.append(self.after)
        if self.before is not None:
            sql += " AND r.updated_at <= ?"
            params.append(self.before)
        return sql, params


@dataclass(frozen=True, slots=True)
class Best:
    """A record of the answer. number: of its row."""

    number: int
    score: float
    why: Why


@dataclass(slots=True)
class _Candidate:
    """by_words: BM25, higher is better. passage: the one that matched best."""

    salience: float
    updated_at: float
    by_words: float | None = None
    passage: int | None = None
    similarity: float | None = None


def relevant(connection: Connection, asked: Recall, near: Mapping[str, float] | None) -> list[Best]:
    """The records that hold at least one of the words, and those near by meaning. Best first.

    near: cosine by record id; None where meaning can't answer.
    """
    counts = _counts(connection, asked.words[:WORDS])
    found = _by_words(connection, asked, counts)
    _add_near(connection, asked, found, near or {})
    strongest, covered = _best_match(connection, asked, found, counts)
    scored: list[tuple[float, float, int]] = []
    relevances: dict[int, tuple[float, float | None]] = {}
    for number, one in found.items():
        share = None if one.by_words is None else covered * (one.by_words / strongest if strongest > 0 else 1.0)
        relevance = _relevance(share, one.similarity, near is not None)
        relevances[number] = relevance, share
        scored.append((relevance * one.salience, one.updated_at, number))
    best = heapq.nlargest(asked.limit, scored)
    held = _held_words(connection, asked, [found[number].passage for _, _, number in best])
    return [
        Best(
            number,
            score,
            Why(
                relevances[number][0],
                found[number].salience,
                held.get(found[number].passage or 0, ()),
                relevances[number][1],
                found[number].similarity,
            ),
        )
        for score, _, number in best
    ]


def _best_match(
    connection: Connection, asked: Recall, found: Mapping[int, _Candidate], counts: Mapping[str, int]
) -> tuple[float, float]:
    """BM25 of the best match by words, and how much of the question it holds (0 to 1)."""
    matched = [one for one in found.values() if one.passage is not None]
    if not matched:
        return 0.0, 0.0
    best = max(matched, key=lambda one: one.by_words or 0.0)
    held = _held_words(connection, asked, [best.passage]).get(best.passage or 0, ())
    row = connection.execute("SELECT passages FROM passage_totals").fetchone()
    total = int(row[0]) if row else 0
    weights = {word: math.log(1 + (total - count + 0.5) / (count + 0.5)) for word, count in counts.items()}
    return best.by_words or 0.0, sum(weights[word] for word in held) / sum(weights.values())


def _relevance(share: float | None, similarity: float | None, both: bool) -> float:
    words = share or 0.0
    if not both:
        return words
    meaning = max(0.0, ((similarity or 0.0) - LEAST_SIMILAR) / (1.0 - LEAST_SIMILAR))
    return BY_WORDS * words + BY_MEANING * min(1.0, meaning)


def _by_words(connection: Connection, asked: Recall, counts: Mapping[str, int]) -> dict[int, _Candidate]:
    telling, ranked = _telling(counts)
    rank = f"-bm25(passage_index, {TITLE_WEIGHT}, {TEXT_WEIGHT}, {EXTRA_WEIGHT})" if ranked else "1.0"
    narrowed, values = asked.narrowed()
    passages, owners = of_records(RecordFilter(asked.among.namespace))
    params: list[object] = [
        asked.among.namespace, len(record_id(asked.among.namespace, "")) + 1, _match(telling), *owners, *values,
    ]  # fmt: skip
    sql = f"""
        SELECT p.id, {rank}, {_PRESENCE}
        FROM passage_index CROSS JOIN passages p ON p.id = passage_index.rowid
        CROSS JOIN records r ON r.namespace = ? AND r.key = substr(p.owner, ?)
        WHERE passage_index MATCH ? AND p.kind = 'record' AND {passages}{narrowed}
    """
    if not ranked:
        if _is_small(connection, asked.among.namespace):  # looking it through beats looking for it among the others
            sql += f" AND passage_index.rowid IN (SELECT id FROM passages p WHERE p.kind = 'record' AND {passages})"
            params += owners
        sql += f" ORDER BY passage_index.rowid DESC LIMIT {NEWEST}"
    found: dict[int, _Candidate] = {}
    for passage, relevance, number, *shown in connection.execute(sql, params):
        known = found.get(number)
        if known is None:
            found[number] = _Candidate(_salience(shown, asked.now), shown[-1], max(0.0, relevance), passage)
        elif relevance > (known.by_words or 0.0):
            known.by_words, known.passage = relevance, passage
    return found


def _match(words: Sequence[str]) -> str:
    """Any of the words, each in both numbers. Every word is quoted: nothing of it is syntax."""
    return " OR ".join(f'"{form}"' for word in words for form in (word, *other_forms(plain(word))))


def _add_near(connection: Connection, asked: Recall, found: dict[int, _Candidate], near: Mapping[str, float]) -> None:
    if not near:
        return
    narrowed, values = asked.narrowed()
    keys = {split_record_id(id)[1]: cosine for id, cosine in near.items() if cosine >= LEAST_SIMILAR}
    rows = connection.execute(
        f"SELECT r.key, {_PRESENCE} FROM records r WHERE r.namespace = ?"
        f" AND r.key IN (SELECT value FROM json_each(?)){narrowed}",
        (asked.among.namespace, json.dumps(list(keys)), *values),
    )
    for key, number, *shown in rows.fetchall():
        candidate = found.setdefault(number, _Candidate(_salience(shown, asked.now), shown[-1]))
        candidate.similarity = keys[key]


def _held_words(connection: Connection, asked: Recall, passages: Sequence[int | None]) -> dict[int, tuple[str, ...]]:
    """Which words of the question each passage holds, in the order of the question."""
    stems: dict[str, str] = {}
    for word in asked.words[:WORDS]:
        for form in (plain(word), *other_forms(plain(word))):
            stems.setdefault(stem(form), word)
    firsts = {form[:1] for form in stems}  # a stem begins as its word does, and most words need no stemming then
    held: dict[int, tuple[str, ...]] = {}
    wanted = [passage for passage in passages if passage is not None]
    marks = ", ".join("?" * len(wanted))
    rows = connection.execute(
        f"SELECT id, title, heading, text, extra FROM passage_texts WHERE id IN ({marks})", wanted
    )
    for id, *texts in rows.fetchall():
        found = {token.word for token in tokens("\n".join(texts))}
        there = {stems.get(stem(word)) for word in found if word[:1] in firsts}
        held[id] = tuple(word for word in asked.words if word in there)
    return held


def _is_small(connection: Connection, namespace: str) -> bool:
    counted = "SELECT count(*) FROM (SELECT 1 FROM records WHERE namespace = ? LIMIT ?)"
    row = connection.execute(counted, (namespace, SMALL + 1)).fetchone()
    return row is not None and int(row[0]) <= SMALL


def present(connection: Connection, asked: Recall) -> list[Best]:
    """The most present records."""
    rows = _present_among_few(connection, asked) if _leaves_few(connection, asked) else _present(connection, asked)
    scored = ((_salience(shown, asked.now), shown[-1], number) for number, *shown in rows)
    best = heapq.nlargest(asked.limit, scored)
    return [Best(number, salience, Why(1.0, salience)) for salience, _, number in best]


def _leaves_few(connection: Connection, asked: Recall) -> bool:
    """Whether a tag or the times alone leave so few records that all of them can be sorted."""
    counts: list[tuple[str, tuple[object, ...]]] = [
        ("SELECT 1 FROM record_tags WHERE folded = ?", (fold(clean(tag)),)) for tag in asked.among.tags
    ]
    if asked.after is not None or asked.before is not None:
        times = asked.after if asked.after is not None else -9e99, asked.before
        counts.append(
            (
                "SELECT 1 FROM records WHERE namespace = ? AND updated_at >= ? AND updated_at <= coalesce(?, 9e99)",
                (asked.among.namespace, *times),
            )
        )
    for sql, params in counts:
        row = connection.execute(f"SELECT count(*) FROM ({sql} LIMIT ?)", (*params, FEW + 1)).fetchone()
        if row is not None and int(row[0]) <= FEW:
            return True
    return False


def _present(connection: Connection, asked: Recall) -> Iterable[Row]:
    """Within a tier they are the first by freshness, by salience (those faded to the floor) or among the pinned; what
    the filters leave out is passed over on the way."""
    narrowed, values = "", list[object]()
    for tag in asked.among.tags:  # looked up for each record that is met: a list of all that bear it costs far more
        narrowed += " AND EXISTS (SELECT 1 FROM record_tags t WHERE t.folded = ? AND t.record = r.number)"
        values.append(fold(clean(tag)))
    for bound, instant in ((">=", asked.after), ("<=", asked.before)):
        if instant is not None:
            narrowed += f" AND r.updated_at {bound} ?"
            values.append(instant)
    found: dict[int, Row] = {}
    for tier in [asked.among.tier] if asked.among.tier else list(Tier):
        for index, order in (("freshness", "freshness"), ("salience", "salience"), ("pinned", "salience")):
            sql = f"""
                SELECT {_PRESENCE} FROM records r INDEXED BY records_{index}
                WHERE namespace = ? AND tier = ? {"AND pinned = 1" if index == "pinned" else ""}{narrowed}
                ORDER BY {order} DESC, updated_at DESC LIMIT ?
            """
            params = (asked.among.namespace, tier, *values, asked.limit)
            found |= {row[0]: row for row in connection.execute(sql, params)}
    return found.values()


def _present_among_few(connection: Connection, asked: Recall) -> Iterable[Row]:
    narrowed, values = asked.narrowed()
    order = presence().replace(":now", repr(float(asked.now)))
    sql = f"""
        SELECT {_PRESENCE} FROM records r WHERE r.namespace = ?{narrowed}
        ORDER BY {order} DESC, updated_at DESC, number DESC LIMIT ?
    """
    return connection.execute(sql, (asked.among.namespace, *values, asked.limit)).fetchall()


def _telling(counts: Mapping[str, int]) -> tuple[list[str], bool]:
    """The words to look for, and whether ranking them is affordable: the rarest, as long as they stand in COMMON
    passages together, or the rarest one by itself."""
    rare: set[str] = set()
    together = 0
    for word in sorted(counts, key=lambda word: counts[word]):
        together += counts[word]
        if together > COMMON:
            break
        rare.add(word)
    return ([word for word in counts if word in rare], True) if rare else (list(counts), False)


def _counts(connection: Connection, words: Sequence[str]) -> dict[str, int]:
    """In how many passages each word stands, in any of its forms, in the order of the words; counted no further than
    COMMON + 1 where the vocabulary doesn't know better."""
    marks = ", ".join("?" * len(words))
    known = dict(
        connection.execute(
            f"SELECT word, passages FROM vocabulary WHERE word IN ({marks})", [plain(word) for word in words]
        ).fetchall()
    )
    total = connection.execute("SELECT passages FROM passage_totals").fetchone()
    counts: dict[str, int] = {}
    for word in words:
        count = int(known.get(plain(word), 0))
        if count <= COMMON:
            found = connection.execute(
                "SELECT count(*) FROM (SELECT 1 FROM passage_index WHERE passage_index MATCH ? LIMIT ?)",
                (_match([word]), COMMON + 1),
            ).fetchone()
            count = max(count, int(found[0]) if found else 0)
        counts[word] = min(count, int(total[0]) if total else count)
    return counts


def _salience(presence: Sequence[Any], now: float) -> float:
    salience, accessed, tier, pinned, _ = presence  # tier: its text, which is a key as good as the Tier itself
    return salience_now(salience, accessed, now, tier, pinned=bool(pinned))
