"""PaperPort: rows of papers and the reading queue."""

import asyncio
import hashlib
from dataclasses import replace

import pytest

from core.domain.extraction import Extracted, Note, PassageDraft, Refusal, RefusalCode
from core.domain.papers import Artifact, Paper, PaperState, QueueState
from core.domain.recognition import PlacedWord, RecognisedPage
from core.errors import InvalidValue, NotFound, VersionConflict
from core.ports.rows import ListQuery
from tests.contracts.conftest import Setting

LOCKED = Refusal(RefusalCode.PASSWORD, "“a.pdf” is locked with a password.")


async def added(setting: Setting, name: str, size: int = 10) -> Paper:
    digest = hashlib.sha256(name.encode()).hexdigest()
    paper, new = await setting.papers.add(Artifact(digest, size, setting.clock.now), name, f"/home/ada/{name}")
    assert new
    return paper


def read(*texts: str, title: str | None = None) -> Extracted:
    drafts = [PassageDraft(text, page=page) for page, text in enumerate(texts, 1)]
    return Extracted("application/pdf", "pdf", drafts, title=title, written_on="2026-04-17", pages=len(texts))


async def claimed(setting: Setting) -> Paper:
    paper = await setting.papers.claim()
    assert paper is not None
    return paper


async def searchable(setting: Setting, name: str, *texts: str) -> Paper:
    await added(setting, name)
    return await setting.papers.finish((await claimed(setting)).id, read(*texts))


async def state(setting: Setting, id: str) -> PaperState:
    paper = await setting.papers.get(id)
    assert paper is not None
    return paper.state


async def test_a_paper_goes_its_way(setting: Setting) -> None:
    paper = await added(setting, "Ärztebrief.pdf", 123)
    assert (paper.state, paper.attempts, paper.version, paper.byte_length) == (PaperState.WAITING, 0, 1, 123)
    assert (paper.name, paper.origin) == ("Ärztebrief.pdf", "/home/ada/Ärztebrief.pdf")
    assert await setting.papers.get(paper.id) == paper
    setting.clock.now += 1
    reading = await claimed(setting)
    assert (reading.id, reading.state, reading.attempts) == (paper.id, PaperState.READING, 1)
    assert await setting.papers.claim() is None
    extracted = read("nasopharynx", "larynx", title="A letter")
    extracted.notes.append(Note("page_unreadable", "Page 3 could not be read.", 3))
    done = await setting.papers.finish(paper.id, extracted)
    assert (done.state, done.passages, done.meaning_done, done.pages) == (PaperState.SEARCHABLE, 2, 0, 2)
    assert (done.title, done.format, done.media_type) == ("A letter", "pdf", "application/pdf")
    assert (done.written_on, done.notes) == ("2026-04-17", (Note("page_unreadable", "Page 3 could not be read.", 3),))
    assert done.version == 3
    assert await setting.papers.get(paper.id) == done
    assert await setting.passages("paper", paper.id) in (["nasopharynx", "larynx"], None)


async def test_the_same_bytes_are_one_paper(setting: Setting) -> None:
    first = await searchable(setting, "a.pdf", "text")
    again, new = await setting.papers.add(Artifact(first.digest, 10, 1.0), "other name.pdf", "/elsewhere")
    assert not new
    assert again == first


async def test_the_same_bytes_bring_a_removed_paper_back(setting: Setting) -> None:
    first = await searchable(setting, "a.pdf", "text")
    await setting.papers.remove([first.id])
    again, new = await setting.papers.add(Artifact(first.digest, 10, 1.0), "b.pdf", "/elsewhere")
    assert (new, again.id, again.state, again.removed_at) == (True, first.id, PaperState.WAITING, None)
    assert (again.name, again.origin) == ("b.pdf", "/elsewhere")
    assert (await claimed(setting)).id == first.id


async def test_every_paper_is_claimed_once(setting: Setting) -> None:
    papers = [await added(setting, f"{n}.pdf", n) for n in range(30)]
    claims = await asyncio.gather(*(setting.papers.claim() for _ in range(40)))
    ids = [paper.id for paper in claims if paper is not None]
    assert sorted(ids) == sorted(paper.id for paper in papers)
    assert claims.count(None) == 10


async def test_small_papers_are_not_held_up_and_big_ones_get_their_turn(setting: Setting) -> None:
    big = await added(setting, "big.pdf", 10**9)
    for n in range(20):
        await added(setting, f"{n}.pdf", 1000 + n)
    order = [(await claimed(setting)).id for _ in range(21)]
    assert order[0] != big.id
    assert order.index(big.id) <= 3


async def test_a_refusal_is_kept_with_its_reason(setting: Setting) -> None:
    await added(setting, "a.pdf")
    paper = await setting.papers.refuse((await claimed(setting)).id, LOCKED)
    assert (paper.state, paper.reason_code, paper.reason) == (PaperState.ATTENTION, "password", LOCKED.sentence)
    # Unlocked by its password, without the queue.
    done = await setting.papers.finish(paper.id, read("open now"))
    assert (done.state, done.reason, done.reason_code) == (PaperState.SEARCHABLE, "", "")
    refused = await setting.papers.refuse(paper.id, LOCKED)
    assert refused.passages == 0
    assert await setting.passages("paper", paper.id) in ([""], None)  # by which its name is found


async def test_asking_again(setting: Setting) -> None:
    await added(setting, "a.pdf")
    paper = await setting.papers.refuse((await claimed(setting)).id, LOCKED)
    (again,) = await setting.papers.requeue([paper.id, "unknown", paper.id])
    assert (again.state, again.attempts, again.reason) == (PaperState.WAITING, 0, "")
    assert await setting.papers.requeue([paper.id]) == []
    assert (await claimed(setting)).attempts == 1


async def test_a_cancelled_paper_stores_nothing(setting: Setting) -> None:
    waiting, reading = await added(setting, "w.pdf", 20), await added(setting, "r.pdf", 10)
    assert (await claimed(setting)).id == reading.id
    cancelled = await setting.papers.cancel([waiting.id, reading.id])
    assert [paper.state for paper in cancelled] == [PaperState.CANCELLED] * 2
    late = await setting.papers.finish(reading.id, read("too late"))
    assert (late.state, late.passages) == (PaperState.CANCELLED, 0)
    assert (await setting.papers.refuse(reading.id, LOCKED)).state is PaperState.CANCELLED
    assert await setting.passages("paper", reading.id) in ([], None)
    assert await setting.papers.claim() is None
    assert await setting.papers.cancel([waiting.id]) == []
    assert len(await setting.papers.requeue([waiting.id])) == 1


async def test_cancelling_the_second_reading_keeps_the_first(setting: Setting) -> None:
    paper = await searchable(setting, "a.pdf", "text")
    await setting.papers.requeue([paper.id])
    (cancelled,) = await setting.papers.cancel([paper.id])
    assert (cancelled.state, cancelled.passages) == (PaperState.SEARCHABLE, 1)
    assert await setting.passages("paper", paper.id) in (["text"], None)


async def test_removing_takes_it_out_of_lists_and_index(setting: Setting) -> None:
    paper = await searchable(setting, "a.pdf", "nasopharynx")
    other = await searchable(setting, "b.pdf", "larynx")
    (removed,) = await setting.papers.remove([paper.id])
    assert (removed.removed_at, removed.passages) == (setting.clock.now, 0)
    assert await setting.papers.remove([paper.id]) == []
    assert await setting.passages("paper", paper.id) in ([], None)
    numbers = await setting.paper_rows.snapshot(ListQuery())
    assert list(numbers) == [other.number]
    assert list(await setting.paper_rows.rows([paper.number, other.number])) == [None, other]
    late = await setting.papers.finish(paper.id, read("too late"))
    assert late.removed_at is not None
    assert await setting.passages("paper", paper.id) in ([], None)
    assert (await setting.papers.queue()).searchable == 1


async def test_restoring_reads_again(setting: Setting) -> None:
    paper = await searchable(setting, "a.pdf", "text")
    await setting.papers.remove([paper.id])
    (back,) = await setting.papers.restore([paper.id])
    assert (back.id, back.number, back.state, back.removed_at) == (paper.id, paper.number, PaperState.WAITING, None)
    assert await setting.papers.restore([paper.id]) == []
    done = await setting.papers.finish((await claimed(setting)).id, read("text"))
    assert done.passages == 1


async def test_what_a_killed_process_was_reading_waits_again_until_it_was_deadly(setting: Setting) -> None:
    paper = await added(setting, "deadly.pdf")
    for attempt in (1, 2):
        assert (await claimed(setting)).attempts == attempt
        assert await setting.papers.recover() == 1
        assert await state(setting, paper.id) is PaperState.WAITING
    await claimed(setting)
    assert await setting.papers.recover() == 0
    dead = await setting.papers.get(paper.id)
    assert dead is not None
    assert (dead.state, dead.reason_code) == (PaperState.ATTENTION, "crashed")
    assert "deadly.pdf" in dead.reason
    assert await setting.papers.claim() is None
    await setting.papers.requeue([paper.id])
    assert (await claimed(setting)).attempts == 1


async def test_the_queue_is_counted(setting: Setting) -> None:
    assert await setting.papers.queue() == QueueState(0, 0, 0, 0, 0, False, 0, 0)
    await searchable(setting, "a.pdf", "one", "two")
    await added(setting, "b.pdf")
    await setting.papers.refuse((await claimed(setting)).id, LOCKED)
    await added(setting, "c.pdf")
    await claimed(setting)
    await added(setting, "d.pdf")
    cancelled = await added(setting, "e.pdf")
    await setting.papers.cancel([cancelled.id])
    assert await setting.papers.queue() == QueueState(1, 1, 1, 1, 1, False, 3, 0)  # one is a name


async def test_an_unknown_paper(setting: Setting) -> None:
    assert await setting.papers.get("unknown") is None
    with pytest.raises(NotFound):
        await setting.papers.finish("unknown", read("x"))
    with pytest.raises(NotFound):
        await setting.papers.refuse("unknown", LOCKED)
    assert await setting.papers.remove(["unknown"]) == []


async def test_every_change_is_in_the_stream(setting: Setting) -> None:
    paper = await searchable(setting, "a.pdf", "x")
    await setting.papers.remove([paper.id])
    await setting.papers.restore([paper.id])
    stream = await setting.changes.of("paper", paper.id)
    assert [change.version for change in stream] == [5, 4, 3, 2, 1]
    assert [str(change.operation) for change in stream] == ["created", "deleted", "updated", "updated", "created"]


@pytest.mark.parametrize(
    "written_on", ["2026-04-17", "2026-04-17T10:00:00+02:00", "2026-04", "nonsense", "0001-01-01", None]
)
async def test_any_date_of_a_paper_is_kept_as_written(setting: Setting, written_on: str | None) -> None:
    await added(setting, "a.pdf")
    paper = await claimed(setting)
    extracted = Extracted("text/plain", "txt", [PassageDraft("x")], written_on=written_on)
    done = await setting.papers.finish(paper.id, extracted)
    assert done.written_on == written_on


async def test_papers_given_back_wait_and_the_attempt_does_not_count(setting: Setting) -> None:
    paper = await added(setting, "a.pdf")
    await claimed(setting)
    assert await setting.papers.give_back() == 1
    back = await setting.papers.get(paper.id)
    assert back is not None
    assert (back.state, back.attempts) == (PaperState.WAITING, 0)
    assert await setting.papers.give_back() == 0
    assert (await claimed(setting)).attempts == 1


# ---- pictures of text -----------------------------------------------------------------------------------------------

WORDS = [PlacedWord("nasopharynx", 0.1, 0.2, 0.35, 0.25, 0.9871)]


def with_scans(*texts: str) -> Extracted:
    return replace(read(*texts), scans=2)


def with_words(*texts: str) -> Extracted:
    pages = [RecognisedPage(2, turn=90, words=WORDS), RecognisedPage(None, "photo.jpg", words=WORDS)]
    return replace(read(*texts), recognised=pages)


async def scan(setting: Setting) -> Paper | None:
    return await setting.papers.claim(scans=True)


async def test_a_scan_waits_apart_from_papers_that_need_no_recognition(setting: Setting) -> None:
    paper = await added(setting, "scan.pdf")
    aside = await setting.papers.defer((await claimed(setting)).id)
    assert (aside.id, aside.state, aside.scan, aside.attempts, aside.reason) == (
        paper.id,
        PaperState.WAITING,
        True,
        0,
        "",
    )
    assert await setting.papers.claim() is None
    reading = await scan(setting)
    assert reading is not None
    assert (reading.id, reading.state, reading.scan, reading.attempts) == (paper.id, PaperState.READING, True, 1)
    done = await setting.papers.finish(paper.id, with_words("nasopharynx"))
    assert (done.state, done.scan, done.passages) == (PaperState.SEARCHABLE, False, 1)


async def test_what_needs_no_recognition_can_be_found_while_the_rest_waits(setting: Setting) -> None:
    paper = await added(setting, "mixed.pdf")
    first = await setting.papers.finish((await claimed(setting)).id, with_scans("larynx"))
    assert (first.state, first.scan, first.passages) == (PaperState.WAITING, True, 1)
    assert await setting.passages("paper", paper.id) in (["larynx"], None)
    assert await scan(setting) is not None
    done = await setting.papers.finish(paper.id, with_words("larynx", "nasopharynx"))
    assert (done.state, done.scan, done.passages) == (PaperState.SEARCHABLE, False, 2)
    assert await setting.passages("paper", paper.id) in (["larynx", "nasopharynx"], None)


async def test_pictures_that_fail_do_not_take_what_was_read(setting: Setting) -> None:
    paper = await added(setting, "mixed.pdf")
    await setting.papers.finish((await claimed(setting)).id, with_scans("larynx"))
    await scan(setting)
    kept = await setting.papers.refuse(paper.id, Refusal(RefusalCode.TIME, "It took too long."))
    assert (kept.state, kept.scan, kept.passages) == (PaperState.SEARCHABLE, False, 1)
    assert kept.notes[-1] == Note("time", "It took too long.")
    bare = await added(setting, "scan.pdf")
    await setting.papers.defer((await claimed(setting)).id)
    await scan(setting)
    failed = await setting.papers.refuse(bare.id, Refusal(RefusalCode.NO_TEXT, "There is no text."))
    assert (failed.state, failed.scan, failed.reason) == (PaperState.ATTENTION, False, "There is no text.")


async def test_words_and_their_places_are_kept_and_go_with_the_text(setting: Setting) -> None:
    paper = await added(setting, "scan.pdf")
    await setting.papers.finish((await claimed(setting)).id, with_words("nasopharynx"))
    page = await setting.papers.recognised(paper.id, 2)
    assert page == RecognisedPage(2, turn=90, words=WORDS)
    assert await setting.papers.recognised(paper.id, None, "photo.jpg") == RecognisedPage(
        None, "photo.jpg", words=WORDS
    )
    assert await setting.papers.recognised(paper.id, 1) is None
    assert await setting.papers.recognised(paper.id, None) is None
    assert await setting.papers.recognised("unknown", 2) is None
    await setting.papers.requeue([paper.id])
    await setting.papers.finish((await claimed(setting)).id, read("nasopharynx"))
    assert await setting.papers.recognised(paper.id, 2) is None
    await setting.papers.requeue([paper.id])
    await setting.papers.finish((await claimed(setting)).id, with_words("nasopharynx"))
    await setting.papers.remove([paper.id])
    assert await setting.papers.recognised(paper.id, 2) is None


async def test_a_scan_that_is_stopped_or_asked_for_again(setting: Setting) -> None:
    mixed, bare = await added(setting, "mixed.pdf", 10), await added(setting, "scan.pdf", 20)
    await setting.papers.finish((await claimed(setting)).id, with_scans("larynx"))
    await setting.papers.defer((await claimed(setting)).id)
    stopped = {paper.name: paper for paper in await setting.papers.cancel([mixed.id, bare.id])}
    assert {name: paper.state for name, paper in stopped.items()} == {
        "mixed.pdf": PaperState.SEARCHABLE,
        "scan.pdf": PaperState.CANCELLED,
    }
    assert await scan(setting) is None
    await setting.papers.requeue([bare.id])
    assert (await claimed(setting)).id == bare.id  # from the beginning
    assert (await setting.papers.defer(bare.id)).scan
    await setting.papers.cancel([bare.id])
    assert (await setting.papers.defer(bare.id)).state is PaperState.CANCELLED  # it came too late


async def test_giving_back_one_kind_of_reading_leaves_the_other(setting: Setting) -> None:
    slow = await added(setting, "scan.pdf")
    await setting.papers.defer((await claimed(setting)).id)
    quick = await added(setting, "letter.pdf")
    await claimed(setting)
    await scan(setting)
    assert await setting.papers.give_back(scans=True) == 1
    assert (await state(setting, slow.id), await state(setting, quick.id)) == (PaperState.WAITING, PaperState.READING)
    await scan(setting)
    assert await setting.papers.give_back(scans=False) == 1
    assert (await state(setting, slow.id), await state(setting, quick.id)) == (PaperState.READING, PaperState.WAITING)
    assert await setting.papers.recover() == 1
    assert await scan(setting) is not None


async def test_a_renamed_paper_keeps_its_bytes(setting: Setting) -> None:
    paper = await searchable(setting, "scan 0231.txt", "the ramp")
    renamed = await setting.papers.rename(paper.id, " Letter\nof the town ", "scan 0231.txt")
    assert (renamed.name, renamed.digest, renamed.version) == ("Letter of the town", paper.digest, paper.version + 1)
    assert await setting.papers.get(paper.id) == renamed
    assert (await setting.papers.rename(paper.id, "Letter of the town")).version == renamed.version
    with pytest.raises(VersionConflict, match="Letter of the town"):
        await setting.papers.rename(paper.id, "x", "scan 0231.txt")
    with pytest.raises(InvalidValue):
        await setting.papers.rename(paper.id, " \n ")
    with pytest.raises(NotFound):
        await setting.papers.rename("unknown", "x")


async def test_what_somebody_looks_at_goes_first(setting: Setting) -> None:
    small, big = await added(setting, "small", 1), await added(setting, "big", 10_000)
    claimed_first = await setting.papers.claim(first=big.id)
    assert claimed_first is not None
    assert claimed_first.id == big.id
    then = await setting.papers.claim(first=big.id)
    assert then is not None
    assert then.id == small.id


async def test_a_removed_paper_lies_in_the_trash_and_comes_back_from_it(setting: Setting) -> None:
    paper = await searchable(setting, "letter.txt", "Dear Mrs Adler")
    await setting.papers.remove([paper.id])
    thing = await setting.trash.find("paper", paper.id)
    assert thing is not None
    assert (thing.title, thing.removed_at, thing.removed_by) == ("letter.txt", setting.clock.now, "person")
    await setting.trash.restore(thing.number)
    back = await setting.papers.get(paper.id)
    assert back is not None
    assert (back.removed_at, back.state) == (None, PaperState.WAITING)
    assert await setting.trash.find("paper", paper.id) is None


async def test_whoever_brings_a_paper_back_takes_it_out_of_the_trash(setting: Setting) -> None:
    paper = await searchable(setting, "letter.txt", "Dear Mrs Adler")
    await setting.papers.remove([paper.id])
    await setting.papers.restore([paper.id])
    assert await setting.trash.find("paper", paper.id) is None
    await setting.papers.remove([paper.id])
    await setting.papers.add(Artifact(paper.digest, 10, 1.0), "again.txt", "/again.txt")
    assert await setting.trash.find("paper", paper.id) is None
    assert await setting.trashed.count() == 0


async def test_a_paper_that_is_erased_from_the_trash_is_forgotten(setting: Setting) -> None:
    paper = await searchable(setting, "letter.txt", "Dear Mrs Adler")
    await setting.papers.remove([paper.id])
    assert await setting.trash.empty() == 1
    assert await setting.papers.get(paper.id) is None
    again, new = await setting.papers.add(Artifact(paper.digest, 10, 1.0), "letter.txt", "/letter.txt")
    assert new
    assert again.id != paper.id
