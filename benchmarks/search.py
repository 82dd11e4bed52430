"""How long a search takes at 10,000, 100,000 and a million passages, through the real service and adapters.

    python -m benchmarks.search [SIZE ...]        sizes in passages; 10000 100000 1000000 when none is given

The databases are made once, of invented words (see synthetic.py), under the temporary folder. Questions by meaning get
a vector made beforehand; what the model itself takes for a question is measured apart. Floors in the same run: FTS5
asked for the newest 50 rows of the same words without ranking, and exact cosines over all whole passages with numpy.
Processor time of the whole process stands beside wall time, since it depends less on what else the machine does.
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import psutil

from benchmarks import machine, synthetic
from core.adapters.embedding.process import ProcessEmbedding
from core.adapters.sqlite import driver
from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.migrations import prepare
from core.adapters.sqlite.vectors import SqliteVectors
from core.adapters.sqlite.words import SqliteWords
from core.clock import system_clock
from core.domain.query import Filters, Mode, SearchRequest
from core.ports.embedding import ModelInfo, Vectors
from core.services.search import SearchService

MODEL = Path(__file__).resolve().parent.parent / "resources" / "model"
COMMAND = [sys.executable, "-m", "core.adapters.workers", "embedding"]
HEAD = ("Passages", "Question", "p50 ms", "p95 ms", "p50 CPU ms", "p95 CPU ms", "p50 CPU / floor")
QUESTIONS = 60
RECALL_QUESTIONS = 40
RECALLED = 20  # passages for each of them
READ_AT_ONCE = 5_000  # rows


@dataclass
class PreparedEmbedding:
    """An EmbeddingPort that answers each question with the vector prepared for it."""

    model: ModelInfo = field(default=synthetic.MODEL)
    vectors: dict[str, Vectors] = field(default_factory=dict)

    async def start(self) -> None:
        """There is nothing to load."""

    async def query(self, text: str) -> Vectors:
        return self.vectors[text]

    async def passages(self, texts: Sequence[str]) -> Vectors:
        raise NotImplementedError

    async def close(self) -> None:
        """Nothing is held."""


@dataclass
class Bench:
    """One size, opened."""

    size: int
    database: Database
    words: SqliteWords
    vectors: SqliteVectors
    service: SearchService
    embedding: PreparedEmbedding
    known: list[tuple[str, int]]

    @classmethod
    async def open(cls, size: int) -> "Bench":
        path = await asyncio.to_thread(synthetic.workspace, size)
        database = await Database.open(
            path, key=None, clock=system_clock, publish=lambda _events: None, prepare=prepare
        )
        embedding = PreparedEmbedding()
        words, vectors = SqliteWords(database), SqliteVectors(database, embedding.model)
        known = await database.read(
            lambda c: c.execute("SELECT word, passages FROM vocabulary ORDER BY passages DESC").fetchall()
        )
        return cls(size, database, words, vectors, SearchService(words, vectors, embedding), embedding, known)

    def questions(self) -> dict[str, list[str]]:
        """QUESTIONS of each kind."""
        random = np.random.default_rng(5)
        rare = [word for word, count in self.known if 3 <= count <= 30]
        common = [word for word, _count in self.known[:40]]
        middle = [word for word, count in self.known if self.size / 2000 <= count <= self.size / 50]

        def some(words: list[str], count: int = QUESTIONS) -> list[str]:
            return [words[n] for n in random.integers(0, len(words), count)]

        drawn = some([word for word, _count in self.known[:20_000] if len(word) >= 5])
        lengths = random.integers(2, 6, QUESTIONS).tolist()
        pairs = [*zip(some(common), some(middle), strict=True), *zip(some(common), some(common), strict=True)]
        sentences = [" ".join((*some(common, 4), *some(middle, 3), *some(rare, 1))) + "?" for _ in range(QUESTIONS)]
        return {
            "rare word": [f"{word} " for word in some(rare)],
            "common word": [f"{word} " for word in some(common)],
            "two words": [f"{a} {b} " for a, b in pairs],
            "prefix": [word[:length] for word, length in zip(drawn, lengths, strict=True)],
            "sentence of eight words": sentences,
        }

    def prepare_meaning(self) -> list[str]:
        """Questions with vectors near those of some passages."""
        spread = synthetic.Spread(self.size)
        rows = spread.vectors(synthetic.BATCH if self.size >= synthetic.BATCH else self.size, seed=2_000)[:QUESTIONS]
        for n, vector in enumerate(spread.near(rows, seed=9)):
            self.embedding.vectors[f"question {n}"] = vector[None, :]
        return [f"question {n}" for n in range(QUESTIONS)]


async def timed(calls: Sequence[Callable[[], Awaitable[object]]]) -> np.ndarray:
    """Milliseconds of each call, one after the other, wall and processor; the first two are run once before."""
    for call in calls[:2]:
        await call()
    spent: list[tuple[float, float]] = []
    for call in calls:
        wall, processor = time.perf_counter(), time.process_time()
        await call()
        spent.append(((time.perf_counter() - wall) * 1000, (time.process_time() - processor) * 1000))
    return np.array(spent)


async def measure(size: int) -> list[list[object]]:
    bench = await Bench.open(size)
    before = psutil.Process().memory_info().rss
    began = time.perf_counter()
    await bench.vectors.prepare()
    loaded, held = time.perf_counter() - began, psutil.Process().memory_info().rss - before
    rows: list[list[object]] = []

    def row(kind: str, spent: np.ndarray, floor: np.ndarray | None = None) -> None:
        ratio = ""
        if floor is not None:
            ratio = f"{np.percentile(spent[:, 1], 50) / max(0.05, float(np.percentile(floor[:, 1], 50))):.1f}"
        rows.append([f"{size:,}", kind, *percentiles(spent), ratio])
        print(*rows[-1], sep="  ", file=sys.stderr, flush=True)

    for kind, texts in bench.questions().items():
        spent = await timed([lambda t=t: bench.service.search(SearchRequest(t, Mode.WORDS)) for t in texts])
        row(kind, spent, await timed([lambda t=t: raw(bench.database, t) for t in texts]))
    filtered = Filters(formats=frozenset({"eml"}), after=1_600_000_000.0 + size * 30)
    texts = bench.questions()["two words"]
    row(
        "two words, filtered",
        await timed([lambda t=t: bench.service.search(SearchRequest(t, Mode.WORDS, filtered)) for t in texts]),
    )
    meaning = bench.prepare_meaning()
    asked = np.concatenate([bench.embedding.vectors[text] for text in meaning[:RECALL_QUESTIONS]])
    exact = await asyncio.to_thread(Exact, bench.database.path, size, asked)
    floor = np.array([exact.time(bench.embedding.vectors[text]) for text in meaning[:5]])
    row(
        "meaning",
        await timed([lambda t=t: bench.service.search(SearchRequest(t, Mode.MEANING)) for t in meaning]),
        floor,
    )
    row(
        "meaning, filtered",
        await timed([lambda t=t: bench.service.search(SearchRequest(t, Mode.MEANING, filtered)) for t in meaning]),
    )
    mixed = bench.questions()["two words"][:QUESTIONS]
    for text, other in zip(mixed, meaning, strict=True):
        bench.embedding.vectors[text.strip()] = bench.embedding.vectors[other]
    row("both", await timed([lambda t=t: bench.service.search(SearchRequest(t, Mode.BOTH)) for t in mixed]))
    recall = await recall_at_20(bench, exact)
    print(f"{size:,} passages: codes read in {loaded:.2f} s, {held / 1e6:.0f} MB; recall@20 {recall:.4f}", flush=True)
    bench.vectors.close()
    await bench.database.close()
    return rows


def percentiles(spent: np.ndarray) -> list[str]:
    """p50 and p95 of wall time, then of processor time."""
    return [f"{np.percentile(spent[:, column], percent):.1f}" for column in (0, 1) for percent in (50, 95)]


async def raw(database: Database, text: str) -> None:
    quoted = " AND ".join(f'"{word}"' for word in text.rstrip("?").split())
    sql = "SELECT rowid FROM passage_index WHERE passage_index MATCH ? ORDER BY rowid DESC LIMIT 50"
    await database.read(lambda c: c.execute(sql, (quoted,)).fetchall())


class Exact:
    """Every row of the database compared with every question, without codes. nearest: passages for each, best first."""

    def __init__(self, path: Path, size: int, questions: np.ndarray) -> None:
        connection, _trouble = driver.connect(path, None)
        self.wholes = np.empty((size, synthetic.DIMENSION), np.float32)
        scores = np.empty((size, len(questions)), np.float32)
        rows = connection.execute("SELECT vector FROM passage_vectors ORDER BY passage")
        first = 0
        while some := rows.fetchmany(READ_AT_ONCE):
            held = np.frombuffer(b"".join(row[0] for row in some), np.int8).astype(np.float32)
            held = held.reshape(len(some), -1, synthetic.DIMENSION)
            held /= np.linalg.norm(held, axis=2, keepdims=True)
            cosines = held @ questions.T
            self.wholes[first : first + len(some)] = held[:, 0]
            scores[first : first + len(some)] = (cosines[:, 0] + cosines[:, 1:].max(axis=1)) / 2
            first += len(some)
        connection.close()
        self.nearest = (np.argsort(-scores, axis=0)[:RECALLED] + 1).T

    def time(self, vector: Vectors) -> tuple[float, float]:
        """Wall and processor milliseconds for the whole passages alone."""
        wall, processor = time.perf_counter(), time.process_time()
        np.argpartition(-(self.wholes @ vector[0]), 50)
        return (time.perf_counter() - wall) * 1000, (time.process_time() - processor) * 1000


async def recall_at_20(bench: Bench, exact: Exact) -> float:
    shares: list[float] = []
    for vector, best in zip(bench.embedding.vectors.values(), exact.nearest, strict=False):
        found = await bench.vectors.nearest(vector, Filters(), RECALLED)
        shares.append(len(set(best.tolist()) & {hit.passage for hit in found}) / RECALLED)
    return float(np.mean(shares))


async def model_time() -> np.ndarray:
    embedding = ProcessEmbedding(MODEL, COMMAND)
    await embedding.start()
    try:
        return await timed([lambda n=n: embedding.query(f"which form is it for referral {n}") for n in range(100)])
    finally:
        await embedding.close()


async def main(sizes: Sequence[int]) -> None:
    rows: list[list[object]] = []
    for size in sizes:
        rows += await measure(size)
    model = await model_time()
    rows.append(["", "the model, for one question", *percentiles(model), ""])
    print(machine.table(HEAD, rows))
    print(f"\n50 hits with snippets. {machine.described()}")


if __name__ == "__main__":
    asyncio.run(main([int(size) for size in sys.argv[1:]] or [10_000, 100_000, 1_000_000]))
