"""A worker process, seen from the program: one request at a time, within limits, and always a way back."""

import asyncio
import contextlib
import json
import os
import shutil
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil

import core
from core.adapters.workers.channel import OUT_OF_MEMORY_STATUS
from core.adapters.workers.child import SETTINGS
from core.adapters.workers.frames import PREFIX, BrokenFrame, Frame, lengths, pack, unpack

WATCH_SECONDS = 0.05
START_SECONDS = 60.0
END_SECONDS = 5.0
TEMPORARY_PREFIX = "muniment-worker-"


class WorkerError(Exception):
    """A request had no answer. The worker is gone or idle; the next request finds one that works."""


class WorkerTimedOut(WorkerError):
    """It took longer than its limit and was killed."""


class WorkerOutOfMemory(WorkerError):
    """It took more memory than its limit."""


class WorkerDied(WorkerError):
    """It ended by itself (a crash, or a start that failed). returncode: of the process, negative for a signal."""

    def __init__(self, returncode: int | None) -> None:
        super().__init__(f"the worker ended with status {returncode}")
        self.returncode = returncode


class WorkerFailed(WorkerError):
    """The handler raised. kind: name of the exception's class. place: file and line. Never its text."""

    def __init__(self, kind: str, place: str) -> None:
        super().__init__(f"{kind} at {place}")
        self.kind = kind
        self.place = place


class WorkerClosed(WorkerError):
    """The worker was closed for good."""


class WorkerProcess:
    """A child process that answers requests, started when first needed and again after it was killed or died.

    Killed on its time limit, on its memory limit, when the caller is cancelled, and when it has grown beyond
    `keep_below_bytes` between requests. Its temporary files lie in a private folder that goes with it.
    """

    def __init__(
        self, command: Sequence[str], *, niceness: int = 0, keep_below_bytes: int | None = 512 * 1024 * 1024
    ) -> None:
        self._command = list(command)
        self._niceness = niceness
        self._keep_below = keep_below_bytes
        self._lock = asyncio.Lock()
        self._child: _Child | None = None
        self._watch: _Watch | None = None
        self._closed = False
        self.peak_bytes = 0

    @property
    def pid(self) -> int | None:
        """Process id of the running child; None when there is none."""
        return None if self._child is None else self._child.process.pid

    async def call(
        self,
        body: dict[str, object],
        payload: bytes = b"",
        *,
        seconds: float | None = None,
        memory_bytes: int | None = None,
        on_part: Callable[[Frame], None] | None = None,
    ) -> Frame:
        """Hand over a request and wait for the end of its answer; `on_part` receives what comes before the end.

        Raises a WorkerError. `peak_bytes` then tells the largest resident set seen during the request.
        """
        async with self._lock:
            child = await self._started()
            watch = self._watch = _Watch(child, seconds, memory_bytes)
            try:
                answer = await child.exchange({"memory": memory_bytes, "body": body}, payload, on_part)
            except (EOFError, ConnectionError, BrokenFrame):
                await self._discard()
                raise self._cause(watch, child) from None
            except WorkerFailed:
                raise
            except BaseException:
                await self._discard()
                raise
            finally:
                self.peak_bytes = watch.stop()
                self._watch = None
            if self._keep_below is not None and child.resident_bytes() > self._keep_below:
                await self._discard()
            return answer

    def extend(self, seconds: float) -> None:
        """The request at hand comes on: it may take this long from now. Called from `on_part`."""
        if self._watch is not None:
            self._watch.extend(seconds)

    async def start(self) -> None:
        """Have the child ready before the first request. Raises WorkerDied when it can't start."""
        async with self._lock:
            await self._started()

    async def close(self) -> None:
        """Kill the child and remove its files. May be called twice; a request that waits gets WorkerClosed."""
        self._closed = True
        if self._child is not None:
            self._child.kill()
        async with self._lock:  # a request that runs sees the end of its child and cleans up itself
            await self._discard()

    async def _started(self) -> "_Child":
        if self._closed:
            raise WorkerClosed("the worker was closed")
        if self._child is not None and self._child.process.returncode is not None:
            await self._discard()
        if self._child is None:
            _sweep_temporary_folders()
            child = self._child = await _Child.spawn(self._command, self._niceness)
            try:
                if self._closed:
                    raise EOFError
                async with asyncio.timeout(START_SECONDS):
                    await child.ready()
            except (EOFError, ConnectionError, BrokenFrame, TimeoutError):
                await self._discard()
                if self._closed:
                    raise WorkerClosed("the worker was closed") from None
                raise WorkerDied(child.process.returncode) from None
            except BaseException:
                await self._discard()
                raise
        return self._child

    async def _discard(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            await child.end()

    def _cause(self, watch: "_Watch", child: "_Child") -> WorkerError:
        if self._closed:
            return WorkerClosed("the worker was closed")
        status = child.process.returncode
        if watch.expired:
            return WorkerTimedOut("the worker ran out of time")
        if watch.outgrown or status == OUT_OF_MEMORY_STATUS or (watch.grew and status is not None and status < 0):
            return WorkerOutOfMemory("the worker ran out of memory")
        return WorkerDied(status)


class _Child:
    """A running child process and its folder for temporary files."""

    def __init__(self, process: Process, folder: Path) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self._input = process.stdin
        self._output = process.stdout
        self._folder = folder
        self._measured = psutil.Process(process.pid)

    @classmethod
    async def spawn(cls, command: Sequence[str], niceness: int) -> "_Child":
        folder = Path(tempfile.mkdtemp(prefix=f"{TEMPORARY_PREFIX}{os.getpid()}-"))
        try:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=_environment(folder, niceness)
            )
            return cls(process, folder)
        except psutil.NoSuchProcess:
            shutil.rmtree(folder, ignore_errors=True)
            raise WorkerDied(None) from None
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise WorkerDied(error.errno) from error
        except BaseException:  # cancelled while it starts: the program may be closing
            shutil.rmtree(folder, ignore_errors=True)
            raise

    async def ready(self) -> None:
        await self._receive()

    async def exchange(
        self, header: dict[str, object], payload: bytes, on_part: Callable[[Frame], None] | None
    ) -> Frame:
        self._input.write(pack(Frame(header, payload)))
        await self._input.drain()
        while True:
            frame = await self._receive()
            if frame.header.get("part"):
                if on_part is not None:
                    on_part(Frame(frame.header["body"], frame.payload))
                await asyncio.sleep(0)  # many small frames at once must not hold up the window
            elif frame.header.get("end"):
                return Frame(frame.header["body"], frame.payload)
            elif frame.header.get("error") == "failed":
                raise WorkerFailed(str(frame.header.get("type")), str(frame.header.get("place")))
            else:  # "memory": it ends by itself now
                raise EOFError

    async def _receive(self) -> Frame:
        header, payload = lengths(await self._output.readexactly(PREFIX.size))
        return unpack(await self._output.readexactly(header), await self._output.readexactly(payload))

    def resident_bytes(self) -> int:
        try:
            return self._measured.memory_info().rss
        except psutil.Error:
            return 0

    def kill(self) -> None:
        """Kill it. Not with asyncio's kill(), which asks for the status and may snatch it from asyncio's watcher."""
        if self.process.returncode is None:
            with contextlib.suppress(psutil.Error):
                self._measured.kill()

    async def end(self) -> None:
        """Kill it, unless it is ending by itself, and wait until it is gone, with its files."""
        try:
            if not self._output.at_eof():
                self.kill()
            self._input.close()
            with contextlib.suppress(TimeoutError, ConnectionError):
                async with asyncio.timeout(END_SECONDS):
                    while await self._output.read(65536):  # a full pipe would keep the process from being reaped
                        pass
                    await self.process.wait()
                    await self._input.wait_closed()  # it may have broken; unasked, asyncio would log that later
            self.kill()
            await self.process.wait()
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)


class _Watch:
    """Looks at a child while it works and kills it at its limits."""

    def __init__(self, child: _Child, seconds: float | None, memory_bytes: int | None) -> None:
        self._loop = asyncio.get_running_loop()
        self._child = child
        self._deadline = None if seconds is None else self._loop.time() + seconds
        self._memory = memory_bytes
        self._peak = 0
        self.expired = False
        self.outgrown = False
        self._timer = self._loop.call_later(WATCH_SECONDS, self._look)

    @property
    def grew(self) -> bool:
        """Took so much that a native library's abort means that it got no more (RLIMIT_AS counts more than it uses)."""
        return self._memory is not None and self._peak > self._memory // 2

    def _look(self) -> None:
        self._peak = max(self._peak, self._child.resident_bytes())
        self.outgrown = self._memory is not None and self._peak > self._memory
        self.expired = self._deadline is not None and self._loop.time() >= self._deadline
        if self.outgrown or self.expired:
            self._child.kill()
        else:
            self._timer = self._loop.call_later(WATCH_SECONDS, self._look)

    def extend(self, seconds: float) -> None:
        """Time ends this long from now, not before."""
        if self._deadline is not None:
            self._deadline = max(self._deadline, self._loop.time() + seconds)

    def stop(self) -> int:
        """End the watch; the largest resident set seen, in bytes."""
        self._timer.cancel()
        return max(self._peak, self._child.resident_bytes())


def _environment(folder: Path, niceness: int) -> dict[str, str]:
    """The program's environment, with UTF-8 everywhere, few threads, and a temporary folder of its own."""
    environment = dict(os.environ)
    environment |= {name: str(folder) for name in ("TMPDIR", "TEMP", "TMP")}
    environment |= {
        SETTINGS: json.dumps({"niceness": niceness}),
        "PYTHONUTF8": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "MALLOC_ARENA_MAX": "2",  # every arena takes 64 MB of the address space that RLIMIT_AS counts
    }
    if not getattr(sys, "frozen", False):
        source = str(Path(core.__file__).resolve().parent.parent)
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [source, environment.get("PYTHONPATH", "")]))
    return environment


def _sweep_temporary_folders() -> None:
    """Remove what workers of a program that was killed left behind."""
    for folder in Path(tempfile.gettempdir()).glob(f"{TEMPORARY_PREFIX}*"):
        owner = folder.name.removeprefix(TEMPORARY_PREFIX).split("-")[0]
        if owner.isdigit() and not psutil.pid_exists(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)
