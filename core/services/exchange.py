"""Conversations that come in from other programs' exports, and selections that go out as files."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

from core.clock import Clock
from core.domain.conversation_files import FileFormat, beginning, between, conversation_text, ending
from core.domain.conversations import ImportReport, LeftOut, Outcome, ToldConversation, as_session
from core.domain.memory import Message, Session
from core.domain.scopes import ActorType, JobState
from core.errors import NotFound, UserError
from core.events import EventHub, Progress
from core.ports.conversations import ConversationPort, ExportPort, FilePort
from core.services.apart import refuse_other_workspaces
from core.services.jobs import JobService

TOGETHER = 20  # conversations read at once
PAGE = 1000  # messages read at once
ACTIVITY = "importing"


class ConversationExchange:
    """Takes exports in, one after the other, and writes conversations out. Use on the loop's thread."""

    def __init__(
        self,
        port: ConversationPort,
        exports: ExportPort,
        files: FilePort,
        jobs: JobService,
        events: EventHub,
        clock: Clock,
    ) -> None:
        self._port = port
        self._exports = exports
        self._files = files
        self._jobs = jobs
        self._events = events
        self._clock = clock
        self._turn = asyncio.Lock()
        self._stop = False

    # ---- coming in --------------------------------------------------------------------------------------------------

    async def seems(self, source: Path) -> str:
        """The program whose export a file seems to be ("ChatGPT", "Claude", "Muniment"); "" for anything else."""
        return await self._exports.seems(source)

    async def take(self, source: Path, on_progress: Callable[[Progress], None] | None = None) -> ImportReport:
        """Take over every conversation of an export that can be read; the report names each one that can't.

        What is here already is not stored twice and gets the messages that it hasn't got. `cancel` stops after the
        conversation at hand; what was taken over stays. Raises UserError where the file is no export that can be read.
        """
        async with self._turn:
            await refuse_other_workspaces(source)
            self._stop = False
            report = ImportReport(source.name)
            job = self._jobs.start(
                f"Import of “{source.name}”", actor="Muniment", actor_type=ActorType.SYSTEM, on_cancel=self.cancel
            ).id
            state = JobState.FAILED
            try:
                report.found = await self._exports.open(source)
                await self._take_all(source, report, job, on_progress)
                state = JobState.CANCELLED if report.cancelled else JobState.COMPLETED
            except asyncio.CancelledError:
                state = JobState.CANCELLED
                raise
            finally:
                self._jobs.end(job, state)
                self._events.publish([Progress(ACTIVITY, report.found, report.found)])
            return report

    def cancel(self) -> None:
        """Stop the import that runs, after the conversation at hand."""
        self._stop = True

    async def _take_all(
        self, source: Path, report: ImportReport, job: str, on_progress: Callable[[Progress], None] | None
    ) -> None:
        for first in range(0, report.found, TOGETHER):
            for told in await self._exports.some(source, first, TOGETHER):
                if self._stop:
                    report.cancelled = True
                    return
                progress = Progress(ACTIVITY, report.done, report.found, _named(told))
                self._events.publish([progress])
                if on_progress is not None:
                    on_progress(progress)
                self._jobs.heartbeat(job, detail=f"{report.done + 1} of {report.found}: {_named(told)}")
                await self._take_one(told, report)
            report.done = min(first + TOGETHER, report.found)

    async def _take_one(self, told: ToldConversation | LeftOut, report: ImportReport) -> None:
        report.done += 1
        if isinstance(told, LeftOut):
            report.left.append(told)
            return
        try:
            report.taken.append(await self._port.take(*as_session(told, self._clock())))
        except UserError as error:
            report.left.append(LeftOut(told.shown_title, f"“{told.shown_title}” was left out: {error.sentence}"))
        else:
            report.notes.extend(told.notes)

    async def take_back(self, report: ImportReport) -> None:
        """Undo an import: what was new goes into the trash, what grew loses what came, what came back goes back."""
        for taken in report.taken:
            if taken.outcome is Outcome.GROWN or taken.outcome is Outcome.BACK:
                await self._port.drop(taken.session.id, taken.added)
            if taken.outcome is Outcome.NEW or taken.outcome is Outcome.BACK:
                await self._port.remove(taken.session.id)

    # ---- going out --------------------------------------------------------------------------------------------------

    async def text(self, sessions: Sequence[str], format: FileFormat) -> AsyncIterator[str]:
        """The conversations as one file's text, piece by piece. Raises NotFound for one that isn't there."""
        yield beginning(format)
        for number, id in enumerate(sessions):
            session = await self._port.get(id)
            if session is None:
                raise NotFound("One of these conversations is not in the workspace any more.")
            messages = await self.all_messages(session)
            yield between(format) if number else ""
            yield await asyncio.to_thread(conversation_text, session, messages, format)
        yield ending(format)

    async def export(self, sessions: Sequence[str], format: FileFormat, target: Path) -> None:
        """Write conversations into one file, whole or not at all. Raises UserError, EnvironmentFault."""
        await refuse_other_workspaces(target)
        await self._files.write(target, self.text(sessions, format))

    async def all_messages(self, session: Session) -> list[Message]:
        """Every message of a session, in order."""
        found = await self._port.messages(session.id, PAGE)
        while found and found[0].position > 0:
            earlier = await self._port.messages(session.id, PAGE, found[0].position)
            if not earlier:
                break
            found = earlier + found
        return found


def _named(told: ToldConversation | LeftOut) -> str:
    return told.title if isinstance(told, LeftOut) else told.shown_title
