"""Which of a namespace's newest records say the same: by their words, and by the vectors of their first passages.

They are read in pieces, so that no reader is held for long, and compared in pieces in a thread. At most NEWEST are
compared, 2 million cosines, a third of a second of one processor; a workspace with more is not gone through as a whole.
"""

import asyncio
import json
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.adapters.sqlite.driver import Connection
from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.records import SELECT, record_of
from core.domain.consolidation import ALIKE, NEIGHBOURS, NEWEST, said
from core.domain.passages import Kind
from core.ports.embedding import Vectors

PIECE = 250  # records


@dataclass(slots=True)
class Looked:
    """What was read of the newest records. by_words: number of the first record with these words. placed: number of
    each row of `rows`."""

    pairs: dict[tuple[int, int], float] = field(default_factory=dict[tuple[int, int], float])
    by_words: dict[str, int] = field(default_factory=dict[str, int])
    placed: list[int] = field(default_factory=list[int])
    rows: list[Vectors] = field(default_factory=list[Vectors])

    def add(self, number: int, said: str, vector: Vectors | None) -> None:
        if said:
            first = self.by_words.setdefault(said, number)
            if first != number:
                self.pairs[_ordered(first, number)] = 1.0
        if vector is not None:
            self.placed.append(number)
            self.rows.append(vector)


async def alike(database: Database, namespace: str) -> list[tuple[int, int, float]]:
    """Pairs of row numbers (the lower first) with their similarity, the likest first."""
    numbers = await database.read(lambda connection: _newest(connection, namespace))
    looked = Looked()
    for start in range(0, len(numbers), PIECE):
        some = numbers[start : start + PIECE]
        for number, words, vector in await database.read(lambda connection, some=some: _read(connection, some)):
            looked.add(number, words, vector)
    if looked.rows:
        matrix = np.stack(looked.rows)
        for start in range(0, len(matrix), PIECE):
            for one, other, similarity in await asyncio.to_thread(_near, matrix, start):
                pair = _ordered(looked.placed[one], looked.placed[other])
                looked.pairs.setdefault(pair, similarity)
    return sorted(
        ((*pair, similarity) for pair, similarity in looked.pairs.items()), key=lambda p: (-p[2], -p[1], p[0])
    )


def _ordered(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _newest(connection: Connection, namespace: str) -> list[int]:
    rows = connection.execute(
        "SELECT number FROM records WHERE namespace = ? ORDER BY updated_at DESC, number DESC LIMIT ?",
        (namespace, NEWEST),
    ).fetchall()
    return [int(row[0]) for row in rows]


def _read(connection: Connection, numbers: list[int]) -> list[tuple[int, str, Vectors | None]]:
    """Of each record its number, its words, and the vector of its first passage, of length 1, if it has one yet."""
    rows = connection.execute(
        f"{SELECT} WHERE number IN (SELECT value FROM json_each(?))", (json.dumps(numbers),)
    ).fetchall()
    records = [(int(row[0]), record_of(row)) for row in rows]
    vectors = _vectors(connection, [record.id for _, record in records])
    return [(number, said(record), vectors.get(record.id)) for number, record in records]


def _vectors(connection: Connection, ids: list[str]) -> dict[str, Vectors]:
    rows = connection.execute(
        "SELECT p.owner, substr(v.vector, 1, m.dimension) FROM json_each(?) j CROSS JOIN passages p "
        "ON p.kind = ? AND p.owner = j.value AND p.ordinal = 0 "
        "JOIN passage_vectors v ON v.passage = p.id JOIN models m",
        (json.dumps(ids), Kind.RECORD.value),
    ).fetchall()
    found: dict[str, Vectors] = {}
    for owner, held in rows:
        vector = np.frombuffer(held, np.int8).astype(np.float32)
        if (length := float(np.sqrt(np.einsum("i,i->", vector, vector)))) > 0:
            found[str(owner)] = vector / length
    return found


def _near(matrix: Vectors, start: int) -> list[tuple[int, int, float]]:
    """(row, earlier row, cosine) of those of a piece that are alike to an earlier one, the NEIGHBOURS nearest."""
    piece = matrix[start : start + PIECE]
    cosines: NDArray[np.float32] = np.einsum(
        "ij,kj->ik", piece, matrix[: start + len(piece)]
    )  # BLAS would wake threads
    found: list[tuple[int, int, float]] = []
    for place, row in enumerate(cosines):
        one = start + place
        near = np.flatnonzero(row[:one] >= ALIKE)
        near = near[np.argsort(-row[near], kind="stable")][:NEIGHBOURS]
        found += [(one, int(other), min(1.0, float(row[other]))) for other in near]
    return found
