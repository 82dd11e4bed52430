"""Papers on their way in: the queue with a reader that tests hold and release, over the database and over fakes."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from core.adapters.files.artifacts import FileArtifacts
from core.adapters.files.folder import WorkspaceFolder
from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.lists import paper_rows
from core.adapters.sqlite.migrations import prepare
from core.adapters.sqlite.papers import SqlitePapers
from core.domain.extraction import Extracted, Refusal, RefusalCode
from core.domain.papers import Paper, PaperState, Taken
from core.domain.scopes import JobState
from core.errors import EnvironmentFault, NotFound, UserError
from core.events import Changed, Event, EventHub, Progress
from core.ports.extraction import OnPage, ReadLimits
from core.ports.papers import ArtifactPort, PaperPort
from core.ports.rows import ListQuery, RowsPort
from core.services import background
from core.services.jobs import JobService
from core.services.papers import PaperService
from core.tasks import TaskScope
from tests.fakes.extraction import MemoryExtraction
from tests.fakes.papers import FakeArtifacts, FakePapers
from tests.fakes.store import FakeStore, SetClock

ID = "0" * 32


class Reader(MemoryExtraction):
    """Reads as the fake does. held: names that wait until they are released. passwords: name to what opens it.
    failures: name to an error that is raised."""

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[str, asyncio.Event] = {}
        self.passwords: dict[str, str] = {}
        self.failures: dict[str, Exception] = {}
        self.begun: asyncio.Queue[str] = asyncio.Queue()
        self.stopped: list[str] = []

    async def read(
        self,
        path: Path,
        name: str,
        *,
        password: str | None = None,
        limits: ReadLimits | None = None,
        on_page: OnPage | None = None,
    ) -> Extracted | Refusal:
        self.begun.put_nowait(name)
        if name in self.held:
            try:
                await self.held[name].wait()
            except asyncio.CancelledError:
                self.stopped.append(name)
                raise
        if name in self.failures:
            raise self.failures[name]
        if self.passwords.get(name, password) != password:
            return Refusal(RefusalCode.PASSWORD, f"“{name}” is locked with a password.")
        return await super().read(path, name)

    def hold(self, name: str) -> asyncio.Event:
        self.held[name] = asyncio.Event()
        return self.held[name]

    async def has_begun(self, name: str) -> None:
        async with asyncio.timeout(10):
            while await self.begun.get() != name:
                continue


class Queue:
    """One run of the program over one store of papers: `start`, then either `stop` in order or `die`."""

    def __init__(
        self,
        papers: PaperPort,
        artifacts: ArtifactPort,
        rows: RowsPort[Paper],
        reader: Reader | None = None,
        **options: Any,
    ) -> None:
        self.reader = reader or Reader()
        self.errors: list[BaseException] = []
        self.heard: list[Event] = []
        self.port = papers
        self.events = EventHub(self.errors.append)
        self.events.subscribe(self.heard.append)
        self.tasks = TaskScope("workspace", self.errors.append)
        self.jobs = JobService(ID, self.events, SetClock())
        self.papers = PaperService(
            ID, papers, artifacts, self.reader, rows, self.jobs, self.events, self.tasks, **options
        )

    async def states(self) -> dict[str, str]:
        numbers = await self.papers.rows.snapshot(ListQuery())
        return {paper.name: paper.state.value for paper in await self.papers.rows.rows(numbers) if paper}

    async def idle(self) -> None:
        async with asyncio.timeout(10):
            await self.papers.idle()

    async def die(self) -> None:
        """The process ends: tasks stop where they are, and nobody says anything to the store."""
        await self.tasks.close()

    async def stop(self) -> None:
        await self.die()
        await self.papers.stop()
        assert self.errors == []


Make = Callable[..., Queue]


@pytest.fixture(params=["sqlite", "fake"])
async def make(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Make]:
    """Makes runs over one store, as one start of the program after the other does."""
    folder, clock, made = tmp_path / "W", SetClock(), list[Queue]()
    folder.mkdir()
    if request.param == "fake":
        fake = FakePapers(FakeStore(clock, []))
        parts = (fake, FakeArtifacts(folder, clock), fake.rows())
        database = None
    else:
        database = await Database.open(
            folder / "workspace.db", key=None, clock=clock, publish=lambda events: None, prepare=prepare
        )
        (folder / ".run").mkdir()
        (folder / "artifacts" / "sha256").mkdir(parents=True)
        parts = (SqlitePapers(database), FileArtifacts(folder, clock), paper_rows(database))

    def new(**options: Any) -> Queue:
        made.append(Queue(*parts, **options))
        return made[-1]

    yield new
    for each in made:
        await each.tasks.close()
    if database is not None:
        await database.close()


@pytest.fixture
async def queue(make: Make) -> AsyncIterator[Queue]:
    queue = make()
    await queue.papers.start()
    yield queue
    await queue.stop()


def written(folder: Path, *names: str, text: str = "Paper {name}") -> list[Path]:
    """Files whose text is their name."""
    for name in names:
        (folder / name).write_text(text.format(name=name), encoding="utf-8")
    return [folder / name for name in names]


def only(taken: list[Taken]) -> Paper:
    (one,) = taken
    assert one.paper is not None
    return one.paper


# ---- the queue ------------------------------------------------------------------------------------------------------


async def test_small_papers_go_first_and_every_fourth_is_the_oldest(queue: Queue, tmp_path: Path) -> None:
    await queue.idle()
    await queue.papers.pause()
    sizes = {"big": 900, "d": 40, "c": 30, "b": 20, "e": 50, "a": 10}
    for name, size in sizes.items():
        written(tmp_path, name, text=name * size)
    await queue.papers.add([tmp_path / name for name in sizes])
    assert set((await queue.states()).values()) == {"waiting"}
    await queue.papers.resume()
    await queue.idle()
    order = queue.reader.read_names
    # The claim that found nothing at the start counts too, so the third paper is the oldest.
    assert order == ["a", "b", "big", "c", "d", "e"]
    assert set((await queue.states()).values()) == {"searchable"}


async def test_one_bad_paper_stops_no_other(queue: Queue, tmp_path: Path) -> None:
    names = [f"{number}.txt" for number in range(5)]
    queue.reader.refusals["1.txt"] = Refusal(RefusalCode.DAMAGED, "1.txt is damaged.")
    await queue.papers.add(written(tmp_path, *names))
    await queue.idle()
    assert await queue.states() == {name: "attention" if name == "1.txt" else "searchable" for name in names}
    state = await queue.papers.queue()
    assert (state.searchable, state.attention, state.waiting, state.reading, state.current) == (4, 1, 0, 0, "")
    assert queue.jobs.steps_now() == []


async def test_a_defect_in_the_reader_is_reported_once_and_stops_no_other(queue: Queue, tmp_path: Path) -> None:
    queue.reader.failures["b"] = ZeroDivisionError()
    await queue.papers.add(written(tmp_path, "a", "b", "c"))
    await queue.idle()
    assert await queue.states() == {"a": "searchable", "b": "attention", "c": "searchable"}
    assert [type(error) for error in queue.errors] == [ZeroDivisionError]
    queue.errors.clear()


async def test_a_full_disk_keeps_papers_waiting_and_reading_goes_on_when_there_is_room(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "FIRST_WAIT", 0.05)
    queue = make()
    await queue.papers.start()
    await queue.idle()
    queue.reader.failures["a"] = EnvironmentFault("There is no room left on the disk.")
    await queue.papers.add(written(tmp_path, "a", "bb"))
    await queue.idle()
    assert queue.papers.fault == "There is no room left on the disk."
    assert [str(error) for error in queue.errors][:1] == ["There is no room left on the disk."]
    assert (await queue.states())["bb"] == "waiting"
    assert queue.jobs.steps_now() == []
    queue.reader.failures.clear()
    async with asyncio.timeout(10):
        while queue.papers.fault:  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.01)
    await queue.idle()
    assert await queue.states() == {"a": "searchable", "bb": "searchable"}
    queue.errors.clear()
    await queue.stop()


async def test_progress_is_told(queue: Queue, tmp_path: Path) -> None:
    queue.reader.refusals["b"] = Refusal(RefusalCode.DAMAGED, "b is damaged.")
    await queue.papers.add(written(tmp_path, "a", "b"))
    await queue.idle()
    progress = [event for event in queue.heard if isinstance(event, Progress)]
    assert {event.activity for event in progress} == {"reading"}
    assert (progress[-1].done, progress[-1].total, progress[-1].attention, progress[-1].label) == (2, 2, 1, "")
    assert {event.label for event in progress} == {"", "a", "b"}


async def test_reading_is_a_job_with_a_step_a_paper(queue: Queue, tmp_path: Path) -> None:
    gate = queue.reader.hold("a")
    await queue.papers.add(written(tmp_path, "a"))
    await queue.reader.has_begun("a")
    ((owner, title),) = queue.jobs.steps_now()
    assert title == "a"
    assert queue.jobs.scratchpad.get(owner, "attempt") == 1
    assert owner.job is not None
    assert queue.jobs.execution.get(owner, "paper") == "a"
    gate.set()
    await queue.idle()
    assert queue.jobs.get(owner.job).state is JobState.COMPLETED
    assert any(isinstance(event, Changed) and event.kind == "step" for event in queue.heard)


async def test_pausing_stops_after_the_paper_at_hand(queue: Queue, tmp_path: Path) -> None:
    gate = queue.reader.hold("a")
    await queue.papers.add(written(tmp_path, "a", "bb", "ccc"))
    await queue.reader.has_begun("a")
    await queue.papers.pause()
    gate.set()
    async with asyncio.timeout(10):
        while (await queue.states())["a"] != "searchable":  # noqa: ASYNC110 - a paper at hand has no event
            await asyncio.sleep(0.005)
    state = await queue.papers.queue()
    assert (state.paused, state.waiting, state.searchable) == (True, 2, 1)
    assert queue.reader.read_names == ["a"]
    await queue.papers.resume()
    await queue.idle()
    assert (await queue.papers.queue()).searchable == 3


# ---- what a person does ---------------------------------------------------------------------------------------------


async def test_cancelling_stops_the_reader_at_once_and_the_next_goes_on(queue: Queue, tmp_path: Path) -> None:
    queue.reader.hold("a")
    taken = await queue.papers.add(written(tmp_path, "a", "bb"))
    await queue.reader.has_begun("a")
    assert taken[0].paper is not None
    (cancelled,) = await queue.papers.cancel([taken[0].paper.id])
    assert cancelled.state is PaperState.CANCELLED
    await queue.idle()
    assert queue.reader.stopped == ["a"]
    assert await queue.states() == {"a": "cancelled", "bb": "searchable"}
    assert await queue.papers.cancel([taken[0].paper.id, "no such paper"]) == []


async def test_cancelling_all_leaves_what_was_read(queue: Queue, tmp_path: Path) -> None:
    await queue.papers.add(written(tmp_path, "read"))
    await queue.idle()
    queue.reader.hold("a")
    await queue.papers.add(written(tmp_path, "a", "bb", "ccc"))
    await queue.reader.has_begun("a")
    assert len(await queue.papers.cancel_all()) == 3
    await queue.idle()
    assert await queue.states() == {"read": "searchable", "a": "cancelled", "bb": "cancelled", "ccc": "cancelled"}


async def test_trying_again_reads_again(queue: Queue, tmp_path: Path) -> None:
    queue.reader.refusals["a"] = Refusal(RefusalCode.TIME, "a took too long.")
    paper = only(await queue.papers.add(written(tmp_path, "a")))
    await queue.idle()
    assert (await queue.papers.get(paper.id)).reason == "a took too long."
    queue.reader.refusals.clear()
    await queue.papers.retry([paper.id])
    await queue.idle()
    paper = await queue.papers.get(paper.id)
    assert (paper.state, paper.reason, paper.reason_code, paper.attempts) == (PaperState.SEARCHABLE, "", "", 1)


async def test_a_locked_paper_opens_with_its_password_alone(queue: Queue, tmp_path: Path) -> None:
    queue.reader.passwords["a"] = "tulip"
    paper = only(await queue.papers.add(written(tmp_path, "a")))
    await queue.idle()
    with pytest.raises(UserError, match="That password doesn't open “a”"):
        await queue.papers.unlock(paper.id, "rose")
    assert (await queue.papers.get(paper.id)).state is PaperState.ATTENTION
    assert (await queue.papers.unlock(paper.id, "tulip")).state is PaperState.SEARCHABLE
    with pytest.raises(NotFound):
        await queue.papers.unlock("no such paper", "tulip")


async def test_removing_and_putting_back(queue: Queue, tmp_path: Path) -> None:
    first, _second = await queue.papers.add(written(tmp_path, "a", "bb"))
    await queue.idle()
    assert first.paper is not None
    await queue.papers.remove([first.paper.id])
    assert await queue.states() == {"bb": "searchable"}
    await queue.papers.restore([first.paper.id])
    await queue.idle()
    assert await queue.states() == {"a": "searchable", "bb": "searchable"}


@pytest.mark.parametrize("began", [True, False])
async def test_a_paper_removed_before_it_was_read_is_read_when_it_is_put_back(
    queue: Queue, tmp_path: Path, began: bool
) -> None:
    queue.reader.hold("a")
    taken = await queue.papers.add(written(tmp_path, "a", "bb"))
    await queue.reader.has_begun("a")
    paper = taken[0 if began else 1].paper
    assert paper is not None
    await queue.papers.remove([paper.id])
    assert paper.name not in await queue.states()
    queue.reader.held["a"].set()
    await queue.papers.restore([paper.id])
    await queue.idle()
    assert await queue.states() == {"a": "searchable", "bb": "searchable"}
    assert queue.reader.stopped == (["a"] if began else [])


async def test_bytes_of_a_removed_paper_bring_it_back_and_it_is_read(queue: Queue, tmp_path: Path) -> None:
    (source,) = written(tmp_path, "a")
    paper = only(await queue.papers.add([source]))
    await queue.idle()
    await queue.papers.remove([paper.id])
    assert only(await queue.papers.add([source])).id == paper.id
    await queue.idle()
    assert await queue.states() == {"a": "searchable"}


async def test_the_original_bytes_can_be_written_out(queue: Queue, tmp_path: Path) -> None:
    source = tmp_path / "a"
    source.write_bytes(b"\xff\xfe\r\n exactly \0")
    paper = only(await queue.papers.add([source]))
    source.unlink()
    await queue.papers.export(paper.id, tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == b"\xff\xfe\r\n exactly \0"


# ---- taking in ------------------------------------------------------------------------------------------------------


async def test_the_same_bytes_are_stored_once_whatever_their_name(queue: Queue, tmp_path: Path) -> None:
    first, second, third = written(tmp_path, "a", "b", "c", text="same")
    taken = await queue.papers.add([first, second, third, first])
    assert [one.outcome for one in taken] == ["queued", "known", "known", "known"]
    assert {one.paper.id for one in taken if one.paper} == {taken[0].paper.id if taken[0].paper else ""}
    assert taken[1].sentence == "Here already, as “a”. It was not stored twice."
    assert taken[3].sentence == "“a” is here already. It was not stored twice."


async def test_what_was_removed_is_taken_in_again_like_anything_new(queue: Queue, tmp_path: Path) -> None:
    (source,) = written(tmp_path, "a")
    paper = only(await queue.papers.add([source]))
    await queue.papers.idle()
    await queue.papers.remove([paper.id])
    (taken,) = await queue.papers.add([source])
    assert (taken.outcome, taken.sentence) == ("queued", "")
    await queue.papers.idle()
    assert (await queue.papers.get(paper.id)).state is PaperState.SEARCHABLE


async def test_a_file_that_vanishes_is_one_answer(queue: Queue, tmp_path: Path) -> None:
    sources = written(tmp_path, "a", "b", "c")
    heard: list[Taken] = []

    def on_taken(taken: Taken) -> None:
        heard.append(taken)
        sources[1].unlink(missing_ok=True)

    taken = await queue.papers.add(sources, on_taken)
    assert heard == taken
    assert [one.outcome for one in taken] == ["queued", "refused", "queued"]
    assert "“b”" in taken[1].sentence


async def test_bytes_that_vanish_from_the_store_need_attention(queue: Queue, tmp_path: Path) -> None:
    await queue.idle()
    await queue.papers.pause()
    paper = only(await queue.papers.add(written(tmp_path, "a")))
    await queue.papers._artifacts.discard(paper.digest)
    await queue.papers.resume()
    await queue.idle()
    paper = await queue.papers.get(paper.id)
    assert (paper.state, paper.reason_code) == (PaperState.ATTENTION, "missing")
    assert "Add the paper again" in paper.reason


async def test_folders_are_walked_in_order_without_links_and_hidden_files(queue: Queue, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    (folder / "sub" / "deep").mkdir(parents=True)
    (folder / ".git").mkdir()
    written(folder, "b", "a", ".hidden", "~$open.docx", "Thumbs.db", "desktop.ini", ".DS_Store")
    written(folder / "sub" / "deep", "c")
    written(folder / ".git", "d")
    (folder / "sub" / "round").symlink_to(folder, target_is_directory=True)
    (folder / "link").symlink_to(folder / "a")
    (folder / "broken").symlink_to(folder / "nothing")
    (folder / "circle").symlink_to(folder / "circle")
    os.mkfifo(folder / "pipe")
    taken = await queue.papers.add([folder])
    found = [(Path(one.source).relative_to(folder).as_posix(), one.outcome) for one in taken]
    assert found == [
        ("a", "queued"),
        ("b", "queued"),
        ("broken", "refused"),
        ("circle", "refused"),
        ("link", "known"),
        ("sub/deep/c", "queued"),
    ]
    assert (await queue.papers.add([folder / "pipe"]))[0].outcome == "refused"


async def test_a_folder_that_cant_be_opened_is_an_answer(
    queue: Queue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "papers"
    (folder / "closed").mkdir(parents=True)
    written(folder, "a")
    listed = os.scandir

    def scandir(path: str) -> object:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    taken = await queue.papers.add([folder])
    assert [one.outcome for one in taken] == ["queued", "refused"]
    assert taken[1].sentence == f"The folder “{folder / 'closed'}” can't be opened: Permission denied."


async def test_what_lies_in_a_workspace_stays_there(queue: Queue, tmp_path: Path) -> None:
    """Another workspace's files, by path, by link, and in a folder that holds the workspace."""
    other = (await WorkspaceFolder().create(tmp_path / "around" / "Other", "Other")).path
    (secret,) = written(other / "memory", "secret.md")
    (tmp_path / "link.md").symlink_to(secret)
    (tmp_path / "linked").symlink_to(other / "memory", target_is_directory=True)
    (plain,) = written(tmp_path / "around", "plain.txt")
    sources = [secret, tmp_path / "link.md", tmp_path / "linked", tmp_path / "around" / "Other" / ".." / "Other"]
    for source in sources:
        (taken,) = await queue.papers.add([source])
        assert taken.outcome == "refused", source
        assert "belongs to the workspace in “Other”" in taken.sentence
    taken = await queue.papers.add([tmp_path / "around"])
    outcomes = {Path(one.source).name: one.outcome for one in taken}
    assert outcomes == {"Other": "refused", plain.name: "queued"}
    await queue.idle()
    assert await queue.states() == {"plain.txt": "searchable"}


async def test_a_paper_beyond_the_limit_is_refused(make: Make, tmp_path: Path) -> None:
    queue = make(byte_limit=10)
    await queue.papers.start()
    taken = await queue.papers.add(written(tmp_path, "a", text="more than ten bytes"))
    assert taken[0].outcome == "refused"
    await queue.stop()


@pytest.mark.parametrize(
    "name", ["🦘 émeu\u0301.txt", "שלום.txt", "a\tb\nc.txt", os.fsdecode(b"b\xfcro.txt"), "x" * 251]
)
async def test_any_name_is_taken_and_can_be_shown(queue: Queue, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("text")
    paper = only(await queue.papers.add([tmp_path / name]))
    assert paper.name.isprintable()
    assert paper.name.encode("utf-8")
    await queue.idle()
    assert set((await queue.states()).values()) == {"searchable"}


# ---- from one run to the next ---------------------------------------------------------------------------------------


async def test_an_orderly_close_gives_papers_back_without_counting_the_attempt(make: Make, tmp_path: Path) -> None:
    queue = make()
    await queue.papers.start()
    queue.reader.hold("a")
    paper = only(await queue.papers.add(written(tmp_path, "a")))
    await queue.reader.has_begun("a")
    await queue.stop()
    left = await queue.port.get(paper.id)
    assert left is not None
    assert (left.state, left.attempts) == (PaperState.WAITING, 0)


async def test_a_killed_program_goes_on_by_itself_and_gives_up_a_paper_that_kills_it(
    make: Make, tmp_path: Path
) -> None:
    queue = make()
    await queue.papers.start()
    queue.reader.hold("deadly")
    taken = await queue.papers.add([*written(tmp_path, "deadly"), *written(tmp_path, "good", text="good paper" * 9)])
    for attempt in (1, 2, 3):
        await queue.reader.has_begun("deadly")
        await queue.die()
        assert (await queue.states())["deadly"] == "reading"
        queue = make()
        if attempt < 3:
            queue.reader.hold("deadly")
        await queue.papers.start()
    await queue.idle()
    assert await queue.states() == {"deadly": "attention", "good": "searchable"}
    assert taken[0].paper is not None
    assert (await queue.papers.get(taken[0].paper.id)).reason_code == "crashed"
    await queue.papers.retry([taken[0].paper.id])  # when the person asks for it
    await queue.idle()
    assert (await queue.states())["deadly"] == "searchable"
    await queue.stop()
