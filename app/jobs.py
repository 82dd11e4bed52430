"""Jobs from outside the window: the desk where they are reported, and a context manager for Python programs.

    from app.jobs import job

    with job("Weekly letters", workspace="Northside Clinic") as work:
        for name in names:
            work.check()                       # raises JobStopped once somebody stopped the job in the window
            with work.step(f"Letter to {name}") as step:
                step.note("greeting", f"Dear {name}")

Where the workspace is open in a window the job appears there while it runs; otherwise this program opens the workspace
itself for as long as the job lasts. Nothing that is noted down is ever written to disk.
"""

import asyncio
import getpass
import threading
from collections.abc import AsyncGenerator, Coroutine, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from app.bootstrap import Program
from app.finding import find
from app.paths import Paths
from core.adapters.channel.client import RemoteDesk
from core.domain.scopes import ActorType, JobState
from core.errors import MunimentError, NotFound, WorkLost, WorkspaceInUse
from core.ports.jobs import BEAT, JobDeskPort, WorkPort
from core.services.work import JobDesk
from core.tasks import TaskScope

T = TypeVar("T")

OPENING = 5.0  # seconds that the owner of a workspace has to begin to listen, while it opens or closes it
AGAIN = 0.1


@asynccontextmanager
async def job_desk(program: Program, wanted: str | None) -> AsyncGenerator[JobDeskPort]:
    """The desk of the workspace that is meant: of whoever has it open, or of this program, which then opens it.

    Raises UserError where there is no such workspace, WorkspaceInUse where its owner takes no jobs from elsewhere.
    """
    path = await find(program, wanted)
    errors: list[BaseException] = []
    tasks = TaskScope("channel", errors.append)
    desk = await remote_desk(program, path, tasks)
    try:
        if desk is not None:
            yield desk
            return
        until = asyncio.get_running_loop().time() + OPENING
        while True:
            try:
                workspace = await program.workspaces.open(path)
                break
            except WorkspaceInUse:  # opened or closed by another at this moment
                if asyncio.get_running_loop().time() > until:
                    raise
                await asyncio.sleep(AGAIN)
                if (desk := await remote_desk(program, path, tasks)) is not None:
                    break
        yield desk if desk is not None else JobDesk(workspace.jobs, workspace.info.id)
    finally:
        if desk is not None:
            await desk.close()
        await tasks.close()


async def remote_desk(program: Program, path: Path, tasks: TaskScope) -> RemoteDesk | None:
    """The desk of another process that has the workspace open; None where none has."""
    known = await program.workspaces.add(path)
    return await RemoteDesk.connect(known.path, known.id or "", tasks)


def this_person() -> str:
    """Who runs this program."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "somebody"


# ---- the context manager --------------------------------------------------------------------------------------------


class JobStopped(Exception):
    """Somebody stopped the job in the window."""


class RunningStep:
    """One step of a running job."""

    def __init__(self, running: "RunningJob", id: str) -> None:
        self._running = running
        self._id = id

    def note(self, key: str, value: object) -> None:
        """Put a JSON value into the scratchpad of this step; it goes when the step ends."""
        self._running.report(self._running.work.note(key, value, self._id))


class RunningJob:
    """What `job` gives. Use it in the thread that entered `job`."""

    def __init__(self, work: WorkPort, loop: asyncio.AbstractEventLoop) -> None:
        self.work = work
        self._loop = loop

    @property
    def stopped(self) -> bool:
        """Somebody wishes that the job stops."""
        return self.work.stop.is_set()

    def check(self) -> None:
        """Raises JobStopped once somebody wishes that the job stops."""
        if self.stopped:
            raise JobStopped

    def say(self, detail: str) -> None:
        """Say what is being done now."""
        self.report(self.work.heartbeat(detail))

    def note(self, key: str, value: object) -> None:
        """Put a JSON value into the job's execution memory; it goes when the job ends."""
        self.report(self.work.note(key, value))

    @contextmanager
    def step(self, title: str) -> Generator[RunningStep]:
        """A step with a scratchpad of its own."""
        id, state = self._wait(self.work.begin_step(title)), JobState.FAILED
        try:
            yield RunningStep(self, id)
            state = JobState.COMPLETED
        except JobStopped:
            state = JobState.CANCELLED
            raise
        finally:
            self.report(self.work.end_step(id, state))

    def report(self, report: Coroutine[Any, Any, None]) -> None:
        """Hand a report over. Where the window was closed meanwhile the work goes on unseen."""
        with suppress(WorkLost, NotFound):
            self._wait(report)

    def _wait(self, report: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(report, self._loop).result()


@contextmanager
def job(title: str, workspace: str | Path | None = None, *, paths: Paths | None = None) -> Generator[RunningJob]:
    """A job on the list of a workspace (its name or folder; None: the one opened last) for as long as the block runs.

    It counts as done when the block ends, as failed where the block raises, and as cancelled where it raises
    JobStopped. Signs of life are given in the background.
    """
    worker = _Worker(title, None if workspace is None else str(workspace), paths or Paths.of_user())
    running = worker.start()
    state, detail = JobState.FAILED, ""
    try:
        yield running
        state = JobState.COMPLETED
    except (JobStopped, KeyboardInterrupt):
        state = JobState.CANCELLED
        raise
    except BaseException as error:
        detail = type(error).__name__  # not its text, which may hold what only the job may know
        raise
    finally:
        with suppress(MunimentError):
            running.report(running.work.end(state, detail))
        worker.stop()


class _Worker:
    """A thread with a loop of its own, on which reports go out and wishes to stop come in."""

    def __init__(self, title: str, wanted: str | None, paths: Paths) -> None:
        self._title = title
        self._wanted = wanted
        self._paths = paths
        self._ready = threading.Event()
        self._running: RunningJob | None = None
        self._error: BaseException | None = None
        self._done: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._live, name="job", daemon=True)

    def start(self) -> RunningJob:
        self._thread.start()
        self._ready.wait()
        if self._running is None:
            self._thread.join()
            raise self._error or RuntimeError("the job could not be begun")
        return self._running

    def stop(self) -> None:
        if self._loop is not None and self._done is not None:
            self._loop.call_soon_threadsafe(self._done.set)
        self._thread.join()

    def _live(self) -> None:
        try:
            asyncio.run(self._report())
        except BaseException as error:
            self._error = error
        finally:
            self._ready.set()

    async def _report(self) -> None:
        self._loop, self._done = asyncio.get_running_loop(), asyncio.Event()
        program = Program.build(self._paths)
        try:
            async with job_desk(program, self._wanted) as desk:
                work = await desk.start(self._title, actor=this_person(), actor_type=ActorType.USER)
                self._running = RunningJob(work, self._loop)
                self._ready.set()
                await self._beat(work, self._done)
        finally:
            await program.close()

    async def _beat(self, work: WorkPort, done: asyncio.Event) -> None:
        while not done.is_set():
            try:
                async with asyncio.timeout(BEAT / 2):
                    await done.wait()
            except TimeoutError:
                with suppress(WorkLost, NotFound):
                    await work.heartbeat()
