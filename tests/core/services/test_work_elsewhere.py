"""Workers in other processes: what they report through the channel, what they can't reach, and what is left of it."""

import asyncio
import json
import os
import stat
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from core.adapters.channel import place
from core.adapters.channel.client import RemoteDesk
from core.adapters.channel.server import MOST_JOBS, JobServer
from core.adapters.channel.wire import MAX_LINE
from core.domain.scopes import ActorType, JobState, Owner
from core.errors import InvalidValue, NotFound, OutsideScope, UserError, WorkLost
from core.events import EventHub
from core.ports.jobs import JobDeskPort, WorkPort
from core.services.jobs import JobService
from core.services.work import JobDesk
from core.tasks import TaskScope

A, B = "a" * 32, "b" * 32


class Setting:
    """A workspace with its jobs and its channel. errors: what was reported."""

    def __init__(self, folder: Path, workspace: str = A) -> None:
        self.errors: list[BaseException] = []
        self.now = 1000.0
        self.folder = folder
        (folder / ".run").mkdir(mode=0o700, parents=True)
        self.workspace = workspace
        self.tasks = TaskScope("workspace", self.errors.append)
        self.others = TaskScope("worker", self.errors.append)
        self.jobs = JobService(workspace, EventHub(self.errors.append), lambda: self.now)
        self.server = JobServer(folder, workspace, JobDesk(self.jobs, workspace), self.tasks)
        self._desks: list[RemoteDesk] = []

    async def connect(self, workspace: str | None = None) -> RemoteDesk:
        desk = await RemoteDesk.connect(self.folder, workspace or self.workspace, self.others)
        assert desk is not None
        self._desks.append(desk)
        return desk

    async def raw(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_unix_connection(place.find_place(self.folder / ".run"))

    async def close(self) -> None:
        for desk in self._desks:
            await desk.close()
        await self.others.close()
        await self.server.close()
        await self.tasks.close()
        self.jobs.close()
        assert self.errors == []


@pytest.fixture
async def setting(tmp_path: Path) -> AsyncIterator[Setting]:
    setting = Setting(tmp_path / "A")
    assert await setting.server.start()
    yield setting
    await setting.close()


@pytest.fixture(params=["local", "remote"])
async def desk(request: pytest.FixtureRequest, setting: Setting) -> JobDeskPort:
    return JobDesk(setting.jobs, setting.workspace) if request.param == "local" else await setting.connect()


async def begun(desk: JobDeskPort, title: str = "Letters") -> WorkPort:
    return await desk.start(title, actor="Ada", actor_type=ActorType.AGENT, requested_by="Front desk")


async def until(holds: object) -> None:
    assert callable(holds)
    async with asyncio.timeout(5):
        while not holds():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.005)


# ---- the contract of a desk, local and through the channel ----------------------------------------------------------


async def test_a_job_is_shown_while_it_runs_and_its_memory_ends_with_it(setting: Setting, desk: JobDeskPort) -> None:
    work = await begun(desk)
    job = setting.jobs.get(work.id)
    assert (job.title, job.actor, job.actor_type, job.requested_by) == ("Letters", "Ada", ActorType.AGENT, "Front desk")
    assert (job.state, job.beat, job.can_cancel) == (JobState.RUNNING, 2.0, True)
    owner = Owner(A, job=work.id)
    await work.note("page", {"of": [9]})
    assert setting.jobs.execution.get(owner, "page") == {"of": [9]}
    step = await work.begin_step("Mrs Adler")
    await work.note("greeting", "Dear Mrs Adler", step)
    assert setting.jobs.scratchpad.get(Owner(A, job=work.id, step=step), "greeting") == "Dear Mrs Adler"
    await work.heartbeat("1 of 2", JobState.WAITING)
    assert (setting.jobs.get(work.id).detail, setting.jobs.get(work.id).state) == ("1 of 2", JobState.WAITING)
    await work.end_step(step, JobState.COMPLETED)
    with pytest.raises(OutsideScope):
        setting.jobs.scratchpad.get(Owner(A, job=work.id, step=step), "greeting")
    with pytest.raises(OutsideScope):
        await work.note("greeting", "again", step)
    await work.end(JobState.COMPLETED, "All written.")
    assert (setting.jobs.get(work.id).state, setting.jobs.get(work.id).detail) == (JobState.COMPLETED, "All written.")
    with pytest.raises(OutsideScope):
        setting.jobs.execution.get(owner, "page")
    for report in (work.heartbeat(), work.note("k", 1), work.end(JobState.FAILED)):
        with pytest.raises((NotFound, OutsideScope)):
            await report


async def test_a_wish_to_stop_reaches_the_worker(setting: Setting, desk: JobDeskPort) -> None:
    work = await begun(desk)
    assert not work.stop.is_set()
    setting.jobs.cancel(work.id)
    await asyncio.wait_for(work.stop.wait(), 5)
    await work.end(JobState.CANCELLED)
    assert setting.jobs.get(work.id).state is JobState.CANCELLED


async def test_jobs_are_listed_and_stopped_from_elsewhere(setting: Setting, desk: JobDeskPort) -> None:
    work = await begun(desk)
    assert [(job.id, job.title, job.state) for job in await desk.list()] == [(work.id, "Letters", JobState.RUNNING)]
    assert await desk.list() == [setting.jobs.get(work.id)]
    await desk.cancel(work.id)
    await asyncio.wait_for(work.stop.wait(), 5)
    with pytest.raises(NotFound):
        await desk.cancel("gone")
    papers = setting.jobs.start("Reading", actor="Muniment", actor_type=ActorType.SYSTEM)
    with pytest.raises(UserError, match="can't be stopped"):
        await desk.cancel(papers.id)


@pytest.mark.parametrize("key", ["", "a/b", "..", "a\0b"])
async def test_keys_that_the_contract_refuses(desk: JobDeskPort, key: str) -> None:
    work = await begun(desk)
    with pytest.raises(InvalidValue):
        await work.note(key, 1)


# ---- who reaches what -----------------------------------------------------------------------------------------------


async def test_the_channel_of_one_workspace_is_no_way_into_another(setting: Setting, tmp_path: Path) -> None:
    with pytest.raises(OutsideScope, match="another workspace"):
        await setting.connect(B)
    other = Setting(tmp_path / "B", B)
    assert await other.server.start()
    work = await begun(await other.connect())
    assert await (await setting.connect()).list() == []
    with pytest.raises(NotFound):
        await (await setting.connect()).cancel(work.id)
    await other.close()


async def test_a_worker_reaches_no_job_but_its_own(setting: Setting) -> None:
    mine = await begun(await setting.connect())
    step = await mine.begin_step("secret")
    await mine.note("k", "secret", step)
    stranger = await setting.connect()
    own = await begun(stranger, "Other")
    for request in (
        {"do": "heartbeat", "job": mine.id},
        {"do": "note", "job": mine.id, "key": "k", "value": 1},
        {"do": "note", "job": own.id, "key": "k", "value": 1, "step": step},
        {"do": "end_step", "job": own.id, "step": step, "state": "completed"},
        {"do": "begin_step", "job": mine.id, "title": "x"},
        {"do": "end", "job": mine.id, "state": "failed"},
    ):
        with pytest.raises(OutsideScope):
            await stranger.ask(str(request.pop("do")), **request)
    assert setting.jobs.get(mine.id).state is JobState.RUNNING
    assert "secret" not in json.dumps([str(job) for job in await stranger.list()])


async def test_nobody_is_served_before_the_workspace_is_named(setting: Setting) -> None:
    reader, writer = await setting.raw()
    writer.write(b'{"id": 1, "do": "list"}\n')
    assert json.loads(await reader.readline())["error"] == "outside_scope"
    writer.close()


@pytest.mark.parametrize(
    "line",
    [b"nonsense\n", b"[]\n", b'{"a":' * 100_000 + b"\n", b"\xff\xfe\n", b"x" * (2 * MAX_LINE) + b"\n"],
    ids=["words", "list", "deep", "bytes", "long"],
)
async def test_what_is_no_request_ends_the_connection_and_nothing_else(setting: Setting, line: bytes) -> None:
    reader, writer = await setting.raw()
    writer.write(line)
    with suppress(ConnectionResetError):  # it hung up before all was written
        assert await reader.read() == b""
    writer.close()
    assert await (await setting.connect()).list() == []


async def test_requests_that_make_no_sense_are_answered(setting: Setting) -> None:
    desk = await setting.connect()
    work = await begun(desk)
    for do, request in (
        ("dance", {}),
        ("start", {}),
        ("start", {"title": 1, "actor": 2, "actor_type": "cat", "requested_by": "", "beat": 1}),
        ("start", {"title": "", "actor": "", "actor_type": "agent", "requested_by": "", "beat": "nan of course"}),
        ("heartbeat", {"job": work.id, "state": "tired"}),
        ("heartbeat", {"job": work.id, "state": "completed"}),
        ("end", {"job": work.id, "state": "running"}),
        ("note", {"job": work.id, "key": "k"}),
    ):
        with pytest.raises(InvalidValue):
            await desk.ask(do, **request)
    with pytest.raises(InvalidValue, match="megabyte"):
        await work.note("k", "x" * MAX_LINE)
    with pytest.raises(InvalidValue, match="JSON"):
        await work.note("k", float("nan"))
    await work.heartbeat("still here")
    assert setting.jobs.get(work.id).detail == "still here"


async def test_one_connection_has_a_bounded_number_of_jobs(setting: Setting) -> None:
    desk = await setting.connect()
    for _ in range(MOST_JOBS):
        await begun(desk)
    with pytest.raises(InvalidValue, match="too many"):
        await begun(desk)


# ---- when one side goes away ----------------------------------------------------------------------------------------


async def test_a_worker_that_hangs_up_leaves_its_job_interrupted(setting: Setting) -> None:
    desk = await setting.connect()
    work, done = await begun(desk), await begun(desk, "Done")
    await work.note("k", 1)
    await done.end(JobState.COMPLETED)
    await desk.close()
    await until(lambda: setting.jobs.get(work.id).state is JobState.INTERRUPTED)
    assert setting.jobs.get(done.id).state is JobState.COMPLETED
    with pytest.raises(OutsideScope):
        setting.jobs.execution.get(Owner(A, job=work.id), "k")


async def test_a_worker_that_is_silent_is_interrupted_and_told_when_it_comes_back(setting: Setting) -> None:
    work = await begun(await setting.connect())
    setting.now += 7
    setting.jobs.interrupt_silent()
    assert setting.jobs.get(work.id).state is JobState.INTERRUPTED
    with pytest.raises(NotFound):
        await work.heartbeat()


async def test_when_the_workspace_closes_the_worker_learns_that_nobody_sees_it(setting: Setting) -> None:
    desk = await setting.connect()
    work = await begun(desk)
    await setting.server.close()
    await until(lambda: desk._lost)
    for report in (work.heartbeat(), work.note("k", 1), work.end(JobState.COMPLETED)):
        with pytest.raises(WorkLost):
            await report
    assert await RemoteDesk.connect(setting.folder, A, setting.others) is None


# ---- where it is ----------------------------------------------------------------------------------------------------


async def test_the_socket_is_private_and_goes_with_its_owner(setting: Setting) -> None:
    socket = place.find_place(setting.folder / ".run")
    status = socket.stat()
    assert stat.S_ISSOCK(status.st_mode)
    assert stat.S_IMODE(status.st_mode) == 0o600
    assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
    await setting.server.close()
    assert list((setting.folder / ".run").iterdir()) == []


async def test_a_workspace_that_lies_deep_has_a_channel_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = Path(os.environ["HOME"])  # short enough for a socket
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    deep = Setting(tmp_path / ("deep-" * 20) / ("deeper-" * 20))
    assert await deep.server.start()
    socket = place.find_place(deep.folder / ".run")
    assert socket.parent.parent == temporary
    assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
    assert (await (await deep.connect()).list()) == []
    await deep.close()
    assert not socket.parent.exists()
    assert list((deep.folder / ".run").iterdir()) == []


async def test_what_a_killed_owner_left_is_swept(setting: Setting) -> None:
    again = JobServer(setting.folder, A, JobDesk(setting.jobs, A), setting.tasks)
    assert await again.start()  # the socket of the first stood there
    assert await (await setting.connect()).list() == []
    await again.close()


def test_a_pointer_to_somebody_elses_folder_is_not_followed(tmp_path: Path) -> None:
    run, open_folder = tmp_path / ".run", tmp_path / f"{place.PREFIX}x"
    run.mkdir()
    open_folder.mkdir(mode=0o755)
    (run / place.WHERE).write_bytes(os.fsencode(open_folder / place.SOCKET))
    assert place.find_place(run) == run / place.SOCKET
    open_folder.chmod(0o700)
    assert place.find_place(run) == open_folder / place.SOCKET
