"""The command line as a process: streams, pipes, names that are not UTF-8, other programs, signals."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.app.terminal import ROOT, Terminal


def test_no_qt_is_imported() -> None:
    source = "import sys, app.cli; print(*sorted({m.split('.')[0] for m in sys.modules} & {'PySide6', 'qasync', 'ui'}))"
    done = subprocess.run([sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def test_answers_and_all_else_go_to_their_own_streams(filled: Terminal) -> None:
    answer = filled.run("search", "boilr", "--json")
    assert answer.code == 0
    assert json.loads(answer.out)["hits"][0]["page"] == 2
    assert answer.err == "Showing “boiler” for “boilr”. Use --exact for what you typed.\n"
    again = filled.run("search", "boilr", "--json", LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    assert (again.code, again.out, again.err) == (answer.code, answer.out, answer.err)


def test_names_are_bytes_whatever_the_locale_says(terminal: Terminal, tmp_path: Path) -> None:
    """In a locale that knows ASCII alone, as cron and containers have it, with names in UTF-8 and in none."""
    assert terminal.run("workspace", "create", "Büro ☕", "--in", terminal.home).code == 0
    folder = os.fsencode(tmp_path / "papiere")
    os.mkdir(folder)
    for name, text in ((b"rechnung \xe4\xf6.txt", b"Rechnung eins"), ("Ödön 🦘.txt".encode(), b"Rechnung zwei")):
        Path(os.fsdecode(folder + b"/" + name)).write_bytes(text)
    setting: dict[str, Any] = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    answer = terminal.run("add", folder, "--words-only", "--json", **setting)
    assert (answer.code, answer.err) == (0, "")
    assert sorted(paper["name"] for paper in answer.json) == ["rechnung \ufffd\ufffd.txt", "Ödön 🦘.txt"]
    found = terminal.run("search", "Rechnung zwei", "--mode", "words", "-w", "Büro ☕", "--json", **setting)
    assert found.json["hits"][0]["title"] == "Ödön 🦘.txt"


def test_a_reader_that_left_is_no_fault(filled: Terminal) -> None:
    process = filled.start("search", "boiler", "--json")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(30) == 0


def test_an_answer_that_finds_no_room_is_said(filled: Terminal) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            filled.command("workspace", "list"),
            cwd=ROOT,
            env=filled.environment,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 4
    assert done.stderr.decode() == "The answer could not be written (No space left on device).\n"


def test_a_workspace_that_is_open_elsewhere_is_refused(terminal: Terminal) -> None:
    """The other program is a child of this test that holds the workspace until its input ends."""
    path = terminal.call("workspace", "create", "Front Desk", "--in", terminal.home, "--json").json["path"]
    source = (
        "import sys, pathlib; from core.adapters.files.lock import acquire; "
        f"lock = acquire(pathlib.Path({path!r})); print('held', flush=True); sys.stdin.read(); lock.release(clean=True)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", source], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        answer = terminal.run("status")
        listed = terminal.call("workspace", "list", "--json").json[0]
        assert other.stdin is not None
        other.stdin.close()
    who = f"another program on this computer (process {other.pid})"
    assert (answer.code, answer.out) == (3, "")
    assert answer.err == f"“Front Desk” is open in {who}. Close it there first.\n"
    assert (listed["state"], listed["reason"]) == ("in_use", f"Open in {who}.")
    assert terminal.call("status").code == 0


def test_commands_at_once_lose_no_workspace_from_the_list(terminal: Terminal) -> None:
    started = [terminal.start("workspace", "create", f"W{number}", "--in", terminal.home) for number in range(4)]
    for process in started:
        _out, err = process.communicate(timeout=50)
        assert process.returncode == 0, err
    names = [entry["name"] for entry in terminal.call("workspace", "list", "--json").json]
    assert sorted(names) == ["W0", "W1", "W2", "W3"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_in_the_middle_it_stops_in_order(terminal: Terminal, tmp_path: Path, number: signal.Signals) -> None:
    path = Path(terminal.call("workspace", "create", "Front Desk", "--in", terminal.home, "--json").json["path"])
    folder = tmp_path / "papers"
    folder.mkdir()
    for paper in range(400):
        (folder / f"{paper:03}.txt").write_text(f"paper number {paper} about the boiler")
    process = terminal.start("add", folder)
    wait_for_file(path / "artifacts" / "sha256", process)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (128 + number, b""), err
    assert err.decode() == "Stopped. What was reported as done is kept.\n"
    assert json.loads((path / ".run" / "owner.json").read_text())["clean"] is True
    assert not psutil.Process().children(recursive=True)
    assert terminal.call("workspace", "list", "--json").json[0]["state"] == "ready"


def wait_for_file(folder: Path, process: "subprocess.Popen[bytes]") -> None:
    """Wait until there is a file below the folder."""
    while not any(path.is_file() for path in folder.rglob("*")):
        assert process.poll() is None
        try:
            process.wait(0.02)
        except subprocess.TimeoutExpired:
            continue
