"""ExportPort in a worker process."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.adapters.exports.wire import Collector
from core.adapters.workers.frames import Frame
from core.adapters.workers.process import WorkerError, WorkerOutOfMemory, WorkerProcess, WorkerTimedOut
from core.domain.conversations import LeftOut, ToldConversation
from core.domain.text import one_line
from core.errors import UserError

NICENESS = 5
SECONDS = 120.0  # one request may take so long
MEMORY_BYTES = 3 * 1024**3


class ProcessExports:
    """Reads exports in a child process. command: starts a worker of the kind "exports"."""

    def __init__(self, command: Sequence[str], *, seconds: float = SECONDS, memory_bytes: int = MEMORY_BYTES) -> None:
        self._worker = WorkerProcess(command, niceness=NICENESS, keep_below_bytes=None)
        self._seconds = seconds
        self._memory = memory_bytes

    async def seems(self, path: Path) -> str:
        """See ExportPort."""
        try:
            answer = await self._ask({"seems": os.fspath(path.absolute())}, path)
            return str(answer.header.get("program", ""))
        except UserError:
            return ""

    async def open(self, path: Path) -> int:
        """See ExportPort."""
        answer = await self._ask({"open": os.fspath(path.absolute())}, path)
        return int(answer.header.get("count", 0))

    async def some(self, path: Path, first: int, count: int) -> list[ToldConversation | LeftOut]:
        """See ExportPort."""
        collector = Collector()
        request: dict[str, Any] = {"path": os.fspath(path.absolute()), "first": first, "count": count}
        await self._ask(request, path, collector)
        try:
            return collector.all()
        except (KeyError, TypeError, ValueError):
            raise _stopped(path) from None

    async def close(self) -> None:
        """See ExportPort."""
        await self._worker.close()

    async def _ask(self, request: dict[str, Any], path: Path, collector: Collector | None = None) -> Frame:
        name = one_line(os.fsencode(path.name).decode("utf-8", "replace"))

        def collect(part: Frame) -> None:
            if collector is not None:
                collector.add(part.header)

        try:
            answer = await self._worker.call(
                {**request, "name": name}, seconds=self._seconds, memory_bytes=self._memory, on_part=collect
            )
        except WorkerTimedOut:
            raise UserError(f"“{name}” took too long to read and was stopped. It may be made to do harm.") from None
        except WorkerOutOfMemory:
            raise UserError(f"“{name}” needs more memory to read than it is allowed.") from None
        except (WorkerError, KeyError, TypeError, ValueError):
            raise _stopped(path) from None
        if refused := answer.header.get("refused"):
            raise UserError(str(refused))
        return answer


def _stopped(path: Path) -> UserError:
    return UserError(f"“{one_line(path.name)}” stopped its reader and was set aside. It is probably damaged.")
