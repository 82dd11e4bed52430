"""PreviewPort in a worker process."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

from core.adapters.workers.frames import Frame
from core.adapters.workers.process import WorkerError, WorkerOutOfMemory, WorkerProcess, WorkerTimedOut
from core.domain.previews import Mark, PagePicture
from core.errors import UserError
from core.tasks import TaskScope

FORMATS = frozenset({"pdf", "png", "jpeg", "jpg", "gif", "bmp", "tiff", "webp", "heic", "ico", "dicom"})
SECONDS = 10.0
MEMORY_BYTES = 1_200 * 1024 * 1024
IDLE_SECONDS = 90.0  # after which the worker gives its memory back
WIDEST = 4_000


class ProcessPreviews:
    """Draws one page at a time in a child that is started when first needed. command: starts one of kind "previews"."""

    def __init__(self, command: Sequence[str], *, idle_seconds: float = IDLE_SECONDS) -> None:
        self._command = list(command)
        self._idle_seconds = idle_seconds
        self._worker: WorkerProcess | None = None
        self._turn = asyncio.Lock()
        self._tasks = TaskScope("previews", lambda _error: None)
        self._idle: asyncio.TimerHandle | None = None
        self._closed = False

    def draws(self, format: str) -> bool:
        return format in FORMATS

    async def page(
        self, path: Path, name: str, page: int, width: int, lines: Sequence[str] = (), turn: int = 0
    ) -> PagePicture:
        """See PreviewPort. A caller who leaves lets the worker finish: most pages take a tenth of a second, and a new
        worker takes half a second."""
        request: dict[str, object] = {
            "path": os.fspath(path.absolute()),
            "name": name,
            "page": page,
            "width": max(1, min(width, WIDEST)),
            "lines": list(lines),
            "turn": turn,
        }
        async with self._turn:  # who leaves while waiting here costs nothing
            answer = await asyncio.shield(self._tasks.start(self._ask(request, name)))
        return _picture(answer.header, answer.payload, name)

    async def _ask(self, request: dict[str, object], name: str) -> Frame:
        if self._idle is not None:
            self._idle.cancel()
        worker = self._worker = self._worker or WorkerProcess(self._command)
        try:
            return await worker.call(request, seconds=SECONDS, memory_bytes=MEMORY_BYTES)
        except WorkerTimedOut:
            raise UserError(f"“{name}” takes too long to be drawn. Open the original instead.") from None
        except WorkerOutOfMemory:
            raise UserError(f"“{name}” is too large to be shown here. Open the original instead.") from None
        except WorkerError:
            raise UserError(f"“{name}” can't be shown: the file is damaged.") from None
        finally:
            if not self._closed:
                self._idle = asyncio.get_running_loop().call_later(self._idle_seconds, self._retire)

    def _retire(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None and not self._closed:
            self._tasks.start(worker.close())

    async def close(self) -> None:
        """Stop the worker. May be called twice."""
        self._closed = True
        if self._idle is not None:
            self._idle.cancel()
        if self._worker is not None:
            await self._worker.close()
        await self._tasks.close()


def _picture(header: dict[str, object], rgb: bytes, name: str) -> PagePicture:
    """Checks what came: the child may have been taken over by what it read."""
    if "sentence" in header:
        raise UserError(str(header["sentence"]))
    try:
        page, pages, width, height = (int(str(header[key])) for key in ("page", "pages", "width", "height"))
        marks = tuple(Mark(*(min(1.0, max(0.0, float(edge))) for edge in edges)) for edges in header["marks"])  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType, reportGeneralTypeIssues]
    except (KeyError, TypeError, ValueError):
        raise UserError(f"“{name}” can't be shown: the file is damaged.") from None
    if len(rgb) != width * height * 3 or not (width and height and 1 <= page <= pages):
        raise UserError(f"“{name}” can't be shown: the file is damaged.")
    return PagePicture(page, pages, width, height, rgb, marks)
