"""Words of the workspace that look like a misspelt one.

All words are held in memory in a compact form: one string each in a list, and beside it 32 bits that say which letters
it has. Two words at edit distance d differ in at most 2 d of these bits, so the bits rule out nearly all words in a
millisecond; what is left is measured (Damerau 1964: insertions, deletions, exchanges of letters and of neighbours).
"""

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA

from core.adapters.sqlite.driver import Connection
from core.domain.likeness import likeness, most_edits
from core.domain.writing import plain

CANDIDATES = 200


class Vocabulary:
    """Read when first needed and kept up to date by the ids of new words; a few MB for a hundred thousand words."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0
        self._words: list[str] = []
        self._letters: NDArray[np.uint32] = np.zeros(0, np.uint32)
        self._lengths: NDArray[np.uint8] = np.zeros(0, np.uint8)

    def similar(self, connection: Connection, word: str, limit: int) -> list[tuple[str, int]]:
        """Words like `word` with the number of passages that hold them, closest first."""
        asked = plain(word)
        edits = most_edits(len(asked))
        if edits == 0:
            return []
        words, letters, lengths = self._read(connection)
        close = (np.abs(lengths.astype(np.int16) - len(asked)) <= edits) & (
            np.bitwise_count(letters ^ np.uint32(_letters(asked))) <= 2 * edits
        )
        near = [words[n] for n in np.flatnonzero(close)]
        near = [other for other in near if OSA.distance(asked, other, score_cutoff=edits) <= edits and other != asked]
        near.sort(key=lambda other: -likeness(asked, other))
        counted = _counts(connection, near[:CANDIDATES])
        present = [(other, counted[other]) for other in near if counted.get(other, 0) > 0]
        most = max((count for _other, count in present), default=1)
        present.sort(key=lambda pair: (-likeness(asked, pair[0], pair[1] / most), -pair[1], pair[0]))
        return present[:limit]

    def _read(self, connection: Connection) -> tuple[list[str], NDArray[np.uint32], NDArray[np.uint8]]:
        with self._lock:
            rows = connection.execute(
                "SELECT id, word FROM vocabulary WHERE id > ? ORDER BY id", (self._last,)
            ).fetchall()
            if rows:
                words = [str(word) for _id, word in rows]
                self._words = self._words + words  # a reader on another thread keeps its own list
                self._letters = np.concatenate((self._letters, np.array([_letters(w) for w in words], np.uint32)))
                self._lengths = np.concatenate((self._lengths, np.array([len(w) for w in words], np.uint8)))
                self._last = int(rows[-1][0])
            return self._words, self._letters, self._lengths


def _letters(word: str) -> int:
    bits = 0
    for letter in word:
        bits |= 1 << (ord(letter) % 32)
    return bits


def _counts(connection: Connection, words: Sequence[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in words:
        row = connection.execute("SELECT passages FROM vocabulary WHERE word = ?", (word,)).fetchone()
        if row is not None:
            counts[word] = int(row[0])
    return counts
