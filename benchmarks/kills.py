"""Kill the program at random moments of taking papers in, and look whether anything that it reported is lost.

    python -m benchmarks.kills [--kills 50] [--papers FOLDER] [--seed 1]

A child takes every file below the folder into one workspace and prints a line for each fact that it was told of after
the commit: a paper taken, a paper searchable or in need of attention. It is killed (SIGKILL) at a random moment and
started again, until the given number of kills; a workspace that has everything is followed by a new one. After each
kill every reported line must hold in the database, SQLite's and FTS5's own checks must pass, and every artifact must
have its digest.
"""

import argparse
import asyncio
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from app.bootstrap import Program
from app.paths import Paths
from core.adapters.files.artifacts import FileArtifacts
from core.adapters.sqlite import driver
from core.clock import system_clock
from core.domain.papers import PaperState, Taken
from core.events import Changed, Event
from core.services.workspace import Workspace

NAME = "Kills"
ROOT = Path(__file__).resolve().parent.parent
FACT = re.compile(r"^(queued|state) (\S+) (\S+)$")
SETTLED = {PaperState.SEARCHABLE.value, PaperState.ATTENTION.value}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--papers", type=Path, default=ROOT.parent / "shared" / "corpus" / "documents")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child is not None:
        asyncio.run(_take_in(arguments.child, arguments.papers))
        return 0
    folder = Path(tempfile.mkdtemp(prefix="muniment-kills-"))
    try:
        return run(folder, arguments.papers, arguments.kills, random.Random(arguments.seed))
    finally:
        shutil.rmtree(folder)


def run(folder: Path, papers: Path, kills: int, chance: random.Random) -> int:
    """Kill and check; answers the number of faults, each of which was printed.

    Whenever everything is taken in, the next workspace begins, so that each kill meets work; the last one is finished.
    """
    done, faults, settled, reported, workspaces, begin = 0, 0, 0, 0, 0, time.monotonic()
    while done < kills:
        workspaces += 1
        facts: dict[str, str] = {}
        home = folder / str(workspaces)
        ended = False
        while not ended:
            ended = _one_run(home, papers, chance.uniform(0.2, 6.0) if done < kills else None, facts)
            done += not ended
            found = list(check(home / NAME, facts))
            faults += len(found)
            for fault in found:
                print(f"kill {done}: {fault}")
        reported += len(facts)
        settled += _settled(home / NAME)
        shutil.rmtree(home)
    print(
        f"{done} kills over {workspaces} workspaces in {time.monotonic() - begin:.0f} s; {reported} papers reported, "
        f"{settled} settled in the end; {faults} faults"
    )
    return faults + abs(reported - settled)


def _one_run(folder: Path, papers: Path, limit: float | None, facts: dict[str, str]) -> bool:
    """Start the child, collect what it reports, kill it after `limit` seconds. True when it ended by itself before."""
    command = [sys.executable, "-m", "benchmarks.kills", "--child", str(folder), "--papers", str(papers)]
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    timer = threading.Timer(limit, child.send_signal, (signal.SIGKILL,)) if limit is not None else None
    for line in child.stdout:  # a line that was cut off by the kill was never reported whole
        if timer is not None and line == "open\n":
            timer.start()  # the clock starts when the workspace is open, so that every moment of the work is met
        if line.endswith("\n") and (fact := FACT.match(line)):
            facts[fact[2]] = facts.get(fact[2], "queued") if fact[1] == "queued" else fact[3]
    child.stdout.close()
    status = child.wait()
    if timer is not None:
        timer.cancel()
    if status not in (0, -signal.SIGKILL):
        print(f"the program ended with status {status}")
    return status == 0


def check(path: Path, facts: dict[str, str]) -> Iterator[str]:
    """What is wrong in the workspace, as sentences."""
    connection, _ = driver.connect(path / "workspace.db", None)
    try:
        for row in connection.execute("PRAGMA integrity_check").fetchall():
            if row[0] != "ok":
                yield f"integrity: {row[0]}"
        try:
            connection.execute("INSERT INTO passage_index(passage_index, rank) VALUES ('integrity-check', 1)")
        except driver.DatabaseError as error:
            yield f"full text: {error}"
        states = dict(connection.execute("SELECT id, state FROM papers").fetchall())
        for id, state in facts.items():
            if id not in states:
                yield f"paper {id} was reported and is gone"
            elif state in SETTLED and states[id] != state:
                yield f"paper {id} was reported as {state} and is {states[id]}"
        for id, count in connection.execute(
            "SELECT p.id, p.passages - (SELECT count(*) FROM passages s WHERE s.kind = 'paper' AND s.owner = p.id) "
            "FROM papers p"
        ):
            if count:
                yield f"paper {id} differs from its passages by {count}"
        digests = [row[0] for row in connection.execute("SELECT digest FROM papers").fetchall()]
    finally:
        connection.close()
    yield from asyncio.run(_damaged(path, digests))


def _settled(path: Path) -> int:
    connection, _ = driver.connect(path / "workspace.db", None)
    try:
        return sum(row[0] in SETTLED for row in connection.execute("SELECT state FROM papers").fetchall())
    finally:
        connection.close()


async def _damaged(path: Path, digests: list[str]) -> list[str]:
    artifacts = FileArtifacts(path, system_clock)
    return [f"artifact {digest} is damaged" for digest in digests if not await artifacts.verify(digest)]


async def _take_in(folder: Path, papers: Path) -> None:
    folder.mkdir(exist_ok=True)
    program = Program.build(Paths(folder, folder, folder))
    path = folder / NAME
    if not (path / "workspace.toml").exists():
        shutil.rmtree(path, ignore_errors=True)  # killed while it was made, before it was reported
        await program.workspaces.create(folder, NAME)
    workspace = await program.workspaces.open(path)
    print("open", flush=True)
    await _report_all(workspace, papers)
    await program.close()


async def _report_all(workspace: Workspace, papers: Path) -> None:
    changed: asyncio.Queue[str] = asyncio.Queue()

    def heard(event: Event) -> None:
        if isinstance(event, Changed) and event.kind == "paper":
            for id in event.ids:
                changed.put_nowait(id)

    def taken(answer: Taken) -> None:
        if answer.paper is not None:
            print("queued", answer.paper.id, answer.outcome, flush=True)

    async def tell() -> None:
        while True:
            paper = await workspace.papers.get(await changed.get())
            print("state", paper.id, paper.state.value, flush=True)
            changed.task_done()

    workspace.events.subscribe(heard)
    telling = asyncio.create_task(tell())
    await workspace.papers.add([papers], taken)
    await workspace.papers.idle()
    await changed.join()
    telling.cancel()
    await asyncio.wait([telling])


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
