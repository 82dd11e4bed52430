"""The one composition root: which adapter fulfils which port, and in which order a workspace starts and stops."""

import asyncio
import logging
import os
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.paths import Paths, recognition_models, resources, worker_command
from core.adapters.channel.server import JobServer
from core.adapters.embedding.process import ProcessEmbedding
from core.adapters.exports.process import ProcessExports
from core.adapters.extraction.passages import PassageCutter
from core.adapters.extraction.process import ProcessExtraction
from core.adapters.files.artifacts import FileArtifacts
from core.adapters.files.folder import WorkspaceFolder
from core.adapters.files.known import KnownList
from core.adapters.files.lock import WorkspaceLock, acquire
from core.adapters.files.remains import FileRemains
from core.adapters.files.saving import FileSaving
from core.adapters.files.trash import SystemTrash
from core.adapters.files.watching import FolderWatcher
from core.adapters.previews.process import ProcessPreviews
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
from core.clock import Clock, system_clock
from core.domain.actors import PERSON
from core.domain.backends import memory_backend
from core.domain.workspaces import WorkspaceInfo
from core.events import EventHub
from core.ports.conversations import ConversationPort
from core.services.consolidation import ConsolidationService
from core.services.erasure import ErasureService
from core.services.exchange import ConversationExchange
from core.services.jobs import JobService
from core.services.meaning import MeaningService
from core.services.papers import PaperService
from core.services.previews import PreviewService
from core.services.scopes import ConversationScope, Scopes, SemanticScope, WorkspaceScope
from core.services.search import SearchService
from core.services.trash import TrashSweep
from core.services.upkeep import UpkeepService
from core.services.watching import WatchingService
from core.services.work import JobDesk
from core.services.workspace import Acting, Workspace
from core.services.workspaces import Workspaces
from core.services.writing_out import WritingOut
from core.tasks import TaskScope

if TYPE_CHECKING:
    from core.adapters.sqlite.catalog import SqliteCatalog
    from core.services.manifests import ManifestExchange

log = logging.getLogger("muniment")

RECOGNITION_NICENESS = 15  # behind the worker that reads papers without pictures (10)
Report = Callable[[BaseException], None]

UNCLEAN = (
    "The program was stopped in the middle of its work last time. "
    "Nothing that was saved is lost; it goes on from there."
)


def log_error(error: BaseException) -> None:
    """Where there is no window: name the error in the log, without its text, which may hold words of a paper."""
    log.error("unexpected %s", type(error).__name__)


@dataclass(slots=True)
class Program:
    """What an entry point works with. `workspaces.current` is the open workspace, if any."""

    paths: Paths
    workspaces: Workspaces

    @classmethod
    def build(cls, paths: Paths, *, clock: Clock = system_clock, report: Report = log_error) -> "Program":
        cutter: PassageCutter | None = None  # rules and a vocabulary, no text of any workspace

        async def open_workspace(info: WorkspaceInfo) -> Workspace:
            nonlocal cutter
            if cutter is None:
                cutter = await asyncio.to_thread(PassageCutter, resources() / "model" / "tokenizer.json")
            return await _Opening(info, cutter, clock, report, (paths.log, paths.crashes)).run()

        known, folders = KnownList(paths.known_workspaces), WorkspaceFolder()
        return cls(paths, Workspaces(known, folders, SystemTrash(), open_workspace))

    async def close(self) -> None:
        await self.workspaces.close_current()


class _Opening:
    """Opens one workspace and knows how to close it again. Everything it makes belongs to this workspace alone."""

    def __init__(
        self, info: WorkspaceInfo, cutter: PassageCutter, clock: Clock, report: Report, logs: tuple[Path, ...]
    ) -> None:
        self._info = info
        self._logs = logs
        self._cutter = cutter
        self._clock = clock
        self._events = EventHub(report)
        self._tasks = TaskScope("workspace", report)
        model = resources() / "model"
        tokenizer, command = model / "tokenizer.json", worker_command("extraction")
        self._extraction = ProcessExtraction(command, tokenizer)
        self._recognition = ProcessExtraction(
            command, tokenizer, models=recognition_models(), niceness=RECOGNITION_NICENESS
        )
        self._embedding = ProcessEmbedding(model, worker_command("embedding"))
        self._exports = ProcessExports(worker_command("exports"))
        self._previews = ProcessPreviews(worker_command("previews"))
        self._jobs = JobService(info.id, self._events, clock)
        self._channel = JobServer(info.path, info.id, JobDesk(self._jobs, info.id), self._tasks)

    async def run(self) -> Workspace:
        """Own the folder, open the database, start the background work. Whatever fails, nothing stays held."""
        memory_backend(self._info.memory_backend, os.environ)  # refuses what can't be served; SQLite is what can
        lock = await asyncio.to_thread(acquire, self._info.path)
        try:
            database = await Database.open(
                self._info.path / "workspace.db",
                key=None,
                clock=self._clock,
                publish=self._events.publish,
                prepare=prepare,
            )
        except BaseException:
            lock.release(clean=True)  # nothing was touched
            raise
        vectors = SqliteVectors(database, self._embedding.model)
        workspace = self._workspace(database, vectors, lock)
        try:
            workspace.notes += tuple(await workspace.erasure.resume())
            await workspace.papers.start()
            await workspace.meaning.start()
            self._tasks.start(self._jobs.watch(), latest="jobs")
            await self._channel.start()
            TrashSweep(self._trash(database, "system"), self._clock, self._tasks).start()
            workspace.upkeep.start()
            await workspace.folders.start()
        except BaseException:
            await workspace.close()
            raise
        return workspace

    def _workspace(self, database: Database, vectors: SqliteVectors, lock: WorkspaceLock) -> Workspace:
        id = self._info.id
        own = self._acting(database, vectors, PERSON)
        meaning = MeaningService(vectors, self._embedding, self._events, self._tasks)
        paper_port, watching = SqlitePapers(database), SqliteWatching(database)
        artifacts = FileArtifacts(self._info.path, self._clock, watching.linked_at)
        papers = PaperService(
            id,
            paper_port,
            artifacts,
            self._extraction,
            paper_rows(database),
            self._jobs,
            self._events,
            self._tasks,
            recognition=self._recognition,
        )
        return Workspace(
            info=self._info,
            memory=own.memory,
            book=SqliteRecordBook(database, self._cutter),
            records=record_rows(database),
            conversations=own.conversations,
            sessions=session_rows(database),
            messages=SqliteMessageRows(database),
            exchange=self._exchange(own.conversations),
            shared=own.shared,
            shared_rows=shared_rows(database),
            consolidation=self._consolidation(database),
            trash=self._trash(database),
            trashed=trash_rows(database),
            erasure=self._erasure(database, papers),
            writing_out=WritingOut(record_rows(database), shared_rows(database), FileSaving()),
            jobs=self._jobs,
            scopes=self._scopes(own),
            papers=papers,
            previews=PreviewService(paper_port, artifacts, self._previews),
            upkeep=UpkeepService(SqliteUpkeep(database), artifacts, self._tasks),
            folders=self._folders(database, watching, artifacts, papers),
            search=SearchService(SqliteWords(database), vectors, self._embedding),
            meaning=meaning,
            open_catalog=lambda: self._open_catalog(database),
            changes=SqliteChanges(database),
            events=self._events,
            acting=lambda actor: self._acting(database, vectors, actor),
            closing=lambda: self._close(database, vectors, lock, papers),
            notes=tuple(note for note in (database.trouble, "" if lock.last_stop_clean else UNCLEAN) if note),
            generation=lock.generation,
        )

    def _folders(
        self, database: Database, watching: SqliteWatching, artifacts: FileArtifacts, papers: PaperService
    ) -> WatchingService:
        parts = (self._jobs, self._tasks, self._clock)
        return WatchingService(watching, folder_rows(database), FolderWatcher(), artifacts, papers, *parts)

    def _open_catalog(self, database: Database) -> "tuple[SqliteCatalog, ManifestExchange]":
        from core.adapters.files.manifests import ManifestFiles
        from core.adapters.sqlite.catalog import SqliteCatalog
        from core.services.manifests import ManifestExchange

        catalog = SqliteCatalog(database)
        return catalog, ManifestExchange(catalog, ManifestFiles(), self._jobs, self._events, resources() / "catalog")

    def _consolidation(self, database: Database) -> ConsolidationService:
        book = SqliteRecordBook(database, self._cutter)
        return ConsolidationService(SqliteConsolidation(database, self._cutter), book)

    def _trash(self, database: Database, actor: str = "person") -> SqliteTrash:
        return SqliteTrash(database, keepers(self._cutter), actor)

    def _acting(self, database: Database, vectors: SqliteVectors, actor: str) -> Acting:
        memory = SqliteMemory(database, self._cutter, actor, embedding=self._embedding, meaning=vectors)
        conversations = SqliteConversations(database, self._cutter, actor)
        return Acting(actor, memory, conversations, SqliteShared(database, self._cutter, actor))

    def _scopes(self, own: Acting) -> Scopes:
        id, jobs = self._info.id, self._jobs
        kept = ConversationScope(id, own.conversations), WorkspaceScope(id, own.shared)
        return Scopes(*kept, jobs.execution, jobs.scratchpad, SemanticScope(id, own.memory))

    def _erasure(self, database: Database, papers: PaperService) -> ErasureService:
        remains = FileRemains(self._info.path, self._logs)
        return ErasureService(SqliteErasure(database), remains, papers.remove, FileSaving(), self._clock)

    def _exchange(self, conversations: ConversationPort) -> ConversationExchange:
        return ConversationExchange(conversations, self._exports, FileSaving(), self._jobs, self._events, self._clock)

    async def _close_workers(self) -> None:
        workers = (self._extraction, self._recognition, self._embedding, self._exports, self._previews)
        await asyncio.gather(*(worker.close() for worker in workers))

    async def _close(
        self, database: Database, vectors: SqliteVectors, lock: WorkspaceLock, papers: PaperService
    ) -> None:
        """Stop in order: work, workers, listeners, database, ownership. Every step is taken, whatever one meets."""
        clean = False
        try:
            async with AsyncExitStack() as last_first:
                last_first.push_async_callback(database.close)
                last_first.callback(vectors.close)
                last_first.callback(self._events.close)
                last_first.callback(self._jobs.close)
                last_first.push_async_callback(self._close_workers)
                last_first.push_async_callback(papers.stop)
                last_first.push_async_callback(self._tasks.close)
                last_first.push_async_callback(self._channel.close)
            clean = True
        finally:
            lock.release(clean=clean)
