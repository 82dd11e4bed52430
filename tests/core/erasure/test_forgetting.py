"""Forgetting for good: what goes, what stays, and that no byte of it is left in any file."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from core.adapters.sqlite.engine import Transaction
from core.adapters.sqlite.removing import remove
from core.domain.erasure import Doomed, ErasurePlan, Stage, Thing, Wanted, report_text
from core.domain.memory import Role, Source
from core.domain.recognition import PlacedWord, RecognisedPage
from core.domain.tiers import Tier
from core.errors import InvalidValue, UserError
from tests.core.erasure.office import Office, holding, opened
from tests.fakes.store import SetClock

NAME = "Wilhelmina Quastenflosser"
WORDS = ("wilhelmina", "quastenflosser", "kniegelenkspunktion", "bananenschachtel")


async def fill(office: Office) -> None:
    """The name stands in every kind of thing, and other things stand beside it."""
    remember, shared = office.memory.remember, office.shared
    await remember("call-back", f"Call {NAME} about the Kniegelenkspunktion", Tier.WORKING)
    await remember("hours", "The desk opens at eight o'clock every morning", Tier.SEMANTIC)
    await remember("hours", "The desk opens late, says Quastenflosser, Wilhelmina", Tier.SEMANTIC)
    await remember("hours", "The desk opens at nine o'clock every morning", Tier.SEMANTIC)
    await remember("wilhelmina-quastenflosser", {"Bananenschachtel": [1, "two\nlines"]}, Tier.EPISODIC, "patients")
    await office.memory.recall(f"hours of {NAME}", learn=True)
    await remember("lost", f"{NAME} lost a Bananenschachtel", Tier.WORKING)
    await office.memory.forget("lost")
    await remember("from", "Made of a conversation", Tier.SEMANTIC, source=Source("session", "s1", f"Call: {NAME}"))
    await shared.set("doctor", "Dr. Adler")
    await shared.set("contact", {"name": NAME.upper()})
    named = await office.conversations.begin(f"Call: {NAME}", session="s1")
    await office.conversations.add(named.id, Role.USER, "She asked for the Bananenschachtel in the corner room")
    other = await office.conversations.begin("Other call", session="s2")
    await office.conversations.add(other.id, Role.USER, "What time do you open in the morning")
    await office.conversations.add(other.id, Role.USER, f"It is {NAME} speaking about a Kniegelenkspunktion")
    await office.conversations.add(other.id, Role.ASSISTANT, "We open at nine in the morning")
    removed = await office.conversations.begin("Removed", session="s3")
    await office.conversations.add(removed.id, Role.USER, f"Hello from {NAME}")
    await office.conversations.remove(removed.id)
    page = RecognisedPage(1, words=[PlacedWord("Wilhelmina", 0, 0, 1, 1, 1.0)])
    await office.add_paper(
        "letter.txt", f"Dear {NAME},\nyour Kniegelenkspunktion is on Monday morning at nine.", [page]
    )
    await office.add_paper("menu.txt", "Soup of the day, and bread with butter from the bakery.")
    await office.embed()


def kinds(plan: ErasurePlan) -> dict[str, int]:
    found: dict[str, int] = {}
    for thing in plan.things:
        found[thing.kind.value] = found.get(thing.kind.value, 0) + 1
    return found


async def test_everything_about_a_name_goes_and_nothing_else(office: Office) -> None:
    await fill(office)
    plan = await office.erasure.plan(Wanted(name=NAME))
    assert kinds(plan) == {
        "record": 3, "shared": 1, "session": 1, "paper": 1, "trashed": 2, "message": 1, "version": 1, "access": 1
    }  # fmt: skip
    assert plan.counts["stored file"] == plan.counts["recognised page"] == 1
    assert plan.counts["vector"] == plan.counts["passage"] >= 6
    before = {table: await office.dump(table) for table in ("records", "shared", "messages", "papers")}

    report = await office.erasure.carry_out(plan)

    assert report.verified, report.left
    assert report.traces > 50
    assert (await office.erasure.plan(Wanted(name=NAME))).empty
    assert [row[2] for row in await office.dump("records")] == ["hours"]
    assert {row[1] for row in await office.dump("shared")} == {"doctor"}
    assert [row[1] for row in await office.dump("sessions")] == ["s2"]
    assert set(await office.dump("messages")) < set(before["messages"])
    assert set(await office.dump("papers")) < set(before["papers"])
    assert [version.value for version in await office.book.versions("hours")] == [
        "The desk opens at nine o'clock every morning", "The desk opens at eight o'clock every morning"
    ]  # fmt: skip
    assert await office.dump("trash") == await office.dump("erasures") == []
    other = await office.conversations.get("s2")
    assert other is not None
    assert (other.messages, other.last_line) == (2, "We open at nine in the morning")
    assert [hit.key for hit in await office.memory.recall("desk morning")] == ["hours"]


async def test_no_byte_of_it_is_left_in_any_file(tmp_path: Path, clock: SetClock) -> None:
    folder = tmp_path / "north"
    office = await opened(folder, clock)
    await fill(office)
    for word in WORDS:  # they can be found before, so that finding nothing afterwards says something
        assert holding(folder, word), word
    await office.erasure.carry_out(await office.erasure.plan(Wanted(name=NAME)))
    assert holding(folder, NAME) == []
    assert {word: holding(folder, word) for word in WORDS} == {word: [] for word in WORDS}
    await office.close()
    assert {word: holding(folder, word) for word in WORDS} == {word: [] for word in WORDS}
    assert holding(folder, "nine o'clock") == ["workspace.db"]
    assert len([path for path in (folder / "artifacts").rglob("*") if path.is_file()]) == 1


async def test_picked_things_go_with_what_hangs_on_them(office: Office) -> None:
    await fill(office)
    papers = {str(row[3]): str(row[1]) for row in await office.dump("papers")}
    wanted = Wanted(
        (
            (Doomed.RECORD, "7:default:hours"),
            (Doomed.SESSION, "s1"),
            (Doomed.SHARED, "contact"),
            (Doomed.PAPER, papers["letter.txt"]),
            (Doomed.RECORD, "7:default:lost"),  # which lies in the trash
            (Doomed.RECORD, "7:default:never"),
        )
    )
    plan = await office.erasure.plan(wanted)
    assert kinds(plan) == {"record": 1, "session": 1, "shared": 1, "paper": 1, "trashed": 1}
    assert plan.counts["earlier version"] == 2
    report = await office.erasure.carry_out(plan)
    assert report.verified, report.left
    assert await office.memory.get("hours") is None
    assert await office.shared.get("contact") is None
    assert await office.papers.get(papers["menu.txt"]) is not None
    assert await office.papers.get(papers["letter.txt"]) is None
    assert await office.conversations.get("s1") is None
    made = await office.memory.get("from")
    assert made is not None
    assert made.source is None  # its words named the conversation
    assert await office.memory.get("call-back") is not None
    assert [row[1] for row in await office.dump("trash")] == ["session"]


async def test_the_stream_of_changes_keeps_no_names(office: Office) -> None:
    await office.memory.remember("wilhelmina", 1, Tier.WORKING)
    await office.memory.remember("gone-wilhelmina", 1, Tier.WORKING)
    await office.memory.forget("gone-wilhelmina")
    await office.trash.empty()
    await office.memory.remember("desk", "Wilhelmina", Tier.WORKING)
    last = await office.dump("changes")
    await office.erasure.carry_out(await office.erasure.plan(Wanted(name="Wilhelmina")))
    ids = [str(row[2]) for row in await office.dump("changes")]
    assert not any("wilhelmina" in id for id in ids)
    assert len(ids) == len(last) + 2
    assert [str(row[4]) for row in await office.dump("changes")][-2:] == ["deleted", "deleted"]
    assert {change.kind for change in office.published[-4:]} >= {"record"}


async def test_copies_made_before_updates_and_opened_papers_are_wiped(office: Office) -> None:
    paper = await office.add_paper("letter.txt", f"Dear {NAME}, thank you for your letter of last week.")
    opened_copy = office.folder / ".run" / "open" / paper.id / "letter.txt"
    opened_copy.parent.mkdir(parents=True)
    await office.artifacts.export(paper.digest, opened_copy)
    opened_copy.chmod(0o400)
    copy = office.folder / "workspace.before-format-6.db"
    copy.write_bytes(b"SQLite " + NAME.encode())
    plan = await office.erasure.plan(Wanted(((Doomed.PAPER, paper.id),)))
    assert plan.counts["copy of the database"] == 1
    report = await office.erasure.carry_out(plan)
    assert report.verified, report.left
    assert not copy.exists()
    assert not opened_copy.parent.exists()
    assert await office.artifacts.verify(paper.digest) is False


async def test_former_bytes_and_places_of_papers_go_and_watched_ones_are_named(office: Office) -> None:
    paper = await office.add_paper("letter.txt", "The letter as it is by now, after all of its changes")
    former = await office.artifacts.take(await _file(office, "The letter as it was before all of its changes"), 1 << 30)

    def watch(tx: Transaction) -> None:
        tx.execute("INSERT INTO artifacts VALUES (?, ?, 1)", (former.digest, former.byte_length))
        tx.execute("INSERT INTO former_bytes VALUES (?, ?, 1)", (paper.id, former.digest))
        tx.execute(
            "INSERT INTO watched_folders (number, id, path, path_folded, keep, rules, subfolders, state, created_at,"
            " version) VALUES (1, 'f', X'2F62', '/b', 'copy', '{}', 1, 'ok', 1, 1)"
        )
        tx.execute(
            "INSERT INTO watched_files (folder, path, size, modified, changed, inode, paper)"
            " VALUES (1, ?, 1, 1, 1, 1, ?)",
            (f"mail/{NAME}.txt".encode(), paper.id),
        )

        tx.execute(
            "INSERT INTO watched_files (folder, path, size, modified, changed, inode) VALUES (1, ?, 1, 1, 1, 1)",
            (f"other/{NAME} locked.txt".encode(),),
        )
        problems = json.dumps([f"“{NAME}.txt” is locked.", "“menu.txt” is too large."], ensure_ascii=False)
        tx.execute("UPDATE watched_folders SET problems = ?", (problems,))

    await office.database.write(watch)
    plan = await office.erasure.plan(Wanted(name=NAME))
    assert [(thing.kind, thing.why) for thing in plan.things] == [(Doomed.PAPER, "origin")]
    assert plan.watched == (f"mail/{NAME}.txt",)
    assert plan.counts["stored file"] == 2
    report = await office.erasure.carry_out(plan)
    assert report.verified, report.left
    assert not [path for path in (office.folder / "artifacts").rglob("*") if path.is_file()]
    for table in ("artifacts", "paper_places", "former_bytes", "watched_files"):
        assert await office.dump(table) == []
    problems = await office.database.read(lambda c: c.execute("SELECT problems FROM watched_folders").fetchone())
    assert json.loads((problems or ("",))[0]) == ["“menu.txt” is too large."]


async def _file(office: Office, text: str) -> Path:
    path = office.folder.parent / "former.txt"
    path.write_text(text)
    return path


async def test_what_is_still_somewhere_is_said(tmp_path: Path, clock: SetClock) -> None:
    folder, logs = tmp_path / "north", tmp_path / "logs"
    for place in (folder / "memory", logs):
        place.mkdir(parents=True)
    office = await opened(folder, clock, logs=[logs])
    text = f"{NAME} was seen at the window on Monday"
    (folder / "memory" / "notes.md").write_text(f"# Notes\n\n{text}\n", encoding="utf-16-le")
    (logs / "muniment.log").write_text(f"WARNING {text}\n")
    await office.memory.remember("seen", text, Tier.WORKING)
    report = await office.erasure.carry_out(await office.erasure.plan(Wanted(((Doomed.RECORD, "7:default:seen"),))))
    assert {(place.name, place.own) for place in report.left} == {
        ("memory/notes.md", True), (str(logs / "muniment.log"), False)
    }  # fmt: skip
    assert not report.verified
    words = report_text(report, "North")
    assert "still found" in words
    assert "memory/notes.md: a file of yours" in words
    assert NAME not in words
    await office.close()


async def test_the_same_words_in_what_stays_are_no_remains(office: Office) -> None:
    text = "The boiler in the north room was replaced in January by a new one"
    await office.memory.remember("one", text, Tier.SEMANTIC)
    await office.memory.remember("two", text, Tier.SEMANTIC)
    paper = await office.add_paper("boiler.txt", text)
    report = await office.erasure.carry_out(await office.erasure.plan(Wanted(((Doomed.RECORD, "7:default:one"),))))
    assert report.verified, report.left
    assert [hit.key for hit in await office.memory.recall("boiler")] == ["two"]
    assert await office.artifacts.verify(paper.digest)


async def test_bytes_that_another_paper_has_by_now_stay(office: Office) -> None:
    paper = await office.add_paper("a.txt", "One and the same text in both papers of this test")
    begun = await office.rows.begin(await office.erasure.plan(Wanted(((Doomed.PAPER, paper.id),))))
    await office.rows.remove(begun, lambda done, whole: None)
    again = await office.add_paper("b.txt", "One and the same text in both papers of this test")
    assert again.digest == paper.digest
    await office.erasure.resume()
    assert await office.artifacts.verify(again.digest)


def _some_of(tx: Transaction, things: Sequence[Thing]) -> None:
    for thing in things:
        remove(tx, thing.kind, thing.id)


@pytest.mark.parametrize("done", ["begun", "half", "rows", "wiped", "tidied"])
async def test_a_stopped_program_finishes_it_at_the_next_start(tmp_path: Path, clock: SetClock, done: str) -> None:
    folder = tmp_path / "north"
    office = await opened(folder, clock)
    await fill(office)
    plan = await office.erasure.plan(Wanted(name=NAME))
    rows = office.rows

    def said(done: int, whole: int) -> None: ...

    begun = await rows.begin(plan)
    if done == "half":
        await office.database.write(lambda tx: _some_of(tx, plan.things[:4]))
    if done in ("rows", "wiped", "tidied"):
        await rows.remove(begun, said)
    if done in ("wiped", "tidied"):
        await rows.reach(begun, Stage.SPACE)
    if done == "tidied":
        await office.remains.wipe((await rows.orphans(begun)).digests, ())
        await rows.tidy(begun, said)
        await rows.reach(begun, Stage.CHECK)
    if done == "wiped":
        await office.remains.wipe((await rows.orphans(begun)).digests, ())
    await office.close()

    office = await opened(folder, clock)
    (sentence,) = await office.erasure.resume()
    assert sentence.endswith("Nothing of it is left.")
    assert office.erasure.finished[0].resumed
    assert office.erasure.finished[0].counts == plan.counts
    assert await office.erasure.resume() == []
    await office.close()
    assert {word: holding(folder, word) for word in WORDS} == {word: [] for word in WORDS}


async def test_nothing_is_forgotten_by_a_plan(office: Office) -> None:
    await fill(office)
    tables = ("records", "versions", "accesses", "trash", "messages", "papers", "passage_texts", "erasures", "changes")
    before = [await office.dump(table) for table in tables]
    await office.erasure.plan(Wanted(name=NAME))
    assert [await office.dump(table) for table in tables] == before


async def test_what_can_be_asked_for(office: Office) -> None:
    with pytest.raises(InvalidValue):
        Wanted()
    with pytest.raises(InvalidValue):
        Wanted(((Doomed.RECORD, "1:a:b"),), "name")
    with pytest.raises(InvalidValue):
        Wanted(((Doomed.VERSION, "1"),))
    with pytest.raises(InvalidValue):
        await office.erasure.plan(Wanted(name="?"))
    plan = await office.erasure.plan(Wanted(name="nobody"))
    assert plan.empty
    with pytest.raises(UserError, match="nothing"):
        await office.erasure.carry_out(plan)
    assert (await office.erasure.plan(Wanted(((Doomed.RECORD, "no id"),)))).empty


async def test_papers_that_nobody_read_yet_are_named_and_stay(office: Office) -> None:
    await office.memory.remember("a", "Quastenflosser", Tier.WORKING)
    source = office.folder.parent / "scan.txt"
    source.write_text("who knows")
    paper, _ = await office.papers.add(await office.artifacts.take(source, 1 << 30), "scan.txt", "")
    plan = await office.erasure.plan(Wanted(name="quastenflosser"))
    assert plan.unread == ("scan.txt",)
    report = await office.erasure.carry_out(plan)
    assert report.unread == 1
    assert await office.papers.get(paper.id) is not None


async def test_it_says_what_came_in_meanwhile(office: Office) -> None:
    await office.memory.remember("a", "Quastenflosser", Tier.WORKING)
    plan = await office.erasure.plan(Wanted(name="quastenflosser"))
    await office.memory.remember("b", "Quastenflosser again", Tier.WORKING)
    report = await office.erasure.carry_out(plan)
    assert not report.verified
    assert any("came in meanwhile" in place.name for place in report.left)


async def test_progress_rises_to_the_whole_and_edits_of_the_rest_go_on(office: Office) -> None:
    await fill(office)
    seen: list[int] = []
    plan = await office.erasure.plan(Wanted(name=NAME))
    await office.erasure.carry_out(plan, lambda stage, hundredths: seen.append(hundredths))
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0, 100)
    hours = await office.memory.get("hours")
    assert hours is not None
    await office.book.edit(replace(hours, value="open again"), hours.version)
    assert len(await office.dump("papers")) == 1


async def test_every_table_is_known_to_forgetting(office: Office) -> None:
    """A new table that keeps words of people is named in removing.py and mentioning.py first, then here."""
    sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    rows = await office.database.read(lambda c: c.execute(sql).fetchall())
    tables = {str(row[0]) for row in rows if not str(row[0]).startswith(("passage_index", "agents_fts", "skills_fts"))}
    derived = {"passages", "passage_texts", "passage_codes", "passage_vectors", "passages_waiting", "passage_totals"}
    wordless = {"meta", "models", "artifacts", "refusals", "former_bytes", "erasures"}
    catalog = {"agents", "skills", "agent_marks", "skill_marks", "agent_skills", "broken_manifests"}
    assert tables - derived - wordless - catalog == {
        "accesses", "changes", "messages", "paper_places", "papers", "recognised", "record_tags", "records", "sessions",
        "shared", "trash", "versions", "vocabulary", "watched_files", "watched_folders",
    }  # fmt: skip
