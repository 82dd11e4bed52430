"""The catalog at 40, 1,000 and 10,000 manifests: search and tree without the window, and the import from a folder.

    python -m benchmarks.catalog [--rounds N]

Half are agents, half skills. The first 40 are the ones that come with the program; the others are made from them by one
seed: other titles, places, tags and words, so that some words are rare and some stand in nearly all of them.
"""

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import psutil

from app.paths import resources
from benchmarks import machine
from core.adapters.files.manifests import ManifestFiles
from core.adapters.sqlite.catalog import SqliteCatalog
from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.migrations import prepare
from core.domain.catalog import Narrowing
from core.domain.manifest_reading import read_bundle
from core.domain.manifest_writing import files_of_manifest
from core.domain.manifests import Manifest, RiskClass
from core.events import EventHub, Progress
from core.services.jobs import JobService
from core.services.manifests import ManifestExchange

SIZES = (40, 1_000, 10_000)
AREAS = ("intake", "appointments", "billing", "referrals", "letters", "filing", "recalls", "staff", "forms", "prices")
PLACES = ("north", "south", "harbour", "mill", "station", "garden", "bridge", "castle", "lake", "hill")
Ask = Callable[[], Awaitable[object]]


async def starter() -> list[Manifest]:
    scan = await ManifestFiles().scan(resources() / "catalog")
    read = [read_bundle(bundle).manifest for bundle in await scan.read(0, scan.count)]
    return [manifest for manifest in read if manifest is not None]


def made(first: Sequence[Manifest], size: int) -> list[Manifest]:
    """`size` manifests; the same for the same size."""
    chance = random.Random(20261201)
    found = list(first)
    while len(found) < size:
        number, like = len(found), first[len(found) % len(first)]
        area, place = chance.choice(AREAS), chance.choice(PLACES)
        changes = {
            "id": f"{like.id}-{number}",
            "title": f"{like.title} {place} {number}",
            "category": ".".join((area, place, str(number % 7))[: chance.randint(1, 3)]),
            "tags": (*like.tags, place),
            "description": f"{like.description} For the {place} branch, matter {number * 7919 % 100_003}.",
        }
        found.append(like.model_copy(update=changes))
    return found


def written(folder: Path, manifests: Sequence[Manifest]) -> int:
    """Write them as files; answers how many files."""
    files = 0
    for manifest in manifests:
        for name, data in files_of_manifest(manifest).items():
            path = folder / f"{manifest.kind}s" / manifest.id / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            files += 1
    return files


def questions(catalog: SqliteCatalog, database: Database) -> dict[str, list[Ask]]:
    """What is measured, by kind."""
    agents, skills = catalog.search_agents, catalog.search_skills

    def each(values: Sequence[str], ask: Callable[[str], Awaitable[object]]) -> list[Ask]:
        return [lambda value=value: ask(value) for value in values]

    rare = ("wheelchair", "bank account", "transcript", "interpreter", "kerb", "helpline", "insulin", "quotation")
    common = ("letter", "papers", "colleague", "never", "the", "appointment", "person", "a")
    typed = ("intake let", "appoi", "remin", "minut", "price q", "fil", "tele", "invoi")
    return {
        "rare words": [*each(rare, agents), *each(rare, skills)],
        "common words": [*each(common, agents), *each(common, skills)],
        "words as they are typed": [*each(typed, agents), *each(typed, skills)],
        "common word, in a category, with tags": each(
            PLACES[:8], lambda tag: agents("papers", "clinical", "intake", tags=[tag, "letters"])
        ),
        "no words, first page": [agents, skills],
        "no words, narrowed, later page": [
            lambda: agents(domain="Operations", offset=100, narrowing=Narrowing((RiskClass.ADMIN,)))
        ],
        "one entry and its relations": [
            lambda: catalog.get_agent("intake-letter"), lambda: catalog.skills_of("intake-letter"),
        ],
        "tree": [catalog.get_category_tree],
        "tree, the first time after a change": [lambda: SqliteCatalog(database).get_category_tree()],
    }  # fmt: skip


async def timed(asks: Sequence[Ask], rounds: int) -> tuple[list[float], list[float]]:
    """Wall and processor milliseconds of each call."""
    wall: list[float] = []
    cpu: list[float] = []
    for turn in range(rounds + 1):
        for ask in asks:
            begun, used = time.perf_counter(), time.process_time()
            await ask()
            if turn:  # the first round warms up
                wall.append((time.perf_counter() - begun) * 1000)
                cpu.append((time.process_time() - used) * 1000)
    return sorted(wall), sorted(cpu)


def at(values: Sequence[float], share: float) -> str:
    return f"{values[min(len(values) - 1, int(len(values) * share))]:.2f}"


async def measured(folder: Path, manifests: Sequence[Manifest], rounds: int) -> tuple[list[str], list[list[object]]]:
    """The import as a row, and a row for each kind of question."""
    source = folder / "source"
    files = written(source, manifests)
    events, process = EventHub(lambda error: None), psutil.Process()
    path = folder / "workspace.db"
    database = await Database.open(path, key=None, clock=time.time, publish=lambda changed: None, prepare=prepare)
    catalog, jobs = SqliteCatalog(database), JobService("benchmark", events, time.time)
    before, highest = process.memory_info().rss, 0

    def look(progress: Progress) -> None:
        nonlocal highest
        highest = max(highest, process.memory_info().rss)

    exchange = ManifestExchange(catalog, ManifestFiles(), jobs, events, source)
    begun, used = time.perf_counter(), time.process_time()
    report = await exchange.take(source, on_progress=look)
    wall, cpu = time.perf_counter() - begun, time.process_time() - used
    assert len(report.created) == len(manifests)
    begun = time.perf_counter()
    assert len((await exchange.take(source)).same) == len(manifests)
    again = time.perf_counter() - begun
    size = path.stat().st_size / 1e6
    row = [f"{len(manifests):,}", f"{files:,}", f"{wall:.1f}", f"{cpu:.1f}", f"{again:.1f}"]
    row += [f"{(highest - before) / 1e6:.0f}", f"{size:.0f}"]
    rows: list[list[object]] = []
    for name, asks in questions(catalog, database).items():
        walls, cpus = await timed(asks, max(rounds, 100 // len(asks)))
        rows.append([f"{len(manifests):,}: {name}", at(walls, 0.5), at(walls, 0.95), at(cpus, 0.5), at(cpus, 0.95)])
    jobs.close()
    await database.close()
    return row, rows


async def main(rounds: int) -> None:
    first, imports, asked = await starter(), list[list[str]](), list[list[object]]()
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            row, rows = await measured(Path(folder), made(first, size), rounds)
        imports.append(row)
        asked += rows
    print(machine.table(("manifests: question", "p50 ms", "p95 ms", "CPU p50", "CPU p95"), asked))
    print()
    head = ("manifests", "files", "import s", "CPU s", "again s", "memory added MB", "database MB")
    print(machine.table(head, imports))
    print(f"\n{machine.described()}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=12)
    asyncio.run(main(parser.parse_args().rounds))
