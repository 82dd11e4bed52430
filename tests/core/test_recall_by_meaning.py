"""Recall by words and meaning together: what each half finds, and that no filter is passed by on either way."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from core.adapters.sqlite import memory as adapter
from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.memory import SqliteMemory
from core.adapters.sqlite.migrations import prepare
from core.adapters.sqlite.record_book import SqliteRecordBook
from core.adapters.sqlite.vectors import SqliteVectors
from core.domain.tiers import HALF_LIFE, Tier
from core.errors import EnvironmentFault
from core.ports.embedding import Vectors
from tests.fakes.cutting import OnePassage
from tests.fakes.embedding import WordHashes
from tests.fakes.store import SetClock

SAME = {"automobile": "car", "vehicle": "car", "physician": "doctor"}


class Synonyms(WordHashes):
    """Words that mean the same have the same direction. `fault`: raised; `gate`: waited for."""

    def __init__(self) -> None:
        self.fault: Exception | None = None
        self.gate = asyncio.Event()
        self.gate.set()
        self.asked = 0

    async def query(self, text: str) -> Vectors:
        self.asked += 1
        await self.gate.wait()
        if self.fault is not None:
            raise self.fault
        return await super().query(text)

    async def passages(self, texts: Sequence[str]) -> Vectors:
        return await super().passages([" ".join(SAME.get(word, word) for word in text.split()) for text in texts])


class Kept:
    def __init__(self, database: Database, clock: SetClock) -> None:
        self.clock = clock
        self.model = Synonyms()
        self.vectors = SqliteVectors(database, self.model.model)
        cutter = OnePassage()
        self.memory = SqliteMemory(database, cutter, embedding=self.model, meaning=self.vectors)
        self.book = SqliteRecordBook(database, cutter)

    async def embed(self) -> None:
        while waiting := await self.vectors.without_meaning(64):
            vectors = await self.model.passages([text for _, text in waiting])
            await self.vectors.store([id for id, _ in waiting], vectors)


@pytest.fixture
async def kept(tmp_path: Path) -> AsyncIterator[Kept]:
    clock = SetClock(time.time())
    database = await Database.open(
        tmp_path / "workspace.db", key=None, clock=clock, publish=lambda events: None, prepare=prepare
    )
    kept = Kept(database, clock)
    yield kept
    kept.vectors.close()
    await database.close()


async def test_meaning_finds_what_words_do_not(kept: Kept) -> None:
    await kept.memory.remember("parking", "automobile", Tier.SEMANTIC)
    await kept.memory.remember("lunch", "soup", Tier.SEMANTIC)
    await kept.embed()
    (record,) = await kept.memory.recall("vehicle")
    assert record.key == "parking"
    why = record.why
    assert why is not None
    assert (why.words, why.by_words) == ((), None)
    assert why.similarity is not None
    assert why.similarity > 0.4  # the key and its words are embedded, too
    assert record.score == pytest.approx(why.relevance * why.salience)


async def test_words_and_meaning_together_come_first(kept: Kept) -> None:
    await kept.memory.remember("words", "car rental agreement of the previous tenant", Tier.SEMANTIC)
    await kept.memory.remember("both", "car", Tier.SEMANTIC)
    await kept.memory.remember("meaning", "automobile", Tier.SEMANTIC)
    await kept.embed()
    found = await kept.memory.recall("car")
    assert found[0].key == "both"
    assert {record.key for record in found} == {"words", "both", "meaning"}
    first = found[0].why
    assert first is not None
    assert (first.words, first.by_words) == (("car",), 1.0)
    assert first.similarity is not None


async def test_relevance_is_weighed_by_salience(kept: Kept) -> None:
    await kept.memory.remember("old", "automobile", Tier.SEMANTIC)
    kept.clock.now += 2 * HALF_LIFE[Tier.SEMANTIC]
    await kept.memory.remember("new", "automobile", Tier.SEMANTIC)
    await kept.embed()
    found = await kept.memory.recall("vehicle")
    assert [record.key for record in found] == ["new", "old"]
    assert found[1].score == pytest.approx(0.25 * (found[0].score or 0), rel=0.2)  # the keys differ a little


async def test_what_is_nearer_elsewhere_hides_nothing(kept: Kept) -> None:
    """More passages than are looked at by meaning lie nearer, in other namespaces, tiers, tags and times."""
    early = kept.clock.now
    nearer = adapter.DEPTH + 50
    kept.clock.now += 100
    for n in range(nearer):
        await kept.memory.remember(f"n{n}", "automobile", Tier.SEMANTIC, "elsewhere", {"tags": ["wanted"]})
    kept.clock.now = early
    wanted = "automobile and much else that leads away from it"
    await kept.memory.remember("wanted", wanted, Tier.SEMANTIC, "here", {"tags": ["Wanted"]})
    kept.clock.now += 100
    await kept.embed()
    assert [record.key for record in await kept.memory.recall("vehicle", namespace="here")] == ["wanted"]
    for n in range(nearer):
        await kept.memory.remember(f"n{n}", "automobile", Tier.WORKING, "here")
    await kept.embed()
    for narrowed in (
        await kept.memory.recall("vehicle", Tier.SEMANTIC, "here", 1),
        await kept.memory.recall("vehicle", None, "here", 1, tags=["WANTED"]),
        await kept.memory.recall("vehicle", None, "here", 1, before=early),
    ):
        assert [record.key for record in narrowed] == ["wanted"]
    assert await kept.memory.recall("vehicle", Tier.EPISODIC, "here") == []
    assert await kept.memory.recall("vehicle", namespace="nowhere") == []


async def test_words_answer_while_meaning_lags_or_is_broken(kept: Kept) -> None:
    await kept.memory.remember("parking", "automobile", Tier.SEMANTIC)
    assert [record.key for record in await kept.memory.recall("automobile")] == ["parking"]
    assert kept.model.asked == 0  # there is nothing yet to compare with
    await kept.embed()
    await kept.memory.remember("new", "automobile club", Tier.SEMANTIC)  # waits for its vector
    assert {record.key for record in await kept.memory.recall("automobile")} == {"parking", "new"}
    kept.model.fault = EnvironmentFault("Its worker process stopped.")
    found = await kept.memory.recall("automobile")
    assert {record.key for record in found} == {"parking", "new"}
    assert all(record.why is not None and record.why.similarity is None for record in found)
    assert await kept.memory.recall("vehicle") == []


async def test_words_answer_where_the_model_takes_too_long(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    await kept.memory.remember("parking", "automobile", Tier.SEMANTIC)
    await kept.embed()
    monkeypatch.setattr(adapter, "PATIENCE", 0.05)
    kept.model.gate.clear()
    assert [record.key for record in await kept.memory.recall("automobile")] == ["parking"]


async def test_what_is_forgotten_or_rewritten_is_not_near_any_more(kept: Kept) -> None:
    record = await kept.memory.remember("a", "automobile", Tier.SEMANTIC)
    await kept.memory.remember("b", "automobile", Tier.SEMANTIC)
    await kept.embed()
    await kept.memory.forget("b")
    await kept.book.edit(replace(record, value="soup"), record.version)
    assert await kept.memory.recall("vehicle") == []
    await kept.embed()
    assert await kept.memory.recall("vehicle") == []


async def test_learning_counts_what_meaning_found(kept: Kept) -> None:
    await kept.memory.remember("parking", "automobile", Tier.SEMANTIC)
    await kept.embed()
    await kept.memory.recall("vehicle", learn=True)
    (access,) = await kept.book.accesses("parking")
    assert access.question == "vehicle"
