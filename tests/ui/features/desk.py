"""A workspace and a place of the window, as the window puts them together, with reading and meaning done in process."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Self

from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.paths import resources
from core.adapters.files.artifacts import FileArtifacts
from core.adapters.files.manifests import ManifestFiles
from core.adapters.files.remains import FileRemains
from core.adapters.files.saving import FileSaving
from core.adapters.files.watching import FolderWatcher
from core.adapters.sqlite.catalog import SqliteCatalog
from core.adapters.sqlite.changes import SqliteChanges
from core.adapters.sqlite.consolidation import SqliteConsolidation
from core.adapters.sqlite.conversations import SqliteConversations
from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.erasure import SqliteErasure
from core.adapters.sqlite.keepers import keepers
from core.adapters.sqlite.lists import (
    SqliteMessageRows,
    folder_rows,
    paper_rows,
    record_rows,
    session_rows,
    shared_rows,
    trash_rows,
)
from core.adapters.sqlite.memory import SqliteMemory
from core.adapters.sqlite.migrations import prepare
from core.adapters.sqlite.papers import SqlitePapers
from core.adapters.sqlite.record_book import SqliteRecordBook
from core.adapters.sqlite.shared import SqliteShared
from core.adapters.sqlite.trash import SqliteTrash
from core.adapters.sqlite.upkeep import SqliteUpkeep
from core.adapters.sqlite.vectors import SqliteVectors
from core.adapters.sqlite.watching import SqliteWatching
from core.adapters.sqlite.words import SqliteWords
from core.clock import system_clock
from core.domain.workspaces import WorkspaceInfo
from core.events import EventHub
from core.services.consolidation import ConsolidationService
from core.services.erasure import ErasureService
from core.services.exchange import ConversationExchange
from core.services.jobs import JobService
from core.services.manifests import ManifestExchange
from core.services.meaning import MeaningService
from core.services.papers import PaperService
from core.services.previews import PreviewService
from core.services.scopes import ConversationScope, Scopes, SemanticScope, WorkspaceScope
from core.services.search import SearchService
from core.services.upkeep import UpkeepService
from core.services.watching import WatchingService
from core.services.workspace import Acting, Workspace
from core.services.writing_out import WritingOut
from core.tasks import TaskScope
from tests.fakes.cutting import OnePassage
from tests.fakes.embedding import WordHashes
from tests.fakes.exports import MemoryExports
from tests.fakes.previews import PlainPages
from tests.ui.features.reading import PlainReader
from ui.commands.place import PlaceContext, PlaceView, Undo

ID = "0" * 32


class Desk:
    """What a test works with, while it is entered. Everything happens within one run of the loop: qasync handles Qt's
    events once more after each run, when what they start can't run.

    `errors`: what was reported; `undos`: what was offered; `went`: where links led.
    """

    workspace: Workspace

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.reader = PlainReader()
        self.exports = MemoryExports()
        self.errors: list[BaseException] = []
        self.undos: list[Undo] = []
        self.went: list[object] = []
        self._views: list[PlaceView] = []
        self._windows: list[QWidget] = []

    async def __aenter__(self) -> Self:
        self.reads = TaskScope("reads", self.errors.append)
        self.writes = TaskScope("writes", self.errors.append)
        self.workspace = await open_workspace(self._folder, self.reader, self.errors, self.exports)
        return self

    async def __aexit__(self, *raised: object) -> None:
        for view in self._views:
            view.close()
        await self.reads.close()
        await self.writes.finish()
        await self.writes.close()
        await self.workspace.close()
        for window in self._windows:
            window.close()
            window.deleteLater()

    def report(self, error: BaseException, about: QWidget | None = None) -> None:
        self.errors.append(error)

    def show(self, place: str, id: str | None = None) -> None:
        self.went.append((place, id))

    def show_passage(self, passage: int) -> None:
        self.went.append(passage)

    def context(self) -> PlaceContext:
        return PlaceContext(self.workspace, self.reads, self.writes, self, self, self.undos.append)

    def build(self, make: Callable[[PlaceContext], PlaceView]) -> PlaceView:
        """Build a place and show it, list beside inspector."""
        view = make(self.context())
        window = QWidget()
        window.resize(1056, 700)
        row = QHBoxLayout(window)
        row.addWidget(view.page, 1)
        if view.inspector is not None:
            view.inspector.setFixedWidth(376)
            row.addWidget(view.inspector)
        window.show()
        self._views.append(view)
        self._windows.append(window)
        return view

    async def take_back(self) -> None:
        """Undo what was offered last."""
        await self.undos.pop().undo()


async def until(holds: Callable[[], object], seconds: float = 5.0) -> None:
    """Wait until something holds; fails after `seconds`."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.005)


async def open_workspace(
    folder: Path, reader: PlainReader, errors: list[BaseException], exports: MemoryExports | None = None
) -> Workspace:
    """The adapters and services of a workspace as the program composes them, but for the worker processes."""
    (folder / ".run").mkdir(parents=True, exist_ok=True)
    events, tasks = EventHub(errors.append), TaskScope("workspace", errors.append)
    database = await Database.open(
        folder / "workspace.db", key=None, clock=system_clock, publish=events.publish, prepare=prepare
    )
    embedding, cutter = WordHashes(), OnePassage()
    vectors = SqliteVectors(database, embedding.model)
    memory, shared = SqliteMemory(database, cutter), SqliteShared(database, cutter)
    conversations = SqliteConversations(database, cutter)
    jobs = JobService(ID, events, system_clock)
    paper_port, watching = SqlitePapers(database), SqliteWatching(database)
    store, rows = FileArtifacts(folder, system_clock, watching.linked_at), paper_rows(database)
    papers = PaperService(ID, paper_port, store, reader, rows, jobs, events, tasks)
    meaning = MeaningService(vectors, embedding, events, tasks)

    async def close() -> None:
        await tasks.close()
        await papers.stop()
        await exports.close()
        jobs.close()
        events.close()
        vectors.close()
        await database.close()

    records, entries = record_rows(database), shared_rows(database)

    catalog = SqliteCatalog(database)

    def acting(actor: str) -> Acting:
        ports = SqliteMemory(database, cutter, actor), SqliteConversations(database, cutter, actor)
        return Acting(actor, *ports, SqliteShared(database, cutter, actor))

    workspace = Workspace(
        info=WorkspaceInfo(ID, "Northside Clinic", folder),
        memory=memory,
        book=SqliteRecordBook(database, cutter),
        records=records,
        conversations=conversations,
        acting=acting,
        exchange=ConversationExchange(
            conversations, exports or MemoryExports(), FileSaving(), jobs, events, system_clock
        ),
        sessions=session_rows(database),
        messages=SqliteMessageRows(database),
        shared=shared,
        shared_rows=entries,
        consolidation=ConsolidationService(SqliteConsolidation(database, cutter), SqliteRecordBook(database, cutter)),
        trash=SqliteTrash(database, keepers(cutter)),
        trashed=trash_rows(database),
        erasure=ErasureService(SqliteErasure(database), FileRemains(folder), papers.remove, FileSaving(), system_clock),
        writing_out=WritingOut(records, entries, FileSaving()),
        jobs=jobs,
        scopes=Scopes(
            ConversationScope(ID, conversations),
            WorkspaceScope(ID, shared),
            jobs.execution,
            jobs.scratchpad,
            SemanticScope(ID, memory),
        ),
        papers=papers,
        previews=PreviewService(paper_port, store, PlainPages()),
        upkeep=UpkeepService(SqliteUpkeep(database), store, tasks),
        folders=WatchingService(
            watching, folder_rows(database), FolderWatcher(), store, papers, jobs, tasks, system_clock
        ),
        search=SearchService(SqliteWords(database), vectors, embedding),
        meaning=meaning,
        open_catalog=lambda: (
            catalog,
            ManifestExchange(catalog, ManifestFiles(), jobs, events, resources() / "catalog"),
        ),
        changes=SqliteChanges(database),
        events=events,
        closing=close,
    )
    await papers.start()
    await meaning.start()
    return workspace
