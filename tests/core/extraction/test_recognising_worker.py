"""Recognition in the real worker: progress, limits of time and memory, and nothing outside of it."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from app.paths import recognition_models
from core.adapters.extraction.process import ProcessExtraction
from core.domain.extraction import Extracted, Refusal, RefusalCode
from core.ports.extraction import ReadLimits
from tests.core.extraction.drawing import page, pdf_of
from tests.core.extraction.reading import TOKENIZER

COMMAND = [sys.executable, "-m", "core.adapters.workers", "extraction"]
SCAN = [page((40, 40, f"Sheet {number}")) for number in ("one", "two", "three")]


@pytest.fixture
async def recogniser() -> AsyncIterator[ProcessExtraction]:
    reader = ProcessExtraction(COMMAND, TOKENIZER, models=recognition_models())
    yield reader
    await reader.close()


def stored(folder: Path) -> Path:
    path = folder / "scan.pdf"
    path.write_bytes(pdf_of(*SCAN))
    return path


async def test_pages_are_told_and_words_arrive(recogniser: ProcessExtraction, tmp_path: Path) -> None:
    heard: list[tuple[int, int]] = []
    result = await recogniser.read(
        stored(tmp_path), "scan.pdf", on_page=lambda page, pages: heard.append((page, pages))
    )
    assert isinstance(result, Extracted), result
    assert heard == [(1, 3), (2, 3), (3, 3)]
    assert [(passage.page, passage.text) for passage in result.passages] == [
        (1, "Sheet one"),
        (2, "Sheet two"),
        (3, "Sheet three"),
    ]
    assert [[word.text for word in each.words] for each in result.recognised] == [
        ["Sheet", "one"],
        ["Sheet", "two"],
        ["Sheet", "three"],
    ]
    assert recogniser.defects == []
    assert 0 < recogniser.peak_bytes < 1_500 << 20


async def test_a_page_that_takes_too_long_is_a_refusal(recogniser: ProcessExtraction, tmp_path: Path) -> None:
    path = stored(tmp_path)
    await recogniser.start()
    loop = asyncio.get_running_loop()
    first = loop.time()
    assert isinstance(await recogniser.read(path, path.name), Extracted)
    took = loop.time() - first  # three pages, and loading
    limits = replace(ReadLimits(), seconds=max(0.05, took / 20))
    refusal = await recogniser.read(path, path.name, limits=limits)
    assert isinstance(refusal, Refusal)
    assert refusal.code is RefusalCode.TIME


async def test_stopping_ends_the_worker_at_once(recogniser: ProcessExtraction, tmp_path: Path) -> None:
    begun = asyncio.Event()
    reading = asyncio.create_task(
        recogniser.read(stored(tmp_path), "scan.pdf", on_page=lambda page, pages: begun.set())
    )
    async with asyncio.timeout(30):
        await begun.wait()
    pid = recogniser._worker.pid
    assert pid is not None
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert not psutil.pid_exists(pid)
    assert isinstance(await recogniser.read(stored(tmp_path), "scan.pdf"), Extracted)


async def test_too_little_memory_is_a_refusal(recogniser: ProcessExtraction, tmp_path: Path) -> None:
    path = stored(tmp_path)
    refusal = await recogniser.read(path, path.name, limits=replace(ReadLimits(), memory_bytes=220 << 20))
    assert isinstance(refusal, Refusal), refusal
    assert refusal.code in (RefusalCode.MEMORY, RefusalCode.CRASHED)


@pytest.mark.skipif(sys.platform != "linux", reason="what a process holds open is told by /proc")
async def test_it_opens_no_connection_and_writes_nothing_elsewhere(
    recogniser: ProcessExtraction, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    before = {path: path.stat().st_mtime_ns for path in recognition_models().parent.rglob("*")}
    held: set[str] = set()

    def look(page: int, pages: int) -> None:
        folder = Path(f"/proc/{recogniser._worker.pid}/fd")
        held.update(os.readlink(folder / name) for name in os.listdir(folder) if (folder / name).is_symlink())

    assert isinstance(await recogniser.read(stored(tmp_path), "scan.pdf", on_page=look), Extracted)
    assert held
    assert not [name for name in held if name.startswith("socket:")]
    assert list(home.rglob("*")) == []
    assert {path: path.stat().st_mtime_ns for path in recognition_models().parent.rglob("*")} == before


def test_the_models_lie_in_the_package_and_none_of_its_code_is_run() -> None:
    folder = recognition_models()
    assert {path.name for path in folder.glob("*.onnx")} >= {"PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx"}
    assert "rapidocr" not in sys.modules
