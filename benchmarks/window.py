"""The window: stalls of its loop, start, switching.

    python -m benchmarks.window [stalls | scrolling | start | switching]

stalls     worst gap between turns of the Qt loop while papers are taken in, read and embedded
scrolling  the same, and the time of a repaint, while a list of a million rows is thrown about
start      from the command to a window that can be used, with a cold and a warm file cache
switching  from one workspace to another of 100,000 passages, until its list can be used

Everything runs off screen in a home of its own; the window is the real one. Prints Markdown.
"""

import asyncio
import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psutil
import qasync
from PySide6.QtWidgets import QApplication

from app.paths import Paths, resources
from app.window import SAY_WHEN_READY, Life
from benchmarks.machine import described
from benchmarks.synthetic import workspace
from core.adapters.embedding.model import described as described_model
from core.adapters.sqlite import driver
from core.domain.tiers import Tier
from ui.shell.window import MainWindow

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT.parent / "shared" / "corpus" / "documents"
ROWS = 1_000_000
PASSAGES = 100_000
STARTS = 5
MEANING = 90.0  # seconds of preparing for search by meaning that are watched
SETTLED = 60.0  # seconds until the sample's papers are read


class Gaps:
    """Measures the gaps between turns of the loop, by a task that only sleeps a millisecond at a time."""

    def __init__(self) -> None:
        self.gaps: list[float] = []

    @asynccontextmanager
    async def watch(self) -> AsyncIterator[None]:
        task = asyncio.get_running_loop().create_task(self._watch())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def _watch(self) -> None:
        before = time.perf_counter()
        while True:
            await asyncio.sleep(0.001)
            now = time.perf_counter()
            self.gaps.append((now - before - 0.001) * 1000)
            before = now

    def said(self) -> str:
        return spread(sorted(self.gaps))


def row(what: str, figures: str) -> None:
    print(f"| {what} | {figures} |", flush=True)


def spread(ordered: list[float]) -> str:
    return f"p50 {_at(ordered, 0.5):.1f}, p99 {_at(ordered, 0.99):.1f}, worst {ordered[-1]:.1f}"


def _at(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def in_window(work: Callable[[Life, MainWindow, Path], Coroutine[Any, Any, None]]) -> None:
    """Run `work` with the real window in a new home."""
    with tempfile.TemporaryDirectory(prefix="muniment-window-") as folder:
        home = Path(folder)
        application = QApplication.instance() or QApplication(sys.argv[:1])
        assert isinstance(application, QApplication)
        with qasync.QEventLoop(application) as loop:
            loop.run_until_complete(_with_window(application, home, work))


async def _with_window(
    application: QApplication, home: Path, work: Callable[[Life, MainWindow, Path], Coroutine[Any, Any, None]]
) -> None:
    life = Life(application, Paths(home, home, home))
    window = await life.begin()
    window.resize(1280, 800)
    try:
        await work(life, window, home)
    finally:
        await life.end()


async def until(holds: Callable[[], bool]) -> None:
    """Look again each millisecond."""
    while not holds():  # noqa: ASYNC110
        await asyncio.sleep(0.001)


async def _new(life: Life, home: Path, name: str) -> Path:
    return (await life.program.workspaces.create(home, name)).path


# ---- stalls while papers come in ------------------------------------------------------------------------------------


async def stalls(life: Life, window: MainWindow, home: Path) -> None:
    await window.desk.open(await _new(life, home, "Stalls"))
    window.desk.show("papers")
    workspace = life.program.workspaces.current
    assert workspace is not None
    await asyncio.sleep(1.0)
    source = CORPUS if CORPUS.is_dir() else ROOT / "resources" / "sample" / "papers"
    gaps, begin = Gaps(), time.perf_counter()
    async with gaps.watch():
        await workspace.papers.add([source])
        await workspace.papers.idle()
        read = time.perf_counter() - begin
        with contextlib.suppress(TimeoutError):  # the loop has nothing else to do while vectors are made
            await asyncio.wait_for(workspace.meaning.idle(), MEANING)
    state = await workspace.papers.queue()
    resident = psutil.Process().memory_info().rss / 2**20
    row(f"loop while {state.searchable + state.attention} papers come in ({read:.0f} s to read them)", gaps.said())
    row("resident memory of the window's process afterwards, MB", f"{resident:.0f}")


# ---- a million rows -------------------------------------------------------------------------------------------------


def fill_records(path: Path, count: int) -> None:
    """Put plain records into a workspace that isn't open."""
    connection, _ = driver.connect(path / "workspace.db", None)
    chance, now = random.Random(1), time.time()
    tiers = [tier.value for tier in Tier]

    def rows() -> Any:
        for number in range(count):
            title = f"Memory {chance.randrange(10**9):09} about case {number}"
            at = now - chance.random() * 3e7
            metadata = json.dumps({"title": title, "tags": ["bench"]})
            yield (
                "default",
                f"k{number}",
                tiers[number % 4],
                f'"Value of {number}"',
                metadata,
                title.lower(),
                1.0,
                0.0,
                1,
                at,
                at,
                at,
                0,
                1,
            )

    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO records (namespace, key, tier, value, metadata, title_folded, salience, freshness, access_count,"
        " created_at, updated_at, last_accessed_at, pinned, version) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        rows(),
    )
    connection.execute("COMMIT")
    connection.close()


async def scrolling(life: Life, window: MainWindow, home: Path) -> None:
    path = await _new(life, home, "Million")
    await window.desk.open(path)
    await window.desk.leave()
    fill_records(path, ROWS)
    await window.desk.open(path)
    window.desk.show("longterm")
    view = window.desk.view
    assert view is not None
    table = view.list_page.list  # pyright: ignore[reportAttributeAccessIssue]
    model = table.model()
    await until(lambda: model.rowCount() == ROWS and model.state == "ready")
    await asyncio.sleep(1.0)
    chance, bar, paints, gaps = random.Random(2), table.verticalScrollBar(), [], Gaps()
    before = psutil.Process().memory_info().rss
    async with gaps.watch():
        for step in range(600):
            if step < 300:
                bar.setValue(chance.randrange(bar.maximum()))
            else:
                bar.setValue(bar.maximum() // 2 + (step - 300) * 3 * bar.singleStep())
            begin = time.perf_counter()
            table.viewport().repaint()
            paints.append((time.perf_counter() - begin) * 1000)
            await asyncio.sleep(0.01)
    paints.sort()
    grown = (psutil.Process().memory_info().rss - before) / 2**20
    row(f"loop while {ROWS:,} rows are scrolled", gaps.said())
    row(f"repaint while {ROWS:,} rows are scrolled", spread(paints))
    row("memory that scrolling took, MB", f"{grown:.0f}")


# ---- start and switching --------------------------------------------------------------------------------------------


def start() -> None:
    """Time whole processes, cold (file cache dropped, where we may) and warm, on a workspace that is there already."""
    with tempfile.TemporaryDirectory(prefix="muniment-start-") as folder:
        _start_once(folder, "--sample", stay=SETTLED)  # makes the sample, whose papers are read, and the Python caches
        cold = [_start_once(folder, cold=True)] if os.access("/proc/sys/vm/drop_caches", os.W_OK) else []
        warm = sorted(_start_once(folder) for _ in range(STARTS))
    for kind, times in (("cold", cold), ("warm", warm)):
        if times:
            row(f"start to usable window, {kind}, s", f"median {times[len(times) // 2]:.2f}, worst {times[-1]:.2f}")


def _start_once(home: str, *arguments: str, cold: bool = False, stay: float = 0.0) -> float:
    if cold:
        subprocess.run(["sync"], check=True)
        Path("/proc/sys/vm/drop_caches").write_text("3\n")
    names = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
    environment = os.environ | {"HOME": home, SAY_WHEN_READY: "1"} | {name: f"{home}/{name}" for name in names}
    begin = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-m", "app", *arguments], cwd=ROOT, env=environment, stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    line = child.stdout.readline()
    took = time.perf_counter() - begin
    time.sleep(stay)
    child.terminate()
    child.wait(30)
    assert line == b"ready\n", line
    return took


def fill_passages(path: Path, count: int) -> None:
    """Put the database of the search benchmark, with a row for each paper, into a workspace that isn't open."""
    shutil.copy(workspace(count), path / "workspace.db")
    connection, _ = driver.connect(path / "workspace.db", None)
    connection.execute("BEGIN")
    connection.execute("UPDATE models SET digest = ?", (described_model(resources() / "model").digest,))
    connection.execute(
        "INSERT INTO artifacts (digest, byte_length, added_at) SELECT DISTINCT owner, 1000, 0 FROM passages"
    )
    connection.execute(
        "INSERT INTO papers (id, digest, name, name_folded, origin, byte_length, state, added_at, updated_at, version,"
        " passages, format) SELECT owner, owner, owner, owner, '', 1000, 'searchable', max(at), max(at), 1, count(*),"
        " format FROM passages WHERE kind = 'paper' GROUP BY owner"
    )
    connection.execute("COMMIT")
    connection.close()


def _usable(window: MainWindow, path: Path) -> bool:
    """The list of papers of the workspace at `path` is shown with its first row."""
    session, view = window.desk.session, window.desk.view
    if session is None or session.workspace.info.path != path or window.desk.place != "papers" or view is None:
        return False
    model = view.list_page.list.model()  # pyright: ignore[reportAttributeAccessIssue]
    return model.rowCount() > 0 and model.row_at(0) is not None


async def switching(life: Life, window: MainWindow, home: Path) -> None:
    paths = [await _new(life, home, name) for name in ("First", "Second")]
    for path in paths:
        await window.desk.open(path)
        await window.desk.leave()
        fill_passages(path, PASSAGES)
    await window.desk.open(paths[0])
    window.desk.show("papers")
    times: list[float] = []
    for turn in range(10):
        await asyncio.sleep(4.0)  # a person works there for a while
        wanted, begin = paths[(turn + 1) % 2], time.perf_counter()
        opening = asyncio.get_running_loop().create_task(window.desk.open(wanted))
        await until(lambda wanted=wanted: _usable(window, wanted))
        times.append((time.perf_counter() - begin) * 1000)
        await opening
    times.sort()
    row(f"switching to a workspace of {PASSAGES:,} passages", f"median {times[5]:.0f}, worst {times[-1]:.0f}")


PARTS = {"stalls": stalls, "scrolling": scrolling, "switching": switching}


def main() -> int:
    """Each part in a process of its own: one window, one loop."""
    wanted = sys.argv[1:] or [*PARTS, "start"]
    if len(wanted) == 1 and wanted[0] in PARTS:
        in_window(PARTS[wanted[0]])
        return 0
    print("| what | ms unless said otherwise |\n|---|---|", flush=True)
    for name in wanted:
        if name == "start":
            start()
        else:
            subprocess.run([sys.executable, "-m", "benchmarks.window", name], cwd=ROOT, check=True)
    print(f"\n{described()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
