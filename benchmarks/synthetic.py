"""Workspaces of any size made of invented words, for measuring: built once into a folder below the temporary one.

Words follow Zipf and Mandelbrot's law (exponent 1.07, offset 2.7), as running text does; vectors follow the spread of
the bundled model's own (see `Spread`).
"""

import hashlib
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.adapters.sqlite import driver
from core.adapters.sqlite.codes import codes_of, int8_of
from core.adapters.sqlite.migrations import prepare
from core.adapters.sqlite.schema import v002_passages
from core.adapters.sqlite.vectors import made_with
from core.domain.passages import Kind
from core.ports.embedding import ModelInfo

FOLDER = Path(tempfile.gettempdir()) / "muniment-bench"
WORDS = 200_000
PASSAGES_A_PAPER = 20
BATCH = 5_000
DIMENSION = 384
MODEL = ModelInfo("synthetic", DIMENSION, 256, "synthetic")
PIECES = 8  # of each passage: sentences of about eighteen words
POOL = 20_000  # directions in which pieces differ from their passages


@dataclass(frozen=True, slots=True)
class Words:
    """Invented words, the most frequent first, and the cumulative probability of each."""

    words: list[str]
    cumulative: np.ndarray

    @classmethod
    def make(cls, seed: int = 7) -> "Words":
        random = np.random.default_rng(seed)
        onsets = [
            *"bcdfghjklmnprstvwz",
            *("br", "cl", "dr", "fl", "gr", "kr", "pl", "pr", "sk", "sl", "sm", "sn", "st", "str", "tr"),
        ]
        nuclei = [*"aeiou", "ai", "ea", "ie", "oo", "ou"]
        codas = ["", "", "", *"lmnrstx", "nd", "nt", "rk", "st", "ck"]
        syllables = [onset + nucleus + coda for onset in onsets for nucleus in nuclei for coda in codas]
        lengths = 1 + np.minimum(3, random.geometric(0.45, 4 * WORDS))
        picks = random.integers(0, len(syllables), (4 * WORDS, 4)).tolist()
        made: dict[str, None] = {}
        for count, pick in zip(lengths.tolist(), picks, strict=True):
            made["".join(syllables[n] for n in pick[:count])] = None
            if len(made) == WORDS:
                break
        words = sorted(made, key=len)  # frequent words are short
        weights = 1.0 / (np.arange(WORDS) + 2.7) ** 1.07
        return cls(words, np.cumsum(weights / weights.sum()))

    def passages(self, count: int, seed: int) -> Iterator[tuple[str, np.ndarray]]:
        """Texts of 110 to 170 words in sentences, with the numbers of their words."""
        random = np.random.default_rng(seed)
        for _ in range(count):
            numbers = np.searchsorted(self.cumulative, random.random(int(random.integers(110, 170))))
            numbers = np.minimum(numbers, WORDS - 1)
            chosen = [self.words[n] for n in numbers]
            sentences = [" ".join(chosen[i : i + 12]).capitalize() + "." for i in range(0, len(chosen), 12)]
            yield " ".join(sentences), numbers


class Spread:
    """Vectors spread like those of all-MiniLM-L6-v2: over abstracts and chats, its variances along the main axes fall
    as exp(-i / 110) / (i + 6), and the twenty nearest passages of a question have cosines of 0.7 down to 0.5. So here
    fifty passages share a topic, whose members have cosines of about 0.55 with each other."""

    def __init__(self, passages: int, seed: int = 11) -> None:
        random = np.random.default_rng(seed)
        topics = max(10, passages // 50)
        self.axes = np.linalg.qr(random.standard_normal((DIMENSION, DIMENSION)))[0].astype(np.float32)
        order = np.arange(DIMENSION)
        deviations = np.sqrt(np.exp(-order / 110) / (order + 6))
        self.deviations = (deviations / np.linalg.norm(deviations)).astype(np.float32)
        self.topics = self._drawn(random, topics)
        self.pool = self._drawn(random, POOL)

    def _drawn(self, random: np.random.Generator, count: int) -> np.ndarray:
        return (random.standard_normal((count, DIMENSION)).astype(np.float32) * self.deviations) @ self.axes

    def vectors(self, count: int, seed: int) -> np.ndarray:
        random = np.random.default_rng(seed)
        topic = self.topics[random.integers(0, len(self.topics), count)]
        rows = 0.75 * topic + 0.66 * self._drawn(random, count)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def pieces(self, rows: np.ndarray, seed: int) -> np.ndarray:
        """Rows of PIECES sentences for each passage, whose cosines with it are about 0.7."""
        random = np.random.default_rng(seed)
        whole = np.repeat(rows, PIECES, axis=0)
        return 0.7 * whole + 0.7 * self.pool[random.integers(0, POOL, len(whole))]

    def near(self, rows: np.ndarray, seed: int, share: float = 0.75) -> np.ndarray:
        """Questions about `rows`: `share` of each direction is the row's."""
        random = np.random.default_rng(seed)
        noise = self._drawn(random, len(rows))
        noise /= np.linalg.norm(noise, axis=1, keepdims=True)
        mixed = share * rows + (1 - share**2) ** 0.5 * noise
        return (mixed / np.linalg.norm(mixed, axis=1, keepdims=True)).astype(np.float32)


def workspace(passages: int, *, key: bytes | None = None) -> Path:
    """A database with so many passages and vectors; made when it is missing."""
    version = hashlib.sha256(repr((v002_passages.STATEMENTS, 5)).encode()).hexdigest()[:8]
    sealed = "-sealed" if key else ""
    target = FOLDER / f"search-{passages}{sealed}-{version}" / "workspace.db"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        staged = target.with_suffix(".part")
        staged.unlink(missing_ok=True)
        _build(staged, passages, key)
        staged.rename(target)
    return target


def _build(path: Path, passages: int, key: bytes | None) -> None:
    connection, _trouble = driver.connect(path, key)
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA cache_size = -400000")
    prepare(connection)
    words, spread = Words.make(), Spread(passages)
    counts = np.zeros(WORDS, np.int64)
    connection.execute("INSERT INTO models VALUES (1, ?, 'synthetic', ?)", (made_with(MODEL), DIMENSION))
    for first in range(0, passages, BATCH):
        count = min(BATCH, passages - first)
        connection.execute("BEGIN")
        texts = list(words.passages(count, seed=1_000 + first))
        for _text, numbers in texts:
            counts[np.unique(numbers)] += 1
        rows = spread.vectors(count, seed=2_000 + first)
        _insert(connection, first, [text for text, _n in texts], rows, spread.pieces(rows, seed=3_000 + first))
        connection.execute("COMMIT")
    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO vocabulary(word, passages) VALUES (?, ?)",
        sorted((words.words[n], int(counts[n])) for n in np.flatnonzero(counts) if len(words.words[n]) >= 3),
    )
    connection.execute("INSERT INTO passage_index(passage_index) VALUES ('optimize')")
    connection.execute("COMMIT")
    connection.close()


def _insert(
    connection: driver.Connection, first: int, texts: Sequence[str], wholes: np.ndarray, pieces: np.ndarray
) -> None:
    ids = range(first + 1, first + 1 + len(texts))
    connection.executemany(
        "INSERT INTO passages(id, kind, owner, ordinal, at, format) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (
                id,
                Kind.MESSAGE.value if id // PASSAGES_A_PAPER % 5 == 0 else Kind.PAPER.value,
                f"owner{id // PASSAGES_A_PAPER}",
                id % PASSAGES_A_PAPER,
                1_600_000_000.0 + id * 60,
                ("pdf", "docx", "eml", "txt")[id // PASSAGES_A_PAPER % 4],
            )
            for id in ids
        ],
    )
    connection.executemany(
        "INSERT INTO passage_texts(id, title, text) VALUES (?, ?, ?)",
        [(id, " ".join(text.split()[:4]), text) for id, text in zip(ids, texts, strict=True)],
    )
    count = len(ids)
    vectors = np.concatenate((wholes[:, None], pieces.reshape(count, PIECES, DIMENSION)), axis=1).reshape(-1, DIMENSION)
    codes, rows = codes_of(vectors).reshape(count, -1), int8_of(vectors).reshape(count, -1)
    connection.executemany(
        "INSERT INTO passage_codes VALUES (?, 1, ?)",
        [(id, code.tobytes()) for id, code in zip(ids, codes, strict=True)],
    )
    connection.executemany(
        "INSERT INTO passage_vectors VALUES (?, ?)", [(id, row.tobytes()) for id, row in zip(ids, rows, strict=True)]
    )
    connection.executemany("DELETE FROM passages_waiting WHERE passage = ?", [(id,) for id in ids])
