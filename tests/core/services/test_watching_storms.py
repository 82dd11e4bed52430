"""Watched folders under bursts of changes, and through deaths of the program: in the end papers equal the folder."""

import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.domain import watching
from core.domain.watching import Keep
from core.services import folder_watch
from tests.core.services.watched import Site, lying, until, written

ROOT = Path(__file__).resolve().parents[3]
ROUNDS = int(os.environ.get("MUNIMENT_STORM", "3"))  # how long the storm rages


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "SETTLED_SECONDS", 0.1)
    monkeypatch.setattr(folder_watch, "TICK", 0.05)
    monkeypatch.setattr(folder_watch, "CHECK", 0.3)


def burst(folder: Path, chance: random.Random, steps: int) -> None:
    """Writes, rewrites, renames, copies and deletions of files and folders."""
    for step in range(steps):
        folders = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
        files = [path for path in folder.rglob("*") if path.is_file()]
        here = chance.choice(folders)
        act = chance.random()
        if act < 0.35 or not files:
            (here / f"f{chance.randrange(60)}.txt").write_text(f"text {chance.randrange(80)}")
        elif act < 0.5:
            chance.choice(files).write_text(f"changed {step} {chance.random()}")
        elif act < 0.65:
            chance.choice(files).replace(here / f"f{chance.randrange(60)}.txt")
        elif act < 0.75:
            chance.choice(files).unlink()
        elif act < 0.83:
            source = chance.choice(files)
            if source.parent != here:
                shutil.copy2(source, here / source.name)
        elif act < 0.9:
            (here / f"d{chance.randrange(9)}").mkdir(exist_ok=True)
        elif act < 0.96 and len(folders) > 1:
            moved = chance.choice(folders[1:])
            target = folder / f"m{chance.randrange(1000)}"
            if not target.exists():
                moved.rename(target)
        elif len(folders) > 3:
            shutil.rmtree(chance.choice(folders[1:]))


@pytest.mark.parametrize("keep", list(Keep))
async def test_after_a_storm_the_papers_equal_the_folder(tmp_path: Path, keep: Keep) -> None:
    scans, chance = tmp_path / "Scans", random.Random(f"{keep} {ROUNDS}")
    scans.mkdir()
    site = await Site.open(tmp_path / "north")
    folder = await site.folders.add(scans, keep)
    for _ in range(ROUNDS):
        await asyncio.to_thread(burst, scans, chance, 60)
        await asyncio.sleep(chance.random() * 0.3)

    async def equal() -> bool:
        await site.settled()
        return await site.shows(folder) == await asyncio.to_thread(lying, scans)

    await until(equal)
    here = set(lying(scans).values())
    papers = await site.papers_here()
    assert len({paper.digest for paper in papers}) == len(papers)
    there = [paper for paper in papers if paper.digest in here]
    assert {paper.digest for paper in there} == here
    assert {paper.state.value for paper in there} == {"searchable"}
    if keep is Keep.LINK:
        assert {paper.digest for paper in papers if paper.gone_at is None} == here
    assert await _passages(site) == sorted(paper.id for paper in papers if paper.passages)
    await site.close()


async def _passages(site: Site) -> list[str]:
    """Papers with text in the index; what has none is found by its name alone."""
    sql = (
        "SELECT DISTINCT p.owner FROM passages p JOIN passage_texts t ON t.id = p.id"
        " WHERE p.kind = 'paper' AND t.text <> ''"
    )
    rows = await site.database.read(lambda c: c.execute(sql).fetchall())
    return sorted(str(row[0]) for row in rows)


CHILD = """
import asyncio, sys
from pathlib import Path
from core.domain.watching import Keep
from tests.core.services.watched import Site
async def main(home, scans, keep):
    site = await Site.open(home)
    if not await site.folders.list():
        await site.folders.add(scans, keep)
    print("watching", flush=True)
    await asyncio.sleep(60)
asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), Keep(sys.argv[3])))
"""


@pytest.mark.parametrize("keep", list(Keep))
async def test_after_deaths_nothing_is_double_or_lost(tmp_path: Path, keep: Keep) -> None:
    scans, chance = tmp_path / "Scans", random.Random(7)
    for number in range(400):
        written(scans / f"d{number % 7}" / f"f{number}.txt", f"text {number % 390}")
    command = [sys.executable, "-c", CHILD, str(tmp_path / "north"), str(scans), keep.value]
    for _ in range(4):
        child = await asyncio.to_thread(subprocess.Popen, command, cwd=ROOT, stdout=subprocess.PIPE)
        assert child.stdout is not None
        assert await asyncio.to_thread(child.stdout.readline) == b"watching\n"
        await asyncio.sleep(chance.random() * 0.4)
        child.send_signal(signal.SIGKILL)
        await asyncio.to_thread(child.communicate)
        (scans / "d1" / f"f{chance.randrange(400)}.txt").unlink(missing_ok=True)
    site = await Site.open(tmp_path / "north")
    await site.settled()
    (folder,) = await site.folders.list()
    assert await site.shows(folder) == lying(scans)
    papers = await site.papers_here()
    here = set(lying(scans).values())
    assert len({paper.digest for paper in papers}) == len(papers)
    assert {paper.digest for paper in papers} >= here
    assert {paper.state.value for paper in papers if paper.gone_at is None} == {"searchable"}
    stored = set(await site.artifacts.stored())
    assert (stored == set()) if keep is Keep.LINK else (stored >= here)
    await site.close()
