"""The Workspace facade: everything that the window, the command line and the servers may do with one open workspace.

It reaches one folder and one database. No method takes a path or an id of another workspace.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from core.domain.actors import PERSON, assistant
from core.domain.memory import Record, Session, SharedEntry
from core.domain.trash import Trashed
from core.domain.workspaces import WorkspaceInfo
from core.events import EventHub
from core.ports.changes import ChangePort
from core.ports.conversations import ConversationPort, MessageRows
from core.ports.memory import MemoryPort, SharedPort
from core.ports.records import RecordBookPort
from core.ports.rows import RowsPort
from core.ports.trash import ForgottenPort
from core.services.consolidation import ConsolidationService
from core.services.erasure import ErasureService
from core.services.exchange import ConversationExchange
from core.services.jobs import JobService
from core.services.meaning import MeaningService
from core.services.papers import PaperService
from core.services.previews import PreviewService
from core.services.scopes import Scopes
from core.services.search import SearchService
from core.services.upkeep import UpkeepService
from core.services.watching import WatchingService
from core.services.writing_out import WritingOut

if TYPE_CHECKING:
    from core.ports.catalog import CatalogPort
    from core.services.manifests import ManifestExchange

Closing = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Acting:
    """The kept scopes for one actor: what is written through them is written down under that name."""

    actor: str
    memory: MemoryPort
    conversations: ConversationPort
    shared: SharedPort


@dataclass(slots=True)
class Workspace:
    """An open workspace. `notes`: sentences for the person about this opening (unclean stop, slow drive, no
    vectors)."""

    info: WorkspaceInfo
    memory: MemoryPort
    book: RecordBookPort
    records: RowsPort[Record]
    conversations: ConversationPort
    sessions: RowsPort[Session]
    messages: MessageRows
    exchange: ConversationExchange
    shared: SharedPort
    shared_rows: RowsPort[SharedEntry]
    consolidation: ConsolidationService
    trash: ForgottenPort
    trashed: RowsPort[Trashed]
    erasure: ErasureService
    writing_out: WritingOut
    jobs: JobService
    scopes: Scopes
    papers: PaperService
    previews: PreviewService
    upkeep: UpkeepService
    folders: WatchingService
    search: SearchService
    meaning: MeaningService
    open_catalog: Callable[[], tuple[Any, Any]]
    changes: ChangePort
    events: EventHub
    acting: Callable[[str], Acting]
    closing: Closing
    notes: tuple[str, ...] = ()
    generation: int = 0
    _closed: bool = field(default=False, repr=False)
    _catalog: tuple[Any, Any] | None = field(default=None, repr=False)

    @property
    def catalog(self) -> "CatalogPort":
        """Made when it is first asked for: loading what it needs would cost every start a tenth of its time."""
        self._catalog = self._catalog or self.open_catalog()
        return self._catalog[0]

    @property
    def manifests(self) -> "ManifestExchange":
        self._catalog = self._catalog or self.open_catalog()
        return self._catalog[1]

    def as_person(self) -> Acting:
        """What the person at this computer works with."""
        return self.acting(PERSON)

    def as_assistant(self, name: str) -> Acting:
        """What an assistant of this name works with. Raises InvalidValue for what is no name."""
        return self.acting(assistant(name))

    async def close(self) -> None:
        """Stop background work, finish writes, release the lock. Nothing of the workspace is held afterwards."""
        if not self._closed:
            self._closed = True
            await self.closing()
