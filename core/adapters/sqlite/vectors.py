"""Passages found by meaning: one-bit codes in memory choose candidates, int8 rows in the database rank them.

A passage has a vector of its own and one for each of its pieces (core.domain.pieces). `passage_codes.code` and
`passage_vectors.vector` hold them one behind the other, the passage's own first.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.adapters.sqlite.codes import Codes, CodeTable, codes_of, int8_of
from core.adapters.sqlite.driver import Connection, OperationalError, Row
from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.filtering import condition
from core.adapters.sqlite.nearest import ROWS, nearest
from core.domain.passages import Kind
from core.domain.pieces import MOST, pieces
from core.domain.query import Filters
from core.errors import EnvironmentFault, InvalidValue
from core.ports.embedding import ModelInfo, Vectors
from core.ports.index import Found, MeaningState

MOST_CODES = 1_200_000  # in memory (70 MB, 15 ms a question); beyond, pieces only rank what was found by wholes
LOADED_AT_ONCE = 10_000
STALE_SHARE = 0.2  # of codes whose passages are gone: above it they are read anew
MADE_OF = "sentences"  # what has vectors beside the passages; another name lets every passage wait again


def made_with(model: ModelInfo) -> str:
    """What `models.digest` says of vectors that this program makes with the model."""
    return f"{model.digest} {MADE_OF}"


class SqliteVectors:
    """Fulfils MeaningIndexPort. Vectors of another model than `model` don't count: their passages wait again."""

    def __init__(self, database: Database, model: ModelInfo) -> None:
        self._database = database
        self._model = model
        self._table: CodeTable | None = None
        self._preparing = asyncio.Lock()
        self._pieces = True  # their codes are in memory too
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
        made = made_with(self._model)
        if row is not None and row[0] == made:
            return
        tx.execute("DELETE FROM models")
        tx.execute(
            "INSERT INTO models(number, digest, name, dimension) VALUES (1, ?, ?, ?)",
            (made, self._model.name, self._model.dimension),
        )
        tx.execute("DELETE FROM passage_codes")
        tx.execute("DELETE FROM passage_vectors")
        tx.execute("INSERT OR IGNORE INTO passages_waiting SELECT id FROM passages")

    async def _load(self) -> None:
        """Read in pieces, so that no reader is held for long and the loop stays free."""
        table, last = CodeTable(self._model.dimension), 0
        most = (1 + MOST) * table.row_bytes if self._pieces else table.row_bytes
        while rows := await self._database.read(lambda c, after=last, most=most: _some_codes(c, after, most)):
            last = int(rows[-1][0])
            ids, codes = _unpacked(rows, table.row_bytes)
            if self._pieces and len(table) + len(ids) > MOST_CODES:
                self._pieces, table, last = False, CodeTable(self._model.dimension), 0
                most = table.row_bytes
                continue
            table.add(ids, codes)
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
        found, gone = await self._database.read(lambda c: nearest(c, view, vector, where, limit))
        if gone > STALE_SHARE * ROWS:
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
        places: dict[int, list[int]] = {}
        for place, id in enumerate(ids):
            places.setdefault(id, []).append(place)
        kept = await self._database.write(lambda tx: _store(tx, places, codes, rows), "system")
        if kept and self._table is not None:
            room = self._pieces and len(self._table) + len(ids) <= MOST_CODES
            added = [place for id in kept for place in (places[id] if room else places[id][:1])]
            self._table.add([ids[place] for place in added], codes[added])
        return len(kept)

    async def vectors(self, ids: Sequence[int]) -> Vectors:
        rows = await self._database.read(lambda c: _vectors(c, ids, self._model.dimension))
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


def _some_codes(connection: Connection, after: int, most: int) -> list[Row]:
    return connection.execute(
        "SELECT passage, substr(code, 1, ?) FROM passage_codes WHERE passage > ? ORDER BY passage LIMIT ?",
        (most, after, LOADED_AT_ONCE),
    ).fetchall()


def _unpacked(rows: Sequence[Row], row_bytes: int) -> tuple[NDArray[np.int64], Codes]:
    """Ids and codes of stored rows, one each for a passage and each of its pieces."""
    counts = np.array([len(row[1]) // row_bytes for row in rows])
    codes = np.frombuffer(b"".join(row[1] for row in rows), np.uint8).reshape(-1, row_bytes)
    return np.repeat(np.array([row[0] for row in rows], np.int64), counts), codes


def _matrix(rows: Sequence[Any]) -> Vectors:
    return np.frombuffer(b"".join(rows), np.int8).reshape(len(rows), -1).astype(np.float32)


def _vectors(connection: Connection, ids: Sequence[int], dimension: int) -> list[bytes]:
    rows = connection.execute(
        "SELECT substr(v.vector, 1, ?) FROM json_each(?) j JOIN passage_vectors v ON v.passage = j.value "
        "ORDER BY j.key",
        (dimension, json.dumps(list(ids))),
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
    return [(int(row[0]), text) for row in rows for text in (_for_model(row), *pieces(row[2]))]


def _for_model(row: Row) -> str:
    _id, kind, text, title, heading, before = row
    if kind == Kind.MESSAGE.value:
        return f"{text}\n{before}" if before else str(text)
    path = [str(step) for step in json.loads(heading)] if heading else []
    return "\n".join(part for part in (text, title, " ".join(path)) if part)


def _store(tx: Transaction, places: Mapping[int, Sequence[int]], codes: Codes, rows: NDArray[np.int8]) -> list[int]:
    """places: for each passage, where its codes and rows stand. Answers the passages that were there."""
    kept: list[int] = []
    papers: set[str] = set()
    for id, own in places.items():
        waiting = tx.execute("DELETE FROM passages_waiting WHERE passage = ? RETURNING passage", (id,)).fetchone()
        owner = tx.execute("SELECT kind, owner FROM passages WHERE id = ?", (id,)).fetchone()
        if owner is None or waiting is None:
            continue
        held = list(own)
        tx.execute("INSERT INTO passage_codes(passage, model, code) VALUES (?, 1, ?)", (id, codes[held].tobytes()))
        tx.execute("INSERT INTO passage_vectors(passage, vector) VALUES (?, ?)", (id, rows[held].tobytes()))
        kept.append(id)
        if owner[0] == Kind.PAPER.value:
            papers.add(str(owner[1]))
    if papers:
        tx.derived("paper", tuple(sorted(papers)))  # how much of them can be found by meaning
    return kept
