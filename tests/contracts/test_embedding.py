"""EmbeddingPort: the bundled model in its worker processes, and the fake."""

import asyncio
import contextlib
import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import psutil
import pytest

from core.adapters.embedding.process import MOST_TEXTS, ProcessEmbedding
from core.errors import EnvironmentFault
from core.ports.embedding import EmbeddingPort
from tests.conftest import ROOT
from tests.fakes.embedding import WordHashes

MODEL = ROOT / "resources" / "model"
COMMAND = [sys.executable, "-m", "core.adapters.workers", "embedding"]


@pytest.fixture(params=("process", "fake"))
async def embedding(request: pytest.FixtureRequest) -> AsyncIterator[EmbeddingPort]:
    made: EmbeddingPort = ProcessEmbedding(MODEL, COMMAND) if request.param == "process" else WordHashes()
    yield made
    await made.close()


@pytest.fixture
async def workers() -> AsyncIterator[ProcessEmbedding]:
    made = ProcessEmbedding(MODEL, COMMAND, idle_seconds=0.05)
    yield made
    await made.close()
    assert children() == []


def children() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if "embedding" in child.cmdline()]


async def test_rows_have_length_one_and_follow_their_texts(embedding: EmbeddingPort) -> None:
    await embedding.start()
    texts = ["the waiting room", "an invoice", "the waiting room", ""]
    rows = await embedding.passages(texts)
    assert rows.shape == (4, embedding.model.dimension)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(4), abs=1e-3)
    assert rows[0] == pytest.approx(rows[2])
    query = await embedding.query("the waiting room")
    assert query.shape == (1, embedding.model.dimension)
    assert query[0] == pytest.approx(rows[0], abs=1e-5)
    assert (await embedding.passages([])).shape == (0, embedding.model.dimension)


async def test_the_model_says_what_it_is(embedding: EmbeddingPort) -> None:
    assert embedding.model.name
    assert len(embedding.model.digest) == 64
    assert embedding.model.dimension == 384
    assert embedding.model.max_tokens == 256


async def test_meaning_is_nearer_than_words(workers: ProcessEmbedding) -> None:
    asked = await workers.query("when is the reception shut?")
    rows = await workers.passages(
        ["The front desk closes at noon on Fridays.", "The invoice is paid in two instalments.", "shut the door"]
    )
    assert int(np.argmax(rows @ asked[0])) == 0


async def test_a_row_does_not_depend_on_its_neighbours(workers: ProcessEmbedding) -> None:
    alone = await workers.passages(["an invoice"])
    among = await workers.passages(["an invoice", "a much longer text about something else altogether " * 20])
    assert among[0] == pytest.approx(alone[0])


async def test_hostile_texts_get_rows(workers: ProcessEmbedding) -> None:
    texts = ["\x00", "\ud800".encode("utf-8", "replace").decode(), "a" * 100_000, "诊所" * 5_000, "😀", "\n\t"]
    assert np.isfinite(await workers.passages(texts)).all()
    with pytest.raises(ValueError):
        await workers.passages(["a"] * (MOST_TEXTS + 1))


async def test_a_stale_question_costs_no_worker(workers: ProcessEmbedding) -> None:
    await workers.start()
    before = {child.pid for child in children()}
    tasks = [asyncio.create_task(workers.query(f"question {n}")) for n in range(8)]
    await asyncio.sleep(0.001)
    for task in tasks[:-1]:
        task.cancel()
    assert (await tasks[-1]).shape == (1, 384)
    await asyncio.gather(*tasks, return_exceptions=True)
    assert {child.pid for child in children()} == before


async def test_questions_do_not_wait_for_passages(workers: ProcessEmbedding) -> None:
    await workers.start()
    batch = asyncio.create_task(workers.passages(["a long text of many words " * 40] * 32))
    await asyncio.sleep(0.01)
    await workers.query("quick")
    assert not batch.done()
    batch.cancel()
    with pytest.raises(asyncio.CancelledError):
        await batch


async def test_it_comes_back_after_a_worker_died(workers: ProcessEmbedding) -> None:
    await workers.start()
    for child in children():
        child.kill()
        child.wait(5)
    with contextlib.suppress(EnvironmentFault):  # the death may be noticed by this question
        await workers.query("again")
    assert (await workers.query("again")).shape == (1, 384)


async def test_an_idle_worker_goes_and_comes_back(workers: ProcessEmbedding) -> None:
    await workers.passages(["text"])
    async with asyncio.timeout(5):
        while children():  # noqa: ASYNC110 - the end of a process has no event here
            await asyncio.sleep(0.02)
    assert (await workers.passages(["text"])).shape == (1, 384)


async def test_a_model_that_is_missing_or_was_changed_is_said_plainly(tmp_path: Path) -> None:
    missing = ProcessEmbedding(tmp_path / "nowhere", COMMAND)
    await missing.start()
    with pytest.raises(EnvironmentFault, match="Install Muniment again"):
        await missing.query("text")
    assert missing.model.digest == ""
    await missing.close()
    shutil.copytree(MODEL, tmp_path / "model")
    encoder = tmp_path / "model" / "model.onnx"
    encoder.write_bytes(encoder.read_bytes()[:-1] + b"?")
    changed = ProcessEmbedding(tmp_path / "model", COMMAND)
    with pytest.raises(EnvironmentFault, match="can't run"):
        await changed.query("text")
    await changed.close()
    await changed.close()
