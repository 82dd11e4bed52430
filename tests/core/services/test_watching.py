"""Watched folders, over the real disk, the real watcher and the real database."""

import os
import shutil
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.domain import watching
from core.domain.papers import Artifact, PaperState
from core.domain.scopes import JobState
from core.domain.watching import FolderState, Keep, Place
from core.errors import EnvironmentFault, InvalidValue, NotFound, UserError
from core.ports.rows import ListQuery
from core.services import folder_watch
from tests.core.services.watched import Site, lying, until, written

BOTH = pytest.mark.parametrize("keep", list(Keep))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "SETTLED_SECONDS", 0.1)
    monkeypatch.setattr(folder_watch, "TICK", 0.05)
    monkeypatch.setattr(folder_watch, "CHECK", 0.3)


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    site = await Site.open(tmp_path / "north")
    yield site
    await site.close()


@pytest.fixture
def scans(tmp_path: Path) -> Path:
    folder = tmp_path / "Scans"
    folder.mkdir()
    return folder


@BOTH
async def test_what_lies_in_a_folder_and_what_comes_into_it_become_papers(site: Site, scans: Path, keep: Keep) -> None:
    written(scans / "letter.txt", "Implant at tooth 36")
    written(scans / "2025" / "old" / "recall.txt", "Recall in six months")
    folder = await site.folders.add(scans, keep)
    await site.settled()
    assert set(await site.every()) == {"letter.txt", "recall.txt"}
    (scans / "new.txt").write_text("Dropped just now")
    (scans / "2026").mkdir()
    (scans / "2026" / "deep.txt").write_text("In a new folder")
    await until(lambda: _has(site, "new.txt", "deep.txt"))
    await site.settled()
    papers = await site.every()
    assert {paper.state for paper in papers.values()} == {PaperState.SEARCHABLE}
    assert {paper.linked for paper in papers.values()} == {keep is Keep.LINK}
    assert await site.text("deep.txt") == "In a new folder"
    assert await site.places("letter.txt") == [Place(str(scans / "letter.txt"), watched=True)]
    now = await site.folders.get(folder.id)
    assert (now.state, now.files, now.refused, now.gone) == (FolderState.WATCHING, 4, 0, 0)
    stored = list((site.home / "artifacts").rglob("*/*/*"))
    assert len(stored) == (0 if keep is Keep.LINK else 4)


@BOTH
async def test_a_changed_file_is_read_again_as_the_same_paper(site: Site, scans: Path, keep: Keep) -> None:
    path = written(scans / "letter.txt", "first words")
    await site.folders.add(scans, keep)
    await site.settled()
    before = await site.paper("letter.txt")
    path.write_text("other words, and more of them")
    await until(lambda: _reads(site, "letter.txt", "other words, and more of them"))
    after = await site.paper("letter.txt")
    assert (after.id, after.digest != before.digest, after.byte_length) == (before.id, True, 29)


async def test_the_hash_decides_where_size_and_time_are_as_before(site: Site, scans: Path) -> None:
    path = written(scans / "letter.txt", "eight ch")
    await site.folders.add(scans)
    await site.settled()
    status = path.stat()
    path.write_text("EIGHT CH")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    await until(lambda: _reads(site, "letter.txt", "EIGHT CH"))
    version = (await site.paper("letter.txt")).version
    os.utime(path)  # only touched
    folder = (await site.folders.list())[0]
    await until(lambda: _knows(site, folder.id, path))
    await site.settled()
    assert (await site.paper("letter.txt")).version == version


@BOTH
async def test_a_move_keeps_the_paper_and_its_name_goes_along(site: Site, scans: Path, keep: Keep) -> None:
    path = written(scans / "letter.txt", "Implant")
    written(scans / "a" / "b.txt", "In a folder that is moved")
    await site.folders.add(scans, keep)
    await site.settled()
    before, inner = await site.paper("letter.txt"), await site.paper("b.txt")
    path.rename(scans / "Brown, letter.txt")
    (scans / "a").rename(scans / "z")
    await until(lambda: _lies_at(site, inner.id, scans / "z" / "b.txt"))
    await until(lambda: _has(site, "Brown, letter.txt"))
    assert (await site.paper("Brown, letter.txt")).id == before.id
    assert await site.places("Brown, letter.txt") == [Place(str(scans / "Brown, letter.txt"), watched=True)]
    assert len(await site.papers_here()) == 2


@BOTH
async def test_a_deleted_file_is_said_to_be_gone_and_comes_back(site: Site, scans: Path, keep: Keep) -> None:
    path = written(scans / "letter.txt", "Implant")
    folder = await site.folders.add(scans, keep)
    await site.settled()
    before = await site.paper("letter.txt")
    path.unlink()
    await until(lambda: _is_gone(site, folder.id))
    paper = await site.paper("letter.txt")
    assert (paper.gone_at is not None) == (keep is Keep.LINK)
    assert paper.state is PaperState.SEARCHABLE
    assert await site.text("letter.txt") == "Implant"
    assert await site.places("letter.txt") == [Place(str(path), watched=True, gone=True)]
    if keep is Keep.LINK:
        with pytest.raises(NotFound, match=r"“letter\.txt” is linked in place in “Scans”, and is not there any more"):
            await site.artifacts.path(paper.digest)
    else:
        assert await site.artifacts.verify(paper.digest)
    written(path, "Implant")
    await until(lambda: _is_there(site, folder.id))
    paper = await site.paper("letter.txt")
    assert (paper.id, paper.gone_at) == (before.id, None)
    assert (await site.artifacts.path(paper.digest)).read_text() == "Implant"


async def test_duplicates_are_one_paper_with_all_their_places(site: Site, scans: Path) -> None:
    for name in ("a.txt", "b.txt", "c.txt"):
        written(scans / name, "the same")
    other = written(scans.parent / "elsewhere.txt", "the same")
    folder = await site.folders.add(scans)
    await site.settled()
    await site.papers.add([other])
    (paper,) = await site.papers_here()
    places = await site.folders.places(paper.id)
    assert {place.path for place in places} == {str(scans / name) for name in ("a.txt", "b.txt", "c.txt")} | {
        str(other)
    }
    (scans / "b.txt").unlink()
    await until(lambda: _count(site, folder.id, 2))
    (scans / "a.txt").write_text("no more the same")
    await until(lambda: _papers(site, 2))
    places = await site.folders.places(paper.id)
    assert [place for place in places if place.watched] == [Place(str(scans / "c.txt"), watched=True)]


async def test_a_half_written_file_is_taken_when_it_is_stable(
    site: Site, scans: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "SETTLED_SECONDS", 1.0)
    await site.folders.add(scans)
    await site.settled()
    with (scans / "scan.txt").open("w") as file:
        for page in range(8):
            file.write(f"page {page}\n\n")
            file.flush()
            await until(lambda: True)
            assert await site.papers_here() == []
    await until(lambda: _has(site, "scan.txt"))
    await site.settled()
    assert "page 7" in await site.text("scan.txt")
    assert (await site.paper("scan.txt")).version < 5  # read once


async def test_rules_links_and_workspaces(site: Site, scans: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    written(outside / "secret.txt", "not to be taken")
    for name in ("~$a.docx", "b.TMP", ".hidden", ".git/config", "thumbs.db", "Thumbs.db", "empty.txt"):
        written(scans / name, "" if name == "empty.txt" else name)
    (scans / "link.txt").symlink_to(outside / "secret.txt")
    (scans / "folder").symlink_to(outside)
    (scans / "loop").symlink_to(scans)
    written(scans / "south" / "workspace.toml", 'id = "y"')
    written(scans / "south" / "workspace.db", "another workspace's")
    written(scans / "kept.txt", "taken")
    await site.folders.add(scans)
    await site.settled()
    assert set(await site.every()) == {"kept.txt"}
    written(outside / "later.txt", "not to be taken either")
    written(scans / "south" / "later.txt", "nor this")
    (scans / "inner").mkdir()
    written(scans / "inner" / "sign.txt", "the end")
    await until(lambda: _has(site, "sign.txt"))
    await site.settled()
    assert set(await site.every()) == {"kept.txt", "sign.txt"}


async def test_a_folder_that_becomes_a_workspace_is_taken_from_no_more(site: Site, scans: Path) -> None:
    folder = await site.folders.add(scans)
    await site.settled()
    (scans / "workspace.toml").write_text('id = "south"')
    written(scans / "letter.txt", "of the other workspace")
    await until(lambda: _troubled(site, folder.id, "belongs to the workspace in “Scans”"))
    assert await site.papers_here() == []


async def test_included_again(site: Site, scans: Path) -> None:
    for name in ("a.pdf", "b.txt", "sub/c.PDF", "sub/d.txt"):
        written(scans / name, name)
    folder = await site.folders.add(scans, Keep.COPY, "*\n!*.pdf\n")
    await site.settled()
    assert set(await site.every()) == {"a.pdf", "c.PDF"}
    assert (await site.folders.get(folder.id)).skipped == 2
    await site.folders.change(folder.id, Keep.COPY, "*\n!*.txt\n", False)
    await site.settled()
    assert set(await site.every()) == {"a.pdf", "b.txt", "c.PDF"}
    with pytest.raises(InvalidValue, match="Line 2 of the rules, “!”"):
        await site.folders.change(folder.id, Keep.COPY, "*.tmp\n!\n", True)


async def test_what_can_not_be_watched(site: Site, scans: Path, tmp_path: Path) -> None:
    inner = site.home / "memory"
    inner.mkdir()
    file = written(tmp_path / "file.txt", "no folder")
    for path in (site.home, inner, file, tmp_path / "missing"):
        with pytest.raises(UserError):
            await site.folders.add(path)
    await site.folders.add(scans)
    with pytest.raises(UserError, match="watched already"):
        await site.folders.add(scans)
    (scans / "sub").mkdir()
    for path in (scans / "sub", tmp_path):
        with pytest.raises(UserError, match="lie in one another"):
            await site.folders.add(path)


async def test_the_own_workspace_is_left_out_of_a_folder_around_it(site: Site, tmp_path: Path) -> None:
    written(tmp_path / "letter.txt", "Implant")
    await site.folders.add(tmp_path)
    await site.settled()
    assert set(await site.every()) == {"letter.txt"}


@BOTH
async def test_a_folder_that_is_not_there_leaves_its_papers_alone(site: Site, scans: Path, keep: Keep) -> None:
    written(scans / "letter.txt", "Implant")
    folder = await site.folders.add(scans, keep)
    await site.settled()
    scans.rename(scans.parent / "away")
    await until(lambda: _state(site, folder.id, FolderState.NOT_THERE))
    now = await site.folders.get(folder.id)
    assert (now.files, now.gone) == (1, 0)
    assert (await site.paper("letter.txt")).gone_at is None
    (scans.parent / "away").rename(scans)
    await until(lambda: _state(site, folder.id, FolderState.WATCHING))
    written(scans / "more.txt", "watched again")
    await until(lambda: _has(site, "more.txt"))


async def test_an_empty_folder_of_another_disk_is_not_the_one_that_was_watched(site: Site, scans: Path) -> None:
    written(scans / "letter.txt", "Implant")
    folder = await site.folders.add(scans, Keep.LINK)
    await site.settled()
    await site.folders.pause([folder.id])
    (scans / "letter.txt").unlink()
    await site.database.write(lambda tx: tx.execute("UPDATE watched_folders SET device = device + 1"), "system")
    await site.folders.resume([folder.id])
    await until(lambda: _state(site, folder.id, FolderState.NOT_THERE))
    assert (await site.paper("letter.txt")).gone_at is None


async def test_paused_folders_rest_and_catch_up(site: Site, scans: Path) -> None:
    folder = await site.folders.add(scans)
    await site.settled()
    await site.folders.pause([folder.id])
    written(scans / "letter.txt", "Implant")
    assert (await site.folders.get(folder.id)).state is FolderState.PAUSED
    await site.folders.resume([folder.id])
    await site.settled()
    assert set(await site.every()) == {"letter.txt"}


@BOTH
async def test_papers_stay_when_the_watching_ends_and_undo_goes_on(site: Site, scans: Path, keep: Keep) -> None:
    written(scans / "letter.txt", "Implant")
    folder = await site.folders.add(scans, keep)
    await site.settled()
    await site.folders.remove([folder.id])
    assert await site.folders.list() == []
    paper = await site.paper("letter.txt")
    assert (await site.artifacts.path(paper.digest)).read_text() == "Implant"
    written(scans / "later.txt", "while nobody watched")
    await site.folders.restore([folder.id])
    await site.settled()
    assert set(await site.every()) == {"letter.txt", "later.txt"}


async def test_a_removed_paper_stays_removed_whatever_becomes_of_its_file(site: Site, scans: Path) -> None:
    path = written(scans / "letter.txt", "Implant")
    folder = await site.folders.add(scans)
    await site.settled()
    await site.papers.remove([(await site.paper("letter.txt")).id])
    os.utime(path)
    path.rename(scans / "renamed.txt")
    shutil.copy(scans / "renamed.txt", scans / "copy.txt")
    await site.folders.rescan([folder.id])
    await until(lambda: _count(site, folder.id, 2))
    await site.settled()
    assert await site.papers_here() == []


async def test_linked_papers_are_copied_in_where_that_is_chosen_later(site: Site, scans: Path) -> None:
    path = written(scans / "letter.txt", "Implant")
    folder = await site.folders.add(scans, Keep.LINK)
    await site.settled()
    await site.folders.change(folder.id, Keep.COPY, folder.rules, True)
    await site.settled()
    paper = await site.paper("letter.txt")
    assert not paper.linked
    path.unlink()
    assert (await site.artifacts.path(paper.digest)).read_text() == "Implant"


async def test_a_linked_file_that_went_before_it_was_read_is_read_when_it_comes_back(site: Site, scans: Path) -> None:
    await site.papers.pause()
    path = written(scans / "letter.txt", "Implant")
    folder = await site.folders.add(scans, Keep.LINK)
    await site.folders.idle()
    path.unlink()
    await until(lambda: _is_gone(site, folder.id))
    await site.papers.resume()
    await site.papers.idle()
    paper = await site.paper("letter.txt")
    assert (paper.state, paper.reason_code) == (PaperState.ATTENTION, "missing")
    assert "linked in place" in paper.reason
    written(path, "Implant")
    await until(lambda: _reads(site, "letter.txt", "Implant"))


async def test_names_of_every_kind(site: Site, scans: Path) -> None:
    names = ["Ärztebrief 🦷.txt", "with\nnewline.txt", "x" * 200 + ".txt", "trailing. ", os.fsdecode(b"M\xfcller.txt")]
    await site.folders.add(scans)
    await site.settled()
    for number, name in enumerate(names):
        (scans / name).write_text(f"text {number}")
    await until(lambda: _papers(site, 5))
    assert {os.path.basename(place) for place in await site.shows((await site.folders.list())[0])} == set(names)
    (scans / names[4]).unlink()
    folder = (await site.folders.list())[0]
    await until(lambda: _is_gone(site, folder.id))


async def test_folders_are_watched_on_after_a_restart(tmp_path: Path, scans: Path) -> None:
    site = await Site.open(tmp_path / "north")
    await site.folders.add(scans)
    written(scans / "one.txt", "one")
    await until(lambda: _has(site, "one.txt"))
    await site.close()
    written(scans / "two.txt", "two")
    (scans / "one.txt").unlink()
    site = await Site.open(tmp_path / "north")
    await site.settled()
    (folder,) = await site.folders.list()
    assert await site.shows(folder) == lying(scans)
    assert folder.gone == 1
    await site.close()


@BOTH
async def test_two_workspaces_that_watch_one_folder_have_nothing_of_each_other(
    site: Site, scans: Path, tmp_path: Path, keep: Keep
) -> None:
    south = await Site.open(tmp_path / "south")
    mine, theirs = await site.folders.add(scans, keep), await south.folders.add(scans, Keep.COPY)
    written(scans / "letter.txt", "Implant")
    for each in (site, south):
        await until(lambda each=each: _has(each, "letter.txt"))
        await each.settled()
    one, two = await site.paper("letter.txt"), await south.paper("letter.txt")
    assert one.id != two.id
    with pytest.raises(NotFound):
        await site.folders.get(theirs.id)
    assert await site.folders.places(two.id) == []
    await site.papers.rename(one.id, "mine.txt")
    await site.folders.remove([mine.id])
    assert (await south.paper("letter.txt")).name == "letter.txt"
    with pytest.raises(UserError):  # a link into the other's folder
        await site.folders.add(south.home / "artifacts")
    (scans / "way in").symlink_to(south.home)
    await south.close()


async def test_a_folder_that_can_not_be_opened_is_named_and_costs_nothing_else(
    site: Site, scans: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(scans / "locked" / "inner.txt", "in a folder that is locked later")
    written(scans / "open.txt", "open")
    folder = await site.folders.add(scans, Keep.LINK)
    await site.settled()
    scandir = os.scandir

    def refusing(path: "str | Path") -> object:
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    written(scans / "later.txt", "later")
    await site.folders.rescan([folder.id])
    await site.settled()
    now = await site.folders.get(folder.id)
    assert now.problems == ("The folder “locked” can't be opened: Permission denied.",)
    assert (now.files, now.gone) == (3, 0)
    assert (await site.paper("inner.txt")).gone_at is None


async def test_a_file_that_can_not_be_taken_is_named_and_taken_when_it_can(
    site: Site, scans: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(scans / "large.txt", "x" * 100)
    written(scans / "small.txt", "x")
    monkeypatch.setattr(site.folders._means, "byte_limit", 50)
    folder = await site.folders.add(scans)
    await site.settled()
    now = await site.folders.get(folder.id)
    assert (now.files, now.refused) == (1, 1)
    assert "larger than 50 bytes" in now.problems[0]
    path.write_text("y" * 40)
    await until(lambda: _has(site, "large.txt"))
    assert (await site.folders.get(folder.id)).problems == ()


async def test_a_full_disk_is_said_and_the_rest_taken_later(
    site: Site, scans: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(scans / "letter.txt", "Implant")
    take = site.artifacts.take

    async def full(source: Path, limit: int) -> Artifact:
        raise EnvironmentFault("There is no room left on the disk.")

    monkeypatch.setattr(site.artifacts, "take", full)
    folder = await site.folders.add(scans)
    await site.folders.idle()
    assert (await site.folders.get(folder.id)).trouble == "There is no room left on the disk."
    monkeypatch.setattr(site.artifacts, "take", take)
    await until(lambda: _has(site, "letter.txt"))
    await until(lambda: _untroubled(site, folder.id))


async def test_where_the_system_does_not_tell_and_after_sleep_everything_is_looked_at(
    site: Site, scans: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent(*arguments: object) -> None:
        raise EnvironmentFault("Nothing is told here.")

    monkeypatch.setattr(site.folders._means.watcher, "follow", silent)
    folder = await site.folders.add(scans)
    await site.settled()
    assert (await site.folders.get(folder.id)).trouble == "Nothing is told here. Muniment looks once a minute."
    written(scans / "asleep.txt", "written while the computer slept")
    now = time.time
    monkeypatch.setattr(folder_watch.time, "time", lambda: now() + 3600)
    await until(lambda: _has(site, "asleep.txt"))
    monkeypatch.setattr(folder_watch, "UNTOLD", 0.5)
    written(scans / "minute.txt", "found by the next look")
    await until(lambda: _has(site, "minute.txt"))


async def test_a_look_stands_among_the_jobs_and_is_stopped_there(site: Site, scans: Path) -> None:
    for number in range(300):
        written(scans / f"{number}.txt", f"text {number}")
    folder = await site.folders.add(scans)
    await until(lambda: site.jobs.snapshot(ListQuery()))
    (job,) = await site.jobs.rows(await site.jobs.snapshot(ListQuery()))
    assert job is not None
    assert job.title == "Looking through “Scans”"
    site.jobs.cancel(job.id)
    await until(lambda: _state(site, folder.id, FolderState.PAUSED))
    assert site.jobs.get(job.id).state is JobState.CANCELLED
    taken = (await site.folders.get(folder.id)).files
    assert taken < 300
    await site.folders.resume([folder.id])
    await site.settled()
    assert len(await site.papers_here()) == 300


# ---- what is waited for ---------------------------------------------------------------------------------------------


async def _has(site: Site, *names: str) -> bool:
    return set(names) <= set(await site.every())


async def _reads(site: Site, name: str, text: str) -> bool:
    return await site.text(name) == text


async def _papers(site: Site, count: int) -> bool:
    return len(await site.papers_here()) == count


async def _count(site: Site, folder: str, count: int) -> bool:
    return (await site.folders.get(folder)).files == count


async def _is_gone(site: Site, folder: str) -> bool:
    return (await site.folders.get(folder)).gone > 0


async def _is_there(site: Site, folder: str) -> bool:
    return (await site.folders.get(folder)).gone == 0


async def _state(site: Site, folder: str, state: FolderState) -> bool:
    return (await site.folders.get(folder)).state is state


async def _lies_at(site: Site, paper: str, path: Path) -> bool:
    return [place.path for place in await site.folders.places(paper)] == [str(path)]


async def _untroubled(site: Site, folder: str) -> bool:
    return (await site.folders.get(folder)).trouble == ""


async def _troubled(site: Site, folder: str, said: str) -> bool:
    return said in (await site.folders.get(folder)).trouble


async def _knows(site: Site, folder: str, path: Path) -> bool:
    known = await site.watching.known(folder, [path.name])
    return known[path.name].signature.modified == path.stat().st_mtime_ns
