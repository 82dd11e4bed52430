"""Ownership of a workspace: one process, taken over from the dead, not copied."""

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.adapters.files.lock import acquire, holder
from core.errors import WorkspaceInUse, WorkspaceUnreadable

ROOT = Path(__file__).resolve().parents[3]
HOLDING = (
    "import sys; from pathlib import Path; from core.adapters.files.lock import acquire; "
    "lock = acquire(Path(sys.argv[1])); print(lock.generation, flush=True); "
    "sys.stdin.readline(); lock.release(clean=True)"
)


def other_process(folder: Path) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(folder)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip().isdigit()
    return process


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "north"
    folder.mkdir()
    return folder


def test_generations_count_up_and_stops_are_told_apart(folder: Path) -> None:
    for generation in (1, 2, 3):
        lock = acquire(folder)
        assert (lock.generation, lock.last_stop_clean) == (generation, generation != 3)
        assert holder(folder) == "this program"
        lock.release(clean=generation != 2)
        lock.release(clean=True)
        assert holder(folder) is None


def test_one_owner_at_a_time(folder: Path) -> None:
    process = other_process(folder)
    try:
        assert holder(folder) == f"another program on this computer (process {process.pid})"
        with pytest.raises(WorkspaceInUse, match=f"north.*process {process.pid}"):
            acquire(folder)
    finally:
        process.communicate("\n")
    lock = acquire(folder)
    assert (lock.generation, lock.last_stop_clean) == (2, True)
    with pytest.raises(WorkspaceInUse, match="this program"):
        acquire(folder)
    lock.release(clean=True)


def test_a_lock_left_by_a_dead_process_is_taken_over(folder: Path) -> None:
    process = other_process(folder)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert holder(folder) is None
    lock = acquire(folder)
    assert (lock.generation, lock.last_stop_clean) == (2, False)
    lock.release(clean=True)


def test_another_process_with_the_dead_ones_number_is_not_it(folder: Path) -> None:
    acquire(folder).release(clean=False)
    file = folder / ".run" / "owner.json"
    owner = json.loads(file.read_text())
    file.write_text(json.dumps({**owner, "pid": 1, "started": 5.0}))
    assert holder(folder) is None


def test_a_copied_folder_is_not_held_by_the_owner_of_the_first(folder: Path, tmp_path: Path) -> None:
    acquire(folder).release(clean=True)
    lock = acquire(folder)
    shutil.copytree(folder, tmp_path / "copy")
    assert holder(tmp_path / "copy") is None
    copied = acquire(tmp_path / "copy")
    assert (copied.generation, copied.last_stop_clean) == (1, True)
    copied.release(clean=True)
    assert holder(folder) == "this program"
    lock.release(clean=True)


def test_a_moved_folder_goes_on_counting(folder: Path, tmp_path: Path) -> None:
    acquire(folder).release(clean=True)
    folder.rename(tmp_path / "moved")
    lock = acquire(tmp_path / "moved")
    assert lock.generation == 2
    lock.release(clean=True)


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"pid": 1}', "null"])
def test_a_damaged_owner_file_counts_as_an_unclean_stop(folder: Path, damage: str) -> None:
    acquire(folder).release(clean=True)
    (folder / ".run" / "owner.json").write_text(damage)
    assert holder(folder) is None
    lock = acquire(folder)
    assert not lock.last_stop_clean
    lock.release(clean=True)
    acquire(folder).release(clean=True)


def test_an_owner_on_another_computer_is_believed_while_the_lock_is_held(folder: Path) -> None:
    lock = acquire(folder)
    file = folder / ".run" / "owner.json"
    owner = json.loads(file.read_text())
    file.write_text(json.dumps({**owner, "host": "reception-2"}))
    assert holder(folder) == "a program on the computer “reception-2”"
    lock.release(clean=True)
    file.write_text(json.dumps({**owner, "host": "reception-2"}))
    assert holder(folder) is None


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceUnreadable, match="gone"):
        acquire(tmp_path / "gone")
    assert holder(tmp_path / "gone") is None


def test_nothing_of_it_lies_outside_the_run_folder(folder: Path) -> None:
    lock = acquire(folder)
    assert [path.name for path in folder.iterdir()] == [".run"]
    assert {path.name for path in (folder / ".run").iterdir()} == {"lock", "owner.json"}
    lock.release(clean=True)
