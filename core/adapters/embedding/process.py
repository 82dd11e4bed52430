"""Embedding in worker processes: a quick one for questions, and a patient one for passages."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.adapters.embedding.model import described
from core.adapters.workers.process import WorkerError, WorkerProcess
from core.errors import EnvironmentFault
from core.ports.embedding import ModelInfo, Vectors
from core.tasks import TaskScope

QUERY_SECONDS = 20.0  # the first question may have to wait for the model to load
PASSAGE_SECONDS = 30.0  # each passage; a slow machine takes half a second
MEMORY_BYTES = 1_500 * 1024 * 1024
NICENESS = 10
IDLE_SECONDS = 60.0  # after which the passages' worker gives its 150 MB back
MOST_TEXTS = 64
UNKNOWN_MODEL = ModelInfo("", 384, 256, "")


class ProcessEmbedding:
    """Fulfils EmbeddingPort with the model in `folder`. command: starts an embedding worker of this program.

    A missing or unreadable model is no error here but an EnvironmentFault at each call, so that a workspace opens and
    search by words works all the same.
    """

    def __init__(self, folder: Path, command: Sequence[str], *, idle_seconds: float = IDLE_SECONDS) -> None:
        self._folder = folder
        self._command = list(command)
        self._idle_seconds = idle_seconds
        self._fault = ""
        try:
            self._model = described(folder)
        except (OSError, ValueError):
            self._model = UNKNOWN_MODEL
            self._fault = f"Search by meaning is off: its model can't be read from {folder}. Install Muniment again."
        self._query_worker = WorkerProcess(self._command)
        self._passage_worker: WorkerProcess | None = None
        self._query_turn = asyncio.Lock()
        self._passage_turn = asyncio.Lock()
        self._tasks = TaskScope("embedding", lambda _error: None)  # whoever asked gets the error; who left, none
        self._idle: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def model(self) -> ModelInfo:
        return self._model

    async def start(self) -> None:
        """Have the questions' worker and its model ready before the first question. Silent where it can't."""
        try:
            await self._ask_query_worker([])
        except EnvironmentFault:
            return

    async def query(self, text: str) -> Vectors:
        """One row. A caller that is cancelled while the model works lets it finish: that costs milliseconds, and a new
        worker would cost half a second."""
        return await self._ask_query_worker([text])

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Rows of at most 64 texts. Raises EnvironmentFault. Cancelling kills the worker; the next call has another."""
        if len(texts) > MOST_TEXTS:
            raise ValueError(f"at most {MOST_TEXTS} texts at once")
        async with self._passage_turn:
            if self._idle is not None:
                self._idle.cancel()
            worker = self._passage_worker = self._passage_worker or WorkerProcess(self._command, niceness=NICENESS)
            threads = max(1, min(4, (os.cpu_count() or 2) - 1))
            try:
                return await self._ask(worker, texts, threads, PASSAGE_SECONDS * (len(texts) + 1))
            finally:
                if not self._closed:
                    self._idle = asyncio.get_running_loop().call_later(self._idle_seconds, self._retire)

    def _retire(self) -> None:
        worker, self._passage_worker = self._passage_worker, None
        if worker is not None and not self._closed:
            self._tasks.start(worker.close())

    async def _ask_query_worker(self, texts: list[str]) -> Vectors:
        async with self._query_turn:  # who is cancelled while waiting here costs nothing
            asked = self._tasks.start(self._ask(self._query_worker, texts, 1, QUERY_SECONDS))
            return await asyncio.shield(asked)

    async def _ask(self, worker: WorkerProcess, texts: Sequence[str], threads: int, seconds: float) -> Vectors:
        if self._fault:
            raise EnvironmentFault(self._fault)
        request: dict[str, object] = {"model": str(self._folder), "threads": threads, "texts": list(texts)}
        try:
            answer = await worker.call(request, seconds=seconds, memory_bytes=MEMORY_BYTES)
        except WorkerError as error:
            raise EnvironmentFault("Search by meaning can't run just now: its worker process stopped.") from error
        rows = np.frombuffer(answer.payload, np.float32).reshape(len(texts), self._model.dimension)
        if not np.isfinite(rows).all():
            raise EnvironmentFault("Search by meaning can't run: its model answers with no numbers.")
        return rows

    async def close(self) -> None:
        """Stop both workers. May be called twice."""
        self._closed = True
        if self._idle is not None:
            self._idle.cancel()
        await self._query_worker.close()
        if self._passage_worker is not None:
            await self._passage_worker.close()
        await self._tasks.close()
