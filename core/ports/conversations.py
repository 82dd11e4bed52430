"""Port: conversations, which are sessions and their messages."""

from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from core.domain.conversations import LeftOut, Spot, TakenIn, ToldConversation
from core.domain.memory import Json, Message, Role, Session
from core.ports.rows import RowsPort


class ConversationPort(Protocol):
    """Sessions and their messages. A session is read by its own id alone; nothing lists another's messages."""

    async def begin(self, title: str, session: str | None = None) -> Session:
        """Start a session (with this id if given and unknown). Raises UserError where one with it is in the trash."""
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

    async def find(self, session: str, text: str) -> list[Spot]:
        """Where this text stands in the session's messages, in order; without regard to case and accents."""
        ...

    async def rename(self, session: str, title: str, read: str | None = None) -> Session:
        """Give another title, under which its messages are found from now on. read: the title that the caller saw;
        raises VersionConflict where it is another one by now, and InvalidValue for an empty title."""
        ...

    async def clear(self, session: str) -> int:
        """Remove the messages of a session; answers how many."""
        ...

    async def archive(self, session: str, archived: bool = True, at: float | None = None) -> Session:
        """Put it out of the way, or back among the others. at: since when it is archived; None for now."""
        ...

    async def remove(self, session: str) -> bool:
        """Put the session with its messages into the trash; False where there was none."""
        ...

    async def restore(self, session: str) -> Session:
        """Take the session out of the trash, exactly as it was (ids, positions, times, version). Raises NotFound where
        it isn't there, VersionConflict where a session with its id was begun meanwhile; nothing is changed then."""
        ...

    async def take(self, session: Session, messages: Sequence[Message]) -> TakenIn:
        """Take over a session from elsewhere, with ids, positions and times as given. Where it is here already it gets
        the messages whose ids it hasn't got, behind its own; where it lies in the trash it comes out first."""
        ...

    async def drop(self, session: str, messages: Sequence[str]) -> int:
        """Remove these messages for good (undo of `take`); answers how many were there."""
        ...

    async def get(self, session: str) -> Session | None: ...


class SessionRows(RowsPort[Session], Protocol): ...


class MessageRows(Protocol):
    """Messages of one session as a long list."""

    def of(self, session: str) -> RowsPort[Message]: ...


class ExportPort(Protocol):
    """Reads what other programs write their conversations into: ChatGPT and Claude exports (ZIP or JSON), JSON Lines.
    The file is hostile until proven otherwise, so it is read in a process of its own, a few conversations at a time."""

    async def seems(self, path: Path) -> str:
        """The program whose export the file seems to be ("ChatGPT", "Claude", "Muniment"), "" for anything else."""
        ...

    async def open(self, path: Path) -> int:
        """Look the whole file through; answers how many conversations it may hold. Raises UserError with a sentence
        where it is none that can be read."""
        ...

    async def some(self, path: Path, first: int, count: int) -> list[ToldConversation | LeftOut]:
        """Conversations of the opened file from number `first` on, and those among them that can't be read."""
        ...

    async def close(self) -> None: ...


class FilePort(Protocol):
    """Writes a file where the person wants it."""

    async def write(self, target: Path, pieces: AsyncIterator[str]) -> None:
        """Write the whole file or nothing, readable for this user alone. Raises EnvironmentFault."""
        ...
