"""Papers with pictures of text: recognised in a lane of their own, behind nothing and in front of nothing."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.domain.extraction import Extracted, Refusal, RefusalCode
from core.domain.papers import PaperState
from core.domain.recognition import PlacedWord, RecognisedPage
from core.errors import EnvironmentFault, UserError
from core.events import Progress
from core.ports.extraction import OnPage, ReadLimits
from core.ports.rows import ListQuery
from core.services import background
from tests.core.services.test_papers import Make, Queue, Reader, make, only, written

assert make is not None  # the fixture

PLACED = RecognisedPage(2, words=[PlacedWord("found", 0.1, 0.1, 0.2, 0.2, 0.9)])


class FirstReader(Reader):
    """Leaves "scan" in a name to be recognised, and "mixed" with a part of its text."""

    async def read(
        self,
        path: Path,
        name: str,
        *,
        password: str | None = None,
        limits: ReadLimits | None = None,
        on_page: OnPage | None = None,
    ) -> Extracted | Refusal:
        outcome = await super().read(path, name, password=password)
        if isinstance(outcome, Refusal) or not ("scan" in name or "mixed" in name):
            return outcome
        if "scan" in name:
            return Refusal(RefusalCode.SCAN, f"{name} is a picture of text.")
        return replace(outcome, scans=2)


class Recogniser(Reader):
    """Says that it reads page 1 and 2 of 2, then waits where it is held."""

    async def read(
        self,
        path: Path,
        name: str,
        *,
        password: str | None = None,
        limits: ReadLimits | None = None,
        on_page: OnPage | None = None,
    ) -> Extracted | Refusal:
        for page in (1, 2):
            if on_page is not None:
                on_page(page, 2)
        outcome = await super().read(path, name, password=password)
        return outcome if isinstance(outcome, Refusal) else replace(outcome, recognised=[PLACED])


@pytest.fixture
def recogniser() -> Recogniser:
    return Recogniser()


@pytest.fixture
async def queue(make: Make, recogniser: Recogniser) -> AsyncIterator[Queue]:
    queue = make(reader=FirstReader(), recognition=recogniser)
    await queue.papers.start()
    yield queue
    await queue.stop()


async def until_state(queue: Queue, **wanted: str) -> None:
    async with asyncio.timeout(10):
        while not wanted.items() <= (await queue.states()).items():  # noqa: ASYNC110 - a state has no event
            await asyncio.sleep(0.005)


async def test_a_paper_without_pictures_never_waits_for_one_with(
    queue: Queue, recogniser: Recogniser, tmp_path: Path
) -> None:
    gate = recogniser.hold("scan1")
    await queue.papers.add(written(tmp_path, "scan1", "scan2"))
    await recogniser.has_begun("scan1")
    await queue.papers.add(written(tmp_path, "letter"))
    await until_state(queue, letter="searchable", scan1="reading", scan2="waiting")
    state = await queue.papers.queue()
    assert (state.waiting, state.reading, state.searchable) == (1, 1, 1)
    async with asyncio.timeout(10):  # the other lane says last that it has nothing left
        while (await queue.papers.queue()).current != "scan1, page 2 of 2":  # noqa: ASYNC110
            await asyncio.sleep(0.005)
    gate.set()
    await queue.idle()
    assert set((await queue.states()).values()) == {"searchable"}
    assert (queue.reader.read_names, recogniser.read_names) == (["scan1", "scan2", "letter"], ["scan1", "scan2"])
    assert (await queue.papers.queue()).current == ""


async def test_each_page_is_told(queue: Queue, recogniser: Recogniser, tmp_path: Path) -> None:
    gate = recogniser.hold("scan")
    paper = only(await queue.papers.add(written(tmp_path, "scan")))
    await recogniser.has_begun("scan")
    jobs = {job.title: job for job in await queue.jobs.rows(await queue.jobs.snapshot(ListQuery())) if job is not None}
    assert jobs["Reading scans and pictures"].detail == "scan, page 2 of 2"
    gate.set()
    await queue.idle()
    assert "scan, page 2 of 2" in [event.label for event in queue.heard if isinstance(event, Progress)]
    assert await queue.papers.recognised(paper.id, 2) == PLACED
    assert await queue.papers.recognised(paper.id, 1) is None


async def test_what_else_a_paper_holds_is_found_while_its_pictures_wait(
    queue: Queue, recogniser: Recogniser, tmp_path: Path
) -> None:
    gate = recogniser.hold("mixed")
    paper = only(await queue.papers.add(written(tmp_path, "mixed")))
    await recogniser.has_begun("mixed")
    now = await queue.papers.get(paper.id)
    assert (now.state, now.scan, now.passages) == (PaperState.READING, True, 1)
    gate.set()
    await queue.idle()
    now = await queue.papers.get(paper.id)
    assert (now.state, now.scan) == (PaperState.SEARCHABLE, False)


async def test_stopping_a_scan_stops_its_reader_and_keeps_what_was_read(
    queue: Queue, recogniser: Recogniser, tmp_path: Path
) -> None:
    recogniser.hold("mixed")
    recogniser.hold("scan")
    await queue.papers.add(written(tmp_path, "mixed", "scan"))
    await recogniser.has_begun("mixed")
    await until_state(queue, scan="waiting")
    assert len(await queue.papers.cancel_all()) == 2
    await queue.idle()
    assert recogniser.stopped == ["mixed"]
    assert await queue.states() == {"mixed": "searchable", "scan": "cancelled"}


async def test_a_scan_without_text_or_that_fails_says_so(queue: Queue, recogniser: Recogniser, tmp_path: Path) -> None:
    recogniser.refusals["scan"] = Refusal(RefusalCode.NO_TEXT, "There is no text on this picture.")
    recogniser.failures["scan2"] = ZeroDivisionError()
    recogniser.refusals["mixed"] = Refusal(RefusalCode.TIME, "It took too long.")
    taken = await queue.papers.add(written(tmp_path, "scan", "scan2", "mixed"))
    await queue.idle()
    assert await queue.states() == {"scan": "attention", "scan2": "attention", "mixed": "searchable"}
    reasons = [await queue.papers.get(each.paper.id) for each in taken if each.paper is not None]
    assert reasons[0].reason == "There is no text on this picture."
    assert [note.sentence for note in reasons[2].notes] == ["It took too long."]
    assert [type(error) for error in queue.errors] == [ZeroDivisionError]
    queue.errors.clear()


async def test_pausing_holds_both(queue: Queue, recogniser: Recogniser, tmp_path: Path) -> None:
    gate = recogniser.hold("scan1")
    await queue.papers.add(written(tmp_path, "scan1", "scan2"))
    await recogniser.has_begun("scan1")
    await queue.papers.pause()
    gate.set()
    await until_state(queue, scan1="searchable")
    await queue.papers.add(written(tmp_path, "letter"))
    assert (await queue.papers.queue()).paused
    assert recogniser.read_names == ["scan1"]
    assert "letter" not in queue.reader.read_names
    await queue.papers.resume()
    await queue.idle()
    assert set((await queue.states()).values()) == {"searchable"}


async def test_a_fault_of_one_lane_leaves_the_others_paper_alone(
    queue: Queue, recogniser: Recogniser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "FIRST_WAIT", 0.05)
    gate = recogniser.hold("scan")
    await queue.papers.add(written(tmp_path, "scan"))
    await recogniser.has_begun("scan")
    queue.reader.failures["letter"] = EnvironmentFault("There is no room left on the disk.")
    await queue.papers.add(written(tmp_path, "letter"))
    async with asyncio.timeout(10):
        while not queue.papers.fault:  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.005)
    queue.reader.failures.clear()
    await until_state(queue, letter="searchable")
    assert (await queue.states())["scan"] == "reading"
    gate.set()
    await queue.idle()
    assert set((await queue.states()).values()) == {"searchable"}
    queue.errors.clear()


async def test_a_locked_scan_is_recognised_at_once_with_its_password(
    queue: Queue, recogniser: Recogniser, tmp_path: Path
) -> None:
    queue.reader.passwords["scan"] = recogniser.passwords["scan"] = "open"
    paper = only(await queue.papers.add(written(tmp_path, "scan")))
    await queue.idle()
    assert (await queue.papers.get(paper.id)).reason_code == RefusalCode.PASSWORD
    with pytest.raises(UserError):
        await queue.papers.unlock(paper.id, "wrong")
    opened = await queue.papers.unlock(paper.id, "open")
    assert (opened.state, opened.scan, opened.reason) == (PaperState.SEARCHABLE, False, "")
    assert await queue.papers.recognised(paper.id, 2) == PLACED


async def test_a_scan_that_waits_is_recognised_after_a_restart(
    make: Make, recogniser: Recogniser, tmp_path: Path
) -> None:
    queue = make(reader=FirstReader(), recognition=recogniser)
    await queue.papers.start()
    recogniser.hold("scan")
    await queue.papers.add(written(tmp_path, "scan"))
    await recogniser.has_begun("scan")
    await queue.stop()
    recogniser.held.clear()
    again = make(recognition=recogniser)
    await again.papers.start()
    await again.idle()
    assert await again.states() == {"scan": "searchable"}
    assert again.reader.read_names == []
    await again.stop()


async def test_without_a_recogniser_a_scan_needs_a_person(make: Make, tmp_path: Path) -> None:
    queue = make(reader=FirstReader())
    await queue.papers.start()
    await queue.papers.add(written(tmp_path, "scan", "mixed"))
    await queue.idle()
    assert await queue.states() == {"scan": "attention", "mixed": "searchable"}
    await queue.stop()
