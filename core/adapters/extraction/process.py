"""ExtractionPort in a worker process."""

import os
from collections.abc import Sequence
from pathlib import Path

from core.adapters.extraction.wire import from_header, page_from, passages_from
from core.adapters.workers.frames import Frame
from core.adapters.workers.process import (
    WorkerDied,
    WorkerError,
    WorkerOutOfMemory,
    WorkerProcess,
    WorkerTimedOut,
)
from core.domain.extraction import Extracted, PassageDraft, Refusal, RefusalCode
from core.domain.recognition import RecognisedPage
from core.domain.text import one_line
from core.ports.extraction import OnPage, ReadLimits

NICENESS = 10


class ProcessExtraction:
    """Reads papers in a child process, one at a time.

    command: starts a worker of the kind "extraction". tokenizer: the embedding model's tokenizer.json, which tells how
    long a passage may be. models: folder of the networks that recognise text in pictures; without one they are counted.
    """

    def __init__(
        self, command: Sequence[str], tokenizer: Path, *, models: Path | None = None, niceness: int = NICENESS
    ) -> None:
        self._worker = WorkerProcess(command, niceness=niceness)
        self._tokenizer = tokenizer
        self._models = models
        self.defects: list[str] = []  # errors that no reader foresaw in the last paper: kind and place, no text

    @property
    def peak_bytes(self) -> int:
        """Largest resident set of the worker seen during the last reading."""
        return self._worker.peak_bytes

    async def read(
        self,
        path: Path,
        name: str,
        *,
        password: str | None = None,
        limits: ReadLimits | None = None,
        on_page: OnPage | None = None,
    ) -> Extracted | Refusal:
        """See ExtractionPort."""
        limits = limits or ReadLimits()
        name = one_line(name) or "The paper"
        if (refused := _refused_unread(path, name, limits)) is not None:
            return refused
        passages: list[PassageDraft] = []
        recognised: list[RecognisedPage] = []
        self.defects = []

        def collect(part: Frame) -> None:
            header = part.header
            passages.extend(passages_from(header.get("passages", [])))
            if "recognised" in header:
                recognised.append(page_from(header["recognised"]))
            elif "page" in header or "alive" in header:
                self._worker.extend(limits.seconds)
            if "page" in header and on_page is not None:
                on_page(int(header["page"]), int(header["pages"]))

        request: dict[str, object] = {
            "path": os.fspath(path.absolute()),
            "name": name,
            "password": password,
            "characters": limits.text_characters,
            "tokenizer": str(self._tokenizer),
            "models": None if self._models is None else str(self._models),
        }
        try:
            answer = await self._worker.call(
                request, seconds=limits.seconds, memory_bytes=limits.memory_bytes, on_part=collect
            )
            result = from_header(answer.header, passages, recognised)
            self.defects = [str(defect) for defect in answer.header.get("defects", [])]
            return result
        except WorkerError as error:
            return _refused_by(error, name, limits)
        except (KeyError, TypeError, ValueError):  # a child that was taken over by what it read
            return _refused_by(WorkerDied(None), name, limits)

    async def start(self) -> None:
        """Have the worker ready before the first paper comes."""
        await self._worker.start()

    async def close(self) -> None:
        """See ExtractionPort."""
        await self._worker.close()


def _refused_unread(path: Path, name: str, limits: ReadLimits) -> Refusal | None:
    """What needs no look inside: a file that isn't there, or one that can't fit into the worker."""
    try:
        size = path.stat().st_size
    except OSError:
        return Refusal(RefusalCode.MISSING, f"{name} is not there any more, or can't be opened.")
    if not path.is_file():
        return Refusal(RefusalCode.UNSUPPORTED, f"{name} is not a file.")
    if size > limits.memory_bytes // 3:
        most = limits.memory_bytes // 3 // (1024 * 1024)
        return Refusal(
            RefusalCode.TOO_LARGE, f"{name} is too large to read: more than {most} MB. Split it and add the pieces."
        )
    return None


def _refused_by(error: WorkerError, name: str, limits: ReadLimits) -> Refusal:
    if isinstance(error, WorkerTimedOut):
        sentence = (
            f"{name} took longer than {limits.seconds:g} seconds to read and was stopped. Split it, or try again."
        )
        return Refusal(RefusalCode.TIME, sentence)
    if isinstance(error, WorkerOutOfMemory):
        sentence = f"{name} needs more memory to read than it is allowed. It may be damaged, or made to do harm."
        return Refusal(RefusalCode.MEMORY, sentence)
    sentence = f"{name} stopped its reader and was set aside. It is probably damaged; open and save it in its program."
    return Refusal(RefusalCode.CRASHED, sentence)
