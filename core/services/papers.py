"""Papers on their way in: taken into the store, read in a worker, searchable, or in need of a person."""

import asyncio
import os
import stat
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.domain.extraction import PART_PASSWORD, Note, Refusal, RefusalCode
from core.domain.papers import Paper, PaperState, QueueState, Taken
from core.domain.recognition import RecognisedPage
from core.domain.workspaces import SETTINGS
from core.errors import EnvironmentFault, MunimentError, NotFound, UserError
from core.events import Changed, Event, EventHub, Progress
from core.ports.extraction import ExtractionPort
from core.ports.papers import ArtifactPort, PaperPort
from core.ports.rows import ListQuery, RowsPort
from core.services.apart import workspace_around
from core.services.jobs import JobService
from core.services.reading import ReadingLane
from core.tasks import TaskScope

GIB = 1024**3
IGNORED_NAMES = {".ds_store", "thumbs.db", "desktop.ini"}
WALK_BATCH = 256
READING, RECOGNISING = "Reading papers", "Reading scans and pictures"
KEEP_APART = "Workspaces are kept apart; to use it here as well, save a copy of it from there first."

OnTaken = Callable[[Taken], None]


class PaperService:
    """Takes papers in and reads them, one after the other, in the background. Methods answer after the commit.

    fault: a sentence about why reading doesn't go on just now (no room on the disk), "" while it does. It is tried
    again after a while. recognition: reads the text in pictures, apart from papers that need none; without one those
    that hold nothing else need a person.
    """

    def __init__(
        self,
        workspace: str,
        papers: PaperPort,
        artifacts: ArtifactPort,
        extraction: ExtractionPort,
        rows: RowsPort[Paper],
        jobs: JobService,
        events: EventHub,
        tasks: TaskScope,
        *,
        recognition: ExtractionPort | None = None,
        byte_limit: int = 2 * GIB,
    ) -> None:
        self.rows = rows
        self._papers = papers
        self._artifacts = artifacts
        self._events = events
        self._byte_limit = byte_limit
        self._progress = Progress("reading", 0, 0)

        def lane(reader: ExtractionPort, title: str, **which: Any) -> ReadingLane:
            shared = (workspace, papers, artifacts, reader, jobs, tasks)
            return ReadingLane(*shared, title=title, on_paper=self._report, on_page=self._show_page, **which)

        self._scans = None if recognition is None else lane(recognition, RECOGNISING, recognises=True)
        self._reader = lane(extraction, READING, scans=self._scans)
        self._lanes = [lane for lane in (self._reader, self._scans) if lane is not None]

    @property
    def fault(self) -> str:
        """Why papers wait and are not read just now; "" while they are."""
        return next(filter(None, (lane.fault for lane in self._lanes)), "")

    # ---- taking in --------------------------------------------------------------------------------------------------

    async def add(self, sources: Sequence[Path], on_taken: OnTaken | None = None) -> list[Taken]:
        """Take files, and whatever lies in folders, into the workspace; one answer a file, in order.

        A file that can't be taken is an answer with a sentence; the rest goes on. `on_taken` hears each as it is done.
        Cancelling stops after the file at hand; what was taken stays.
        """
        answers: list[Taken] = []
        async for source in _files_below(sources):
            taken = source if isinstance(source, Taken) else await self._take(source)
            answers.append(taken)
            self._read_if_waiting(taken)
            if on_taken is not None:
                on_taken(taken)
        return answers

    async def add_written(self, source: Path) -> Taken:
        """Take in one file that the program itself wrote for this workspace (pasted text, a picture), wherever it
        lies. `add` refuses what lies in a workspace's folder."""
        taken = await self._take_in(source, printable(source.name))
        self._read_if_waiting(taken)
        return taken

    def _read_if_waiting(self, taken: Taken) -> None:
        """A new paper, or a removed one that came back because its bytes were given again."""
        if taken.paper is not None and taken.paper.state is PaperState.WAITING:
            self._reader.wake()

    async def _take(self, source: Path) -> Taken:
        if (home := await asyncio.to_thread(workspace_around, source)) is not None:
            return _kept_apart(source, home)
        return await self._take_in(source, printable(str(source)))

    async def _take_in(self, source: Path, shown: str) -> Taken:
        try:
            artifact = await self._artifacts.take(source, self._byte_limit)
            paper, new = await self._papers.add(artifact, printable(source.name), shown)
        except EnvironmentFault:
            raise
        except MunimentError as error:
            return Taken(shown, "refused", None, error.sentence)
        if new:
            return Taken(shown, "queued", paper)
        same = (
            f"“{paper.name}” is here already"
            if paper.name == printable(source.name)
            else f"Here already, as “{paper.name}”"
        )
        return Taken(shown, "known", paper, f"{same}. It was not stored twice.")

    # ---- the queue --------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Go on where the last run stopped. Called once, when the workspace opens."""
        await self._artifacts.clear_staging()
        await self._papers.recover()
        self._events.subscribe(self._heard)
        for lane in self._lanes:
            lane.start()

    def _heard(self, event: Event) -> None:
        """What comes back from the trash is read again."""
        if isinstance(event, Changed) and event.kind == "trash":
            self._reader.wake()

    async def stop(self) -> None:
        """When the workspace closes, after its tasks ended: what was being read waits for the next opening."""
        await self._papers.give_back()

    def wake(self) -> None:
        """There are papers that wait to be read."""
        self._reader.wake()

    async def _report(self) -> None:
        state = await self.queue()
        open_ones = state.waiting + state.reading
        total = open_ones + state.searchable + state.attention
        done = total - open_ones
        self._progress = Progress("reading", done, total, state.current, state.attention, state.paused)
        self._events.publish([self._progress])

    def _show_page(self) -> None:
        self._progress = replace(self._progress, label=self._current)
        self._events.publish([self._progress])

    @property
    def _current(self) -> str:
        return next(filter(None, (lane.current for lane in self._lanes)), "")

    async def queue(self) -> QueueState:
        state = await self._papers.queue()
        return replace(state, paused=self._reader.paused, current=self._current)

    async def idle(self) -> None:
        """Wait until nothing is waiting or being read, or until a fault keeps papers waiting."""
        for lane in self._lanes:  # the second gets its work from the first
            await lane.idle()

    async def pause(self) -> None:
        """Stop after the paper at hand."""
        for lane in self._lanes:
            lane.pause()
        await self._report()

    async def resume(self) -> None:
        for lane in self._lanes:
            lane.resume()
        await self._report()

    # ---- what a person does with papers -----------------------------------------------------------------------------

    async def get(self, id: str) -> Paper:
        paper = await self._papers.get(id)
        if paper is None:
            raise NotFound("This paper is not in the workspace any more.")
        return paper

    async def cancel(self, ids: Sequence[str]) -> list[Paper]:
        """Waiting papers are not read; one that is being read is stopped at once."""
        papers = await self._papers.cancel(ids)
        self._stop_reading(ids)
        await self._report()
        return papers

    def _stop_reading(self, ids: Sequence[str]) -> None:
        for lane in self._lanes:
            lane.stop_reading(ids)

    async def cancel_all(self) -> list[Paper]:
        return await self.cancel(await self._open_ids())

    async def _open_ids(self) -> list[str]:
        ids: list[str] = []
        for state in ("reading", "waiting"):
            numbers = await self.rows.snapshot(ListQuery(where={"state": state}))
            for start in range(0, len(numbers), 1024):
                ids += [paper.id for paper in await self.rows.rows(numbers[start : start + 1024]) if paper is not None]
        return ids

    async def retry(self, ids: Sequence[str]) -> list[Paper]:
        papers = await self._papers.requeue(ids)
        self._reader.wake()
        return papers

    async def unlock(self, id: str, password: str) -> Paper:
        """Read a paper that `needs_password` with it; it is used once and kept nowhere.

        Raises UserError if the paper, or not one more of its locked parts, opens: then all stays as it was.
        """
        before = await self.get(id)
        if (sentence := await self._read_locked(before, password)) is not None:
            raise UserError(sentence)
        return await self.get(id)

    async def _read_locked(self, paper: Paper, password: str) -> str | None:
        """What to say where the password opens nothing; None after it did."""
        wrong = f"That password doesn't open “{paper.name}”. Check it and try again."
        if paper.state is not PaperState.SEARCHABLE:
            await self._reader.read(paper, password)
            return wrong if (await self.get(paper.id)).reason_code == RefusalCode.PASSWORD else None
        outcome = await self._reader.extract(paper, password)
        if isinstance(outcome, Refusal):
            return wrong if outcome.code is RefusalCode.PASSWORD else outcome.sentence
        if _locked_parts(outcome.notes) and len(outcome.passages) <= paper.passages:
            return f"That password doesn't open what is locked in “{paper.name}”. Check it and try again."
        await self._papers.finish(paper.id, outcome)
        return None

    async def remove(self, ids: Sequence[str]) -> list[Paper]:
        """Take papers out of the lists and the index. `restore` undoes it."""
        papers = await self._papers.remove(ids)
        self._stop_reading(ids)
        await self._report()
        return papers

    async def restore(self, ids: Sequence[str]) -> list[Paper]:
        papers = await self._papers.restore(ids)
        self._reader.wake()
        return papers

    def prefer(self, id: str) -> None:
        """Somebody looks at this paper: if it waits, it is read next."""
        for lane in self._lanes:
            lane.first = id

    async def rename(self, id: str, name: str, read: str | None = None) -> Paper:
        """Give the paper another name; its bytes stay as they are. See PaperPort."""
        return await self._papers.rename(id, name, read)

    async def recognised(self, id: str, page: int | None, part: str = "") -> RecognisedPage | None:
        """The words that were recognised on a page of a paper (None: a single picture), with their places; None where
        its text needed no recognition."""
        return await self._papers.recognised(id, page, part)

    async def export(self, id: str, target: Path) -> None:
        """Write the paper's original bytes to `target`."""
        paper = await self.get(id)
        await self._artifacts.export(paper.digest, target)


def _locked_parts(notes: Sequence[Note]) -> bool:
    return any(note.code == PART_PASSWORD for note in notes)


def _kept_apart(source: Path, home: Path) -> Taken:
    said = f"“{printable(source.name)}” belongs to the workspace in “{printable(home.name)}”. {KEEP_APART}"
    return Taken(printable(str(source)), "refused", None, said)


def printable(name: str) -> str:
    """A name that can be stored and shown: half surrogates (names that are not UTF-8) and control characters
    replaced."""
    clean = os.fsencode(name).decode("utf-8", "replace")
    return "".join("\ufffd" if ord(c) < 32 or ord(c) == 127 else c for c in clean)


async def _files_below(sources: Sequence[Path]) -> AsyncIterator[Path | Taken]:
    """Regular files, in order; folders are walked in a thread, a bounded batch at a time."""
    for source in sources:
        if not await asyncio.to_thread(source.is_dir):
            yield source
        elif (home := await asyncio.to_thread(workspace_around, source)) is not None:
            yield _kept_apart(source, home)
        else:
            walk = _walk(source)
            while batch := await asyncio.to_thread(_some, walk, WALK_BATCH):
                for found in batch:
                    yield found


def _some(walk: Iterator[Path | Taken], count: int) -> list[Path | Taken]:
    batch: list[Path | Taken] = []
    for found in walk:
        batch.append(found)
        if len(batch) == count:
            break
    return batch


def _walk(folder: Path) -> Iterator[Path | Taken]:
    """Every file below a folder, sorted; links to folders are not followed, hidden and system files are left out, and
    a workspace among them is one answer, however much it holds."""
    troubles: list[OSError] = []
    for here, folders, files in os.walk(folder, onerror=troubles.append):
        yield from _said_of(troubles)
        if SETTINGS in files:
            folders.clear()
            yield _kept_apart(Path(here), Path(here))
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.startswith((".", "~$")) or name.lower() in IGNORED_NAMES:
                continue
            path = Path(here, name)
            try:
                if stat.S_ISREG(path.stat().st_mode):
                    yield path
            except OSError as error:
                said = f"“{printable(name)}” can't be opened: {error.strerror}."
                yield Taken(printable(str(path)), "refused", None, said)
    yield from _said_of(troubles)


def _said_of(troubles: list[OSError]) -> Iterator[Taken]:
    """Folders that could not be opened, each said once."""
    while troubles:
        trouble = troubles.pop(0)
        where = printable(str(trouble.filename))
        yield Taken(where, "refused", None, f"The folder “{where}” can't be opened: {trouble.strerror}.")
