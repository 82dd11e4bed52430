"""What was answered survives: a killed process, a full disk, a lock held elsewhere."""

import asyncio
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from core.adapters.sqlite import driver
from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.memory import SqliteMemory
from core.adapters.sqlite.migrations import prepare
from core.domain.tiers import Tier
from tests.fakes.cutting import OnePassage

ROOT = Path(__file__).resolve().parents[2]
KILLS = 10


def stored(path: Path) -> set[str]:
    """The keys in the database, after both integrity checks."""
    connection, _ = driver.connect(path, None)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.execute("INSERT INTO passage_index (passage_index, rank) VALUES ('integrity-check', 1)")
        keys = {str(row[0]) for row in connection.execute("SELECT key FROM records")}
        passages = {str(row[0]) for row in connection.execute("SELECT owner FROM passages WHERE kind = 'record'")}
        assert passages == {f"7:default:{key}" for key in keys}
        return keys
    finally:
        connection.close()


def child(path: Path, how: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tests.core.storing_child", str(path), how]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.timeout(120)
def test_ten_kills_lose_nothing_that_was_answered(tmp_path: Path) -> None:
    path = tmp_path / "workspace.db"
    chance = random.Random(11)
    answered: set[str] = set()
    for _ in range(KILLS):
        process = child(path, "forever")
        lines: list[str] = []
        assert process.stdout is not None
        lines.append(process.stdout.readline())
        reader = threading.Thread(target=lambda p=process, into=lines: into.extend(p.stdout), daemon=True)
        reader.start()
        time.sleep(0.02 + chance.random() * 0.2)
        process.send_signal(signal.SIGKILL)
        reader.join()
        process.wait()
        process.communicate()
        now = {line.strip() for line in lines if line.endswith("\n") and line.strip()}
        assert now
        answered |= now
        assert answered <= stored(path)
    assert len(answered) > 10 * KILLS


@pytest.mark.timeout(120)
def test_a_full_disk_loses_nothing_and_the_work_goes_on_when_there_is_room(tmp_path: Path) -> None:
    path = tmp_path / "workspace.db"
    output, errors = child(path, str(2 * 1024 * 1024)).communicate(timeout=100)
    assert errors == ""
    lines = output.splitlines()
    (fault,) = [line for line in lines if line.startswith("FAULT")]
    assert tmp_path.name in fault
    assert "READ 10" in lines
    answered = {line for line in lines if line.startswith(("record-", "afterwards"))}
    assert "afterwards" in answered
    assert len(answered) > 20
    assert answered <= stored(path)


async def test_an_exclusive_lock_of_another_process_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "workspace.db"
    database = await Database.open(path, key=None, clock=time.time, publish=lambda events: None, prepare=prepare)
    holding = (
        "import sys, time; from pathlib import Path; from core.adapters.sqlite import driver; "
        "c, _ = driver.connect(Path(sys.argv[1]), None); c.execute('BEGIN EXCLUSIVE'); print('held', flush=True); "
        "time.sleep(1.5); c.execute('ROLLBACK')"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", holding, str(path), cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"held\n"
        memory = SqliteMemory(database, OnePassage())
        started = time.perf_counter()
        await asyncio.gather(*(memory.remember(f"k{n}", n, Tier.WORKING) for n in range(20)))
        assert time.perf_counter() - started > 0.5
        assert await process.wait() == 0
    finally:
        await database.close()
    assert stored(path) == {f"k{n}" for n in range(20)}
