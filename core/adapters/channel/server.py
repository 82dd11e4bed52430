"""The owner's end of the channel: workers of other processes put jobs on the list of this workspace and report.

A connection reaches the jobs that it started and no others. Nothing that comes in is written to disk or to a log.
"""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.adapters.channel.place import clear_place, make_place, offered
from core.adapters.channel.wire import MAX_LINE, VERSION, BadLine, job_data, packed, said, unpacked
from core.domain.scopes import ActorType, JobState
from core.errors import InvalidValue, MunimentError, OutsideScope
from core.ports.jobs import JobDeskPort, WorkPort
from core.tasks import TaskScope

MOST_JOBS = 100  # that one connection may have at once
MOST_CONNECTIONS = 50
LEAST_BEAT, MOST_BEAT = 0.2, 60.0  # seconds


class JobServer:
    """Serves the jobs of one workspace. folder: the workspace's. Start it under the lock of the workspace."""

    def __init__(self, folder: Path, workspace: str, desk: JobDeskPort, tasks: TaskScope) -> None:
        self._run = folder / ".run"
        self._workspace = workspace
        self._desk = desk
        self._tasks = tasks
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()

    async def start(self) -> bool:
        """Listen. False where this system has no such sockets or the folder can hold none: then jobs of other
        processes can't be shown, and everything else works."""
        if not offered():
            return False
        try:
            path = await asyncio.to_thread(make_place, self._run)
            self._server = await asyncio.start_unix_server(self._connected, path, limit=MAX_LINE)
            os.chmod(path, 0o600)  # the folder is private already
        except OSError:  # a network drive without sockets
            await asyncio.to_thread(clear_place, self._run)
            return False
        return True

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._tasks.closed or len(self._open) >= MOST_CONNECTIONS:
            writer.close()
            return
        self._open.add(writer)
        self._tasks.start(self._serve(reader, writer))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = Line(writer, self._desk, self._workspace, self._tasks)
        try:
            while text := await reader.readline():
                await line.answer(text)
        except (BadLine, ConnectionError, ValueError):  # ValueError: a line longer than may be
            pass
        finally:
            self._open.discard(writer)
            writer.close()
            await line.gone()

    async def close(self) -> None:
        """Stop listening and hang up; jobs whose worker reported here count as interrupted."""
        if self._server is not None:
            self._server.close()
            self._server = None
            for writer in list(self._open):
                writer.close()
            await asyncio.to_thread(clear_place, self._run)


class Line:
    """One connection: what it asks, and the jobs that it started."""

    def __init__(self, writer: asyncio.StreamWriter, desk: JobDeskPort, workspace: str, tasks: TaskScope) -> None:
        self._writer = writer
        self._desk = desk
        self._workspace = workspace
        self._tasks = tasks
        self._greeted = False
        self._works: dict[str, WorkPort] = {}
        self._listening: dict[str, asyncio.Task[None]] = {}
        self._doing: dict[str, Callable[[dict[str, Any]], Any]] = {
            "start": self._start, "heartbeat": self._heartbeat, "begin_step": self._begin_step,
            "end_step": self._end_step, "note": self._note, "end": self._end, "list": self._list,
            "cancel": self._cancel,
        }  # fmt: skip

    async def answer(self, text: bytes) -> None:
        """Do what a line asks and answer it. Raises BadLine for what is none."""
        request = unpacked(text)
        try:
            answer = {"ok": await self._do(request)}
        except MunimentError as error:
            answer = said(error)
        except (KeyError, TypeError, ValueError):
            answer = said(InvalidValue("The request is not one that this program knows."))
        self._writer.write(packed({"id": request.get("id"), **answer}))
        await self._writer.drain()

    async def _do(self, request: dict[str, Any]) -> object:
        if request["do"] == "hello":
            if request["workspace"] != self._workspace:
                raise OutsideScope("This channel belongs to another workspace.")
            self._greeted = True
            return {"version": VERSION}
        if not self._greeted:
            raise OutsideScope("Say first which workspace is meant.")
        return await self._doing[request["do"]](request)

    async def _start(self, request: dict[str, Any]) -> object:
        if len(self._works) >= MOST_JOBS:
            raise InvalidValue("There are too many jobs at once.")
        beat = min(max(float(request["beat"]), LEAST_BEAT), MOST_BEAT)
        work = await self._desk.start(
            str(request["title"]),
            actor=str(request["actor"]),
            actor_type=ActorType(request["actor_type"]),
            requested_by=str(request["requested_by"]),
            beat=beat,
        )
        self._works[work.id] = work
        self._listening[work.id] = self._tasks.start(self._tell_stop(work))
        return {"job": work.id}

    async def _tell_stop(self, work: WorkPort) -> None:
        await work.stop.wait()
        self._writer.write(packed({"event": "stop", "job": work.id}))

    async def _heartbeat(self, request: dict[str, Any]) -> None:
        detail, state = request.get("detail"), request.get("state")
        await self._of(request).heartbeat(
            None if detail is None else str(detail), None if state is None else JobState(state)
        )

    async def _begin_step(self, request: dict[str, Any]) -> object:
        return {"step": await self._of(request).begin_step(str(request["title"]))}

    async def _end_step(self, request: dict[str, Any]) -> None:
        await self._of(request).end_step(str(request["step"]), JobState(request["state"]))

    async def _note(self, request: dict[str, Any]) -> None:
        step = request.get("step")
        await self._of(request).note(str(request["key"]), request["value"], None if step is None else str(step))

    async def _end(self, request: dict[str, Any]) -> None:
        work = self._of(request)
        await work.end(JobState(request["state"]), str(request.get("detail", "")))
        self._forget(work.id)

    async def _list(self, _request: dict[str, Any]) -> object:
        return [job_data(job) for job in await self._desk.list()]

    async def _cancel(self, request: dict[str, Any]) -> None:
        await self._desk.cancel(str(request["job"]))

    def _of(self, request: dict[str, Any]) -> WorkPort:
        work = self._works.get(str(request["job"]))
        if work is None:
            raise OutsideScope("This job belongs to another worker, or has ended.")
        return work

    def _forget(self, job: str) -> None:
        self._works.pop(job, None)
        if (listening := self._listening.pop(job, None)) is not None:
            listening.cancel()

    async def gone(self) -> None:
        """The worker hung up: what it hadn't ended is interrupted."""
        for job, work in list(self._works.items()):
            self._forget(job)
            try:
                await work.end(JobState.INTERRUPTED, "Its worker went away.")
            except MunimentError:
                continue  # it was ended as silent already
