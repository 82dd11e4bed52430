"""A workspace that watches folders, over the real adapters, with a reader of plain text."""

import asyncio
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from core.adapters.files.artifacts import FileArtifacts
from core.adapters.files.watching import FolderWatcher
from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.lists import folder_rows, paper_rows
from core.adapters.sqlite.migrations import prepare
from core.adapters.sqlite.papers import SqlitePapers
from core.adapters.sqlite.watching import SqliteWatching
from core.clock import system_clock
from core.domain.papers import Paper
from core.domain.watching import Place, WatchedFolder
from core.events import EventHub
from core.ports.rows import ListQuery
from core.services.jobs import JobService
from core.services.papers import PaperService
from core.services.watching import WatchingService
from core.tasks import TaskScope
from tests.fakes.extraction import MemoryExtraction

ID = "0" * 32


class Site:
    """One open workspace in `home`. Use `open` and `close`."""

    def __init__(self, home: Path, database: Database, errors: list[BaseException]) -> None:
        self.home, self.database, self.errors = home, database, errors
        events = EventHub(errors.append)
        self.tasks = TaskScope("workspace", errors.append)
        self.jobs = JobService(ID, events, system_clock)
        self.port, self.watching = SqlitePapers(database), SqliteWatching(database)
        self.artifacts = FileArtifacts(home, system_clock, self.watching.linked_at)
        self.reader = MemoryExtraction()
        self.papers = PaperService(
            ID, self.port, self.artifacts, self.reader, paper_rows(database), self.jobs, events, self.tasks
        )
        self.folders = WatchingService(
            self.watching,
            folder_rows(database),
            FolderWatcher(),
            self.artifacts,
            self.papers,
            self.jobs,
            self.tasks,
            system_clock,
        )

    @classmethod
    async def open(cls, home: Path) -> "Site":
        (home / ".run").mkdir(parents=True, exist_ok=True)
        (home / "workspace.toml").write_text('id = "x"\n')
        errors: list[BaseException] = []
        database = await Database.open(
            home / "workspace.db", key=None, clock=system_clock, publish=lambda events: None, prepare=prepare
        )
        site = cls(home, database, errors)
        await site.papers.start()
        await site.folders.start()
        return site

    async def close(self) -> None:
        await self.tasks.close()
        await self.papers.stop()
        self.jobs.close()
        await self.database.close()
        assert self.errors == []

    async def every(self) -> dict[str, Paper]:
        """Papers by name; two of one name would be a fault of the test."""
        found = await self.papers_here()
        papers = {paper.name: paper for paper in found}
        assert len(papers) == len(found)
        return papers

    async def papers_here(self) -> list[Paper]:
        numbers = await self.papers.rows.snapshot(ListQuery())
        return [paper for paper in await self.papers.rows.rows(numbers) if paper is not None]

    async def paper(self, name: str) -> Paper:
        return (await self.every())[name]

    async def places(self, name: str) -> list[Place]:
        return list(await self.folders.places((await self.paper(name)).id))

    async def text(self, name: str) -> str:
        """What is found of a paper."""
        id = (await self.paper(name)).id
        sql = (
            "SELECT t.text FROM passages p JOIN passage_texts t ON t.id = p.id WHERE p.kind = 'paper' AND p.owner = ?"
            " ORDER BY p.ordinal"
        )
        rows = await self.database.read(lambda c: c.execute(sql, (id,)).fetchall())
        return "\n".join(str(row[0]) for row in rows)

    async def settled(self) -> None:
        """Everything was looked at and read."""
        async with asyncio.timeout(40):
            await self.folders.idle()
            await self.papers.idle()

    async def shows(self, folder: WatchedFolder) -> dict[str, str]:
        """Path to digest of the files that are papers here and are there."""
        sql = (
            "SELECT f.path, p.digest FROM watched_files f JOIN papers p ON p.id = f.paper"
            " WHERE f.folder = ? AND f.gone_at IS NULL"
        )
        rows = await self.database.read(lambda c: c.execute(sql, (folder.number,)).fetchall())
        return {os.fsdecode(row[0]): str(row[1]) for row in rows}


async def until(holds: Callable[[], object]) -> None:
    """Wait for what has no event."""
    async with asyncio.timeout(20):
        while not (await answer if asyncio.iscoroutine(answer := holds()) else answer):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def lying(folder: Path) -> dict[str, str]:
    """Path to digest of what lies in a folder."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
    }


def written(path: Path, text: str, age: float = 60.0) -> Path:
    """A file that was written so many seconds ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns - int(age * 1e9)))
    return path
