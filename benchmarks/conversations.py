"""Taking conversations over, and the time from another process's report to the row in the window.

    python -m benchmarks.conversations [--talks 100] [--messages 20] [--reports 40]

The export is made of English words with a seed. Imports are told in processor time of this process, so that vectors,
which a worker makes in the background, don't count; the longest stall is that of the loop while it imports. Reports
come from a child that puts the time into what a job is doing; the window's list, off screen, is asked when it has it.
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from benchmarks.machine import described, table

ROOT = Path(__file__).resolve().parent.parent
SENTENCE = (
    "the patient asked when we open on Friday and whether the ramp at the north door can be used while the lift is out "
    "of order please write a short letter about recall intervals insurance forms and the new telephone number for Mrs "
    "Adler who comes every second week with her daughter and needs an appointment in the morning before ten"
)
REPORTER = """
import sys, time
from app.jobs import job
with job("Reports", sys.argv[1]) as work:
    for _ in range(int(sys.argv[2])):
        work.say(repr(time.time()))
        time.sleep(0.2)
"""


def export(folder: Path, talks: int, messages: int) -> Path:
    """A Claude export with so many conversations of so many messages."""
    pick, words = random.Random(1), SENTENCE.split()

    def said(number: int) -> dict[str, object]:
        text = " ".join(pick.choices(words, k=30 if number % 2 == 0 else 120))
        return {"uuid": f"{pick.random()}", "sender": ("human", "assistant")[number % 2], "text": text}

    told = [
        {"uuid": f"c{number}", "name": f"Talk {number}", "chat_messages": [said(each) for each in range(messages)]}
        for number in range(talks)
    ]
    path = folder / "conversations.json"
    path.write_text(json.dumps(told))
    return path


@asynccontextmanager
async def stalls() -> AsyncIterator[list[float]]:
    """The longest stall of the loop in seconds, in a list of one."""
    longest = [0.0]

    async def watch() -> None:
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(0.01)
            longest[0] = max(longest[0], time.perf_counter() - begun - 0.01)

    watching = asyncio.get_running_loop().create_task(watch())
    try:
        yield longest
    finally:
        watching.cancel()


async def imports(folder: Path, talks: int, messages: int) -> list[tuple[object, ...]]:
    """(what, processor seconds, messages a processor second, longest stall in ms)."""
    from app.bootstrap import Program
    from app.paths import Paths

    data = folder / "data"
    data.mkdir()
    program = Program.build(Paths(data, data, data))
    workspace = await program.workspaces.open((await program.workspaces.create(folder, "Talks")).path)
    source = export(folder, talks, messages)
    rows: list[tuple[object, ...]] = []
    for what in ("for the first time", "once more, nothing new"):
        async with stalls() as longest:
            begun = time.process_time()
            report = await workspace.exchange.take(source)
            spent = time.process_time() - begun
        assert len(report.taken) == talks
        rows.append((what, f"{spent:.2f}", f"{talks * messages / spent:,.0f}", f"{longest[0] * 1000:.0f}"))
    await program.close()
    return rows


async def until_the_row(application: object, folder: Path, reports: int) -> list[float]:
    """Milliseconds from each report in the child to its row here, sorted."""
    from PySide6.QtWidgets import QApplication

    from app.paths import Paths
    from app.window import Life
    from ui.jobs.view import JobsView
    from ui.qt.paged import LineRole

    assert isinstance(application, QApplication)
    data = folder / "window"
    data.mkdir()
    life = Life(application, Paths(data, data, data))
    window = await life.begin()
    path = (await life.program.workspaces.create(folder, "Reports")).path
    await window.desk.open(path)
    window.desk.show("jobs")
    view = window.desk.view
    assert isinstance(view, JobsView)
    seen: dict[str, float] = {}

    def look(*_: object) -> None:
        model = view.presenter.model
        line = model.index(0, 0).data(LineRole) if model.rowCount() else None
        if line is not None and line.detail[:1].isdigit():
            seen.setdefault(line.detail, (time.time() - float(line.detail)) * 1000)

    view.presenter.model.dataChanged.connect(look)
    command = (sys.executable, "-c", REPORTER, str(path), str(reports))
    child = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdin=subprocess.DEVNULL)
    await child.wait()
    await life.end()
    return sorted(seen.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--talks", type=int, default=100)
    parser.add_argument("--messages", type=int, default=20)
    parser.add_argument("--reports", type=int, default=40)
    arguments = parser.parse_args()
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory(prefix="muniment-talks-") as name:
        folder = Path(name)
        os.environ.update(HOME=name, XDG_DATA_HOME=name, XDG_CONFIG_HOME=name, XDG_STATE_HOME=name)
        rows = asyncio.run(imports(folder, arguments.talks, arguments.messages))
        head = (f"{arguments.talks} conversations of {arguments.messages}", "CPU s", "messages a CPU s", "stall ms")
        print(table(head, rows), end="\n\n")

        import qasync
        from PySide6.QtWidgets import QApplication

        application = QApplication(sys.argv[:1])
        with qasync.QEventLoop(application) as loop:
            seen = loop.run_until_complete(until_the_row(application, folder, arguments.reports))
        middle, late = seen[len(seen) // 2], seen[int(len(seen) * 0.95)]
        row = (len(seen), f"{middle:.0f}", f"{late:.0f}", f"{seen[-1]:.0f}")
        print(table(("reports seen", "median ms", "p95 ms", "most ms"), [row]))
    print(f"\n{described()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
