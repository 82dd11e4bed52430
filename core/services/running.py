"""Running a command as a job: what it writes, how it goes on and how it ends is reported while it runs.

Its output is kept in the scratchpad of the step that runs it and nowhere else; nothing of it is written to disk.
"""

import asyncio
import shlex
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from core.domain.scopes import ActorType, JobState
from core.domain.text import clean
from core.errors import MunimentError, NotFound, WorkLost
from core.ports.jobs import BEAT, CommandPort, JobDeskPort, WorkPort
from core.tasks import TaskScope

KEPT_LINES = 200
LONGEST_LINE = 2000  # characters
REPORTED = 0.25  # seconds between two reports of output
TITLE = 80  # characters of the command that name the job
FIRST_WAIT = 1.0  # seconds before it is tried again; each further wait is twice as long
LONGEST_WAIT = 60.0


@dataclass(frozen=True, slots=True)
class Ended:
    """status: the command's exit status, negative for a signal. seen: reports were taken to the end."""

    status: int
    state: JobState
    seen: bool


class Tail:
    """The last lines of what a command writes, as text that can be shown."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=KEPT_LINES)
        self._open = {False: b"", True: b""}  # the line that hasn't ended yet, of output and of errors
        self.changed = False

    def add(self, data: bytes, wrong: bool) -> None:
        """Take in what was written. A carriage return begins its line anew, as on a terminal."""
        *whole, rest = (self._open[wrong] + data).split(b"\n")
        for line in whole[-KEPT_LINES:]:
            self._lines.append(_shown(line))
        self._open[wrong] = rest[-4 * LONGEST_LINE :]
        self.changed = True

    @property
    def lines(self) -> list[str]:
        """The lines, those that haven't ended yet last."""
        unfinished = [_shown(line) for line in self._open.values() if line]
        return [*self._lines, *unfinished][-KEPT_LINES:]


def _shown(line: bytes) -> str:
    last = line.rstrip(b"\r").rsplit(b"\r", 1)[-1]
    return clean(last.decode("utf-8", "replace"))[:LONGEST_LINE]


class Run:
    """One run of one command. echo: hears the bytes as they come, and whether they are of errors."""

    def __init__(self, commands: CommandPort, command: Sequence[str], echo: Callable[[bytes, bool], None]) -> None:
        self._commands = commands
        self._command = list(command)
        self._echo = echo
        self._seen = True

    async def under(self, desk: JobDeskPort, *, title: str, by: str, retries: int) -> Ended:
        """Run it as a job of this desk; once more, up to `retries` times, where it fails. Raises UserError where the
        command can't be started. Where nobody takes reports any more the command goes on."""
        name = title or shlex.join(self._command)
        work = await desk.start(name[:TITLE], actor=by, actor_type=ActorType.USER)
        ended = Ended(1, JobState.FAILED, True)
        detail = ""
        try:
            await self._report(work.note("command", shlex.join(self._command)))
            ended = await self._attempts(work, retries)
            detail = _how(ended.status) if ended.state is JobState.FAILED else ""
        except asyncio.CancelledError:
            ended = Ended(-2, JobState.CANCELLED, True)
            raise
        except MunimentError as error:
            detail = error.sentence
            raise
        finally:
            await self._report(work.end(ended.state, detail))
        return Ended(ended.status, ended.state, self._seen)

    async def _attempts(self, work: WorkPort, retries: int) -> Ended:
        wait, status = FIRST_WAIT, 1
        for attempt in range(retries + 1):
            name = "Run" if attempt == 0 else f"Run again ({attempt + 1})"
            status = await self._attempt(work, name)
            if work.stop.is_set():
                return Ended(status, JobState.CANCELLED, self._seen)
            if status == 0:
                return Ended(0, JobState.COMPLETED, self._seen)
            if attempt == retries:
                break
            detail = f"{_how(status)} It is tried again in {wait:g} seconds."
            await self._report(work.heartbeat(detail, JobState.RETRYING))
            await self._wait(work, wait)
            if work.stop.is_set():
                return Ended(status, JobState.CANCELLED, self._seen)
            wait = min(2 * wait, LONGEST_WAIT)
        return Ended(status, JobState.FAILED, self._seen)

    async def _wait(self, work: WorkPort, seconds: float) -> None:
        """Wait for so long, or until the work is to stop, giving signs of life."""
        until = time.monotonic() + seconds
        while not work.stop.is_set() and (left := until - time.monotonic()) > 0:
            try:
                async with asyncio.timeout(min(left, BEAT)):
                    await work.stop.wait()
            except TimeoutError:
                await self._report(work.heartbeat())

    async def _attempt(self, work: WorkPort, name: str) -> int:
        tail, step = Tail(), ""
        if self._seen:
            await self._report(work.heartbeat("", JobState.RUNNING))
            step = await self._begun(work, name)
        errors: list[BaseException] = []
        scope = TaskScope("reports", errors.append)

        def heard(data: bytes, wrong: bool) -> None:
            tail.add(data, wrong)
            self._echo(data, wrong)

        scope.start(self._keep_reporting(work, tail, step))
        state = JobState.FAILED
        try:
            status = await self._commands.run(self._command, heard, work.stop)
            state = JobState.COMPLETED if status == 0 else JobState.FAILED
            state = JobState.CANCELLED if work.stop.is_set() else state
            return status
        except asyncio.CancelledError:
            state = JobState.CANCELLED
            raise
        finally:
            await scope.close()
            await self._report_tail(work, tail, step)
            if step:
                await self._report(work.end_step(step, state))

    async def _begun(self, work: WorkPort, name: str) -> str:
        try:
            return await work.begin_step(name)
        except (WorkLost, NotFound):
            self._seen = False
            return ""

    async def _keep_reporting(self, work: WorkPort, tail: Tail, step: str) -> None:
        beaten = time.monotonic()
        while self._seen:
            await asyncio.sleep(REPORTED)
            if tail.changed:
                await self._report_tail(work, tail, step)
                beaten = time.monotonic()
            elif time.monotonic() - beaten >= BEAT / 2:
                await self._report(work.heartbeat())
                beaten = time.monotonic()

    async def _report_tail(self, work: WorkPort, tail: Tail, step: str) -> None:
        if tail.changed and step and self._seen:
            tail.changed = False
            lines = tail.lines
            await self._report(work.note("output", lines, step))
            await self._report(work.heartbeat(lines[-1] if lines else None))

    async def _report(self, report: Coroutine[Any, Any, None]) -> None:
        """Where nobody takes it any more, the command goes on unseen."""
        if not self._seen:
            report.close()
            return
        try:
            await report
        except (WorkLost, NotFound):
            self._seen = False


def _how(status: int) -> str:
    if status < 0:
        return f"It was ended by signal {-status}."
    return f"It ended with code {status}."
