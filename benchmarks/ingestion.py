"""Taking papers in: papers and pages a minute beside two peers in the same run, vectors a second, disk used.

    python -m benchmarks.ingestion [--copies N]

The files of ../shared/corpus (or the sample's) in formats that all three read, `copies` times with other bytes each,
are taken in by the program (read, cut, indexed; vectors apart), indexed by Recoll (Debian: recollcmd), and turned into
text by MarkItDown in one process. Peers that can't be had are left out. Scans are not in it: see benchmarks.ocr. Prints
Markdown; times are wall clock, with processor time of all processes beside them.
"""

import argparse
import asyncio
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from app.bootstrap import Program
from app.paths import Paths
from benchmarks.machine import described, table
from core.domain.papers import PaperState
from core.domain.passages import Kind
from core.ports.rows import ListQuery
from core.services.workspace import Workspace

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT.parent / "shared" / "corpus" / "documents"
SAMPLE = ROOT / "resources" / "sample" / "papers"
ENDINGS = {".pdf", ".docx", ".xlsx", ".pptx", ".html", ".csv", ".txt", ".md"}
LARGEST = 3 * 1024 * 1024
HOUR = 3600.0
PEER = Path(tempfile.gettempdir()) / "muniment-bench" / "markitdown"
CONVERT = """
import sys
from pathlib import Path
from markitdown import MarkItDown
made = MarkItDown(enable_plugins=False)
done = 0
for path in sorted(Path(sys.argv[1]).rglob("*")):
    if path.is_file():
        try:
            done += bool(made.convert(str(path)).text_content.strip())
        except Exception:
            pass
print(done)
"""


@dataclass
class Spent:
    seconds: float = 0.0
    processor: float = 0.0


@contextmanager
def spent() -> Iterator[Spent]:
    """Wall and processor time."""
    used, before, begin = Spent(), _processor(), time.perf_counter()
    yield used
    used.seconds, used.processor = time.perf_counter() - begin, _processor() - before


def _processor() -> float:
    """Of this process, its children that run, and those that have ended."""
    own, ended = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    running = [child.cpu_times() for child in psutil.Process().children(recursive=True)]
    alive = sum(times.user + times.system for times in running)
    return own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime + alive


def gathered(folder: Path, copies: int) -> int:
    """Files of the formats that all read; a copy differs from the next in a byte that no reader shows."""
    source = CORPUS if CORPUS.is_dir() else SAMPLE
    files = [path for path in sorted(source.rglob("*")) if path.suffix.lower() in ENDINGS and path.is_file()]
    small = [path for path in files if 0 < path.stat().st_size <= LARGEST]
    for copy in range(copies):
        for number, path in enumerate(small):
            target = folder / f"{copy}" / f"{number:04} {path.name}"
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(path.read_bytes() + (b"\n" * copy))
    return len(small) * copies


async def ours(folder: Path, home: Path) -> tuple[list[list[object]], list[list[object]]]:
    program = Program.build(Paths(home, home, home))
    workspace = await program.workspaces.open((await program.workspaces.create(home, "Ingestion")).path)
    with spent() as read:
        await workspace.papers.add([folder])
        while await _waits(workspace):  # noqa: ASYNC110 - scans are not waited for
            await asyncio.sleep(0.02)
    papers = [paper for paper in await _papers(workspace) if paper.state is PaperState.SEARCHABLE]
    pages = sum(paper.pages or 1 for paper in papers)
    with spent() as embedded:
        await asyncio.wait_for(workspace.meaning.idle(), HOUR)
    passages = (await workspace.papers.queue()).passages
    text = await _text_bytes(workspace)
    path = workspace.info.path
    await program.close()
    disk = (path / "workspace.db").stat().st_size
    speed = [["Muniment: read, cut and indexed", len(papers), *_rates(len(papers), pages, read)]]
    rest: list[list[object]] = [
        ["passages embedded a second", f"{passages / max(embedded.seconds, 0.001):.1f}"],
        ["database, MB for each MB of text (vectors in it)", f"{disk / max(text, 1):.2f}"],
        ["text read out, MB", f"{text / 2**20:.1f}"],
    ]
    return speed, rest


async def _waits(workspace: Workspace) -> bool:
    """Anything but a scan still waits. Scans are another benchmark's."""
    return any(
        paper.state in (PaperState.WAITING, PaperState.READING) and not paper.scan for paper in await _papers(workspace)
    )


async def _papers(workspace: Workspace):
    numbers = await workspace.papers.rows.snapshot(ListQuery())
    found = []
    for start in range(0, len(numbers), 1000):
        found += [paper for paper in await workspace.papers.rows.rows(numbers[start : start + 1000]) if paper]
    return found


async def _text_bytes(workspace: Workspace) -> int:
    total = 0
    for paper in await _papers(workspace):
        for passage in await workspace.search.of_owner(Kind.PAPER, paper.id, 0, 100_000):
            total += len(passage.text.encode())
    return total


def _rates(papers: int, pages: int, used: Spent) -> list[object]:
    minutes = max(used.seconds, 0.001) / 60
    return [f"{papers / minutes:.0f}", f"{pages / minutes:.0f}", f"{used.seconds:.1f}", f"{used.processor:.1f}"]


def recoll(folder: Path, count: int) -> list[list[object]]:
    if shutil.which("recollindex") is None:
        return []
    with tempfile.TemporaryDirectory(prefix="muniment-recoll-") as settings:
        Path(settings, "recoll.conf").write_text(f"topdirs = {folder}\n", "utf-8")
        with spent() as used:
            subprocess.run(["recollindex", "-c", settings], check=True, capture_output=True, timeout=HOUR)
    return [["Recoll: text and index", count, f"{count * 60 / used.seconds:.0f}", "", *_times(used)]]


def markitdown(folder: Path) -> list[list[object]]:
    python = PEER / "bin" / "python"
    if not python.exists():
        made = subprocess.run([sys.executable, "-m", "venv", PEER], check=False, capture_output=True)
        wanted = "markitdown[pdf,docx,xlsx,pptx]"
        if made.returncode or subprocess.run([python, "-m", "pip", "install", "-q", wanted], check=False).returncode:
            return []
    with spent() as used:
        answer = subprocess.run(
            [python, "-c", CONVERT, folder], check=False, capture_output=True, text=True, timeout=HOUR,
            env=os.environ | {"PYTHONWARNINGS": "ignore"},
        )  # fmt: skip
    if answer.returncode:
        return []
    count = int(answer.stdout.split()[-1])
    return [["MarkItDown: text alone", count, f"{count * 60 / used.seconds:.0f}", "", *_times(used)]]


def _times(used: Spent) -> list[object]:
    return [f"{used.seconds:.1f}", f"{used.processor:.1f}"]


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.ingestion")
    parser.add_argument("--copies", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="muniment-ingestion-") as place:
        papers, home = Path(place, "papers"), Path(place, "home")
        papers.mkdir()
        home.mkdir()
        count = gathered(papers, arguments.copies)
        speed, rest = asyncio.run(ours(papers, home))
        speed += recoll(papers, count) + markitdown(papers)
    head = ["", "papers with text", "papers a minute", "pages a minute", "seconds", "processor seconds"]
    print(f"{count} files\n")
    print(table(head, speed), table(["", ""], rest), described(), sep="\n\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
