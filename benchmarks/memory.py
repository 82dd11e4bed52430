"""Memory: remember, recall and reinforce a second, and p95, with 1 and 8 callers at several sizes.

    python -m benchmarks.memory [--rows 1000 100000 1000000] [--seconds 3]

Writes stand beside a floor in the same run: the standard library's sqlite3 that commits the same row by itself, with
the same pragmas, without index, history or stream of changes. Each write is on disk when it is answered. Records are
cut by the program's own cutter; recall is by words, as it is while meaning is being prepared. Prints Markdown.
"""

import argparse
import asyncio
import random
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

from app.paths import resources
from benchmarks.machine import described, table
from core.adapters.extraction.passages import PassageCutter
from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.memory import SqliteMemory
from core.adapters.sqlite.migrations import prepare
from core.adapters.sqlite.records import Ready, insert, new_record, ready
from core.domain.tiers import DAY, Tier

CALLERS = (1, 8)
TOGETHER = 500  # records of one transaction while the workspace is filled
NOW = 1_780_000_000.0
SYLLABLES = [first + last for first in "bdfghklmnprstvz" for last in "aeiou"]
Act = Callable[[int], Awaitable[object]]


class Texts:
    """Sentences of 25 words in which few words are common and many are rare (Zipf 1949), always the same ones."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        made = random.Random(7)
        self._words = ["".join(made.choices(SYLLABLES, k=made.randint(2, 4))) for _ in range(30_000)]
        self._weights = [1 / rank for rank in range(1, len(self._words) + 1)]
        self._cumulative = list(_sums(self._weights))

    def words(self, count: int) -> list[str]:
        return self._random.choices(self._words, cum_weights=self._cumulative, k=count)

    def text(self) -> str:
        return " ".join(self.words(25))

    def rare(self) -> str:
        return " ".join(self._random.choices(self._words[500:], k=2))


def _sums(weights: list[float]) -> list[float]:
    sums, total = list[float](), 0.0
    for weight in weights:
        total += weight
        sums.append(total)
    return sums


async def measured(act: Act, callers: int, seconds: float) -> tuple[float, float, float]:
    """Times a second, p95 in milliseconds, and processor milliseconds of this process each."""
    took: list[float] = []
    until, cpu, began = time.perf_counter() + seconds, time.process_time(), time.perf_counter()

    async def caller(number: int) -> None:
        count = number
        while time.perf_counter() < until:
            started = time.perf_counter()
            await act(count)
            took.append(time.perf_counter() - started)
            count += callers

    await asyncio.gather(*(caller(number) for number in range(callers)))
    spent, whole = time.process_time() - cpu, time.perf_counter() - began
    took.sort()
    return len(took) / whole, took[int(len(took) * 0.95)] * 1000, spent / len(took) * 1000


def floor(folder: Path, texts: Texts, seconds: float) -> float:
    """Durable commits of a bare row a second."""
    connection = sqlite3.connect(folder / "floor.db", isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "temp_store = MEMORY"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("CREATE TABLE records (number INTEGER PRIMARY KEY, key TEXT UNIQUE, value TEXT, at REAL)")
    count, until, began = 0, time.perf_counter() + seconds, time.perf_counter()
    while time.perf_counter() < until:
        connection.execute("INSERT INTO records (key, value, at) VALUES (?, ?, 1)", (str(count), texts.text()))
        count += 1
    connection.close()
    return count / (time.perf_counter() - began)


async def fill(database: Database, cutter: PassageCutter, texts: Texts, first: int, last: int) -> None:
    """Records `first` to `last`, written over the year before NOW; every second one has the tag "common"."""
    for start in range(first, last, TOGETHER):
        made: list[Ready] = []
        for number in range(start, min(last, start + TOGETHER)):
            tags: list[object] = ["common"] if number % 2 else [f"rare {number % 1000}"]
            tier = list(Tier)[number % 4]
            record = new_record("default", f"k{number}", texts.text(), tier, {"tags": tags}, None)
            at = NOW - (number * 7919 % 365) * DAY
            record = replace(record, created_at=at, updated_at=at, last_accessed_at=at)
            made.append(await ready(cutter, record))

        def operation(tx: Transaction, made: list[Ready] = made) -> None:
            for each in made:
                insert(tx, each)

        await database.write(operation)


def acts(memory: SqliteMemory, texts: Texts, rows: int) -> dict[str, Act]:
    new = iter(range(10**9))
    tags = {"tags": ["common"]}
    return {
        "remember, new": lambda n: memory.remember(f"new{next(new)}", texts.text(), Tier.SEMANTIC),
        "remember, again": lambda n: memory.remember(f"k{n * 7919 % rows}", texts.text(), Tier.SEMANTIC, metadata=tags),
        "reinforce": lambda n: memory.reinforce(f"k{n * 7919 % rows}"),
        "recall, two rare words": lambda n: memory.recall(texts.rare()),
        "recall, six words": lambda n: memory.recall(" ".join(texts.words(6))),
        "recall, learning": lambda n: memory.recall(texts.rare(), learn=True),
        "recall, nothing asked": lambda n: memory.recall(""),
        "recall, a broad tag": lambda n: memory.recall("", tags=["common"]),
        "recall, half a year": lambda n: memory.recall("", after=NOW - 182 * DAY),
        "recall, a rare tag": lambda n: memory.recall("", tags=[f"rare {n * 2 % 1000}"]),
    }


async def run(rows: list[int], seconds: float) -> None:
    texts, cutter = Texts(1), PassageCutter(resources() / "model" / "tokenizer.json")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = await Database.open(
            folder / "workspace.db", key=None, clock=lambda: NOW, publish=lambda events: None, prepare=prepare
        )
        memory, there = SqliteMemory(database, cutter), 0
        for size in sorted(rows):
            await fill(database, cutter, texts, there, size)
            there = size
            lines: list[list[object]] = []
            for what, act in acts(memory, texts, size).items():
                bare = floor(Path(tempfile.mkdtemp(dir=folder)), texts, seconds / 3)
                for callers in CALLERS:
                    each, slow, cpu = await measured(act, callers, seconds)
                    ratio = "" if what.startswith("recall") and "learning" not in what else f"{each / bare:.2f}"
                    lines.append([what, callers, f"{each:,.0f}", f"{slow:.1f}", f"{cpu:.2f}", ratio])
            print(f"\n{size:,} records\n")
            print(table(["", "callers", "a second", "p95 ms", "processor ms", "of the floor"], lines), flush=True)
        await database.close()
    print(f"\n{described()}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000, 100_000])
    parser.add_argument("--seconds", type=float, default=3.0)
    arguments = parser.parse_args()
    asyncio.run(run(arguments.rows, arguments.seconds))


if __name__ == "__main__":
    main()
