"""What people do with memories, one and many: pins, kinds, tags, proposals, questions, files."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QPushButton

from core.domain.conversation_files import FileFormat
from core.domain.history import OFTEN, is_same_use
from core.domain.memory import Record
from core.domain.tiers import Tier
from core.errors import UserError
from tests.ui.features.desk import Desk, until
from tests.ui.features.remembering import assistant, nameless, pick, sheet_of, shown, stored
from ui.longterm.asking import AskingSheet
from ui.longterm.proposals import ProposalNote, ProposalSheet
from ui.longterm.tags import TagSheet
from ui.longterm.view import LongTermView
from ui.widgets.basics import Button

# ---- many at once ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "holds"),
    [
        (lambda presenter: presenter.pin(True), lambda record: record.pinned),
        (lambda presenter: presenter.change_kind(Tier.PROCEDURAL), lambda record: record.tier is Tier.PROCEDURAL),
        (lambda presenter: presenter.tag(["winter"], ["Access"]), lambda record: record.tags == ("winter",)),
    ],
)
async def test_a_change_of_many_is_undone_exactly(desk: Desk, act: Callable, holds: Callable[[Record], bool]) -> None:
    view = await shown(desk, "Ramp", "Lift", "Door")
    view.list_page.list.selectAll()
    await until(lambda: view.presenter.chosen_count == 3)
    before = {key: await stored(desk, key) for key in ("ramp", "lift", "door")}
    await act(view.presenter)
    assert all([holds(await stored(desk, key)) for key in before])
    assert "3 memories" in desk.undos[-1].said
    await desk.take_back()
    for key, record in before.items():
        assert replace(await stored(desk, key), version=record.version) == record


async def test_what_is_so_already_is_not_written_again(desk: Desk) -> None:
    view = await shown(desk, "Ramp")
    await pick(view, "ramp")
    await view.presenter.tag(["ACCESS"], [])
    assert (await stored(desk, "ramp")).version == 1
    assert not desk.undos


async def test_a_pin_crosses_an_assistants_write_without_losing_it(desk: Desk) -> None:
    view = await shown(desk, "Ramp")
    read = await pick(view, "ramp")
    await assistant(desk).remember("ramp", "Theirs.", Tier.SEMANTIC, metadata=read.metadata)
    before, after = await view.presenter._changed(read, lambda record: replace(record, pinned=True))
    assert before.value == after.value == "Theirs."
    assert (await stored(desk, "ramp")).pinned


async def test_keeping_fresh_is_undone_exactly(desk: Desk) -> None:
    view = await shown(desk, "Ramp", "Lift")
    view.list_page.list.selectAll()
    await until(lambda: view.presenter.chosen_count == 2)
    before = await stored(desk, "ramp")
    await view.presenter.keep_fresh()
    assert (await stored(desk, "ramp")).access_count == 1
    await desk.take_back()
    assert is_same_use(await stored(desk, "ramp"), before)
    assert await desk.workspace.book.accesses("ramp") == []


async def test_an_undo_that_is_late_leaves_what_others_wrote_and_says_so(desk: Desk) -> None:
    view = await shown(desk, "Ramp", "Lift")
    view.list_page.list.selectAll()
    await until(lambda: view.presenter.chosen_count == 2)
    await view.presenter.pin(True)
    await assistant(desk).remember("lift", "Theirs.", Tier.SEMANTIC)
    with pytest.raises(UserError, match="1 of 2 could not be changed"):
        await desk.take_back()
    assert not (await stored(desk, "ramp")).pinned
    assert (await stored(desk, "lift")).value == "Theirs."


async def test_the_button_says_pin_or_unpin(desk: Desk) -> None:
    view = await shown(desk, "Ramp")
    await pick(view, "ramp")

    def words() -> list[str]:
        return [each.text() for each in view.details.findChildren(Button) if each.isVisible()]

    await until(lambda: "Pin" in words())
    await view.presenter.pin(True)
    await until(lambda: "Unpin" in words() and "Pin" not in words())


async def test_tags_that_only_some_have_stay_until_they_are_clicked(desk: Desk) -> None:
    view = await shown(desk, "Ramp", "Lift")
    await desk.workspace.book.edit(
        replace(await stored(desk, "lift"), metadata={"title": "Lift", "tags": ["access", "repairs"]}), None
    )
    view.list_page.list.selectAll()
    await until(lambda: view.presenter.chosen_count == 2 and any("repairs" in r.tags for r in view.presenter.chosen))
    changing = desk.writes.start(view.change_tags())
    sheet = await sheet_of(view, TagSheet)
    assert nameless(sheet) == []
    assert sheet.boxes["repairs"].checkState() is Qt.CheckState.PartiallyChecked
    sheet.boxes["access"].setChecked(False)
    sheet.line.setText("winter, Winter")
    sheet.save()
    await changing
    assert (await stored(desk, "ramp")).tags == ("winter", "Winter")
    assert (await stored(desk, "lift")).tags == ("repairs", "winter", "Winter")


# ---- proposals -------------------------------------------------------------------------------------------------------


async def used_often(desk: Desk, *keys: str) -> None:
    for key in keys:
        await desk.workspace.memory.remember(key, f"About {key}.", Tier.WORKING)
        for _ in range(OFTEN):
            await desk.workspace.memory.reinforce(key)


async def proposed(view: LongTermView, words: str) -> ProposalNote:
    """The notice above the list, once it says this."""
    await until(lambda: view.proposal is not None and words in view.proposal.sentence.text())
    note = view.proposal
    assert note is not None
    await until(note.isVisible)
    return note


async def test_notes_that_were_used_often_are_proposed_and_kept_all_at_once(desk: Desk) -> None:
    view = await shown(desk)
    assert view.proposal is None
    await used_often(desk, "ramp", "lift")
    note = await proposed(view, "2 notes")
    assert (await stored(desk, "ramp")).tier is Tier.WORKING
    note.keep.click()
    await until(lambda: not note.isVisible())
    assert (await stored(desk, "ramp")).tier is Tier.SEMANTIC
    await desk.take_back()
    assert (await stored(desk, "ramp")).tier is Tier.WORKING
    await until(lambda: note.isVisible())


async def test_each_proposal_is_decided_by_itself(desk: Desk) -> None:
    view = await shown(desk)
    await used_often(desk, "ramp", "lift")
    note = await proposed(view, "2 notes")
    looking = desk.writes.start(view.look_at_proposals())
    sheet = await sheet_of(view, ProposalSheet)
    assert nameless(sheet) == []
    next(b for b in sheet.findChildren(QPushButton) if b.accessibleName() == "Keep as a fact: ramp").click()
    await until(lambda: len(desk.undos) == 1)
    next(b for b in sheet.findChildren(QPushButton) if b.accessibleName() == "Leave as a note: lift").click()
    await looking
    await until(lambda: not note.isVisible())
    assert (await stored(desk, "ramp")).tier is Tier.SEMANTIC
    assert (await stored(desk, "lift")).tier is Tier.WORKING
    await desk.take_back()
    await proposed(view, "“lift”")


# ---- finding, asking, writing out ------------------------------------------------------------------------------------


async def test_filters_offer_what_there_is(desk: Desk) -> None:
    view = await shown(desk, "Ramp", "Lift")
    where = view.list_page._where
    assert where["by"].isHidden()
    assert where["namespace"].isHidden()
    await assistant(desk).remember("theirs", "x", Tier.SEMANTIC, "desk notes", {"tags": ["own"]})
    await until(lambda: not where["by"].isHidden() and not where["namespace"].isHidden())
    view.list_page.narrow("by", "assistant:desk")
    await until(lambda: view.presenter.model.rowCount() == 1)
    await assistant(desk).forget("theirs", "desk notes")
    await until(lambda: where["namespace"].isHidden())
    assert where["by"].value == "assistant:desk"  # what is chosen stays, though nothing bears it now
    await until(lambda: view.list_page.nothing.isVisible())
    view.list_page.show_everything()
    view.list_page.narrow("tag", "access")
    await until(lambda: view.presenter.model.rowCount() == 2)


async def test_the_list_narrows_as_one_types(desk: Desk) -> None:
    view = await shown(desk, "Ramp", "Lift")
    line = view.list_page.find_line
    assert line is not None
    view.find()
    line.setText("lif")
    await until(lambda: view.presenter.model.rowCount() == 1)


async def test_asking_as_an_assistant_does_counts_as_no_use(desk: Desk) -> None:
    view = await shown(desk, "Ramp", "Lift")
    asking = desk.writes.start(view.ask())
    sheet = await sheet_of(view, AskingSheet)
    sheet.line.setText("lift")
    link = "1. Lift"
    await until(lambda: any(each.text() == link for each in sheet.findChildren(Button)))
    texts = [each.text() for each in sheet.findChildren(QLabel)]
    assert any(text.startswith("Found because it holds “lift”") for text in texts)
    assert nameless(sheet) == []
    next(each for each in sheet.findChildren(Button) if each.text() == link).click()
    await asking
    await until(lambda: view.presenter.one is not None and view.presenter.one.key == "lift")
    assert (await stored(desk, "lift")).access_count == 0


@pytest.mark.parametrize("format", list(FileFormat))
async def test_a_selection_is_written_out(desk: Desk, tmp_path: Path, format: FileFormat) -> None:
    view = await shown(desk, "Ramp", "Lift", "Door")
    await desk.workspace.memory.remember("ramp", {"door": "north"}, Tier.SEMANTIC, metadata={"title": "=1+1"})
    await until(lambda: view.presenter.model.row_at(0) is not None)
    view.list_page.list.selectAll()
    await until(lambda: view.presenter.chosen_count == 3)
    target = tmp_path / f"out.{format.value}"
    assert await view.presenter.export(format, target) == 3
    text = target.read_text("utf-8")
    match format:
        case FileFormat.JSON:
            read = {each["key"]: each for each in json.loads(text)}
            assert set(read) == {"ramp", "door", "lift"}
            assert read["ramp"]["value"] == {"door": "north"}
        case FileFormat.CSV:
            assert text.splitlines()[0].startswith("title,kind,tags,text")
            assert "'=1+1" in text
        case FileFormat.MARKDOWN:
            assert "# Door\n" in text
            assert '```json\n{\n  "door": "north"\n}\n```' in text


async def test_nothing_is_written_into_another_workspace(desk: Desk, tmp_path: Path) -> None:
    view = await shown(desk, "Ramp")
    other = tmp_path / "other"
    (other / "memory").mkdir(parents=True)
    (other / "workspace.toml").write_text("id = 'x'\n")
    await pick(view, "ramp")
    with pytest.raises(UserError, match="kept apart"):
        await view.presenter.export(FileFormat.JSON, other / "memory" / "out.json")
    assert list((other / "memory").iterdir()) == []


async def test_what_another_workspace_remembers_is_nowhere_to_be_seen(desk: Desk, tmp_path: Path) -> None:
    """The lists, the choices, a question and the trash of one workspace know nothing of another one's."""
    view = await shown(desk, "Ramp")
    async with Desk(tmp_path / "south") as south:
        await south.workspace.memory.remember("secret", "Only here.", Tier.WORKING, metadata={"tags": ["south"]})
        for _ in range(OFTEN):
            await south.workspace.memory.reinforce("secret")
        await south.workspace.shared.set("secret", 1)
        await south.workspace.shared.delete("secret")
        await view.presenter._read_choices()
        assert [tag for tag, _ in view.presenter.tags] == ["access"]
        assert view.presenter.proposals == []
        assert await view.presenter.recall("only here secret") == []
        assert await desk.workspace.trashed.count() == 0
        number = (await south.workspace.records.snapshot(view.presenter.model.query))[0]
        with pytest.raises(UserError):
            await desk.workspace.writing_out.records([number + 1000], FileFormat.JSON, tmp_path / "out.json")
    assert not (tmp_path / "out.json").exists()


# ---- live ------------------------------------------------------------------------------------------------------------


async def test_what_an_assistant_writes_appears_within_a_second_where_one_reads(desk: Desk) -> None:
    view = await shown(desk, *(f"Note {number:03}" for number in range(120)))
    listed = view.list_page.list
    listed.pick(60)
    await until(lambda: view.presenter.one is not None)
    chosen = view.presenter.one
    assert chosen is not None
    await until(lambda: listed.indexAt(QPoint(1, 1)).isValid())
    top = view.presenter.model.number_at(listed.indexAt(QPoint(1, 1)).row())
    await assistant(desk).remember("new", "Written just now.", Tier.EPISODIC)
    await until(lambda: view.presenter.model.rowCount() == 121, seconds=1.0)
    assert view.presenter.model.number_at(listed.indexAt(QPoint(1, 1)).row()) == top
    assert listed.selected_count() == 1
    assert view.presenter.one == chosen
    await assistant(desk).remember(chosen.key, "Changed while it is read.", Tier.SEMANTIC, metadata=chosen.metadata)
    await until(lambda: view.presenter.one is not None and view.presenter.one.version == 2, seconds=1.0)
    await until(lambda: any("while it is read" in label.text() for label in view.details.findChildren(QLabel)))
