"""Which passages are nearest to a question's vector: three steps, each dearer and truer than the one before, on fewer.

All one-bit codes are compared with the question's code; of the nearest few thousand the cosine is estimated from the
question's own numbers and their codes; of the best of these the rows are read, and cosines come from them.
Source of the second step: Jégou, Douze and Schmid 2011, on distances between what is coded and what is not.
"""

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.adapters.sqlite.codes import CodeView, codes_of, estimated, int8_of, nearest_rows
from core.adapters.sqlite.driver import Connection, Row
from core.adapters.sqlite.filtering import Condition
from core.domain.passages import Kind
from core.ports.embedding import Vectors
from core.ports.index import Found

CODES = 4_000  # whose cosine is estimated, at the least
ROWS = 480  # passages that are ranked by their rows, at the least (recall@20 .99 at a million)
ROWS_EACH = 2  # and for each hit that is asked for
FEW = 20_000  # passages; a filter that leaves no more is applied to the codes before they are compared
WIDER = 8  # how many times as many are tried where a filter took too many


def nearest(
    connection: Connection, view: CodeView, vector: Vectors, where: Condition, limit: int
) -> tuple[list[Found], int]:
    """The nearest passages, best first, and how many of the candidates have no row any more."""
    if where.sql:
        few = _few_ids(connection, where)
        if few is not None:
            view, where = view.only(few), Condition()
    distances = view.distances(codes_of(vector))
    found: list[Found] = []
    tried = np.zeros(0, np.int64)
    gone, codes, rows = 0, CODES, max(ROWS, ROWS_EACH * limit)
    while len(found) < limit:
        fresh = _best(view, distances, vector, codes)
        fresh = fresh[~np.isin(fresh, tried)][:rows]
        if len(fresh):
            ranked = _ranked(connection, fresh, vector, where)
            found += ranked
            gone += 0 if where.sql else len(fresh) - len(ranked)
            tried = np.concatenate((tried, fresh))
        if len(fresh) < rows and codes >= len(view.ids):
            break
        codes, rows = codes * WIDER, rows * WIDER
    found.sort(key=lambda hit: -hit.score)
    return found[:limit], gone


def _best(view: CodeView, distances: NDArray[np.uint16], vector: Vectors, codes: int) -> NDArray[np.int64]:
    """The passages of the nearest codes, each once, the likeliest first."""
    near = nearest_rows(distances, codes)
    ids = view.ids[near[np.argsort(-estimated(view.codes(near), vector), kind="stable")]]
    passages, first = np.unique(ids, return_index=True)
    return passages[np.argsort(first)]


def _few_ids(connection: Connection, where: Condition) -> NDArray[np.int64] | None:
    """The ids that pass, if there are FEW of them at most."""
    rows = connection.execute(
        f"SELECT p.id FROM passages p WHERE {where.sql} LIMIT ?", (*where.parameters, FEW + 1)
    ).fetchall()
    return np.array([row[0] for row in rows], np.int64) if len(rows) <= FEW else None


def _ranked(connection: Connection, ids: NDArray[np.int64], vector: Vectors, where: Condition) -> list[Found]:
    """Those of the passages that are there and pass, with their scores."""
    size = vector.shape[1]
    rows = connection.execute(
        "SELECT p.id, p.kind, p.owner, "
        "1 - vec_distance_cosine(vec_int8(substr(v.vector, 1, ?)), vec_int8(?)), substr(v.vector, 1 + ?) "
        # in this order: a filter may have half a million passages, and only rows of those that pass need to be read
        f"FROM json_each(?) j CROSS JOIN passages p ON p.id = j.value{where.joined} "
        "CROSS JOIN passage_vectors v ON v.passage = p.id",
        (size, int8_of(vector)[0].tobytes(), size, json.dumps(np.sort(ids).tolist()), *where.parameters),
    ).fetchall()
    scores = _scores(rows, vector)
    return [Found(int(r[0]), Kind(r[1]), str(r[2]), score) for r, score in zip(rows, scores, strict=True)]


def _scores(rows: Sequence[Row], vector: Vectors) -> list[float]:
    """Of each passage the mean of two cosines: its own, and that of its nearest sentence."""
    size = vector.shape[1]
    wholes = np.array([row[3] for row in rows], np.float32)
    counts = np.array([len(row[4]) // size for row in rows], np.int64)
    pieces = np.frombuffer(b"".join(row[4] for row in rows), np.int8).reshape(-1, size).astype(np.float32)
    if not len(pieces):
        return [float(whole) for whole in wholes]
    lengths = np.sqrt(np.einsum("ij,ij->i", pieces, pieces)) * np.linalg.norm(vector)
    cosines = np.einsum("ij,j->i", pieces, vector[0]) / np.maximum(lengths, 1e-9)  # BLAS would wake threads for it
    some = counts > 0
    starts = np.concatenate(([0], np.cumsum(counts)[:-1]))[some]
    nearest_piece = wholes.copy()
    nearest_piece[some] = np.maximum.reduceat(cosines, starts)
    return [float(score) for score in (wholes + nearest_piece) / 2]
