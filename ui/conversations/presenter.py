"""What the place of conversations knows and does; no widgets."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from core.domain.conversation_files import FileFormat
from core.domain.conversations import ImportReport, LeftOut, Spot
from core.domain.memory import Message, Session
from core.errors import UserError
from core.services.workspace import Workspace
from ui.commands.place import Undo
from ui.conversations import words
from ui.qt.browsing import BrowsePresenter
from ui.qt.scope import ViewScope

T = TypeVar("T")

SHOWN = 100  # messages read at once
TOGETHER = 50  # conversations that are written at once: they share commits
ALL = 1000  # the most that the port answers at once


async def each(sessions: Sequence[Session], write: Callable[[Session], Awaitable[T]]) -> list[T]:
    """Write each, a few at once; answers in order."""
    answers: list[T] = []
    for start in range(0, len(sessions), TOGETHER):
        answers += await asyncio.gather(*(write(session) for session in sessions[start : start + TOGETHER]))
    return answers


class ConversationsPresenter(BrowsePresenter[Session]):
    """`messages_changed`: messages of the one chosen conversation were read (`messages`, in order).

    `found_changed`: other words are found in it (`spots`), or another of them is shown (`at`, counted from 0).
    `taken_in(reports)`: an import has ended.
    """

    messages_changed = Signal()
    found_changed = Signal()
    taken_in = Signal(list)

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
        self.spots: list[Spot] = []
        self.at = 0
        self._wanted = ""
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
            self.spots, self.at, self._wanted = [], 0, ""
            self.messages_changed.emit()
        if one is None:
            return
        if self.pointed is not None:
            self.point_at(self.pointed)
            return
        count = max(SHOWN, len(self.messages) + 1) if same else SHOWN
        self.scope.start(self._read(one.id, None, min(count, ALL)), latest=f"messages {id(self)}")
        if same and self._wanted:
            self.find(self._wanted)

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

    # ---- finding in one conversation --------------------------------------------------------------------------------

    @property
    def spot(self) -> Spot | None:
        """The place that is shown of those that were found."""
        return self.spots[self.at] if self.at < len(self.spots) else None

    def find(self, text: str) -> None:
        """Find these words in the chosen conversation; the last place is shown first, as the end is what is read."""
        if self.one is not None:
            self.scope.start(self._find(self.one.id, text), latest=f"find {id(self)}")

    def step(self, by: int) -> None:
        """Show the next place (1) or the one before (-1), round and round."""
        if self.spots:
            self.at = (self.at + by) % len(self.spots)
            self._show_spot()

    async def _find(self, session: str, text: str) -> None:
        found = await self._workspace.conversations.find(session, text)
        if session != self._shown_of[0]:
            return
        shown = self.spot if text == self._wanted else None
        self.spots, self._wanted = found, text
        self.at = found.index(shown) if shown in found else max(0, len(found) - 1)
        if shown is None:
            self._show_spot()
        else:
            self.found_changed.emit()

    def _show_spot(self) -> None:
        if (spot := self.spot) is not None:
            self.point_at(spot.message)
        self.found_changed.emit()

    # ---- writing ----------------------------------------------------------------------------------------------------

    async def rename(self, session: Session, title: str) -> None:
        """Give another title. Raises VersionConflict where it was changed since it was read."""
        renamed = await self._workspace.conversations.rename(session.id, title, session.title)
        if renamed.title == session.title:
            return
        before = session.title or words.title(session)
        undo = Undo(words.renamed(renamed), lambda: self._workspace.conversations.rename(session.id, before))
        self._offer_undo(undo)

    async def present_of(self, session: Session) -> Session | None:
        """The conversation as it stands now."""
        return await self._workspace.conversations.get(session.id)

    def can_archive(self) -> bool:
        return bool(self.chosen) and any(session.archived_at is None for session in self.chosen)

    async def archive(self) -> None:
        """Archive the chosen conversations, or take them out of the archive where all of them are in it."""
        sessions = await self.all_chosen()
        into = any(session.archived_at is None for session in sessions)
        moved = [session for session in sessions if (session.archived_at is None) == into]
        await each(moved, lambda session: self._workspace.conversations.archive(session.id, into))

        async def undo() -> None:
            await each(
                moved, lambda session: self._workspace.conversations.archive(session.id, not into, session.archived_at)
            )

        if moved:
            self._offer_undo(Undo(words.archived(moved, into), undo))

    async def remove(self) -> None:
        """Put the chosen conversations into the trash; the undo takes them out with all their messages."""
        port, chosen = self._workspace.conversations, await self.all_chosen()
        gone = await each(chosen, lambda session: port.remove(session.id))
        removed = [session for session, was_there in zip(chosen, gone, strict=True) if was_there]

        async def undo() -> None:
            await each(removed, lambda session: port.restore(session.id))

        if removed:
            self._offer_undo(Undo(words.removed(removed), undo))

    # ---- in and out -------------------------------------------------------------------------------------------------

    async def seems(self, path: Path) -> str:
        """The program whose export a file seems to be; "" for anything else."""
        return await self._workspace.exchange.seems(path)

    async def take(self, paths: Sequence[Path]) -> list[ImportReport]:
        """Take over the conversations of these exports; one that can't be read is a report that says so."""
        reports: list[ImportReport] = []
        for path in paths:
            try:
                reports.append(await self._workspace.exchange.take(path))
            except UserError as error:
                reports.append(ImportReport(path.name, left=[LeftOut(path.name, error.sentence)]))
            if reports[-1].cancelled:
                break
        changed = [report for report in reports if report.changed]

        async def undo() -> None:
            for report in reversed(changed):
                await self._workspace.exchange.take_back(report)

        if changed:
            self._offer_undo(Undo(words.taken_over(changed), undo))
        self.taken_in.emit(reports)
        return reports

    async def export(self, format: FileFormat, target: Path) -> int:
        """Write the chosen conversations into one file; answers how many."""
        sessions = await self.all_chosen()
        await self._workspace.exchange.export([session.id for session in sessions], format, target)
        return len(sessions)
