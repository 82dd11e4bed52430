"""One setting a workspace, made of the real adapters (plain and sealed) or of the fakes; every contract runs on each.

After each test on the real ones the database and its full-text index are checked whole.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.adapters.files.artifacts import FileArtifacts
from core.adapters.files.folder import WorkspaceFolder
from core.adapters.files.known import KnownList
from core.adapters.sqlite import driver, lists
from core.adapters.sqlite.catalog import SqliteCatalog
from core.adapters.sqlite.changes import SqliteChanges
from core.adapters.sqlite.conversations import SqliteConversations
from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.keepers import keepers
from core.adapters.sqlite.memory import SqliteMemory
from core.adapters.sqlite.migrations import prepare
from core.adapters.sqlite.papers import SqlitePapers
from core.adapters.sqlite.record_book import SqliteRecordBook
from core.adapters.sqlite.shared import SqliteShared
from core.adapters.sqlite.trash import SqliteTrash
from core.adapters.sqlite.upkeep import SqliteUpkeep
from core.adapters.sqlite.watching import SqliteWatching
from core.domain.memory import Record, Session, SharedEntry
from core.domain.papers import Paper
from core.domain.trash import Trashed
from core.events import Changed
from core.ports.catalog import CatalogPort
from core.ports.changes import ChangePort
from core.ports.conversations import ConversationPort, MessageRows
from core.ports.memory import MemoryPort, SharedPort
from core.ports.papers import ArtifactPort, PaperPort
from core.ports.records import RecordBookPort
from core.ports.rows import RowsPort
from core.ports.trash import ForgottenPort
from core.ports.upkeep import UpkeepPort
from core.ports.watching import WatchedFoldersPort
from core.ports.workspaces import FolderPort, KnownListPort
from tests.fakes.catalog import FakeCatalog
from tests.fakes.conversations import FakeConversations
from tests.fakes.cutting import OnePassage
from tests.fakes.papers import FakeArtifacts, FakePapers, FakeUpkeep
from tests.fakes.records import FakeRecords, Shelf
from tests.fakes.shared import FakeShared
from tests.fakes.store import FakeStore, SetClock
from tests.fakes.trash import FakeTrash
from tests.fakes.watching import FakeWatching
from tests.fakes.workspaces import FakeFolders, FakeKnownList

KEY = bytes(range(32))
KINDS = ("sqlite", "sealed", "fake")


@dataclass
class Setting:
    """The ports of one workspace. another: MemoryPort for another actor. database: None for the fakes. published: every
    event, in order."""

    clock: SetClock
    published: list[Changed]
    memory: MemoryPort
    book: RecordBookPort
    another: Callable[[str], MemoryPort]
    trash: ForgottenPort
    trashed: RowsPort[Trashed]
    conversations: ConversationPort
    shared: SharedPort
    papers: PaperPort
    upkeep: UpkeepPort
    watching: WatchedFoldersPort
    artifacts: ArtifactPort
    catalog: CatalogPort
    changes: ChangePort
    records: RowsPort[Record]
    sessions: RowsPort[Session]
    messages: MessageRows
    entries: RowsPort[SharedEntry]
    paper_rows: RowsPort[Paper]
    database: Database | None = None

    async def passages(self, kind: str, owner: str) -> list[str] | None:
        """The texts that search would find for one thing; None where there is no index (the fakes)."""
        if self.database is None:
            return None
        sql = (
            "SELECT t.text FROM passages p JOIN passage_texts t ON t.id = p.id"
            " WHERE p.kind = ? AND p.owner = ? ORDER BY p.ordinal"
        )
        return await self.database.read(lambda c: [str(row[0]) for row in c.execute(sql, (kind, owner)).fetchall()])


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture(params=KINDS)
async def setting(request: pytest.FixtureRequest, tmp_path: Path, clock: SetClock) -> AsyncIterator[Setting]:
    published: list[Changed] = []
    if request.param == "fake":
        yield fake(tmp_path, clock, published)
        return
    key = KEY if request.param == "sealed" else None
    setting = await real(tmp_path, clock, published, key)
    yield setting
    assert setting.database is not None
    await setting.database.close()
    check_whole(tmp_path / "workspace.db", key)


def fake(folder: Path, clock: SetClock, published: list[Changed]) -> Setting:
    store = FakeStore(clock, published)
    trash = FakeTrash(store)
    shelf = Shelf(store, trash)
    memory, conversations, shared = FakeRecords(shelf), FakeConversations(store), FakeShared(store, trash)
    papers = FakePapers(store, trash)
    return Setting(
        clock=clock,
        published=published,
        memory=memory,
        book=memory,
        another=lambda actor: FakeRecords(shelf, actor),
        trash=trash,
        trashed=trash.rows(),
        conversations=conversations,
        shared=shared,
        papers=papers,
        upkeep=FakeUpkeep(papers),
        watching=FakeWatching(store, papers),
        artifacts=FakeArtifacts(folder, clock),
        catalog=FakeCatalog(store, trash),
        changes=store,
        records=memory.rows(),
        sessions=conversations.rows(),
        messages=conversations,
        entries=shared.rows(),
        paper_rows=papers.rows(),
    )


async def real(folder: Path, clock: SetClock, published: list[Changed], key: bytes | None) -> Setting:
    def publish(events: Sequence[Changed]) -> None:
        published.extend(events)

    path = folder / "workspace.db"
    database = await Database.open(path, key=key, clock=clock, publish=publish, prepare=prepare)
    cutter = OnePassage()
    return Setting(
        clock=clock,
        published=published,
        memory=SqliteMemory(database, cutter),
        book=SqliteRecordBook(database, cutter),
        another=lambda actor: SqliteMemory(database, cutter, actor),
        trash=SqliteTrash(database, keepers(cutter)),
        trashed=lists.trash_rows(database),
        conversations=SqliteConversations(database, cutter),
        shared=SqliteShared(database, cutter),
        papers=SqlitePapers(database),
        upkeep=SqliteUpkeep(database),
        watching=SqliteWatching(database),
        artifacts=FileArtifacts(folder, clock),
        catalog=SqliteCatalog(database),
        changes=SqliteChanges(database),
        records=lists.record_rows(database),
        sessions=lists.session_rows(database),
        messages=lists.SqliteMessageRows(database),
        entries=lists.shared_rows(database),
        paper_rows=lists.paper_rows(database),
        database=database,
    )


def check_whole(path: Path, key: bytes | None) -> None:
    """Both integrity checks, and that passages, texts, index and waiting list hold the same things."""
    connection, _ = driver.connect(path, key)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        for index in ("passage_index", "agents_fts", "skills_fts"):
            connection.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)")
        numbers: list[Any] = [
            connection.execute(f"SELECT count(*), coalesce(sum({column}), 0) FROM {table}").fetchone()
            for table, column in (("passages", "id"), ("passage_texts", "id"), ("passages_waiting", "passage"))
        ]
        assert numbers[0] == numbers[1] == numbers[2]
        owners = """
            SELECT kind, owner FROM passages
            EXCEPT SELECT 'record', length(namespace) || ':' || namespace || ':' || key FROM records
            EXCEPT SELECT 'message', id FROM sessions EXCEPT SELECT 'shared', key FROM shared
            EXCEPT SELECT 'paper', id FROM papers WHERE removed_at IS NULL
        """
        assert connection.execute(owners).fetchall() == []
    finally:
        connection.close()


@pytest.fixture(params=("files", "fake"))
def known_list(request: pytest.FixtureRequest, tmp_path: Path) -> KnownListPort:
    return KnownList(tmp_path / "data" / "workspaces.toml") if request.param == "files" else FakeKnownList()


@pytest.fixture(params=("files", "fake"))
def folders(request: pytest.FixtureRequest) -> FolderPort:
    return WorkspaceFolder() if request.param == "files" else FakeFolders()
