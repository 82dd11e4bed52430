"""Two edits of one memory that cross, what it was before, and who used it."""

from collections.abc import Awaitable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel

from core.domain.memory import Source
from core.domain.tiers import Tier
from core.errors import VersionConflict
from tests.ui.features.desk import Desk, until
from tests.ui.features.remembering import assistant, nameless, pick, sheet_of, shown, stored
from ui.longterm.dialog import RecordSheet
from ui.longterm.view import LongTermView
from ui.widgets.basics import Button
from ui.widgets.difference_text import DifferenceText
from ui.widgets.fold import Fold

# ---- two edits that cross --------------------------------------------------------------------------------------------


async def crossing(desk: Desk, *, forgotten: bool = False) -> tuple[LongTermView, RecordSheet, Awaitable[object]]:
    view = await shown(desk, "Ramp")
    await pick(view, "ramp")
    editing = desk.writes.start(view.edit())
    sheet = await sheet_of(view, RecordSheet)
    sheet.text.setPlainText("Ramp: ring three times.")
    if forgotten:
        await assistant(desk).forget("ramp")
    else:
        metadata = {"title": "North ramp", "tags": ["access"]}
        await assistant(desk).remember("ramp", "Ramp: ring once.", Tier.EPISODIC, metadata=metadata)
    sheet.save()
    await until(lambda: sheet.crossing is not None)
    return view, sheet, editing


async def test_both_sides_are_shown_with_what_differs(desk: Desk) -> None:
    _, sheet, _ = await crossing(desk)
    assert sheet.crossing is not None
    text = sheet.crossing.text
    assert "Taken out: “three times”. Put in: “once”." in text.accessibleName()
    assert sheet.crossing.caption.text() == "Changed by desk today"
    assert "Title: North ramp" in sheet.crossing.facts.text()
    assert "Kind: Event" in sheet.crossing.facts.text()
    marked = [selection.cursor.selectedText() for selection in sheet.text.extraSelections()]  # pyright: ignore[reportAttributeAccessIssue]
    assert marked == ["three times"]
    assert nameless(sheet) == []
    sheet.text.setPlainText("Ramp: ring once.")
    await until(lambda: "Nothing differs." in text.accessibleName())
    sheet.reject()


async def test_keeping_mine_writes_over_theirs_and_the_undo_brings_theirs_back(desk: Desk) -> None:
    _, sheet, editing = await crossing(desk)
    assert sheet.act.text() == "Keep mine"
    sheet.save()
    await editing
    assert (await stored(desk, "ramp")).value == "Ramp: ring three times."
    await desk.take_back()
    back = await stored(desk, "ramp")
    assert (back.value, back.title, back.tier) == ("Ramp: ring once.", "North ramp", Tier.EPISODIC)


async def test_taking_theirs_leaves_it_as_it_is(desk: Desk) -> None:
    _, sheet, editing = await crossing(desk)
    sheet.take.click()
    await editing
    assert (await stored(desk, "ramp")).value == "Ramp: ring once."
    assert not desk.undos


async def test_one_that_was_forgotten_meanwhile_comes_back_with_its_history(desk: Desk) -> None:
    _, sheet, editing = await crossing(desk, forgotten=True)
    assert "lies in the trash" in sheet.crossing.caption.text()  # pyright: ignore[reportOptionalMemberAccess]
    sheet.save()
    await editing
    assert (await stored(desk, "ramp")).value == "Ramp: ring three times."
    assert len(await desk.workspace.book.versions("ramp")) == 2
    await desk.take_back()
    assert await desk.workspace.memory.get("ramp") is None


async def test_what_was_typed_is_thrown_away_only_when_asked_twice(desk: Desk) -> None:
    view = await shown(desk, "Ramp")
    await pick(view, "ramp")
    editing = desk.writes.start(view.edit())
    sheet = await sheet_of(view, RecordSheet)
    sheet.text.setPlainText("Something else.")
    sheet.give_up()
    assert sheet.isVisible()
    assert "not saved" in sheet.wrong.text()
    sheet.give_up()
    await editing
    assert (await stored(desk, "ramp")).version == 1


# ---- its past --------------------------------------------------------------------------------------------------------


async def test_versions_show_what_was_changed_and_come_back(desk: Desk) -> None:
    view = await shown(desk, "Ramp")
    record = await pick(view, "ramp")
    await desk.workspace.book.edit(replace(record, value="Ramp: ring once.", pinned=True), 1)
    await until(lambda: view.presenter.one is not None and view.presenter.one.version == 2)
    fold = next(each for each in view.details.findChildren(Fold) if each.isVisible())
    assert fold.button.accessibleName().endswith("closed")
    fold.toggle()
    await until(lambda: view.details.findChildren(DifferenceText))
    text = view.details.findChildren(DifferenceText)[0]
    assert "Pinned: " in text.toPlainText()
    assert "Kind: " not in text.toPlainText()
    assert "Taken out: “twice”" in text.accessibleName()
    again = next(each for each in view.details.findChildren(Button) if each.text() == "Restore this version")
    assert again.accessibleName() == "Restore version 1"
    assert nameless(view.details) == []
    again.click()
    await until(lambda: view.presenter.one is not None and view.presenter.one.version == 3)
    back = await stored(desk, "ramp")
    assert (back.value, back.pinned) == (record.value, False)
    await until(lambda: any(each.open for each in view.details.findChildren(Fold) if each.isVisible()))
    await desk.take_back()
    assert (await stored(desk, "ramp")).value == "Ramp: ring once."


async def test_a_version_is_not_restored_over_what_somebody_wrote_since(desk: Desk) -> None:
    view = await shown(desk, "Ramp")
    record = await pick(view, "ramp")
    await assistant(desk).remember("ramp", "Theirs.", Tier.SEMANTIC)
    with pytest.raises(VersionConflict):
        await view.presenter.restore(record, 1)
    assert (await stored(desk, "ramp")).value == "Theirs."


async def test_uses_say_who_and_for_which_question(desk: Desk) -> None:
    view = await shown(desk, "Ramp")
    await assistant(desk).recall("where is the ramp", learn=True)
    await pick(view, "ramp")
    await until(lambda: view.presenter.one is not None and view.presenter.one.access_count == 1)
    await until(lambda: any(each.isVisible() for each in view.details.findChildren(Fold)))
    next(each for each in view.details.findChildren(Fold) if each.isVisible()).toggle()

    def said() -> str:
        return "\n".join(each.text() for each in view.details.findChildren(QLabel))

    await until(lambda: "Recalled by desk today" in said())
    assert "asked: “where is the ramp”" in said()


async def test_a_source_leads_to_its_place(desk: Desk) -> None:
    view = await shown(desk)
    source = Source("session", "s1", "Holidays")
    await assistant(desk).remember("ramp", "Closed.", Tier.SEMANTIC, source=source)
    await pick(view, "ramp")
    await until(lambda: any(each.text().startswith("Show where") for each in view.details.findChildren(Button)))
    next(each for each in view.details.findChildren(Button) if each.text().startswith("Show where")).click()
    assert desk.went == [("conversations", "s1")]
