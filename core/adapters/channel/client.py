"""The worker's end of the channel: JobDeskPort of a workspace that another process has open."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.adapters.channel.place import find_place, offered
from core.adapters.channel.wire import MAX_LINE, BadLine, job_from, packed, raised, unpacked
from core.domain.scopes import ActorType, Job, JobState
from core.errors import WorkLost
from core.ports.jobs import BEAT
from core.tasks import TaskScope

PATIENCE = 10.0  # seconds that an answer may take
LOST = "The program that has the workspace open was closed. The work goes on, but nobody sees it."


class RemoteDesk:
    """Made by `connect`; close it when the work is done."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, tasks: TaskScope) -> None:
        self._reader = reader
        self._writer = writer
        self._tasks = tasks
        self._next = 1
        self._asked: dict[int, asyncio.Future[Any]] = {}
        self._stops: dict[str, asyncio.Event] = {}
        self._lost = False

    @classmethod
    async def connect(cls, folder: Path, workspace: str, tasks: TaskScope) -> "RemoteDesk | None":
        """The desk of whoever has this workspace open; None where nobody listens. tasks: for what is heard."""
        if not offered():
            return None
        try:
            reader, writer = await asyncio.open_unix_connection(find_place(folder / ".run"), limit=MAX_LINE)
        except OSError:
            return None
        desk = cls(reader, writer, tasks)
        tasks.start(desk._hear())
        try:
            await desk.ask("hello", workspace=workspace)
        except BaseException:
            await desk.close()
            raise
        return desk

    async def start(
        self, title: str, *, actor: str, actor_type: ActorType, requested_by: str = "", beat: float = BEAT
    ) -> "RemoteWork":
        """See JobDeskPort."""
        answer = await self.ask(
            "start", title=title, actor=actor, actor_type=actor_type.value, requested_by=requested_by, beat=beat
        )
        job = str(answer["job"])
        stop = self._stops.setdefault(job, asyncio.Event())
        return RemoteWork(self, job, stop)

    async def list(self) -> Sequence[Job]:
        """See JobDeskPort."""
        return [job_from(data) for data in await self.ask("list")]

    async def cancel(self, id: str) -> None:
        """See JobDeskPort."""
        await self.ask("cancel", job=id)

    async def ask(self, do: str, **request: object) -> Any:
        """Ask and wait for the answer. Raises what the other side said, or WorkLost."""
        if self._lost:
            raise WorkLost(LOST)
        number, self._next = self._next, self._next + 1
        line = packed({"id": number, "do": do, **request})
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        try:
            self._writer.write(line)
            await self._writer.drain()
            async with asyncio.timeout(PATIENCE):
                return await answer
        except (ConnectionError, TimeoutError):
            self._lose()
            raise WorkLost(LOST) from None
        finally:
            self._asked.pop(number, None)

    async def close(self) -> None:
        """Hang up. May be called twice."""
        self._lose()
        with suppress(ConnectionError):
            await self._writer.wait_closed()

    async def _hear(self) -> None:
        try:
            while line := await self._reader.readline():
                self._heard(unpacked(line))
        except (BadLine, ConnectionError, ValueError):
            pass
        finally:
            self._lose()

    def _heard(self, message: dict[str, Any]) -> None:
        if message.get("event") == "stop":
            self._stops.setdefault(str(message.get("job")), asyncio.Event()).set()
            return
        answer = self._asked.get(message.get("id", 0))
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(raised(message))
        else:
            answer.set_result(message.get("ok"))

    def _lose(self) -> None:
        self._lost = True
        self._writer.close()
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(WorkLost(LOST))


class RemoteWork:
    """WorkPort of one job on the list of another process."""

    def __init__(self, desk: RemoteDesk, job: str, stop: asyncio.Event) -> None:
        self._desk = desk
        self._job = job
        self._stop = stop

    @property
    def id(self) -> str:
        return self._job

    @property
    def stop(self) -> asyncio.Event:
        return self._stop

    async def heartbeat(self, detail: str | None = None, state: JobState | None = None) -> None:
        """See WorkPort."""
        await self._desk.ask("heartbeat", job=self._job, detail=detail, state=None if state is None else state.value)

    async def begin_step(self, title: str) -> str:
        """See WorkPort."""
        return str((await self._desk.ask("begin_step", job=self._job, title=title))["step"])

    async def end_step(self, step: str, state: JobState) -> None:
        """See WorkPort."""
        await self._desk.ask("end_step", job=self._job, step=step, state=state.value)

    async def note(self, key: str, value: object, step: str | None = None) -> None:
        """See WorkPort."""
        await self._desk.ask("note", job=self._job, key=key, value=value, step=step)

    async def end(self, state: JobState, detail: str = "") -> None:
        """See WorkPort."""
        await self._desk.ask("end", job=self._job, state=state.value, detail=detail)
