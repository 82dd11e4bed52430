"""Port: conversations, which are sessions and their messages."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from core.domain.memory import Json, Message, Role, Session
from core.ports.rows import RowsPort


class ConversationPort(Protocol):
    """Sessions and their messages. A session is read by its own id alone; nothing lists another's messages."""

    async def begin(self, title: str, session: str | None = None) -> Session:
        """Start a session (with this id if given and unknown)."""
        ...

    async def add(
        self,
        session: str,
        role: Role,
        content: str,
        at: float | None = None,
        metadata: Mapping[str, Json] | None = None,
    ) -> Message:
        """Append a message, said at `at` (UTC seconds) or now. Raises NotFound for an unknown session."""
        ...

    async def messages(self, session: str, limit: int = 100, before: int | None = None) -> list[Message]:
        """The newest `limit` (1 to 1,000) messages below position `before`, in order."""
        ...

    async def clear(self, session: str) -> int:
        """Remove the messages of a session; answers how many."""
        ...

    async def archive(self, session: str, archived: bool = True) -> Session: ...

    async def remove(self, session: str) -> bool: ...

    async def restore(self, session: Session, messages: Sequence[Message]) -> Session:
        """Undo `remove`: put the session back exactly as given, with all its messages (same ids, positions and times).
        Raises VersionConflict where a session with this id exists; nothing is changed then."""
        ...

    async def get(self, session: str) -> Session | None: ...


class SessionRows(RowsPort[Session], Protocol): ...


class MessageRows(Protocol):
    """Messages of one session as a long list."""

    def of(self, session: str) -> RowsPort[Message]: ...
