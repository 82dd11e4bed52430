"""The one composition root: which adapter fulfils which port, and in which order a workspace starts and stops."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.paths import Paths, resources, worker_command
from core.adapters.embedding.process import ProcessEmbedding
from core.adapters.extraction.cutting import Cutter
from core.adapters.extraction.process import ProcessExtraction
from core.adapters.files.artifacts import FileArtifacts
from core.adapters.files.folder import WorkspaceFolder
from core.adapters.files.known import KnownList
from core.adapters.files.lock import acquire
from core.adapters.files.trash import SystemTrash
from core.adapters.sqlite import rows
from core.adapters.sqlite.changes import SqliteChanges
from core.adapters.sqlite.conversations import SqliteConversations
from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.memory import SqliteMemory
from core.adapters.sqlite.migrations import prepare
from core.adapters.sqlite.papers import SqlitePapers
from core.adapters.sqlite.shared import SqliteShared
from core.adapters.sqlite.vectors import SqliteVectors
from core.adapters.sqlite.words import SqliteWords
from core.clock import Clock, system_clock
from core.domain.workspaces import WorkspaceInfo
from core.events import EventHub
from core.ports.workspaces import LockPort
from core.services.jobs import JobService
from core.services.meaning import MeaningService
from core.services.papers import PaperService
from core.services.scopes import ConversationScope, Scopes, SemanticScope, WorkspaceScope
from core.services.search import SearchService
from core.services.workspace import Workspace
from core.services.workspaces import Workspaces
from core.tasks import TaskScope

log = logging.getLogger("muniment")

Report = Callable[[BaseException], object]


def log_error(error: BaseException) -> None:
    """Where there is no window: name the error in the log, without its text, which may hold words of a paper."""
    log.error("unexpected %s", type(error).__name__, exc_info=None)


@dataclass(slots=True)
class Program:
    """What an entry point works with. `workspaces.current` is the open workspace, if any."""

    paths: Paths
    workspaces: Workspaces

    @classmethod
    async def build(cls, paths: Paths, *, clock: Clock = system_clock, report: Report = log_error) -> "Program":
        opener = _Opener(clock, report)
        workspaces = Workspaces(KnownList(paths.known_workspaces), WorkspaceFolder(), SystemTrash(), opener.open)
        return cls(paths, workspaces)

    async def close(self) -> None:
        await self.workspaces.close_current()
