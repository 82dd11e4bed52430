"""What the place of conversations knows and does; no widgets."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from core.domain.memory import Message, Session
from core.services.workspace import Workspace
from ui.commands.place import Undo
from ui.conversations import words
from ui.qt.browsing import BrowsePresenter
from ui.qt.scope import ViewScope

SHOWN = 100  # messages read at once
ALL = 1000  # the most that the port answers at once


class ConversationsPresenter(BrowsePresenter[Session]):
    """`messages_changed`: messages of the one chosen conversation were read (`messages`, in order)."""

    messages_changed = Signal()

    def __init__(
        self,
        workspace: Workspace,
        scope: ViewScope,
        offer_undo: Callable[[Undo], None],
        parent: QObject | None = None,
    ) -> None:
        kinds = frozenset({"session", "message"})
        super().__init__(scope, workspace.events, workspace.sessions, kinds, words.line, words.SORTS, parent)
        self._workspace = workspace
        self._offer_undo = offer_undo
        self.messages: list[Message] = []
        self.earlier = False
        self.pointed: str | None = None
        self._shown_of = ("", 0)
        self.chosen_changed.connect(self._messages_may_differ)

    async def position_of(self, id: str) -> int | None:
        return await self.model.find(lambda session: session.id == id)

    # ---- messages ---------------------------------------------------------------------------------------------------

    def _messages_may_differ(self) -> None:
        one = self.one
        wanted = ("", 0) if one is None else (one.id, one.version)
        if wanted == self._shown_of:
            return
        same = wanted[0] == self._shown_of[0]
        self._shown_of = wanted
        if not same:
            self.messages, self.earlier = [], False
            self.messages_changed.emit()
        if one is None:
            return
        if self.pointed is not None:
            self.point_at(self.pointed)
            return
        count = max(SHOWN, len(self.messages) + 1) if same else SHOWN
        self.scope.start(self._read(one.id, None, min(count, ALL)), latest=f"messages {id(self)}")

    def read_earlier(self) -> None:
        """Read messages before those that are there."""
        if self.one is not None and self.messages:
            before = self.messages[0].position
            self.scope.start(self._read(self.one.id, before, SHOWN), latest=f"messages {id(self)}")

    def point_at(self, message: str) -> None:
        """Read messages of the chosen conversation until this one is among them; `pointed` names it."""
        self.pointed = message
        if self.one is not None:
            self.scope.start(self._read_back(self.one.id, message), latest=f"messages {id(self)}")

    async def message_of(self, passage: int) -> str:
        """The message that a passage is a piece of. Raises NotFound."""
        return (await self._workspace.search.passage(passage)).part

    async def _read_back(self, session: str, message: str) -> None:
        if not self.messages:
            await self._read(session, None, SHOWN)
        while self.earlier and all(each.id != message for each in self.messages):
            await self._read(session, self.messages[0].position, ALL)
        self.messages_changed.emit()

    async def _read(self, session: str, before: int | None, count: int) -> None:
        found = await self._workspace.conversations.messages(session, count, before)
        if session != self._shown_of[0]:
            return
        self.messages = found + self.messages if before is not None else found
        self.earlier = bool(self.messages) and self.messages[0].position > 0 and bool(found)
        self.messages_changed.emit()

    # ---- writing ----------------------------------------------------------------------------------------------------

    def can_archive(self) -> bool:
        return bool(self.chosen) and any(session.archived_at is None for session in self.chosen)

    async def archive(self) -> None:
        """Archive the chosen conversations, or take them out of the archive where all of them are in it."""
        sessions = await self.all_chosen()
        into = any(session.archived_at is None for session in sessions)
        moved = [session for session in sessions if (session.archived_at is None) == into]
        for session in moved:
            await self._workspace.conversations.archive(session.id, into)

        async def undo() -> None:
            for session in moved:
                await self._workspace.conversations.archive(session.id, not into)

        if moved:
            self._offer_undo(Undo(words.archived(moved, into), undo))

    async def remove(self) -> None:
        """Remove the chosen conversations; the undo puts them back with all their messages."""
        kept = [(session, await self._all_messages(session)) for session in await self.all_chosen()]
        for session, _ in kept:
            await self._workspace.conversations.remove(session.id)

        async def undo() -> None:
            for session, messages in kept:
                await self._workspace.conversations.restore(session, messages)

        if kept:
            self._offer_undo(Undo(words.removed([session for session, _ in kept]), undo))

    async def _all_messages(self, session: Session) -> list[Message]:
        found = await self._workspace.conversations.messages(session.id, ALL)
        while found and found[0].position > 0:
            earlier = await self._workspace.conversations.messages(session.id, ALL, found[0].position)
            if not earlier:
                break
            found = earlier + found
        return found
