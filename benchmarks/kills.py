"""Kill the program at random moments of taking papers in, and look whether anything that it reported is lost.

    python -m benchmarks.kills [--kills 50] [--worker-kills 0] [--papers FOLDER] [--copies 1] [--seed 1]

A child takes every file below the folder into one workspace and prints a line for each fact that it was told of after
the commit: a paper taken, a paper searchable or in need of attention. It is killed (SIGKILL) at a random moment and
started again, until the given number of kills; a workspace that has everything is followed by a new one. After each
kill every reported line must hold in the database, SQLite's and FTS5's own checks must pass, and every artifact must
have its digest.

--worker-kills: so many times a worker process is killed as well, while the program goes on; the paper that it was
reading is set aside as one that stopped its reader. --copies: the files so many times, each copy with other bytes.
In the end the store holds the bytes of the papers and no others, and index and vectors belong to papers that are there.
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
from contextlib import suppress
from pathlib import Path

import psutil

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
    parser.add_argument("--worker-kills", type=int, default=0)
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--papers", type=Path, default=ROOT.parent / "shared" / "corpus" / "documents")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child is not None:
        asyncio.run(_take_in(arguments.child, arguments.papers))
        return 0
    folder = Path(tempfile.mkdtemp(prefix="muniment-kills-"))
    try:
        papers = _copied(arguments.papers, folder / "papers", arguments.copies) if arguments.copies > 1 else None
        workers = _WorkerKiller(arguments.worker_kills, random.Random(arguments.seed + 1))
        return run(folder, papers or arguments.papers, arguments.kills, random.Random(arguments.seed), workers)
    finally:
        shutil.rmtree(folder)


def _copied(source: Path, target: Path, copies: int) -> Path:
    for copy in range(copies):
        for path in (path for path in sorted(source.rglob("*")) if path.is_file()):
            place = target / str(copy) / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(path.read_bytes() + b"\n" * copy)
    return target


class _WorkerKiller:
    """Kills worker processes of a program at random moments, `left` more times."""

    def __init__(self, count: int, chance: random.Random) -> None:
        self.left = count
        self._chance = chance

    def begin(self, program: subprocess.Popen[str]) -> None:
        if self.left > 0:
            threading.Thread(target=self._work, args=(program,), daemon=True).start()

    def _work(self, program: subprocess.Popen[str]) -> None:
        while self.left > 0 and program.poll() is None:
            time.sleep(self._chance.uniform(0.02, 0.6))
            if workers := workers_of(program.pid):
                with suppress(psutil.Error):
                    self._chance.choice(workers).kill()
                    self.left -= 1


def workers_of(pid: int) -> list[psutil.Process]:
    with suppress(psutil.Error):
        return [each for each in psutil.Process(pid).children(recursive=True) if "extraction" in each.cmdline()]
    return []


def run(folder: Path, papers: Path, kills: int, chance: random.Random, workers: _WorkerKiller | None = None) -> int:
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
            ended = _one_run(home, papers, chance.uniform(0.2, 6.0) if done < kills else None, facts, workers)
            done += not ended
            found = list(check(home / NAME, facts))
            faults += len(found)
            for fault in found:
                print(f"kill {done}: {fault}")
        reported += len(facts)
        settled += _settled(home / NAME)
        for fault in orphans(home / NAME):
            faults += 1
            print(f"in the end: {fault}")
        shutil.rmtree(home)
    print(
        f"{done} kills over {workspaces} workspaces in {time.monotonic() - begin:.0f} s; {reported} papers reported, "
        f"{settled} settled in the end; {faults} faults"
        + (f"; {workers.left} kills of workers were not used" if workers and workers.left else "")
    )
    return faults + abs(reported - settled)


def _one_run(
    folder: Path, papers: Path, limit: float | None, facts: dict[str, str], workers: _WorkerKiller | None
) -> bool:
    """Start the child, collect what it reports, kill it after `limit` seconds. True when it ended by itself before."""
    command = [sys.executable, "-m", "benchmarks.kills", "--child", str(folder), "--papers", str(papers)]
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    timer = threading.Timer(limit, child.send_signal, (signal.SIGKILL,)) if limit is not None else None
    for line in child.stdout:  # a line that was cut off by the kill was never reported whole
        if line == "open\n":  # the clock starts when the workspace is open, so that every moment of the work is met
            if timer is not None:
                timer.start()
            if workers is not None:
                workers.begin(child)
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
            "SELECT p.id, p.passages - (SELECT count(*) FROM passages s JOIN passage_texts t ON t.id = s.id "
            "WHERE s.kind = 'paper' AND s.owner = p.id AND t.text <> '') FROM papers p"
        ):
            if count:
                yield f"paper {id} differs from its passages by {count}"
        digests = [row[0] for row in connection.execute("SELECT digest FROM papers").fetchall()]
    finally:
        connection.close()
    yield from asyncio.run(_damaged(path, digests))


def orphans(path: Path) -> Iterator[str]:
    """What lies in the store, the index or the vectors without a paper, as sentences."""
    connection, _ = driver.connect(path / "workspace.db", None)
    try:
        digests = {row[0] for row in connection.execute("SELECT digest FROM papers").fetchall()}
        for table, column in (("passage_texts", "id"), ("passage_vectors", "passage"), ("passages_waiting", "passage")):
            sql = f"SELECT count(*) FROM {table} WHERE {column} NOT IN (SELECT id FROM passages)"
            if count := connection.execute(sql).fetchall()[0][0]:
                yield f"{count} rows of {table} belong to no passage"
    finally:
        connection.close()
    stored = {file.name for file in (path / "artifacts" / "sha256").rglob("*") if file.is_file()}
    if stored != digests:
        yield f"{len(stored - digests)} files of the store belong to no paper, {len(digests - stored)} are missing"
    if left := list((path / ".run" / "staging").glob("*")):
        yield f"{len(left)} files are left in staging"


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
