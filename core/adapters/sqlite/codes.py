"""One-bit codes of vectors, held in memory: which passages may be near, within milliseconds for a million of them.

A code is the sign of each dimension. Codes lie in columns of 64 bits, so that counting the differing bits runs over
adjacent memory in pieces that fit the processor's cache: 10 ms for a million codes of 384 bits, in 56 MB with the ids.
Source: Charikar 2002, on the Hamming distance of signs as an estimate of the angle.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.ports.embedding import Vectors

Codes = NDArray[np.uint8]
"""Shape (rows, bytes): bits of one row most significant first, padded to whole 64-bit words."""

PIECE = 32_768  # rows; 256 KB a column


def codes_of(vectors: Vectors) -> Codes:
    """The sign of each component, one bit each."""
    padding = -vectors.shape[1] % 64
    return np.packbits(np.pad(vectors > 0, ((0, 0), (0, padding))), axis=1)


def int8_of(vectors: Vectors) -> NDArray[np.int8]:
    """Rows scaled so that the largest component of each is 127; the cosine doesn't see the scale."""
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    return np.rint(vectors * (127.0 / np.maximum(largest, np.finfo(np.float32).tiny))).astype(np.int8)


class CodeTable:
    """Ids and codes; an id may have several. Rows are only ever added; a reader keeps what it took with `view`."""

    def __init__(self, dimension: int, room: int = 1024) -> None:
        self._words = (dimension + 63) // 64
        self._ids: NDArray[np.int64] = np.zeros(room, np.int64)
        self._columns: NDArray[np.uint64] = np.zeros((self._words, room), np.uint64)
        self._count = 0

    @property
    def row_bytes(self) -> int:
        return self._words * 8

    def __len__(self) -> int:
        return self._count

    def add(self, ids: Sequence[int] | NDArray[np.int64], codes: Codes) -> None:
        count = self._count + len(ids)
        if count > len(self._ids):
            room = max(count, len(self._ids) * 3 // 2)
            grown, columns = np.zeros(room, np.int64), np.zeros((self._words, room), np.uint64)
            grown[: self._count], columns[:, : self._count] = self._ids[: self._count], self._columns[:, : self._count]
            self._ids, self._columns = grown, columns
        self._ids[self._count : count] = ids
        self._columns[:, self._count : count] = np.ascontiguousarray(codes).view(np.uint64).T
        self._count = count

    def view(self) -> "CodeView":
        return CodeView(self._ids[: self._count], self._columns[:, : self._count])


class CodeView:
    """The table as it was at one moment."""

    def __init__(self, ids: NDArray[np.int64], columns: NDArray[np.uint64]) -> None:
        self.ids = ids
        self._columns = columns

    def distances(self, code: Codes) -> NDArray[np.uint16]:
        """Number of bits in which each row differs from `code` (shape (1, bytes))."""
        query = np.ascontiguousarray(code).view(np.uint64)[0]
        result = np.zeros(len(self.ids), np.uint16)
        bits, counts = np.empty(PIECE, np.uint64), np.empty(PIECE, np.uint8)
        for start in range(0, len(self.ids), PIECE):
            piece = result[start : start + PIECE]
            size = len(piece)
            for word in range(len(query)):
                np.bitwise_xor(self._columns[word, start : start + size], query[word], out=bits[:size])
                np.bitwise_count(bits[:size], out=counts[:size])
                np.add(piece, counts[:size], out=piece)
        return result

    def codes(self, rows: NDArray[np.int64]) -> Codes:
        """The codes of these rows."""
        return np.ascontiguousarray(self._columns[:, rows].T).view(np.uint8)

    def only(self, ids: NDArray[np.int64]) -> "CodeView":
        """The rows of these ids."""
        kept = np.flatnonzero(np.isin(self.ids, ids))
        return CodeView(self.ids[kept], self._columns[:, kept])


def nearest_rows(distances: NDArray[np.uint16], count: int) -> NDArray[np.int64]:
    """The `count` nearest rows and all that are as near as the last of them, in no order; all where there are fewer."""
    if len(distances) <= count:
        return np.arange(len(distances), dtype=np.int64)
    low, high = 0, int(distances.max())
    while low < high:  # nine passes over the distances; sorting or counting them by value would take five times as long
        middle = (low + high) // 2
        if np.count_nonzero(distances <= middle) >= count:
            high = middle
        else:
            low = middle + 1
    return np.flatnonzero(distances <= low)


def estimated(codes: Codes, vector: Vectors) -> NDArray[np.float32]:
    """Larger for rows whose direction is nearer to `vector` (shape (1, dimension)): its product with their signs.

    For each byte of a code the sums of all 256 patterns are made once, so that a row costs one look-up a byte.
    """
    padded = np.pad(vector[0], (0, codes.shape[1] * 8 - vector.shape[1])).reshape(-1, 8)
    patterns = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32)
    sums = (padded @ patterns.T).ravel()
    return sums[codes + np.arange(0, 256 * codes.shape[1], 256, dtype=np.int32)].sum(axis=1, dtype=np.float32)
