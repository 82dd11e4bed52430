"""Ranking passages by words within a bounded time, however common the words are.

BM25 over a whole answer costs about 2 µs a passage, and about 0.1 µs for every passage that any of its words stands in.
So words are told apart by how many passages hold them. Rare ones select and rank whole. Common ones then only add to
the score of what the rare ones found (presence times their inverse document frequency: BM25 with saturated term
frequency). Where all words are common, the newest passages alone are ranked, by counting the words in their texts.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.adapters.sqlite.driver import Connection, Row
from core.adapters.sqlite.filtering import Condition
from core.domain.passages import Kind
from core.domain.terms import Term
from core.domain.writing import plain, stem
from core.ports.index import Found, WordAnswer

RANKED_WHOLE = 4_000  # passages; what holds more is common
NEWEST = 600  # passages that are ranked where every word is common
RUN_NEWEST = 10_000  # passages that are looked through for a run of common words
ADDED_WORDS = 2  # common words that add to the score
REFINED = 300  # of the best passages
BEST = 5  # passages that say how much of a question words can find
EXPANSIONS = 64  # endings that a word which is still being typed is taken to have
TITLE, BODY, EXTRA = 2.0, 1.0, 0.5  # weights of the columns
K1, B = 1.2, 0.75  # of BM25, as FTS5 has them


@dataclass(frozen=True, slots=True)
class Clause:
    """A term as FTS5 syntax, with how many passages hold it (counted up to one more than RANKED_WHOLE)."""

    term: Term
    match: str
    passages: int

    @property
    def common(self) -> bool:
        return self.passages > RANKED_WHOLE


def clauses(connection: Connection, terms: Sequence[Term]) -> list[Clause]:
    """The terms as FTS5 syntax; every word is quoted, so that none of it can be syntax of a person's making."""
    made: list[Clause] = []
    for term in terms:
        match = _match(connection, term)
        made.append(Clause(term, match, _count(connection, match)))
    return made


def _match(connection: Connection, term: Term) -> str:
    parts: list[str] = []
    for form in term.forms:
        if term.prefix:
            parts += _open_ended(connection, form)
        else:
            parts.append(_quoted(form))
    return f"({' OR '.join(dict.fromkeys(parts))})"


def _quoted(form: Sequence[str]) -> str:
    return '"' + " ".join(form).replace('"', '""') + '"'


def _open_ended(connection: Connection, form: tuple[str, ...]) -> list[str]:
    """A prefix of the index's stems misses "vaccinat…", whose stem is "vaccin": so the vocabulary is asked."""
    parts = [_quoted(form), f"{_quoted(form)} *"]
    start = plain(form[-1])
    if len(form) > 1 or not start.isalpha() or len(start) <= 3:
        return parts
    rows = connection.execute(
        "SELECT word FROM vocabulary WHERE word >= ? AND word < ? ORDER BY passages DESC LIMIT ?",
        (start, start + "\U0010ffff", EXPANSIONS + 1),
    ).fetchall()
    if len(rows) > EXPANSIONS:  # a merge of so many lists is slow: the most frequent endings will do
        return [_quoted((str(word),)) for (word,) in rows]
    return [*parts, *(_quoted((str(word),)) for (word,) in rows)]


def _count(connection: Connection, match: str) -> int:
    row = connection.execute(
        "SELECT count(*) FROM (SELECT 1 FROM passage_index WHERE passage_index MATCH ? LIMIT ?)",
        (match, RANKED_WHOLE + 1),
    ).fetchone()
    return int(row[0]) if row else 0


def holding_all(connection: Connection, terms: Sequence[Term], condition: Condition, limit: int) -> WordAnswer:
    """Passages that hold every term, best first."""
    asked = sorted(clauses(connection, terms), key=lambda clause: clause.passages)
    if not asked or asked[0].passages == 0 or condition.nothing:
        return WordAnswer()
    everything = _all(asked)
    rare = [clause for clause in asked if not clause.common]
    if not rare:
        return _newest(connection, asked, everything, condition, limit)
    within = everything if len(rare) < len(asked) else ""
    return _whole(connection, _all(rare), within, condition, limit)


def holding_any(connection: Connection, terms: Sequence[Term], condition: Condition, limit: int) -> WordAnswer:
    """Passages that hold at least one term, best first. Common terms don't select where there are rarer ones."""
    asked = sorted(clauses(connection, terms), key=lambda clause: clause.passages)
    known = [clause for clause in asked if clause.passages]
    if not known or condition.nothing:
        return WordAnswer()
    selecting: list[Clause] = []
    for clause in known:
        if sum(c.passages for c in selecting) + clause.passages > RANKED_WHOLE and selecting:
            break
        selecting.append(clause)
    if selecting[0].common:
        answer = _newest(connection, known, _all(known), condition, limit)
        return answer if answer.found else _newest(connection, known, known[0].match, condition, limit)
    added = known[len(selecting) :][:ADDED_WORDS]
    answer = _whole(connection, _any(selecting), "", condition, max(limit, REFINED) if added else limit)
    answer = _with_common(connection, answer, added, limit)
    counted = [*(clause for clause in asked if not clause.passages), *selecting, *added]
    return replace(answer, covered=_covered(answer, [_inverse_frequency(connection, c) for c in counted]))


def _covered(answer: WordAnswer, weights: Sequence[float]) -> float:
    """A term that stands once in a passage of mean length adds its inverse document frequency to the score."""
    best = [hit.score for hit in answer.found[:BEST]]
    return min(1.0, sum(best) / max(1e-9, len(best) * sum(weights)))


def holding_run(connection: Connection, term: Term, condition: Condition, limit: int) -> WordAnswer:
    """Passages that hold the words of a term's first form side by side, best first; where each of the words is common,
    those of the newest RUN_NEWEST passages, the newest first."""
    form = term.forms[0]
    finished = form[:-1] if term.prefix else form
    rarest = min((_count(connection, _quoted((word,))) for word in finished), default=0)
    if rarest == 0 or condition.nothing:
        return WordAnswer()
    match = f"{_quoted(form)}{' *' if term.prefix else ''}"
    if rarest > RANKED_WHOLE:
        return _newest_run(connection, match, condition, limit)
    return _whole(connection, match, "", condition, limit)


def _newest_run(connection: Connection, match: str, condition: Condition, limit: int) -> WordAnswer:
    """The newest first: ranking would count the run in all passages."""
    row = connection.execute("SELECT max(id) FROM passages").fetchone()
    rows = connection.execute(
        "SELECT p.id, p.kind, p.owner, 0.0 FROM passage_index JOIN passages p ON p.id = passage_index.rowid "
        f"WHERE passage_index MATCH ? AND passage_index.rowid > ?{condition.joined} "
        "ORDER BY passage_index.rowid DESC LIMIT ?",
        (match, int(row[0] or 0) - RUN_NEWEST if row else 0, *condition.parameters, limit),
    ).fetchall()
    return WordAnswer(tuple(_found(row) for row in rows), len(rows), complete=False)


def _all(asked: Sequence[Clause]) -> str:
    return " AND ".join(clause.match for clause in asked)


def _any(asked: Sequence[Clause]) -> str:
    return " OR ".join(clause.match for clause in asked)


def _whole(
    connection: Connection,
    match: str,
    within: str,
    condition: Condition,
    limit: int,
) -> WordAnswer:
    """Rank all that `match` finds. within: another match that must hold as well, without counting for the rank."""
    score = f"bm25(passage_index, {TITLE}, {BODY}, {EXTRA})"
    sql = f"SELECT passage_index.rowid AS id, {score} AS score FROM passage_index"
    if condition.sql:
        sql += " JOIN passages p ON p.id = passage_index.rowid"
    sql += " WHERE passage_index MATCH ?"
    parameters: list[object] = [match]
    if within:
        # The plus keeps SQLite from asking the index anew for every row of the list.
        sql += " AND +passage_index.rowid IN (SELECT rowid FROM passage_index WHERE passage_index MATCH ?)"
        parameters.append(within)
    sql += condition.joined
    parameters += condition.parameters
    rows = connection.execute(
        f"WITH hit AS MATERIALIZED ({sql}) "
        "SELECT p.id, p.kind, p.owner, -score, (SELECT count(*) FROM hit) FROM "
        "(SELECT * FROM hit ORDER BY score, id DESC LIMIT ?) JOIN passages p USING (id) ORDER BY score, id DESC",
        (*parameters, limit),
    ).fetchall()
    return WordAnswer(tuple(_found(row) for row in rows), int(rows[0][4]) if rows else 0)


def _with_common(connection: Connection, answer: WordAnswer, common: Sequence[Clause], limit: int) -> WordAnswer:
    """Add to the score of what rare words found for the common ones that stand there too. Asking the index would cost a
    search in a list of half a million for each passage; the texts are at hand."""
    if not common or not answer.found:
        return replace(answer, found=answer.found[:limit])
    rows = connection.execute(
        "SELECT t.id, coalesce(t.label, t.title), coalesce(t.body, t.text) "
        "FROM json_each(?) j JOIN passage_texts t ON t.id = j.value",
        (json.dumps(sorted(hit.passage for hit in answer.found)),),
    ).fetchall()
    sought = [(_starts(clause.term), _inverse_frequency(connection, clause)) for clause in common]
    more: dict[int, float] = {}
    for id, title, body in rows:
        text = f" {title} {body}".lower()
        more[int(id)] = sum(weight for forms, weight in sought if any(form in text for form in forms))
    found = [replace(hit, score=hit.score + more.get(hit.passage, 0.0)) for hit in answer.found]
    found.sort(key=lambda hit: (-hit.score, -hit.passage))
    return replace(answer, found=tuple(found[:limit]))


def _found(row: Row) -> Found:
    return Found(int(row[0]), Kind(row[1]), str(row[2]), float(row[3]))


def _inverse_frequency(connection: Connection, clause: Clause) -> float:
    """ln((N - n + 0.5) / (n + 0.5)), not below 0; n from the vocabulary where the count stopped at its bound."""
    row = connection.execute("SELECT passages FROM passage_totals").fetchone()
    total = int(row[0]) if row else 0
    held = clause.passages
    if clause.common:
        for form in clause.term.forms:
            row = connection.execute("SELECT passages FROM vocabulary WHERE word = ?", (plain(form[0]),)).fetchone()
            held = max(held, int(row[0]) if row and len(form) == 1 else 0)
    return max(0.0, math.log((total - held + 0.5) / (held + 0.5))) if total > held else 0.0


def _newest(
    connection: Connection, asked: Sequence[Clause], match: str, condition: Condition, limit: int
) -> WordAnswer:
    """Rank the newest passages that `match` finds."""
    if condition.sql:
        source = "passage_index JOIN passages p ON p.id = passage_index.rowid"
    else:
        source = "passage_index"
    rows = connection.execute(
        f"WITH hit AS MATERIALIZED (SELECT passage_index.rowid AS id FROM {source} WHERE passage_index MATCH ?"
        f"{condition.joined} ORDER BY passage_index.rowid DESC LIMIT ?) "
        "SELECT p.id, p.kind, p.owner, coalesce(t.label, t.title), coalesce(t.body, t.text) "
        "FROM hit JOIN passages p USING (id) JOIN passage_texts t USING (id)",
        (match, *condition.parameters, NEWEST),
    ).fetchall()
    weights = [_inverse_frequency(connection, clause) + 0.01 for clause in asked]
    starts = [_starts(clause.term) for clause in asked]
    mean = sum(len(row[4]) for row in rows) / max(1, len(rows))
    found = [_counted(row, starts, weights, mean) for row in rows]
    found.sort(key=lambda hit: (-hit.score, -hit.passage))
    return WordAnswer(tuple(found[:limit]), len(rows), complete=len(rows) < NEWEST)


def _starts(term: Term) -> list[str]:
    """What a text in lower case holds, after a blank, where it holds a form of the term."""
    forms = [[plain(word) for word in form] for form in term.forms]
    if not term.prefix:
        forms = [[*form[:-1], stem(form[-1])] for form in forms]
    return [" " + " ".join(form) for form in forms]


def _counted(row: Row, starts: Sequence[Sequence[str]], weights: Sequence[float], mean: float) -> Found:
    title, body = f" {row[3]}".lower(), f" {row[4]}".lower()
    length = K1 * (1 - B + B * len(body) / max(1.0, mean))
    score = 0.0
    for forms, weight in zip(starts, weights, strict=True):
        count = sum(TITLE * title.count(form) + BODY * body.count(form) for form in forms)
        score += weight * count * (K1 + 1) / (count + length)
    return Found(int(row[0]), Kind(row[1]), str(row[2]), score)
