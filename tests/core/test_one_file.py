"""Several adapters of several connections on one database file, as when two processes share it for a moment."""

import asyncio
import time
from pathlib import Path

from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.memory import SqliteMemory
from core.adapters.sqlite.migrations import prepare
from core.adapters.sqlite.shared import SqliteShared
from core.domain.tiers import Tier
from core.errors import VersionConflict
from tests.fakes.cutting import OnePassage


async def opened(path: Path) -> Database:
    return await Database.open(path, key=None, clock=time.time, publish=lambda events: None, prepare=prepare)


async def test_ten_and_ten_adapters_on_one_file_lose_nothing(tmp_path: Path) -> None:
    one, other = await opened(tmp_path / "workspace.db"), await opened(tmp_path / "workspace.db")
    cutter = OnePassage()
    memories = [SqliteMemory(database, cutter, f"assistant:{n}") for database in (one, other) for n in range(5)]
    shelves = [SqliteShared(database, cutter, f"assistant:{n}") for database in (one, other) for n in range(5)]

    async def work(n: int) -> None:
        for round in range(4):
            await memories[n].remember(f"k{n} {round}", f"word{n}", Tier.SEMANTIC)
            await memories[n].reinforce(f"k{n} {round}")
            await shelves[n].set(f"s{n}", round)
            await memories[n].remember("all", n, Tier.WORKING)

    try:
        await asyncio.gather(*(work(n) for n in range(10)))
        for memory in (memories[0], memories[-1]):
            for n in range(10):
                found = await memory.recall(f"word{n}", limit=100)
                assert sorted(record.key for record in found) == [f"k{n} {round}" for round in range(4)]
                assert {record.access_count for record in found} == {1}
            record = await memory.get("all")
            assert record is not None
            assert record.version == 40
        for n in range(10):
            entry = await shelves[9 - n].get(f"s{n}")
            assert entry is not None
            assert (entry.value, entry.version) == (3, 4)
    finally:
        await one.close()
        await other.close()


async def test_an_expected_version_holds_between_connections(tmp_path: Path) -> None:
    one, other = await opened(tmp_path / "workspace.db"), await opened(tmp_path / "workspace.db")
    cutter = OnePassage()
    memories = [SqliteMemory(database, cutter) for database in (one, other)]
    try:
        read = await memories[0].remember("key", 0, Tier.WORKING)
        tried = await asyncio.gather(
            *(memories[n % 2].remember("key", n, Tier.WORKING, expected=read.version) for n in range(20)),
            return_exceptions=True,
        )
        assert sum(isinstance(each, VersionConflict) for each in tried) == 19
    finally:
        await one.close()
        await other.close()
