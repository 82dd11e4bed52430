"""CommandPort: a command as a process group of its own, so that whatever it starts ends with it."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress

from core.errors import UserError
from core.tasks import TaskScope

GRACE = 5.0  # seconds between asking a command to end and killing it
DRAIN = 1.0  # seconds that what a command wrote last may take to come, once it has ended
PIECE = 65536  # bytes read at once


class Commands:
    """grace: seconds that a command has to end by itself once it is asked to."""

    def __init__(self, grace: float = GRACE) -> None:
        self._grace = grace

    async def run(self, command: Sequence[str], on_output: Callable[[bytes, bool], None], stop: asyncio.Event) -> int:
        """See CommandPort. The command reads what is piped in; it gets no keyboard."""
        process = await _started(command)
        errors: list[BaseException] = []
        scope = TaskScope("command", errors.append)
        assert process.stdout is not None
        assert process.stderr is not None
        reading = [
            scope.start(_read(process.stdout, on_output, False)),
            scope.start(_read(process.stderr, on_output, True)),
        ]
        scope.start(self._end_once_asked(process, stop))
        try:
            status = await process.wait()
            await asyncio.wait(reading, timeout=DRAIN)
        finally:
            await self._end(process)
            await scope.close()
        for error in errors:
            raise error
        return status

    async def _end_once_asked(self, process: Process, stop: asyncio.Event) -> None:
        await stop.wait()
        await self._end(process)

    async def _end(self, process: Process) -> None:
        """Ask the whole group to end; kill what doesn't. A second cancelling kills at once."""
        if process.returncode is not None:
            return
        _signal(process, signal.SIGTERM)
        try:
            async with asyncio.timeout(self._grace):
                await process.wait()
        except TimeoutError:
            _kill(process)
            await process.wait()
        except BaseException:
            _kill(process)
            raise


async def _started(command: Sequence[str]) -> Process:
    keyboard = sys.stdin is None or sys.stdin.closed or sys.stdin.isatty()
    group = -1 if sys.platform == "win32" else 0  # 0: a new one
    try:
        return await asyncio.create_subprocess_exec(
            *command, stdin=DEVNULL if keyboard else None, stdout=PIPE, stderr=PIPE, process_group=group
        )
    except FileNotFoundError:
        raise UserError(f"There is no command “{command[0]}” on this computer.", code="no_command") from None
    except OSError as error:
        raise UserError(f"“{command[0]}” can't be run: {error.strerror}.", code="no_start") from None


async def _read(stream: asyncio.StreamReader, on_output: Callable[[bytes, bool], None], wrong: bool) -> None:
    while data := await stream.read(PIECE):
        on_output(data, wrong)


def _signal(process: Process, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.terminate()
        else:
            os.killpg(process.pid, number)


def _kill(process: Process) -> None:
    _signal(process, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
