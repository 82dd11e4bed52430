"""Two workspaces share nothing: no method names another, and no file, process or object of one holds the other."""

import asyncio
import dataclasses
import gc
import inspect
import logging
import subprocess
import sys
import tempfile
import threading
import typing
import weakref
from collections.abc import AsyncIterator, Iterator
from pathlib import Path, PurePath
from typing import Any

import psutil
import pytest

from app.bootstrap import Program
from app.logs import log_to
from app.paths import Paths
from core.adapters.sqlite.engine import Database
from core.domain.query import Mode, SearchRequest
from core.domain.scopes import Owner
from core.domain.workspaces import KnownWorkspace, WorkspaceInfo
from core.ports.catalog import CatalogPort
from core.services.manifests import ManifestExchange
from core.services.papers import PaperService
from core.services.workspace import Workspace
from core.services.workspaces import Workspaces
from tests.core.services.work_in_workspace import work

ROOT = Path(__file__).resolve().parents[3]
A, B = "alphazebrafinch", "betakingfisher"

# ---- what can be named ----------------------------------------------------------------------------------------------

# The only places where a path goes in: the papers that a person gives, and where a copy of one is written to.
PATHS_ALLOWED = {
    ("PaperService.add", "sources"),
    ("PaperService.add_written", "source"),
    ("PaperService.export", "target"),
    ("ConversationExchange.seems", "source"),
    ("ConversationExchange.take", "source"),
    ("ConversationExchange.export", "target"),
    ("WatchingService.add", "path"),
    ("WatchingService.refuse", "path"),
    ("WritingOut.entries", "target"),
    ("WritingOut.records", "target"),
    ("ErasureService.save", "target"),
    ("ManifestExchange.take", "source"),
    ("ManifestExchange.export", "target"),
}
TELLING_NAMES = ("workspace", "folder", "directory", "path", "file", "database", "db", "root", "uri", "url")


def members() -> Iterator[type]:
    """The class of every member of the facade, and of what those hold in public."""
    seen: set[type] = set()
    left: list[Any] = [Workspace, CatalogPort, ManifestExchange]  # these two it makes when they are asked for
    while left:
        kind = left.pop()
        kind = typing.get_origin(kind) or kind
        if not inspect.isclass(kind) or kind in seen or not kind.__module__.startswith("core."):
            continue
        seen.add(kind)
        yield kind
        hints = hints_of(kind)
        left.extend(hint for name, hint in hints.items() if not name.startswith("_"))
        for _name, method in methods_of(kind):
            left.append(hints_of(method).get("return"))
        if kind is PaperService:  # given in __init__ and kept in public
            left.append(hints_of(kind.__init__)["rows"])


def hints_of(thing: Any) -> dict[str, Any]:
    return typing.get_type_hints(thing, localns={"array": list})  # array[int] can be written, not evaluated


def methods_of(kind: type) -> list[tuple[str, Any]]:
    functions = inspect.getmembers(kind, lambda member: inspect.isfunction(member) or inspect.ismethod(member))
    return [(name, function) for name, function in functions if not name.startswith("_")]


def kinds_within(hint: Any, seen: frozenset[Any] = frozenset()) -> Iterator[Any]:
    """The types that a value of this type can carry: of unions, containers, callables and dataclasses too."""
    if hint in seen:
        return
    seen = seen | {hint}
    yield hint
    for inner in typing.get_args(hint):
        for each in inner if isinstance(inner, list) else [inner]:
            yield from kinds_within(each, seen)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        for inner in hints_of(hint).values():
            yield from kinds_within(inner, seen)


def parameters() -> Iterator[tuple[str, str, Any]]:
    """(method, parameter, type) of everything that can be handed to a workspace."""
    for kind in members():
        for name, method in methods_of(kind):
            hints = hints_of(method)
            for parameter in list(inspect.signature(method).parameters)[0 if inspect.ismethod(method) else 1 :]:
                assert parameter in hints, f"{kind.__name__}.{name}({parameter}) says no type"
                yield f"{kind.__name__}.{name}", parameter, hints[parameter]


def test_the_walk_meets_every_service() -> None:
    met = {kind.__name__ for kind in members()}
    facade = {hint for name, hint in hints_of(Workspace).items() if not name.startswith("_")}
    expected = {(typing.get_origin(hint) or hint).__name__ for hint in facade if hasattr(hint, "__name__")}
    assert {"PaperService", "SearchService", "MeaningService", "JobService", "Scopes", "ConversationScope"} <= met
    assert {"MemoryPort", "ConversationPort", "SharedPort", "RowsPort", "ChangePort", "ProcessStore"} <= met
    assert {name for name in expected if name not in {"str", "int", "bool", "tuple", "Callable"}} <= met
    assert len(list(parameters())) > 80


def test_no_method_takes_a_path_but_for_papers() -> None:
    found = {
        (method, parameter)
        for method, parameter, hint in parameters()
        if any(inspect.isclass(kind) and issubclass(kind, PurePath) for kind in kinds_within(hint))
    }
    assert found == PATHS_ALLOWED


def test_no_method_takes_another_workspace() -> None:
    forbidden = (Workspace, Workspaces, WorkspaceInfo, KnownWorkspace, Database, Program)
    for method, parameter, hint in parameters():
        assert not set(forbidden).intersection(kinds_within(hint)), (method, parameter)
        if (method, parameter) not in PATHS_ALLOWED:
            words = parameter.split("_")
            assert not set(words).intersection(TELLING_NAMES), (method, parameter)


def test_the_one_value_that_names_a_workspace_is_the_caller() -> None:
    """`Owner.workspace` is compared with the open workspace's own id at every call (test_scopes tries them all)."""
    naming: set[Any] = set()
    for _method, _parameter, hint in parameters():
        for kind in kinds_within(hint):
            if dataclasses.is_dataclass(kind) and any("workspace" in f.name for f in dataclasses.fields(kind)):
                naming.add(kind)
    assert naming == {Owner}


# ---- what is left behind --------------------------------------------------------------------------------------------


@pytest.fixture
def setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with data and temporary folders of its own; the log is at work."""
    for name in ("data", "tmp"):
        (tmp_path / name).mkdir()
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(tmp_path / "tmp"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    log_to(tmp_path / "data")
    root.setLevel(logging.DEBUG)
    for handler in root.handlers:
        if handler not in handlers:
            handler.setLevel(logging.DEBUG)
    yield tmp_path
    for handler in [each for each in root.handlers if each not in handlers]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)


@pytest.fixture
async def program(setting: Path) -> AsyncIterator[Program]:
    data = setting / "data"
    program = Program.build(Paths(data, data, data))
    for name in ("A", "B"):
        await program.workspaces.create(setting, name)
    yield program
    await program.close()


def files_with(marker: str, *folders: Path) -> list[str]:
    """Files below the folders that hold the marker in their path or their bytes."""
    found: list[str] = []
    for folder in folders:
        for path in folder.rglob("*"):
            if marker in path.name or (path.is_file() and marker.encode() in path.read_bytes()):
                found.append(str(path.relative_to(folder)))
    return found


def open_files(process: psutil.Process) -> Iterator[str]:
    """What the process holds open: files, maps, pipes, its working folder."""
    with_pid = Path("/proc") / str(process.pid)
    for descriptor in (with_pid / "fd").iterdir():
        try:
            yield str(descriptor.readlink())
        except FileNotFoundError:
            continue  # the one that lists the folder
    yield from (line.split()[-1] for line in (with_pid / "maps").read_text().splitlines())
    yield str((with_pid / "cwd").readlink())


def objects_of(path: Path) -> list[object]:
    """Workspaces, databases and hubs of this folder that are alive."""
    gc.collect()

    def is_of_it(thing: object) -> bool:
        if type(thing) is Workspace:
            return thing.info.path == path
        return type(thing) is Database and thing.path.parent == path

    return [thing for thing in gc.get_objects() if is_of_it(thing)]


def held_by(workspace: Workspace) -> "list[weakref.ref[object]]":
    """The services of a workspace, without holding them."""
    return [weakref.ref(part) for part in (workspace.events, workspace.papers, workspace.search, workspace.meaning)]


async def test_one_after_the_other_in_one_process(program: Program, setting: Path) -> None:
    a, b = setting / "A", setting / "B"
    workspace = await program.workspaces.open(a)
    await work(workspace, A)
    parts = held_by(workspace)
    del workspace
    me, mine = psutil.Process(), asyncio.current_task()
    workers = me.children(recursive=True)
    assert workers
    assert objects_of(a)
    assert any(str(a) in file for file in open_files(me))

    await program.workspaces.open(b)  # the switch

    assert not any(worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE for worker in workers)
    assert [file for file in open_files(me) if str(a) in file] == []
    assert objects_of(a) == []
    assert [part() for part in parts] == [None] * 4
    assert {thread.name for thread in threading.enumerate() if thread.name.startswith("writer-")} == {"writer-B"}
    running = [task.get_name().partition(":") for task in asyncio.all_tasks() if task is not mine]
    of_b = [work for scope, _, work in running if scope == "workspace"]
    assert "meaning" in of_b
    assert len(of_b) == len(set(of_b))  # one of each: those of A have ended

    workspace = program.workspaces.current
    assert workspace is not None
    await work(workspace, B)
    assert (await workspace.search.search(SearchRequest(A, Mode.WORDS))).hits == ()
    del workspace
    for folder, other in ((a, B), (b, A)):
        assert files_with(other, folder) == []
    await program.close()
    assert asyncio.all_tasks() == {mine}
    assert me.children(recursive=True) == []
    assert objects_of(a) == objects_of(b) == []
    assert [file for file in open_files(me) if str(a) in file or str(b) in file] == []
    check_apart(setting)


def check_apart(setting: Path) -> None:
    """After everything has ended: each marker is in its own folder and nowhere else."""
    for folder, own, other in (("A", A, B), ("B", B, A)):
        assert "workspace.db" in files_with(own, setting / folder)
        assert files_with(other, setting / folder) == []
    for marker in (A, B):
        assert files_with(marker, setting / "data", setting / "tmp") == []
    assert list((setting / "tmp").iterdir()) == []


async def test_at_once_in_two_processes(program: Program, setting: Path) -> None:
    """Both programs share the person's data folder, log and temporary folder."""
    command = [sys.executable, "-m", "tests.core.services.work_in_workspace"]
    running: list[subprocess.Popen[bytes]] = []
    for folder, marker in (("A", A), ("B", B)):
        arguments = [str(setting / folder), str(setting / "data"), marker]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        running.append(await asyncio.to_thread(subprocess.Popen, [*command, *arguments], cwd=ROOT, **pipes))
    try:
        for process in running:
            assert process.stdout is not None
            assert process.stdout.readline() == b"open\n"
        for process, other in zip(running, "BA", strict=True):
            held = [*open_files(psutil.Process(process.pid))]
            assert [file for file in held if file.startswith(str(setting / other))] == []
        for process in running:
            assert process.stdin is not None
            process.stdin.write(b"go\n")
            process.stdin.flush()
        for process in running:
            _out, err = await asyncio.to_thread(process.communicate, timeout=50)
            assert (process.returncode, err) == (0, b"")
    finally:
        for process in running:
            if process.poll() is None:
                process.kill()
            process.communicate()
    check_apart(setting)


async def test_what_goes_wrong_in_one_is_not_told_in_the_other(program: Program, setting: Path) -> None:
    """Events, notes and faults belong to the workspace that they came from."""
    first = await program.workspaces.open(setting / "A")
    heard: list[object] = []
    first.events.subscribe(heard.append)
    events = first.events
    second = await program.workspaces.open(setting / "B")
    before = len(heard)
    await second.shared.set("k", 1)
    assert len(heard) == before
    assert second.events is not events
    with pytest.raises(RuntimeError, match="closed"):
        await first.shared.get("k")
    with pytest.raises(RuntimeError, match="closed"):
        await first.search.search(SearchRequest("k"))
