"""Two workspaces in one process: nothing of one in the other's files, open files, temporary files or log."""

import asyncio
import gc
import logging
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.adapters.files.artifacts import FileArtifacts
from core.adapters.files.folder import WorkspaceFolder
from core.adapters.files.lock import WorkspaceLock, acquire
from core.adapters.sqlite.catalog import SqliteCatalog
from core.adapters.sqlite.conversations import SqliteConversations
from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.keepers import keepers
from core.adapters.sqlite.memory import SqliteMemory
from core.adapters.sqlite.migrations import prepare
from core.adapters.sqlite.papers import SqlitePapers
from core.adapters.sqlite.record_book import SqliteRecordBook
from core.adapters.sqlite.shared import SqliteShared
from core.adapters.sqlite.trash import SqliteTrash
from core.domain.catalog import BrokenManifest, Problem, Source
from core.domain.extraction import Extracted, PassageDraft
from core.domain.manifests import AgentManifest, ManifestKind
from core.domain.memory import Role
from core.domain.tiers import Tier
from core.errors import NotFound
from tests.fakes.cutting import OnePassage

KEY = bytes(range(32))


class Opened:
    """One workspace with its marker in every kind of thing that it stores."""

    def __init__(self, path: Path, marker: str, key: bytes | None) -> None:
        self.path = path
        self.marker = marker
        self.key = key
        self.database: Database
        self.lock: WorkspaceLock

    async def open(self) -> None:
        self.lock = acquire(self.path)
        self.database = await Database.open(
            self.path / "workspace.db", key=self.key, clock=time.time, publish=lambda events: None, prepare=prepare
        )

    async def work(self, rounds: int) -> None:
        cutter = OnePassage()
        memory = SqliteMemory(self.database, cutter, f"assistant:{self.marker}")
        await memory.remember(f"{self.marker} gone", f"{self.marker} first", Tier.WORKING, f"{self.marker} trash")
        await memory.remember(f"{self.marker} gone", f"{self.marker} second", Tier.WORKING, f"{self.marker} trash")
        await memory.recall(f"{self.marker} second", namespace=f"{self.marker} trash", learn=True)
        await memory.forget_all(f"{self.marker} trash")
        conversations = SqliteConversations(self.database, cutter)
        papers = SqlitePapers(self.database)
        session = await conversations.begin(f"{self.marker} session")
        catalog = SqliteCatalog(self.database)
        for title in (f"{self.marker} first", f"{self.marker} second"):
            manifest = AgentManifest(id=self.marker, title=title, tags=(self.marker,), skills=(f"{self.marker}-skill",))
            source = Source(f"agents/{self.marker}", self.marker, files={"agent.yaml": self.marker.encode()})
            await catalog.index_agent(manifest, source)
        assert [entry.manifest.id for entry in await catalog.search_agents("first second")] == [self.marker]
        assert [one.id for one in await catalog.missing_skills()] == [f"{self.marker}-skill"]
        assert await catalog.ids(ManifestKind.AGENT) == [self.marker]
        problem = Problem("agent.yaml", 1, "id", self.marker)
        await catalog.note_broken([BrokenManifest(self.marker, self.marker, ManifestKind.AGENT, (problem,))])
        for n in range(rounds):
            text = f"{self.marker} text {n} " * 30
            await memory.remember(f"{self.marker} {n}", {self.marker: text}, Tier.SEMANTIC, self.marker)
            await conversations.add(session.id, Role.USER, text)
            await SqliteShared(self.database, cutter).set(f"{self.marker} {n}", text)
            source = Path(tempfile.mkdtemp()) / f"{self.marker}-{n}.txt"
            source.write_text(text)
            artifact = await FileArtifacts(self.path, time.time).take(source, 10**6)
            source.unlink()
            source.parent.rmdir()
            paper, _ = await papers.add(artifact, source.name, str(source))
            await papers.finish(paper.id, Extracted("text/plain", "txt", [PassageDraft(text)], title=text[:60]))
            assert len(await memory.recall(text, namespace=self.marker)) == min(n + 1, 10)

    async def close(self) -> None:
        await self.database.close()
        self.lock.release(clean=True)


def bytes_below(folder: Path) -> Iterator[bytes]:
    for path in folder.rglob("*"):
        yield os.fsencode(path)
        if path.is_file() and not path.is_symlink():
            yield path.read_bytes()


def holds(folder: Path, marker: str) -> bool:
    return any(marker.encode() in content for content in bytes_below(folder))


def open_files_below(folder: Path) -> set[str]:
    links: set[str] = set()
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            links.add(os.readlink(descriptor))
        except FileNotFoundError:
            continue  # the one that lists the folder
    return {link for link in links if link.startswith(str(folder))}


@pytest.fixture
def spoken() -> Iterator[list[str]]:
    """Every log record of the process, with its arguments, from DEBUG up."""
    lines: list[str] = []

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    handler, root = Keeping(), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield lines
    root.setLevel(level)
    root.removeHandler(handler)


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "sealed"])
async def test_two_workspaces_share_nothing(tmp_path: Path, key: bytes | None, spoken: list[str]) -> None:
    folders = WorkspaceFolder()
    first = Opened((await folders.create(tmp_path / "a" / "first", "First")).path, "alphamarker", key)
    second = Opened((await folders.create(tmp_path / "b" / "second", "Second")).path, "betamarker", None)
    await first.open()
    await second.open()
    await asyncio.gather(first.work(8), second.work(8))  # at the same time, in the same threads
    assert open_files_below(first.path)
    assert not holds(first.path, second.marker)
    assert not holds(second.path, first.marker)
    await first.close()
    gc.collect()
    assert open_files_below(first.path) == set()
    assert open_files_below(second.path)
    await second.close()
    assert open_files_below(tmp_path) == set()
    assert not holds(first.path, second.marker)
    assert not holds(second.path, first.marker)
    assert holds(second.path, second.marker)
    database = (first.path / "workspace.db").read_bytes()
    assert (first.marker.encode() in database) == (key is None)
    others = [path for path in Path(tempfile.gettempdir()).rglob("*") if tmp_path not in (path, *path.parents)]
    assert not any(marker in str(path) for path in others for marker in (first.marker, second.marker))
    assert not any(marker in line for line in spoken for marker in (first.marker, second.marker))


async def test_histories_and_trash_of_two_workspaces_never_meet(tmp_path: Path) -> None:
    """The same keys and row numbers in both: what one holds, the other neither lists, restores nor erases."""
    folders, cutter = WorkspaceFolder(), OnePassage()
    first = Opened((await folders.create(tmp_path / "first", "First")).path, "alphamarker", None)
    second = Opened((await folders.create(tmp_path / "second", "Second")).path, "betamarker", None)
    for each in (first, second):
        await each.open()
    memory, book = SqliteMemory(first.database, cutter), SqliteRecordBook(first.database, cutter)
    await memory.remember("key", first.marker, Tier.WORKING, metadata={"tags": [first.marker]})
    await memory.remember("key", first.marker, Tier.WORKING)
    await memory.reinforce("key")
    await memory.forget("key")
    own, trash = (SqliteTrash(each.database, keepers(cutter)) for each in (first, second))
    number = (await own.find("record", "7:default:key") or pytest.fail("nothing there")).number
    assert await trash.find("record", "7:default:key") is None
    with pytest.raises(NotFound):
        await trash.restore(number)
    assert (await trash.erase([number]), await trash.empty(), await trash.oldest()) == (0, 0, None)
    other, pages = SqliteMemory(second.database, cutter), SqliteRecordBook(second.database, cutter)
    await other.remember("key", second.marker, Tier.WORKING)
    assert [version.value for version in await pages.versions("key")] == [second.marker]
    assert (await pages.accesses("key"), await pages.tags(), await pages.proposals()) == ([], [], [])
    await own.restore(number)
    assert len(await book.versions("key")) == 2
    for each in (first, second):
        await each.close()
    assert not holds(second.path, first.marker)


async def test_the_threads_of_a_closed_workspace_end(tmp_path: Path) -> None:
    workspace = Opened((await WorkspaceFolder().create(tmp_path / "first", "First")).path, "alphamarker", None)
    await workspace.open()
    await workspace.work(2)
    named = {thread.name for thread in threading.enumerate()}
    assert "writer-first" in named
    await workspace.close()
    left = {thread.name for thread in threading.enumerate() if thread.name.startswith(("writer-", "reader-"))}
    assert left == set()
