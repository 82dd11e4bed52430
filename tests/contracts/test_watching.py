"""WatchedFoldersPort: rows of watched folders and their files, and what these do to papers."""

import hashlib
from pathlib import Path

import pytest

from core.domain.extraction import Extracted, PassageDraft, Refusal, RefusalCode
from core.domain.papers import Artifact, Paper, PaperState
from core.domain.watching import FolderState, Keep, LookReport, Place, Settled, Signature, TakenFile, WatchedFolder
from core.errors import NotFound, UserError
from tests.contracts.conftest import Setting

FOLDER = "/srv/Scans"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def taken(path: str, text: str, *, linked: bool = False, modified: int = 1) -> TakenFile:
    return TakenFile(path, Signature(len(text), modified, 2, 3), digest(text), linked)


async def watched(setting: Setting, path: str = FOLDER, keep: Keep = Keep.COPY) -> WatchedFolder:
    return await setting.watching.add(path, keep, "*.tmp", True)


async def settle(setting: Setting, folder: WatchedFolder, *files: TakenFile) -> Settled:
    lengths = {file.digest: file.signature.size for file in files if file.digest is not None}
    return await setting.watching.settle(folder.id, files, lengths)


async def paper_at(setting: Setting, folder: WatchedFolder, path: str) -> Paper:
    id = (await setting.watching.known(folder.id, [path]))[path].paper
    assert id is not None
    paper = await setting.papers.get(id)
    assert paper is not None
    return paper


async def read(setting: Setting, paper: Paper, text: str) -> Paper:
    assert (await setting.papers.claim()) is not None
    return await setting.papers.finish(paper.id, Extracted("text/plain", "txt", [PassageDraft(text)]), paper.digest)


async def test_folders_are_added_changed_removed_and_restored(setting: Setting) -> None:
    folder = await watched(setting)
    assert (folder.path, folder.keep, folder.rules, folder.subfolders) == (FOLDER, Keep.COPY, "*.tmp", True)
    assert (folder.state, folder.created_at, folder.looked_at) == (FolderState.CATCHING_UP, setting.clock.now, None)
    with pytest.raises(UserError, match="watched already"):
        await watched(setting)
    changed = await setting.watching.change(folder.id, Keep.LINK, "", False)
    assert (changed.keep, changed.rules, changed.subfolders, changed.version) == (Keep.LINK, "", False, 2)
    assert [each.id for each in await setting.watching.remove([folder.id, folder.id, "unknown"])] == [folder.id]
    assert await setting.watching.list() == []
    gone = await setting.watching.get(folder.id)
    assert gone is not None
    assert gone.removed_at == setting.clock.now
    assert [each.id for each in await setting.watching.restore([folder.id])] == [folder.id]
    assert [each.id for each in await setting.watching.list()] == [folder.id]
    await setting.watching.remove([folder.id])
    assert (await watched(setting)).id == folder.id
    with pytest.raises(NotFound):
        await setting.watching.change("unknown", Keep.COPY, "", True)
    assert {change.kind for change in await setting.changes.after(0)} == {"folder"}


async def test_what_a_look_found_is_noted(setting: Setting) -> None:
    folder = await watched(setting)
    report = LookReport(("The folder “x” can't be opened.",), 3, 77)
    await setting.watching.note(folder.id, FolderState.WATCHING, "slow", report)
    now = await setting.watching.get(folder.id)
    assert now is not None
    assert (now.state, now.trouble, now.problems, now.skipped) == (FolderState.WATCHING, "slow", report.problems, 3)
    assert (now.device, now.looked_at) == (77, setting.clock.now)
    await setting.watching.note(folder.id, FolderState.PAUSED)
    now = await setting.watching.get(folder.id)
    assert now is not None
    assert (now.state, now.trouble, now.skipped) == (FolderState.PAUSED, "", 3)


async def test_files_become_papers_and_duplicates_one(setting: Setting) -> None:
    folder = await watched(setting)
    settled = await settle(setting, folder, taken("a.txt", "one"), taken("in/b.txt", "two"), taken("c.txt", "one"))
    one, two = await paper_at(setting, folder, "a.txt"), await paper_at(setting, folder, "in/b.txt")
    assert settled.to_read == (one.id, two.id)
    assert (one.name, two.name, one.state, one.linked) == ("a.txt", "b.txt", PaperState.WAITING, False)
    assert (one.origin, one.byte_length) == (f"{FOLDER}/a.txt", 3)
    assert await paper_at(setting, folder, "c.txt") == one
    assert set(await setting.watching.places(one.id)) == {
        Place(f"{FOLDER}/a.txt", watched=True), Place(f"{FOLDER}/c.txt", watched=True)
    }  # fmt: skip
    now = await setting.watching.get(folder.id)
    assert now is not None
    assert (now.files, now.refused, now.gone) == (3, 0, 0)
    await read(setting, one, "one")
    again = await settle(setting, folder, taken("a.txt", "one", modified=9))
    assert again.to_read == ()
    assert (await setting.watching.known(folder.id, ["a.txt"]))["a.txt"].signature.modified == 9


async def test_places_that_a_person_brought_papers_from_stand_beside(setting: Setting) -> None:
    folder = await watched(setting)
    paper, _ = await setting.papers.add(Artifact(digest("one"), 3, setting.clock.now), "x.txt", "/home/ada/x.txt")
    await setting.papers.add(Artifact(digest("one"), 3, setting.clock.now), "y.txt", "/home/ada/y.txt")
    await settle(setting, folder, taken("a.txt", "one"))
    places = await setting.watching.places(paper.id)
    assert places == [Place(f"{FOLDER}/a.txt", watched=True), Place("/home/ada/x.txt"), Place("/home/ada/y.txt")]
    await setting.watching.remove([folder.id])
    assert (await setting.watching.places(paper.id))[0] == Place(f"{FOLDER}/a.txt")
    assert await setting.watching.places("unknown") == []


async def test_a_changed_file_takes_its_paper_along(setting: Setting) -> None:
    folder = await watched(setting)
    await settle(setting, folder, taken("a.txt", "one"))
    before = await read(setting, await paper_at(setting, folder, "a.txt"), "one")
    assert (await settle(setting, folder, taken("a.txt", "other"))).to_read == (before.id,)
    after = await paper_at(setting, folder, "a.txt")
    assert (after.id, after.digest, after.byte_length) == (before.id, digest("other"), 5)
    assert (after.state, after.passages) == (PaperState.WAITING, 1)  # found by its former text until it was read
    if setting.database is not None:  # its former bytes are kept as long as removed papers are
        assert digest("one") in await setting.upkeep.digests()


async def test_what_was_read_of_former_bytes_is_not_stored(setting: Setting) -> None:
    folder = await watched(setting)
    await settle(setting, folder, taken("a.txt", "one"))
    reading = await setting.papers.claim()
    assert reading is not None
    await settle(setting, folder, taken("a.txt", "other"))
    old = Extracted("text/plain", "txt", [PassageDraft("one")])
    for paper in (
        await setting.papers.finish(reading.id, old, reading.digest),
        await setting.papers.refuse(reading.id, Refusal(RefusalCode.DAMAGED, "broken"), reading.digest),
        await setting.papers.defer(reading.id, reading.digest),
    ):
        assert (paper.state, paper.passages, paper.scan) == (PaperState.WAITING, 0, False)


async def test_a_changed_copy_becomes_a_paper_of_its_own(setting: Setting) -> None:
    folder = await watched(setting)
    await settle(setting, folder, taken("a.txt", "one"), taken("b.txt", "one"))
    shared = await paper_at(setting, folder, "a.txt")
    await settle(setting, folder, taken("a.txt", "other"))
    own = await paper_at(setting, folder, "a.txt")
    assert (own.id != shared.id, own.digest) == (True, digest("other"))
    assert await paper_at(setting, folder, "b.txt") == shared


@pytest.mark.parametrize("linked", [False, True])
async def test_a_lost_file(setting: Setting, linked: bool) -> None:
    folder = await watched(setting)
    await settle(setting, folder, taken("a.txt", "one", linked=linked), taken("b.txt", "one", linked=linked))
    assert (await setting.watching.lose(folder.id, ["b.txt", "unknown"])).lost == 1
    paper = await paper_at(setting, folder, "a.txt")
    assert (paper.linked, paper.gone_at) == (linked, None)
    assert await setting.watching.places(paper.id) == [Place(f"{FOLDER}/a.txt", watched=True)]
    await setting.watching.lose(folder.id, ["a.txt"])
    paper = await paper_at(setting, folder, "a.txt")
    assert paper.gone_at == (setting.clock.now if linked else None)
    assert await setting.watching.places(paper.id) == [Place(f"{FOLDER}/a.txt", watched=True, gone=True)]
    assert (await setting.watching.known(folder.id, ["a.txt"]))["a.txt"].gone
    now = await setting.watching.get(folder.id)
    assert now is not None
    assert (now.files, now.gone) == (0, 1)
    await settle(setting, folder, taken("back.txt", "one", linked=linked))
    there = await paper_at(setting, folder, "back.txt")
    assert (there.id, there.gone_at) == (paper.id, None)
    assert await setting.watching.places(paper.id) == [Place(f"{FOLDER}/back.txt", watched=True)]


async def test_a_move_answers_the_new_name_but_not_over_a_name_that_a_person_gave(setting: Setting) -> None:
    folder = await watched(setting)
    await settle(setting, folder, taken("a.txt", "one"), taken("b.txt", "two"))
    one, two = await paper_at(setting, folder, "a.txt"), await paper_at(setting, folder, "b.txt")
    await setting.papers.rename(two.id, "Mine")
    await setting.watching.lose(folder.id, ["a.txt", "b.txt"])  # seen before the new names, …
    assert (await settle(setting, folder, taken("c.txt", "one"), taken("d.txt", "two"))).renamed == ((one.id, "c.txt"),)
    await setting.papers.rename(one.id, "c.txt")
    await settle(setting, folder, taken("e/e.txt", "one"))  # … and after them
    assert (await setting.watching.lose(folder.id, ["c.txt"])).renamed == ((one.id, "e.txt"),)


async def test_a_removed_paper_stays_removed_while_its_file_is_known(setting: Setting) -> None:
    folder = await watched(setting)
    await settle(setting, folder, taken("a.txt", "one"))
    paper = await paper_at(setting, folder, "a.txt")
    await setting.papers.remove([paper.id])
    assert (await settle(setting, folder, taken("a.txt", "one", modified=5), taken("b.txt", "one"))).to_read == ()
    assert (await paper_at(setting, folder, "b.txt")).removed_at is not None
    brought, _ = await setting.papers.add(Artifact(digest("two"), 3, setting.clock.now), "two.txt", "/home/two.txt")
    await setting.papers.remove([brought.id])
    assert (await settle(setting, folder, taken("two.txt", "two"))).to_read == (brought.id,)


async def test_copied_bytes_make_a_linked_paper_a_copied_one(setting: Setting) -> None:
    folder = await watched(setting)
    await settle(setting, folder, taken("a.txt", "one", linked=True))
    assert not await setting.watching.in_store(digest("one"))
    assert list(await setting.watching.linked_at(digest("one"))) == [(Path(FOLDER, "a.txt"), Signature(3, 1, 2, 3))]
    await setting.watching.lose(folder.id, ["a.txt"])
    paper, new = await setting.papers.add(Artifact(digest("one"), 3, setting.clock.now), "b.txt", "/home/b.txt")
    assert (paper.linked, paper.gone_at, new) == (False, None, False)
    assert await setting.watching.in_store(digest("one"))
    await settle(setting, folder, taken("a.txt", "one", linked=True))
    assert not (await paper_at(setting, folder, "a.txt")).linked


async def test_a_paper_that_missed_its_bytes_waits_again_when_they_are_there(setting: Setting) -> None:
    folder = await watched(setting)
    await settle(setting, folder, taken("a.txt", "one", linked=True))
    paper = await paper_at(setting, folder, "a.txt")
    await setting.papers.claim()
    await setting.papers.refuse(paper.id, Refusal(RefusalCode.MISSING, "gone"), paper.digest)
    assert (await settle(setting, folder, taken("a.txt", "one", linked=True))).to_read == (paper.id,)
    assert (await paper_at(setting, folder, "a.txt")).state is PaperState.WAITING


async def test_what_can_not_be_taken_is_named(setting: Setting) -> None:
    folder = await watched(setting)
    locked = TakenFile("a.txt", Signature(1, 2, 3, 4), trouble="You are not allowed to open “a.txt”.")
    await settle(setting, folder, locked)
    now = await setting.watching.get(folder.id)
    assert now is not None
    assert (now.files, now.refused, now.problems) == (0, 1, (locked.trouble,))
    await settle(setting, folder, taken("a.txt", "one"))
    await setting.watching.lose(folder.id, ["a.txt"])
    now = await setting.watching.get(folder.id)
    assert now is not None
    assert (now.refused, now.problems, now.gone) == (0, (), 1)


async def test_known_files_are_read_in_pages_below_a_folder(setting: Setting) -> None:
    folder = await watched(setting)
    paths = ["a", "a/b.txt", "a/c/d.txt", "a.txt", "a0.txt", "b.txt", "Ä/é\udcff.txt"]
    await settle(setting, folder, *(taken(path, path.encode("utf-8", "replace").decode()) for path in paths))
    seen: list[str] = []
    while page := await setting.watching.known_below(folder.id, "", seen[-1] if seen else "", 2):
        seen += page
    assert sorted(seen) == sorted(paths)
    assert set(await setting.watching.known_below(folder.id, "a", "", 100)) == {"a", "a/b.txt", "a/c/d.txt"}
    assert set(await setting.watching.known_below(folder.id, "Ä", "", 100)) == {"Ä/é\udcff.txt"}


async def test_one_file_in_two_folders_is_one_paper(setting: Setting) -> None:
    north, south = await watched(setting), await watched(setting, "/srv/Letters", Keep.LINK)
    await settle(setting, north, taken("a.txt", "one"))
    await settle(setting, south, taken("b.txt", "one", linked=True))
    paper = await paper_at(setting, south, "b.txt")
    assert paper == await paper_at(setting, north, "a.txt")
    await setting.watching.lose(north.id, ["a.txt"])
    assert [place.path for place in await setting.watching.places(paper.id)] == ["/srv/Letters/b.txt"]
