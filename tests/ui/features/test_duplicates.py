"""Finding memories that say the same, and deciding about them."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton

from core.domain.tiers import Tier
from tests.ui.features.desk import Desk, until
from tests.ui.features.remembering import assistant, nameless, sheet_of, shown, stored
from ui.longterm.duplicates import DONE, NONE, DuplicatesSheet
from ui.longterm.view import LongTermView
from ui.qt.scope import ViewScope

SAME = "Ring twice at the back door."


@pytest.fixture(autouse=True)
def no_waiting(qapp: QApplication) -> Iterator[None]:
    """Presses count from the start; what comes within a double click is left out otherwise."""
    usual = qapp.doubleClickInterval()
    qapp.setDoubleClickInterval(0)
    yield
    qapp.setDoubleClickInterval(usual)


async def written(desk: Desk, **texts: str) -> LongTermView:
    for key, text in texts.items():
        metadata = {"title": key.title(), "tags": [key]}
        await desk.workspace.memory.remember(key, text, Tier.SEMANTIC, metadata=metadata)
    view = await shown(desk) if not texts else desk.build(LongTermView)
    assert isinstance(view, LongTermView)
    await until(lambda: view.presenter.model.state == "ready" and view.presenter.model.rowCount() == len(texts))
    return view


async def opened(desk: Desk, view: LongTermView) -> DuplicatesSheet:
    ViewScope(desk.writes, desk.report).start(view.find_duplicates())
    sheet = await sheet_of(view, DuplicatesSheet)
    await until(lambda: sheet.keep_left.isVisible() or sheet.progress.text() == NONE)
    return sheet


async def test_both_sides_are_shown_and_nothing_is_merged_by_looking(desk: Desk) -> None:
    view = await written(desk, bell=SAME, door="ring twice, at the back door", lunch="Lunch is at noon.")
    sheet = await opened(desk, view)
    assert sheet.progress.text() == "1 of 1: the words are the same"
    assert {sheet.left.title.text(), sheet.right.title.text()} == {"Bell", "Door"}
    assert sheet.left.text.toPlainText().replace("\u2009", "") == SAME
    assert "Only here:" in sheet.left.text.accessibleName()
    assert nameless(sheet) == []
    sheet.reject()
    assert (await stored(desk, "bell")).version == (await stored(desk, "door")).version == 1
    assert not desk.undos


async def test_one_is_kept_with_the_tags_of_both_and_that_is_undone_exactly(desk: Desk) -> None:
    view = await written(desk, bell=SAME, door=SAME)
    before = [await stored(desk, key) for key in ("bell", "door")]
    sheet = await opened(desk, view)
    assert not isinstance(QApplication.focusWidget(), QPushButton)  # a key too many decides nothing
    sheet.keep_right.click()
    await until(lambda: sheet.progress.text() == DONE)
    assert await desk.workspace.memory.get("bell") is None
    assert set((await stored(desk, "door")).tags) == {"bell", "door"}
    sheet.reject()
    assert desk.undos[-1].said == "Merged “Bell” into “Door”."
    await desk.take_back()
    after = [await stored(desk, key) for key in ("bell", "door")]
    assert [replace(record, version=1) for record in after] == before


async def test_of_three_the_one_that_is_gone_is_not_asked_about_again(desk: Desk) -> None:
    view = await written(desk, bell=SAME, door=SAME, gate=SAME)
    sheet = await opened(desk, view)
    assert sheet.progress.text().startswith("1 of 2")
    while sheet.keep_left.isVisible():
        said = sheet.progress.text()
        sheet.keep_left.click()
        await until(lambda said=said: sheet.progress.text() != said or sheet.wrong.text().strip())
        assert not sheet.wrong.text().strip()
    sheet.reject()
    left = [await desk.workspace.memory.get(key) for key in ("bell", "door", "gate")]
    assert len([record for record in left if record]) < 3


async def test_a_double_click_decides_about_one_pair_only(desk: Desk, qapp: QApplication) -> None:
    view = await written(desk, bell=SAME, door=SAME, lunch="Lunch at noon.", noon="lunch at noon")
    sheet = await opened(desk, view)
    sheet.keep_left.click()
    sheet.keep_left.click()  # while the first is still written
    await until(lambda: sheet.progress.text().startswith("2 of 2"))
    qapp.setDoubleClickInterval(60_000)
    sheet.keep_left.click()  # when the next pair has just come
    await asyncio.sleep(0)
    assert sheet.progress.text().startswith("2 of 2")
    qapp.setDoubleClickInterval(0)
    sheet.keep_both.click()
    await until(lambda: sheet.progress.text() == DONE)
    sheet.reject()
    assert [undo.said.split()[0] for undo in desk.undos] == ["Merged", "Kept"]


async def test_keeping_both_is_remembered_and_can_be_undone(desk: Desk) -> None:
    view = await written(desk, bell=SAME, door=SAME)
    sheet = await opened(desk, view)
    sheet.keep_both.click()
    await until(lambda: sheet.progress.text() == DONE)
    sheet.reject()
    await until(lambda: not sheet.isVisible())
    assert await view.presenter.duplicates() == []
    await desk.take_back()
    assert len(await view.presenter.duplicates()) == 1


async def test_one_text_in_place_of_both(desk: Desk) -> None:
    view = await written(desk, bell=SAME, door="ring twice at the back door!")
    sheet = await opened(desk, view)
    sheet.edit.click()
    assert isinstance(sheet.together, QPlainTextEdit)
    assert sheet.together.isVisible()
    assert not sheet.keep_left.isVisible()
    sheet.together.setPlainText("  ")
    sheet.keep_text.click()
    await until(lambda: "Write down" in sheet.wrong.text())
    sheet.back.click()
    assert sheet.keep_left.isVisible()
    sheet.edit.click()
    sheet.together.setPlainText("Ring twice.")
    sheet.keep_text.click()
    await until(lambda: sheet.progress.text() == DONE)
    sheet.reject()
    assert (await stored(desk, "bell")).value == "Ring twice."
    assert await desk.workspace.memory.get("door") is None


async def test_what_an_assistant_changed_meanwhile_is_not_merged_and_said(desk: Desk) -> None:
    view = await written(desk, bell=SAME, door=SAME)
    sheet = await opened(desk, view)
    await assistant(desk).remember("door", "Now it is something else.", Tier.SEMANTIC)
    sheet.keep_left.click()
    await until(lambda: "changed meanwhile" in sheet.wrong.text())
    await until(lambda: sheet.progress.text() == NONE)
    sheet.reject()
    assert (await stored(desk, "bell")).version == 1
    assert (await stored(desk, "door")).value == "Now it is something else."


async def test_where_nothing_says_the_same_that_is_said(desk: Desk) -> None:
    view = await written(desk, bell=SAME, lunch="Lunch is at noon.")
    sheet = await opened(desk, view)
    assert sheet.progress.text() == NONE
    assert not sheet.sides.isVisible()
    assert not sheet.keep_both.isVisible()
    sheet.reject()


async def test_escape_while_editing_together_goes_back_first(desk: Desk) -> None:
    view = await written(desk, bell=SAME, door="ring twice at the back door!")
    sheet = await opened(desk, view)
    sheet.edit.click()
    QTest.keyClick(sheet, Qt.Key.Key_Escape)
    assert sheet.isVisible()
    assert sheet.keep_left.isVisible()
    sheet.reject()
