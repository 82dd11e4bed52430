"""muniment job run, and jobs of Python programs: seen by whoever has the workspace open, stopped from both sides,
and never on disk.
"""

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import psutil
import pytest

from app.bootstrap import Program
from app.jobs import JobStopped, job
from app.paths import Paths
from core.domain.scopes import Job, JobState, Owner
from core.errors import OutsideScope, UserError
from core.ports.rows import ListQuery
from core.services.workspace import Workspace
from tests.app.terminal import Terminal
from tests.app.test_command_line import make

SECRET = "zebrafinch-output"
SAY = "import sys, time\nfor n in range(600): print('line', n, flush=True); time.sleep(0.05)"


async def made(terminal: Terminal) -> Path:
    answer = await asyncio.to_thread(terminal.run, "workspace", "create", "Front", "--in", terminal.home, "--json")
    return Path(answer.json["path"])


@pytest.fixture
async def owner(terminal: Terminal) -> AsyncIterator[Workspace]:
    """The workspace, open in this process as in a window."""
    path = await made(terminal)
    data = terminal.home / "owner"
    data.mkdir()
    program = Program.build(Paths(data, data, data))
    yield await program.workspaces.open(path)
    await program.close()


async def jobs(workspace: Workspace) -> list[Job]:
    return [job for job in await workspace.jobs.rows(await workspace.jobs.snapshot(ListQuery())) if job is not None]


async def until(holds: Callable[[], object], seconds: float = 20.0) -> None:
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.01)


async def running(workspace: Workspace) -> Job:
    """The one job, once its step runs."""
    await until(lambda: workspace.jobs.steps_now())
    (found,) = await jobs(workspace)
    return found


def output(workspace: Workspace) -> list[str]:
    (step, _), *_ = workspace.jobs.steps_now() or [(None, "")]
    lines = workspace.jobs.scratchpad.get(step, "output") if step is not None else None
    return list(lines) if isinstance(lines, list) else []


def start(terminal: Terminal, workspace: Workspace, *arguments: str) -> "subprocess.Popen[bytes]":
    """The runner as a process of its own."""
    return terminal.start("job", "run", "-w", workspace.info.path, *arguments)


async def ended(process: "subprocess.Popen[bytes]") -> tuple[int, bytes, bytes]:
    out, err = await asyncio.to_thread(process.communicate, timeout=30)
    return process.returncode, out, err


# ---- in the window's workspace --------------------------------------------------------------------------------------


async def test_a_command_is_seen_while_it_runs_and_ends_as_it_ended(terminal: Terminal, owner: Workspace) -> None:
    gate = terminal.home / "gate"
    wait = (
        "import pathlib, time, sys\nprint('begun', flush=True)\nsys.stderr.write('to errors\\n')\nsys.stderr.flush()\n"
    )
    wait += f"while not pathlib.Path({str(gate)!r}).exists(): time.sleep(0.02)\nprint('over'); sys.exit(3)"
    process = start(terminal, owner, "--title", "Weekly letters", "--", sys.executable, "-c", wait)
    job = await running(owner)
    assert (job.title, job.state, job.can_cancel) == ("Weekly letters", JobState.RUNNING, True)
    await until(lambda: set(output(owner)) == {"begun", "to errors"})
    command = owner.jobs.execution.get(Owner(owner.info.id, job=job.id), "command")
    assert str(command).startswith(sys.executable)
    gate.touch()
    assert await ended(process) == (3, b"begun\nover\n", b"to errors\n")
    await until(lambda: owner.jobs.get(job.id).state.ended)
    after = owner.jobs.get(job.id)
    assert (after.state, after.detail) == (JobState.FAILED, "It ended with code 3.")
    assert owner.jobs.steps_now() == []
    with pytest.raises(OutsideScope):
        owner.jobs.execution.get(Owner(owner.info.id, job=job.id), "command")


async def test_the_window_stops_a_command_and_all_that_it_started(terminal: Terminal, owner: Workspace) -> None:
    process = start(
        terminal,
        owner,
        "--",
        "sh",
        "-c",
        f"sleep 300 & echo begun; {sys.executable} -c 'import time; time.sleep(300)'; true",
    )
    job = await running(owner)
    await until(lambda: output(owner) == ["begun"])
    below = psutil.Process(process.pid).children(recursive=True)
    assert len(below) >= 2
    owner.jobs.cancel(job.id)
    code, _, err = await ended(process)
    assert (code, err) == (128 + signal.SIGTERM, b"The job was stopped.\n")
    await until(lambda: owner.jobs.get(job.id).state is JobState.CANCELLED)
    await until(lambda: not any(each.is_running() and each.status() != psutil.STATUS_ZOMBIE for each in below))


async def test_a_command_that_ignores_the_wish_is_killed(terminal: Terminal, owner: Workspace) -> None:
    deaf = (
        "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('deaf', flush=True)\ntime.sleep(300)"
    )
    process = start(terminal, owner, "--", sys.executable, "-c", deaf)
    job = await running(owner)
    await until(lambda: output(owner) == ["deaf"])
    owner.jobs.cancel(job.id)
    assert (await ended(process))[0] == 128 + signal.SIGKILL
    await until(lambda: owner.jobs.get(job.id).state is JobState.CANCELLED)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_to_the_terminal_stops_both(
    terminal: Terminal, owner: Workspace, number: signal.Signals
) -> None:
    process = start(terminal, owner, "--", sys.executable, "-c", SAY)
    job = await running(owner)
    await until(lambda: output(owner))
    below = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(number)
    assert (await ended(process))[0] == 128 + number
    await until(lambda: owner.jobs.get(job.id).state is JobState.CANCELLED)
    assert not any(each.is_running() and each.status() != psutil.STATUS_ZOMBIE for each in below)


async def test_a_killed_worker_is_interrupted(terminal: Terminal, owner: Workspace) -> None:
    process = start(terminal, owner, "--", sys.executable, "-c", "import time; time.sleep(300)")
    job = await running(owner)
    below = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    await until(lambda: owner.jobs.get(job.id).state is JobState.INTERRUPTED)
    await ended(process)
    for each in below:
        each.kill()


async def test_a_worker_that_hangs_is_interrupted_by_its_missing_sign_of_life(
    terminal: Terminal, owner: Workspace
) -> None:
    process = start(terminal, owner, "--", sys.executable, "-c", SAY)
    job = await running(owner)
    process.send_signal(signal.SIGSTOP)
    begun = time.monotonic()
    await until(lambda: owner.jobs.get(job.id).state is JobState.INTERRUPTED)
    assert time.monotonic() - begun > 4  # three beats of two seconds, less what had passed of the first
    process.send_signal(signal.SIGCONT)
    process.send_signal(signal.SIGTERM)
    assert (await ended(process))[0] == 128 + signal.SIGTERM


async def test_what_fails_is_tried_again(terminal: Terminal, owner: Workspace) -> None:
    mark = f"p = __import__('pathlib').Path({str(terminal.home / 'mark')!r})"
    once = f"{mark}\nif p.exists(): raise SystemExit(0)\np.touch(); raise SystemExit(1)"
    process = start(terminal, owner, "--retries", "2", "--", sys.executable, "-c", once)
    await until(lambda: any(job.state is JobState.RETRYING for job in owner.jobs._jobs.values()))
    (job,) = await jobs(owner)
    assert job.detail == "It ended with code 1. It is tried again in 1 seconds."
    assert (await ended(process))[0] == 0
    await until(lambda: owner.jobs.get(job.id).state is JobState.COMPLETED)
    assert [step.state for step in owner.jobs.steps_of(job.id)] == [JobState.FAILED, JobState.COMPLETED]


async def test_the_command_goes_on_where_the_window_is_closed(terminal: Terminal) -> None:
    path = await made(terminal)
    data = terminal.home / "owner"
    data.mkdir()
    program = Program.build(Paths(data, data, data))
    workspace = await program.workspaces.open(path)
    gate = terminal.home / "gate"
    wait = f"import pathlib, time\nwhile not pathlib.Path({str(gate)!r}).exists(): time.sleep(0.02)\nprint('over')"
    process = start(terminal, workspace, "--", sys.executable, "-c", wait)
    await running(workspace)
    await program.close()
    gate.touch()
    code, out, err = await ended(process)
    assert (code, out) == (0, b"over\n")
    assert b"seen by nobody" in err


# ---- where nothing has the workspace open ---------------------------------------------------------------------------


def test_without_a_window_the_command_owns_the_workspace_for_the_run(terminal: Terminal) -> None:
    path = make(terminal)
    answer = terminal.run("job", "run", "--", "sh", "-c", "echo out; echo err >&2; exit 5")
    assert (answer.code, answer.out, answer.err) == (5, "out\n", "err\n")
    assert terminal.run("job", "run", "--", "sh", "-c", "kill -9 $$").code == 137
    missing = terminal.run("job", "run", "--", "no-such-command")
    assert (missing.code, missing.out, missing.err) == (
        127,
        "",
        "There is no command “no-such-command” on this computer.\n",
    )
    assert terminal.run("job", "run", "--", str(path)).code == 126
    assert terminal.call("job", "run").err == "Say which command: muniment job run -- COMMAND …\n"
    assert terminal.call("job", "list").err == "No job runs here.\n"
    assert terminal.call("job", "cancel", "x").code == 3
    assert sorted(each.name for each in (path / ".run").iterdir()) == ["lock", "owner.json"]


def test_a_second_run_joins_the_first_and_jobs_are_listed_and_stopped(terminal: Terminal) -> None:
    make(terminal)
    process = terminal.start("job", "run", "--title", "First", "--", sys.executable, "-c", SAY)
    assert process.stdout is not None
    assert process.stdout.readline() == b"line 0\n"
    assert terminal.run("job", "run", "--title", "Second", "--", "true").code == 0
    listed = terminal.call("job", "list", "--json").json
    assert [(each["title"], each["state"]) for each in listed] == [("Second", "completed"), ("First", "running")]
    assert terminal.call("job", "cancel", listed[1]["id"][:8]).out == "Asked “First” to stop.\n"
    process.communicate(timeout=20)
    assert process.returncode == 143


# ---- never on disk --------------------------------------------------------------------------------------------------


def with_secret(*folders: Path) -> list[Path]:
    """Files below the folders that hold the secret, in their names or their bytes."""
    found: list[Path] = []
    for path in (path for folder in folders for path in folder.rglob("*")):
        if SECRET in path.name or (path.is_file() and SECRET.encode() in path.read_bytes()):
            found.append(path)
    return found


async def test_nothing_of_a_run_reaches_a_disk(terminal: Terminal, owner: Workspace) -> None:
    code = "import time\nfor n in range(40): print('zebrafinch' + '-output', flush=True); time.sleep(0.02)"
    process = start(terminal, owner, "--title", SECRET, "--", sys.executable, "-c", code, SECRET)
    job = await running(owner)
    assert job.title == SECRET
    await until(lambda: any(SECRET in line for line in output(owner)))
    assert with_secret(terminal.home) == []
    process.kill()
    await ended(process)
    await until(lambda: owner.jobs.get(job.id).state.ended)
    assert with_secret(terminal.home) == []


# ---- Python programs ------------------------------------------------------------------------------------------------


async def test_a_python_program_reports_its_steps(terminal: Terminal, owner: Workspace) -> None:
    paths = Paths(*[terminal.home / "other"] * 3)
    paths.data.mkdir()
    seen: list[object] = []

    def look(what: str) -> None:
        async def now() -> None:
            (job,) = await jobs(owner)
            steps = owner.jobs.steps_now()
            notes = [owner.jobs.scratchpad.get(step, "greeting") for step, _ in steps]
            seen.append((what, job.state.value, job.detail, [title for _, title in steps], notes))

        asyncio.run_coroutine_threadsafe(now(), loop).result()

    def work() -> None:
        with job("Letters", owner.info.path, paths=paths) as running:
            running.say("1 of 1")
            with running.step("Mrs Adler") as step:
                step.note("greeting", "Dear Mrs Adler")
                look("in the step")
            look("after the step")

    loop = asyncio.get_running_loop()
    await asyncio.to_thread(work)
    look_after = (await jobs(owner))[0]
    assert seen == [
        ("in the step", "running", "1 of 1", ["Mrs Adler"], ["Dear Mrs Adler"]),
        ("after the step", "running", "1 of 1", [], []),
    ]
    assert look_after.state is JobState.COMPLETED


async def test_a_python_program_hears_the_wish_to_stop_and_its_errors_end_the_job(
    terminal: Terminal, owner: Workspace
) -> None:
    paths = Paths(*[terminal.home / "other"] * 3)
    paths.data.mkdir()

    def stopped() -> None:
        with job("Stopped", owner.info.path, paths=paths) as running, running.step("Waiting"):
            while True:
                running.check()
                time.sleep(0.01)

    def broken() -> None:
        with job("Broken", owner.info.path, paths=paths):
            raise ZeroDivisionError(SECRET)

    running_one = asyncio.get_running_loop().run_in_executor(None, stopped)
    found = await running(owner)
    owner.jobs.cancel(found.id)
    with pytest.raises(JobStopped):
        await running_one
    with pytest.raises(ZeroDivisionError):
        await asyncio.to_thread(broken)
    assert [(each.title, each.state, each.detail) for each in await jobs(owner)] == [
        ("Broken", JobState.FAILED, "ZeroDivisionError"),
        ("Stopped", JobState.CANCELLED, ""),
    ]


def test_a_python_program_opens_the_workspace_where_nobody_has_it(terminal: Terminal) -> None:
    path = make(terminal)
    paths = Paths(*[terminal.home / "other"] * 3)
    paths.data.mkdir()
    with job("Alone", path, paths=paths) as running:
        running.note("k", {"v": 1})
        listed = terminal.call("job", "list", "-w", path, "--json").json
        assert [(each["title"], each["state"]) for each in listed] == [("Alone", "running")]
    assert terminal.call("job", "list", "-w", path).out == ""
    with pytest.raises(UserError, match="no workspace called"), job("x", "Nowhere", paths=paths):
        pass
