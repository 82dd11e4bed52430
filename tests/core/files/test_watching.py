"""The watcher on the real disk: what it looks at, what it hears, and that it ends."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.adapters.files import watching
from core.adapters.files.watching import FolderWatcher
from core.errors import EnvironmentFault, InvalidValue
from tests.core.services.watched import until


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "Scans" / "in").mkdir(parents=True)
    return tmp_path / "Scans"


class Ear:
    """Hears what happens in a folder."""

    def __init__(self) -> None:
        self.paths: set[str] = set()
        self.ready = asyncio.Event()

    def __call__(self, paths: frozenset[str]) -> None:
        self.paths |= paths
        self.ready.set()


@pytest.fixture
async def listening() -> AsyncIterator[list["asyncio.Task[None]"]]:
    tasks: list[asyncio.Task[None]] = []
    yield tasks
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    assert not [thread for thread in threading.enumerate() if thread.name == "watched-folder"]


async def listen(tasks: list["asyncio.Task[None]"], folder: Path, subfolders: bool = True) -> Ear:
    ear = Ear()
    tasks.append(asyncio.ensure_future(FolderWatcher().follow(folder, subfolders, ear)))
    await ear.ready.wait()
    return ear


async def test_what_happens_is_heard(folder: Path, listening: list["asyncio.Task[None]"]) -> None:
    ear = await listen(listening, folder)
    (folder / "a.txt").write_text("a")
    (folder / "in" / "b.txt").write_text("b")
    await until(lambda: {"a.txt", "in/b.txt"} <= ear.paths)
    ear.paths.clear()
    (folder / "a.txt").rename(folder / "c.txt")
    (folder / "in" / "b.txt").unlink()
    await until(lambda: {"a.txt", "c.txt", "in/b.txt"} <= ear.paths)


async def test_a_folder_alone_is_heard_alone(folder: Path, listening: list["asyncio.Task[None]"]) -> None:
    ear = await listen(listening, folder, subfolders=False)
    (folder / "in" / "b.txt").write_text("b")
    (folder / "a.txt").write_text("a")
    await until(lambda: "a.txt" in ear.paths)
    assert "in/b.txt" not in ear.paths


async def test_nothing_is_heard_through_links_and_new_folders_are_heard_beside_them(
    folder: Path, tmp_path: Path, listening: list["asyncio.Task[None]"]
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (folder / "out").symlink_to(outside)
    (folder / "loop").symlink_to(folder)
    ear = await listen(listening, folder)
    (outside / "secret.txt").write_text("x")
    (folder / "new" / "deep").mkdir(parents=True)
    await until(lambda: "new" in ear.paths)
    for number in range(200):  # until it is heard, wherever the watch is set up again
        (folder / "new" / "deep" / f"{number}.txt").write_text("x")
        if any(path.startswith("new/deep/") for path in ear.paths):
            break
        await asyncio.sleep(0.05)
    assert any(path.startswith("new/deep/") for path in ear.paths)
    assert not [path for path in ear.paths if "secret" in path]


async def test_a_name_that_is_not_utf8_is_heard_as_something_somewhere(
    folder: Path, listening: list["asyncio.Task[None]"]
) -> None:
    ear = await listen(listening, folder)
    (folder / os.fsdecode(b"M\xfcller.txt")).write_text("x")
    await until(lambda: "" in ear.paths)
    (folder / "after.txt").write_text("x")
    await until(lambda: "after.txt" in ear.paths)


async def test_a_system_that_does_not_tell_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*places: object, **options: object) -> None:
        raise OSError("OS file watch limit reached.")

    monkeypatch.setattr("watchfiles.watch", broken)
    with pytest.raises(EnvironmentFault, match=r"doesn't say what changes in “Scans” \(OS file watch limit reached"):
        await FolderWatcher().follow(folder, True, lambda paths: None)


async def test_a_look_comes_in_batches_and_names_what_it_can_not_open(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1200):
        (folder / "in" / f"{number}.txt").touch()
    (folder / "locked").mkdir()
    scandir = os.scandir

    def refusing(path: "str | Path") -> object:
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(watching.os, "scandir", refusing)
    batches = [batch async for batch in FolderWatcher().look(folder, "", True)]
    assert [len(batch.files) for batch in batches] == [512, 512, 176]
    assert [each for batch in batches for each in batch.unread] == [
        ("locked", "The folder “locked” can't be opened: Permission denied.")
    ]


async def test_what_lies_at_paths(folder: Path, tmp_path: Path) -> None:
    (folder / "in" / "a.txt").touch()
    (folder / "in" / "a.tmp").touch()
    (folder / "link").symlink_to(folder / "in")
    (folder / "ws").mkdir()
    (folder / "ws" / "workspace.toml").touch()
    os.mkfifo(folder / "pipe")
    paths = ["in/a.txt", "in/a.tmp", "in", "link", "link/a.txt", "ws", "ws/workspace.toml", "pipe", "none", "none/x"]
    seen = await FolderWatcher().see(folder, "*.TMP", True, paths)
    assert [file.path for file in seen.files] == ["in/a.txt"]
    assert (seen.folders, seen.missing) == (["in"], ["none", "none/x"])
    assert seen.left_out == ["in/a.tmp", "link", "link/a.txt", "ws", "ws/workspace.toml", "pipe"]
    alone = await FolderWatcher().see(folder, "", False, ["in/a.txt", "in"])
    assert alone.left_out == ["in/a.txt", "in"]


@pytest.mark.parametrize("rules", ["!", "*.tmp\n\\", "a\n\n!\n"])
def test_rules_that_can_not_be_understood_are_named(rules: str) -> None:
    with pytest.raises(InvalidValue, match=r"Line \d of the rules"):
        FolderWatcher().check(rules)


async def test_a_folder_that_is_not_there_has_no_root(folder: Path) -> None:
    there = await FolderWatcher().root(folder)
    assert there is not None
    assert not there.empty
    assert await FolderWatcher().root(folder / "nowhere") is None
