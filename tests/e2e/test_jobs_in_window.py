"""The real program, drawn off screen, and commands that are run beside it as jobs of the open workspace."""

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.paths import Paths
from app.window import Life
from core.domain.scopes import ActorType
from tests.app.terminal import Terminal
from tests.ui.features.desk import until
from ui.jobs.view import JobsView
from ui.qt.line import Line
from ui.qt.paged import LineRole
from ui.shell.window import MainWindow
from ui.widgets.list_page import ListPage

SAY = "import time\nfor n in range(1000): print(f'letter {n}', flush=True); time.sleep(0.05)"


@pytest.fixture
async def window(qapp: QApplication, tmp_path: Path) -> AsyncIterator[MainWindow]:
    """The window on an open workspace, at the place of jobs."""
    folders = [tmp_path / name for name in ("data", "config", "log")]
    for folder in folders:
        folder.mkdir()
    life = Life(qapp, Paths(*folders))
    window = await life.begin()
    window.resize(1280, 800)
    await window.desk.open((await life.program.workspaces.create(tmp_path, "Front Desk")).path)
    window.desk.show("jobs")
    yield window
    await life.end()


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path / "home")


def run(terminal: Terminal, window: MainWindow, *arguments: str) -> "subprocess.Popen[bytes]":
    assert window.desk.session is not None
    return terminal.start("job", "run", "-w", window.desk.session.workspace.info.path, *arguments)


def jobs(window: MainWindow) -> JobsView:
    view = window.desk.view
    assert isinstance(view, JobsView)
    return view


def lines(window: MainWindow) -> list[Line]:
    model = jobs(window).presenter.model
    found = [model.index(row, 0).data(LineRole) for row in range(model.rowCount())]
    return [line for line in found if line is not None]


def list_page(window: MainWindow) -> ListPage:
    return jobs(window).list_page


def chosen_title(window: MainWindow) -> str:
    one = jobs(window).presenter.one
    return one.title if one is not None else ""


async def ended(process: "subprocess.Popen[bytes]") -> int:
    await asyncio.to_thread(process.communicate, timeout=30)
    return process.returncode


async def test_a_command_is_seen_at_once_and_stopped_in_the_window(window: MainWindow, terminal: Terminal) -> None:
    process = run(terminal, window, "--title", "Weekly letters", "--", sys.executable, "-c", SAY)
    await until(lambda: [line.status for line in lines(window) if line.title == "Weekly letters"] == ["Running"], 20)
    await until(lambda: "letter" in lines(window)[0].detail)
    list_page(window).list.pick(0)
    stop = window.registry.find("jobs.stop")
    assert stop is not None
    await until(stop.when)
    window.registry.run(stop)
    assert await ended(process) == 128 + signal.SIGTERM
    await until(lambda: [line.status for line in lines(window)] == ["Cancelled"])


async def test_what_another_process_reports_moves_neither_selection_nor_list(
    window: MainWindow, terminal: Terminal
) -> None:
    session = window.desk.session
    assert session is not None
    service = session.workspace.jobs
    for number in range(60):
        service.start(f"Old {number}", actor="Muniment", actor_type=ActorType.SYSTEM)
    await until(lambda: jobs(window).presenter.model.rowCount() == 60)
    page = list_page(window)
    page.list.pick(30)
    await until(lambda: chosen_title(window) == "Old 29")
    bar = page.list.verticalScrollBar()
    top = page.list.indexAt(page.list.viewport().rect().topLeft()).row()
    assert 0 < bar.value() < bar.maximum()
    seen: list[float] = []
    process = run(terminal, window, "--title", "Beside it", "--", sys.executable, "-c", SAY)

    def heard(_: object) -> None:
        seen.append(time.monotonic())

    session.workspace.events.subscribe(heard)
    await until(lambda: jobs(window).presenter.model.rowCount() == 61, 20)
    assert time.monotonic() - seen[0] < 1.0  # from the first word of it to the row
    await until(lambda: len(seen) > 6)
    assert chosen_title(window) == "Old 29"
    assert page.list.indexAt(page.list.viewport().rect().topLeft()).row() == top + 1  # the new one stands above
    process.send_signal(signal.SIGTERM)
    await ended(process)
