"""Crash reports, the log and the folders of a person: private, and without anything of a workspace."""

import logging
import logging.handlers
import os
import stat
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.crash import KEPT, CrashFiles, catch_everything, describe
from app.logs import log_to
from app.paths import Paths
from core.errors import EnvironmentFault
from core.services.search import SearchService
from tests.app.terminal import Terminal

MARKER = "zebrafinch"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def failing(text: str) -> BaseException:
    """An error as a reader may raise it: with words of a paper in its text, its cause, its group and its notes."""
    try:
        try:
            raise KeyError(text)
        except KeyError as cause:
            error = ExceptionGroup(text, [ValueError(text), UnicodeDecodeError("utf-8", text.encode(), 0, 1, text)])
            error.add_note(text)
            raise error from cause
    except ExceptionGroup as raised:
        return raised


def test_a_report_names_kinds_and_places_and_no_text() -> None:
    report = describe(failing(MARKER))
    assert MARKER not in report
    for said in ("ExceptionGroup", "ValueError", "UnicodeDecodeError", "KeyError", "test_crash_files.py:"):
        assert said in report
    assert str(Path.cwd()) not in report


def test_errors_that_point_at_each_other_end() -> None:
    first, second = ValueError(), ValueError()
    first.__cause__, second.__cause__ = second, first
    assert describe(first).count("ValueError") == 2


@pytest.mark.logs("crash: ")
def test_reports_are_private_and_the_newest_are_kept(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    files = CrashFiles(tmp_path / "crashes", "1.0")
    before = os.umask(0)
    try:
        written = [files.write(failing(MARKER)) for _ in range(KEPT + 3)]
    finally:
        os.umask(before)
    assert all(path is not None for path in written)
    left = sorted((tmp_path / "crashes").iterdir())
    assert len(left) == KEPT
    assert mode(tmp_path / "crashes") == 0o700
    assert {mode(path) for path in left} == {0o600}
    assert left[-1].read_text("utf-8").startswith("Muniment 1.0, Python 3.")
    assert MARKER not in "".join(path.read_text("utf-8") for path in left) + caplog.text


@pytest.mark.logs("crash: ")
def test_a_report_that_cant_be_written_is_no_second_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert CrashFiles(tmp_path / "file" / "crashes", "1.0").write(ValueError()) is None


@pytest.fixture
def hooks() -> Iterator[None]:
    before = sys.excepthook, threading.excepthook
    yield
    sys.excepthook, threading.excepthook = before


def test_errors_that_nobody_caught_are_reported_from_any_thread(hooks: None) -> None:
    heard: list[str] = []
    catch_everything(lambda error: heard.append(type(error).__name__))

    def fail() -> None:
        raise LookupError

    def leave() -> None:
        raise SystemExit

    for work in (fail, leave):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    sys.excepthook(ArithmeticError, ArithmeticError(), None)
    assert heard == ["LookupError", "ArithmeticError"]


@pytest.mark.logs("crash: ValueError")
def test_a_defect_of_a_command_ends_in_a_report(filled: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise ValueError(MARKER)

    monkeypatch.setattr(SearchService, "search", broken)
    answer = filled.call("search", "boiler")
    crashes = filled.home / ".local" / "share" / "Muniment" / "crashes"
    (report,) = crashes.iterdir()
    assert (answer.code, answer.out) == (70, "")
    assert answer.err == f"Something went wrong in Muniment. A report is in {report}.\n"
    assert MARKER not in report.read_text("utf-8")
    assert "ValueError" in report.read_text("utf-8")


# ---- the log and the folders ----------------------------------------------------------------------------------------


def test_the_log_is_private_also_after_it_turned_over(tmp_path: Path) -> None:
    root = logging.getLogger()
    before, handlers = os.umask(0), list(root.handlers)
    try:
        log_to(tmp_path)
        (handler,) = (each for each in root.handlers if each not in handlers)
        assert isinstance(handler, logging.handlers.RotatingFileHandler)
        for _ in range(2):
            handler.emit(logging.LogRecord("muniment", logging.ERROR, "", 0, "half \udcff", (), None))
            handler.doRollover()
        handler.emit(logging.LogRecord("muniment", logging.ERROR, "", 0, "last", (), None))
        handler.close()
    finally:
        os.umask(before)
        root.handlers[:] = handlers
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["muniment.log", "muniment.log.1", "muniment.log.2"]
    assert {mode(file) for file in files} == {0o600}


def test_the_folders_of_a_person_are_private(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    paths = Paths.of_user()
    assert {mode(folder) for folder in (paths.data, paths.config, paths.log)} == {0o700}
    assert paths.known_workspaces.parent == paths.data
    assert paths.crashes.parent == paths.data


def test_a_home_that_can_hold_nothing_is_said(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = terminal.home / "blocked"
    blocked.touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(blocked))
    with pytest.raises(EnvironmentFault, match="can't keep its settings in"):
        Paths.of_user()
    terminal.environment["XDG_DATA_HOME"] = str(blocked)
    answer = terminal.call("status")
    assert (answer.code, answer.out) == (4, "")
    assert answer.err.startswith("Muniment can't keep its settings in")


def test_the_window_without_a_screen_is_a_sentence(terminal: Terminal) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        terminal.environment.pop(name, None)
    answer = terminal.run("--sample")
    assert (answer.code, answer.out) == (4, "")
    assert answer.err == "There is no screen here. The command line works without one: muniment --help\n"
