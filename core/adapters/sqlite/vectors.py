"""Passages found by meaning: one-bit codes in memory choose candidates, int8 rows in the database rank them."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.adapters.sqlite.codes import CodeTable, CodeView, codes_of, int8_of, nearest_rows
from core.adapters.sqlite.driver import Connection, OperationalError, Row
from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.filtering import Condition, condition
from core.domain.passages import Kind
from core.domain.query import Filters
from core.errors import EnvironmentFault, InvalidValue
from core.ports.embedding import ModelInfo, Vectors
from core.ports.index import Found, MeaningState

CANDIDATES = 800  # rows that are ranked exactly, at the least
CANDIDATES_EACH = 4  # and for each hit that is asked for
FEW = 20_000  # passages; a filter that leaves no more is applied to the codes before they are compared
WIDER = 8  # how many times as many candidates are tried where a filter took too many
LOADED_AT_ONCE = 20_000
STALE_SHARE = 0.2  # of codes whose passages are gone: above it they are read anew


class SqliteVectors:
    """Fulfils MeaningIndexPort. Vectors of another model than `model` don't count: their passages wait again."""

    def __init__(self, database: Database, model: ModelInfo) -> None:
        self._database = database
        self._model = model
        self._table: CodeTable | None = None
        self._preparing = asyncio.Lock()
        self._fault = ""

    async def prepare(self) -> None:
        """Read the codes into memory, once; and let passages wait again where the model has changed.

        Where sqlite-vec is missing, `nearest` raises EnvironmentFault and all else goes on.
        """
        async with self._preparing:
            if self._table is None and self._model.digest:
                self._fault = await self._database.read(_missing_functions)
                await self._database.write(self._adopt_model, "system")
                await self._load()

    def _adopt_model(self, tx: Transaction) -> None:
        row = tx.execute("SELECT digest FROM models").fetchone()
        if row is not None and row[0] == self._model.digest:
            return
        tx.execute("DELETE FROM models")
        tx.execute(
            "INSERT INTO models(number, digest, name, dimension) VALUES (1, ?, ?, ?)",
            (self._model.digest, self._model.name, self._model.dimension),
        )
        tx.execute("DELETE FROM passage_codes")
        tx.execute("DELETE FROM passage_vectors")
        tx.execute("INSERT OR IGNORE INTO passages_waiting SELECT id FROM passages")

    async def _load(self) -> None:
        """Read in pieces, so that no reader is held for long and the loop stays free."""
        table, last = CodeTable(self._model.dimension), 0
        while True:
            first = last
            rows = await self._database.read(lambda c, first=first: _some_codes(c, first))
            if not rows:
                break
            last = int(rows[-1][0])
            table.add([row[0] for row in rows], _joined([row[1] for row in rows]))
            if len(rows) < LOADED_AT_ONCE:
                break
        self._table = table

    def close(self) -> None:
        """Give the memory back."""
        self._table = None

    # ---- asking -----------------------------------------------------------------------------------------------------

    async def nearest(self, vector: Vectors, filters: Filters, limit: int) -> list[Found]:
        _check(vector)
        if self._table is None:
            await self.prepare()
        if self._fault:
            raise EnvironmentFault(self._fault)
        if self._table is None or len(self._table) == 0:
            return []
        where = condition(filters)
        if where.nothing:
            return []
        view = self._table.view()
        found, gone = await self._database.read(lambda c: _nearest(c, view, vector, where, limit))
        if gone > STALE_SHARE * CANDIDATES:
            await self._forget_stale()
        return found

    async def _forget_stale(self) -> None:
        state = await self.state()
        async with self._preparing:
            if self._table is not None and len(self._table) * (1 - STALE_SHARE) > state.ready:
                await self._load()

    # ---- storing ----------------------------------------------------------------------------------------------------

    async def without_meaning(self, limit: int) -> list[tuple[int, str]]:
        if self._table is None:
            await self.prepare()
        return await self._database.read(lambda c: _waiting(c, limit))

    async def store(self, ids: Sequence[int], vectors: Vectors) -> int:
        _check(vectors)
        if len(ids) != len(vectors) or vectors.shape[1] != self._model.dimension:
            raise InvalidValue(f"{len(vectors)} vectors of {vectors.shape[1]} numbers don't fit {len(ids)} passages.")
        await self.prepare()
        codes, rows = codes_of(vectors), int8_of(vectors)
        kept = await self._database.write(lambda tx: _store(tx, ids, codes, rows), "system")
        if kept and self._table is not None:
            places = [n for n, id in enumerate(ids) if id in kept]
            self._table.add([ids[n] for n in places], codes[places])
        return len(kept)

    async def vectors(self, ids: Sequence[int]) -> Vectors:
        rows = await self._database.read(lambda c: _vectors(c, ids))
        if not rows:
            return np.zeros((0, self._model.dimension), np.float32)
        matrix = _matrix(rows)
        return matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)

    async def state(self) -> MeaningState:
        row = await self._database.read(lambda c: c.execute("SELECT passages, waiting FROM passage_totals").fetchone())
        passages, waiting = row or (0, 0)
        return MeaningState(int(passages), int(passages) - int(waiting))


def _missing_functions(connection: Connection) -> str:
    """A sentence where sqlite-vec is not there; "" where it is."""
    try:
        connection.execute("SELECT vec_version()").fetchone()
    except OperationalError:
        return "Search by meaning is off: a part of the program (sqlite-vec) is missing. Install Muniment again."
    return ""


def _check(vectors: Vectors) -> None:
    if not np.isfinite(vectors).all():
        raise InvalidValue("A vector holds something that is not a number.")


def _some_codes(connection: Connection, after: int) -> list[Row]:
    return connection.execute(
        "SELECT passage, code FROM passage_codes WHERE passage > ? ORDER BY passage LIMIT ?", (after, LOADED_AT_ONCE)
    ).fetchall()


def _joined(codes: Sequence[bytes]) -> NDArray[np.uint8]:
    return np.frombuffer(b"".join(codes), np.uint8).reshape(len(codes), -1)


def _matrix(rows: Sequence[Any]) -> Vectors:
    return np.frombuffer(b"".join(rows), np.int8).reshape(len(rows), -1).astype(np.float32)


def _vectors(connection: Connection, ids: Sequence[int]) -> list[bytes]:
    rows = connection.execute(
        "SELECT v.vector FROM json_each(?) j JOIN passage_vectors v ON v.passage = j.value ORDER BY j.key",
        (json.dumps(list(ids)),),
    ).fetchall()
    return [row[0] for row in rows]


def _waiting(connection: Connection, limit: int) -> list[tuple[int, str]]:
    """A passage's own text comes first: the model reads so many words, and what is too much is cut at the end."""
    rows = connection.execute(
        "SELECT p.id, p.kind, t.text, t.title, t.heading, before.text FROM passages_waiting w "
        "JOIN passages p ON p.id = w.passage JOIN passage_texts t ON t.id = p.id "
        "LEFT JOIN passages q ON q.kind = p.kind AND q.owner = p.owner AND q.ordinal = p.ordinal - 1 "
        "AND q.part <> p.part AND p.kind = ? LEFT JOIN passage_texts before ON before.id = q.id "
        "ORDER BY p.id DESC LIMIT ?",
        (Kind.MESSAGE.value, limit),
    ).fetchall()
    return [(int(row[0]), _for_model(row)) for row in rows]


def _for_model(row: Row) -> str:
    _id, kind, text, title, heading, before = row
    if kind == Kind.MESSAGE.value:
        return f"{text}\n{before}" if before else str(text)
    path = [str(step) for step in json.loads(heading)] if heading else []
    return "\n".join(part for part in (text, title, " ".join(path)) if part)


def _store(tx: Transaction, ids: Sequence[int], codes: NDArray[np.uint8], rows: NDArray[np.int8]) -> set[int]:
    kept: set[int] = set()
    papers: set[str] = set()
    for id, code, row in zip(ids, codes, rows, strict=True):
        waiting = tx.execute("DELETE FROM passages_waiting WHERE passage = ? RETURNING passage", (id,)).fetchone()
        owner = tx.execute("SELECT kind, owner FROM passages WHERE id = ?", (id,)).fetchone()
        if owner is None or waiting is None:
            continue
        tx.execute("INSERT INTO passage_codes(passage, model, code) VALUES (?, 1, ?)", (id, code.tobytes()))
        tx.execute("INSERT INTO passage_vectors(passage, vector) VALUES (?, ?)", (id, row.tobytes()))
        kept.add(id)
        if owner[0] == Kind.PAPER.value:
            papers.add(str(owner[1]))
    if papers:
        tx.derived("paper", tuple(sorted(papers)))  # how much of them can be found by meaning
    return kept


# ---- on a reader's thread -------------------------------------------------------------------------------------------


def _nearest(
    connection: Connection, view: CodeView, vector: Vectors, where: Condition, limit: int
) -> tuple[list[Found], int]:
    """The nearest passages, and how many of the candidates have no row any more."""
    if where.sql:
        few = _few_ids(connection, where)
        if few is not None:
            view, where = view.only(few), Condition()
    order = nearest_rows(view.distances(codes_of(vector)), _wanted(len(view.ids), limit, bool(where.sql)))
    found: list[Found] = []
    gone, start, size = 0, 0, max(CANDIDATES, CANDIDATES_EACH * limit)
    while start < len(order) and len(found) < limit:
        ids = view.ids[order[start : start + size]]
        ranked, present = _ranked(connection, ids, vector, where, limit)
        found += ranked
        gone += 0 if where.sql else len(ids) - present
        start, size = start + size, size * WIDER
    found.sort(key=lambda hit: -hit.score)
    return found[:limit], gone


def _wanted(count: int, limit: int, filtered: bool) -> int:
    return count if filtered else max(CANDIDATES, CANDIDATES_EACH * limit)


def _few_ids(connection: Connection, where: Condition) -> NDArray[np.int64] | None:
    """The ids that pass, if there are FEW of them at most."""
    rows = connection.execute(
        f"SELECT p.id FROM passages p WHERE {where.sql} LIMIT ?", (*where.parameters, FEW + 1)
    ).fetchall()
    return np.array([row[0] for row in rows], np.int64) if len(rows) <= FEW else None


def _ranked(
    connection: Connection, ids: NDArray[np.int64], vector: Vectors, where: Condition, limit: int
) -> tuple[list[Found], int]:
    """The nearest of these passages by cosine, and how many of them are there."""
    rows = connection.execute(
        "WITH near AS MATERIALIZED ("
        "SELECT v.passage AS id, vec_distance_cosine(vec_int8(v.vector), vec_int8(?)) AS away "
        f"FROM json_each(?) j JOIN passage_vectors v ON v.passage = j.value{_filtered(where)}) "
        "SELECT p.id, p.kind, p.owner, 1 - away, (SELECT count(*) FROM near) FROM "
        "(SELECT * FROM near ORDER BY away LIMIT ?) JOIN passages p USING (id) ORDER BY away",
        (int8_of(vector)[0].tobytes(), json.dumps(ids.tolist()), *where.parameters, limit),
    ).fetchall()
    found = [Found(int(row[0]), Kind(row[1]), str(row[2]), float(row[3])) for row in rows]
    return found, int(rows[0][4]) if rows else 0


def _filtered(where: Condition) -> str:
    return f" JOIN passages p ON p.id = v.passage WHERE {where.sql}" if where.sql else ""
