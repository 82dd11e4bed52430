"""A worker may do what it likes: the program gets an answer or a reason, and the next request works."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NoReturn

import psutil
import pytest

from core.adapters.workers.frames import BrokenFrame, Frame, lengths, pack, unpack
from core.adapters.workers.process import (
    WorkerClosed,
    WorkerDied,
    WorkerFailed,
    WorkerOutOfMemory,
    WorkerProcess,
    WorkerTimedOut,
)

MISBEHAVING = [sys.executable, str(Path(__file__).with_name("misbehaving.py"))]
MEMORY = 400 << 20


@pytest.fixture
async def worker() -> AsyncIterator[WorkerProcess]:
    process = WorkerProcess(MISBEHAVING, niceness=3)
    yield process
    await process.close()
    await process.close()


async def echoes(worker: WorkerProcess) -> bool:
    answer = await worker.call({"do": "echo", "say": "ok"}, b"abc", seconds=20)
    return answer == Frame({"said": "ok"}, b"cba")


async def test_answers_carry_json_and_bytes(worker: WorkerProcess) -> None:
    large = os.urandom(3_000_000)
    answer = await worker.call({"do": "echo", "say": "Zürich \ud83d 受付"}, large, seconds=20)
    assert answer.header == {"said": "Zürich \ud83d 受付"}
    assert answer.payload == large[::-1]
    assert worker.peak_bytes > 1 << 20


async def test_one_process_serves_many_requests_one_at_a_time(worker: WorkerProcess) -> None:
    await worker.start()
    first = worker.pid
    answers = await asyncio.gather(*(worker.call({"do": "echo", "say": n}) for n in range(20)))
    assert [answer.header["said"] for answer in answers] == list(range(20))
    assert worker.pid == first


async def test_parts_arrive_in_order_before_the_end(worker: WorkerProcess) -> None:
    parts: list[Frame] = []
    await worker.call({"do": "parts"}, on_part=parts.append)
    assert parts == [Frame({"number": n}, bytes([n])) for n in range(3)]


@pytest.mark.parametrize("work", ["hang", "spin"])
async def test_killed_on_its_time_limit(worker: WorkerProcess, work: str) -> None:
    await worker.start()
    pid = worker.pid
    assert pid is not None
    begun = time.monotonic()
    with pytest.raises(WorkerTimedOut):
        await worker.call({"do": work}, seconds=0.4)
    assert time.monotonic() - begun < 5
    assert not psutil.pid_exists(pid)
    assert await echoes(worker)


async def test_word_of_progress_extends_the_time_and_a_hang_after_it_does_not_last(worker: WorkerProcess) -> None:
    await worker.start()
    begun = time.monotonic()
    heard: list[float] = []

    def progress(part: Frame) -> None:
        heard.append(time.monotonic() - begun)
        worker.extend(1.0)

    await worker.call({"do": "steps", "steps": 6}, seconds=1.0, on_part=progress)
    assert len(heard) == 6
    assert heard[-1] > 1.5  # beyond the time that it had at first
    with pytest.raises(WorkerTimedOut):
        await worker.call({"do": "steps", "steps": 3, "hang": True}, seconds=1.0, on_part=progress)
    worker.extend(1.0)  # nothing runs: nothing happens
    assert await echoes(worker)


async def test_memory_is_bounded(worker: WorkerProcess) -> None:
    with pytest.raises(WorkerOutOfMemory):
        await worker.call({"do": "grow"}, seconds=30, memory_bytes=MEMORY)
    assert worker.peak_bytes < MEMORY * 1.2
    assert await echoes(worker)


async def test_the_watchdog_alone_bounds_memory(worker: WorkerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    await worker.start()
    unlimited = {"memory": None, "body": {"do": "grow"}}
    child = worker._child  # the request below says nothing of the limit, as on a system without RLIMIT_AS
    assert child is not None
    exchange = child.exchange
    monkeypatch.setattr(child, "exchange", lambda _header, payload, part: exchange(unlimited, payload, part))
    with pytest.raises(WorkerOutOfMemory):
        await worker.call({"do": "grow"}, seconds=30, memory_bytes=200 << 20)
    assert await echoes(worker)


async def test_a_large_child_is_replaced_between_requests() -> None:
    worker = WorkerProcess(MISBEHAVING, keep_below_bytes=1)
    try:
        assert await echoes(worker)
        assert worker.pid is None
        assert await echoes(worker)
    finally:
        await worker.close()


async def test_a_crash_is_told_and_survived(worker: WorkerProcess) -> None:
    with pytest.raises(WorkerDied) as crash:
        await worker.call({"do": "crash"}, seconds=20)
    assert crash.value.returncode == -signal.SIGSEGV
    with pytest.raises(WorkerDied) as ended:
        await worker.call({"do": "exit"}, seconds=20)
    assert ended.value.returncode == 3
    assert await echoes(worker)


async def test_a_failure_names_its_kind_and_place_but_not_its_text(worker: WorkerProcess) -> None:
    await worker.start()
    pid = worker.pid
    with pytest.raises(WorkerFailed) as failure:
        await worker.call({"do": "raise"})
    assert failure.value.kind == "ValueError"
    assert failure.value.place.startswith("misbehaving.py:")
    assert "paper" not in str(failure.value)
    assert await echoes(worker)
    assert worker.pid == pid


async def test_stray_prints_do_not_break_the_protocol(worker: WorkerProcess) -> None:
    assert (await worker.call({"do": "shout"})).header == {}
    assert (await worker.call({"do": "read"})).header == {"read": 0}
    assert await echoes(worker)


async def test_cancelling_the_caller_kills_the_child(worker: WorkerProcess) -> None:
    await worker.start()
    pid = worker.pid
    assert pid is not None
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await worker.call({"do": "hang"})
    assert not psutil.pid_exists(pid)
    assert await echoes(worker)


async def test_closing_ends_a_request_that_runs_and_refuses_new_ones(worker: WorkerProcess) -> None:
    await worker.start()
    running = asyncio.create_task(worker.call({"do": "hang"}))
    await asyncio.sleep(0.2)
    await worker.close()
    with pytest.raises(WorkerClosed):
        await running
    with pytest.raises(WorkerClosed):
        await worker.call({"do": "echo"})
    assert worker.pid is None


async def test_a_command_that_cannot_start_is_an_error() -> None:
    for command in (["/nonexistent/program"], [sys.executable, "-c", "raise SystemExit(4)"]):
        worker = WorkerProcess(command)
        with pytest.raises(WorkerDied):
            await worker.call({"do": "echo"})
        await worker.close()


async def test_temporary_files_go_with_the_child(worker: WorkerProcess) -> None:
    folder = Path((await worker.call({"do": "leave"})).header["folder"])
    assert (folder / "left.txt").exists()
    assert folder.stat().st_mode & 0o077 == 0
    await worker.close()
    assert not folder.exists()


async def test_the_network_is_denied(worker: WorkerProcess) -> None:
    seen = (await worker.call({"do": "connect"})).header
    assert seen["kind"] == "PermissionError"
    assert set(seen["interfaces"]) <= {"lo"}


async def test_it_gives_way_to_the_window(worker: WorkerProcess) -> None:
    assert (await worker.call({"do": "nice"})).header["nice"] >= 3


@pytest.mark.parametrize("work", ["echo", "hang", "spin"])
def test_no_child_outlives_the_program(work: str) -> None:
    program = textwrap.dedent(
        f"""
        import asyncio
        from core.adapters.workers.process import WorkerProcess

        async def main():
            worker = WorkerProcess({MISBEHAVING!r})
            await worker.start()
            print(worker.pid, flush=True)
            await worker.call({{"do": {work!r}}})
            await asyncio.sleep(60)

        asyncio.run(main())
        """
    )
    root = str(Path(__file__).parents[3])
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=root)
    assert parent.stdout is not None
    with parent:
        child = int(parent.stdout.readline())
        time.sleep(0.3)
        parent.kill()
    end = time.monotonic() + 10
    while psutil.pid_exists(child) and psutil.Process(child).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < end, "the child outlived its program"
        time.sleep(0.05)


def test_frames_travel_whole() -> None:
    frame = Frame({"text": "half a pair \ud800 and 中"}, b"\x00\xff")
    data = pack(frame)
    header, payload = lengths(data[:8])
    assert unpack(data[8 : 8 + header], data[8 + header :]) == frame
    assert len(data) == 8 + header + payload


@pytest.mark.parametrize("prefix", [b"\xff" * 8, b"\x00" * 8, b"\x00\x00\x00\x02\xff\xff\xff\xff"])
def test_impossible_lengths_are_refused(prefix: bytes) -> None:
    with pytest.raises(BrokenFrame):
        lengths(prefix)


@pytest.mark.parametrize("header", [b"{", b"[]", b"\xff\xfe"])
def test_headers_that_are_no_object_are_refused(header: bytes) -> None:
    with pytest.raises(BrokenFrame):
        unpack(header, b"")


async def test_a_start_that_is_cancelled_leaves_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_command: object, **_options: object) -> NoReturn:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(asyncio, "create_subprocess_exec", never)

    def folders() -> set[Path]:
        return set(Path(tempfile.gettempdir()).glob(f"muniment-worker-{os.getpid()}-*"))

    before = folders()
    worker = WorkerProcess(["never started"])
    starting = asyncio.ensure_future(worker.start())
    while folders() == before:  # noqa: ASYNC110 - what is waited for has no event
        await asyncio.sleep(0)
    starting.cancel()
    await asyncio.wait([starting])
    assert folders() == before
    await worker.close()
