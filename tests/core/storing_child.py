"""A child process that stores records and says each one that was answered, until it is killed or its disk is full.

Arguments: the database, the word "forever" or the most bytes that a file may have.
"""

import asyncio
import itertools
import resource
import signal
import sys
import time
from pathlib import Path

from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.memory import SqliteMemory
from core.adapters.sqlite.migrations import prepare
from core.domain.tiers import Tier
from core.errors import EnvironmentFault
from tests.fakes.cutting import OnePassage

CALLERS = 8


async def store(memory: SqliteMemory, numbers: "itertools.count[int]") -> None:
    while True:
        key = f"record-{next(numbers)}"
        await memory.remember(key, f"the text of {key} " * 20, Tier.SEMANTIC)
        print(key, flush=True)


async def forever(path: Path) -> None:
    database = await Database.open(path, key=None, clock=time.time, publish=lambda events: None, prepare=prepare)
    memory = SqliteMemory(database, OnePassage())
    numbers = itertools.count(int(time.time() * 1000))
    await asyncio.gather(*(store(memory, numbers) for _ in range(CALLERS)))


async def until_full(path: Path, most: int) -> None:
    database = await Database.open(path, key=None, clock=time.time, publish=lambda events: None, prepare=prepare)
    memory = SqliteMemory(database, OnePassage())
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    numbers = itertools.count()
    try:
        await asyncio.gather(*(store(memory, numbers) for _ in range(CALLERS)))
    except EnvironmentFault as fault:
        print(f"FAULT {fault}", flush=True)
    await asyncio.sleep(0.5)  # the other callers meet it too
    found = await memory.recall("text")
    print(f"READ {len(found)}", flush=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    await memory.remember("afterwards", "there is room again", Tier.SEMANTIC)
    print("afterwards", flush=True)
    await database.close()


if __name__ == "__main__":
    file, how = Path(sys.argv[1]), sys.argv[2]
    asyncio.run(forever(file) if how == "forever" else until_full(file, int(how)))
