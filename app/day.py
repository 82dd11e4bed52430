"""A working day without a screen: the real window, drawn off screen, with the sample workspace.

It takes the sample's papers in, asks its questions in the search box, goes through the places, and prints what was
done and
found, on which page, and where the pictures of the window lie. What fails is said and makes the exit code 1.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import qasync
from PySide6.QtWidgets import QApplication

from app.logs import log_to
from app.paths import Paths, resources
from app.sample import Question, questions
from app.window import Life
from core.domain.papers import Paper, PaperState
from core.domain.query import Hit, SearchResult
from core.ports.rows import ListQuery
from core.services.workspace import Workspace
from ui.shell.places import PLACES
from ui.shell.window import MainWindow

PATIENCE = 300.0  # seconds for reading everything on a slow machine
ANSWER = 30.0  # seconds for one question
SETTLING = 30  # tenths of a second until a picture is taken as it is


def run_day() -> int:
    """Run the day and answer the exit code."""
    paths = Paths.of_user()
    log_to(paths.log)
    application = QApplication(sys.argv[:1])
    loop = qasync.QEventLoop(application)
    with loop:
        return loop.run_until_complete(_day(application, paths))


async def _day(application: QApplication, paths: Paths) -> int:
    begin = time.perf_counter()
    life = Life(application, paths)
    try:
        window = await life.begin(sample=True)
        window.resize(1280, 800)
        workspace = life.program.workspaces.current
        if workspace is None:
            print("The sample workspace could not be opened.")
            return 1
        print(f"Opened “{workspace.info.name}” in {workspace.info.path}")
        day = Day(window, workspace, _pictures())
        async with asyncio.timeout(PATIENCE):
            await day.take_in()
        for question in questions(resources() / "sample"):
            await day.ask(question)
        await day.go_round()
    finally:
        await life.end()
    print(f"{day.right} of {day.asked} questions found their paper. The day took {time.perf_counter() - begin:.0f} s.")
    print("Pictures of the window:", *(f"  {picture}" for picture in day.pictures), sep="\n")
    return 0 if day.right == day.asked else 1


def _pictures() -> Path:
    """A folder for the pictures: build/day of the source tree; a temporary one for the frozen program."""
    if getattr(sys, "frozen", False):
        return Path(tempfile.mkdtemp(prefix="muniment-day-"))
    folder = resources().parent / "build" / "day"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    return folder


class Day:
    """What is done in the window, one thing after the other, as a person would."""

    def __init__(self, window: MainWindow, workspace: Workspace, folder: Path) -> None:
        self._window = window
        self._workspace = workspace
        self._folder = folder
        self.pictures: list[Path] = []
        self.asked = 0
        self.right = 0

    async def take_in(self) -> None:
        """Wait until the sample's papers are read and can be found by meaning; say what became of each."""
        session = self._window.desk.session
        assert session is not None
        await session.writes.finish()
        await self._workspace.papers.idle()
        await self._workspace.meaning.idle()
        numbers = await self._workspace.papers.rows.snapshot(ListQuery(sort="name"))
        papers = [paper for paper in await self._workspace.papers.rows.rows(numbers) if paper is not None]
        print(f"Papers: {len(papers)}")
        for paper in papers:
            print(f"  {_became(paper)}")
        state = await self._workspace.papers.queue()
        print(f"{state.passages_with_meaning} of {state.passages} passages can be found by meaning.")
        await self._look("papers", lambda: self._window.desk.show("papers"))

    async def ask(self, question: Question) -> None:
        """Type a question and look at what comes first."""
        result = await self._answer(question.ask)
        first = result.hits[0] if result.hits else None
        found = first is not None and _is_answer(first, question)
        self.asked += 1
        self.right += found
        repaired = "".join(f", showing {repair.used} for {repair.typed}" for repair in result.repairs)
        print(
            f"Asked “{question.ask}” ({question.kind}{repaired}): {_said(first)}"
            f"{'' if found else ' — not the right one'}"
        )
        await self._picture(f"search-{self.asked}-{question.kind}")

    async def _answer(self, text: str) -> SearchResult:
        session = self._window.desk.session
        assert session is not None
        presenter = session.search.presenter  # pyright: ignore[reportAttributeAccessIssue]
        answered: asyncio.Future[SearchResult] = asyncio.get_running_loop().create_future()

        def changed() -> None:
            result = presenter.result
            if result is not None and result.request.text == text and not answered.done():
                answered.set_result(result)

        presenter.changed.connect(changed)
        try:
            self._window.top.search.line.setText(text)
            return await asyncio.wait_for(answered, ANSWER)
        finally:
            presenter.changed.disconnect(changed)

    async def go_round(self) -> None:
        """Look at every place, in both looks."""
        self._window.top.search.leave()
        for place in PLACES:
            await self._look(place.id, lambda id=place.id: self._window.desk.show(id))
        self._window.theme.set_choice("dark")
        await self._look("papers-dark", lambda: self._window.desk.show("papers"))

    async def _look(self, name: str, go: Callable[[], Awaitable[object] | None]) -> None:
        done = go()
        if done is not None:
            await done
        await self._picture(name)

    async def _picture(self, name: str) -> None:
        """Keep a picture of the window once it has what it reads: two that are alike, a moment apart."""
        before = self._window.grab().toImage()
        for _ in range(SETTLING):
            await asyncio.sleep(0.1)
            now = self._window.grab().toImage()
            if now == before:
                break
            before = now
        path = self._folder / f"{len(self.pictures) + 1:02}-{name}.png"
        if before.save(str(path)):
            self.pictures.append(path)


def _became(paper: Paper) -> str:
    if paper.state is not PaperState.SEARCHABLE:
        return f"{paper.name}: {paper.state.value}. {paper.reason}".rstrip()
    pages = f", {_count(paper.pages, 'page')}" if paper.pages else ""
    notes = "".join(f" ({note.sentence})" for note in paper.notes)
    return f"{paper.name}: searchable, {_count(paper.passages, 'passage')}{pages}{notes}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _is_answer(hit: Hit, question: Question) -> bool:
    named = hit.passage.title.endswith(question.paper)
    return named and (not question.page or hit.passage.page == question.page)


def _said(hit: Hit | None) -> str:
    if hit is None:
        return "nothing found"
    page = f", page {hit.passage.page}" if hit.passage.page else ""
    return f"{hit.passage.title}{page}: {' '.join(hit.snippet.split())[:90]}"
