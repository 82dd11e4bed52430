"""The place of long-term memory."""

import asyncio

import pytest
from PySide6.QtWidgets import QLabel

from core.domain.memory import Record
from core.domain.tiers import DAY, HALF_LIFE, Tier
from core.errors import InvalidValue
from tests.ui.features.desk import Desk, until
from ui.longterm import words
from ui.longterm.curve import PresenceCurve
from ui.longterm.dialog import RecordSheet
from ui.longterm.view import LongTermView
from ui.qt.paged import LineRole
from ui.widgets.basics import Button

NOW = 1_760_000_000.0


def record(**changes: object) -> Record:
    values = {
        "namespace": "default",
        "key": "ramp",
        "value": "Ring for the desk.",
        "tier": Tier.EPISODIC,
        "metadata": {"title": "Ramp", "tags": ["access"]},
        "salience": 0.8,
        "access_count": 4,
        "created_at": NOW - 90 * DAY,
        "updated_at": NOW - 60 * DAY,
        "last_accessed_at": NOW - 30 * DAY,
        "version": 3,
    }
    return Record(**{**values, **changes})  # pyright: ignore[reportArgumentType]


async def shown(desk: Desk, *records: Record) -> LongTermView:
    for each in records:
        await desk.workspace.book.take(each)
    view = desk.build(LongTermView)
    assert isinstance(view, LongTermView)
    await until(lambda: view.presenter.model.state == "ready" and view.presenter.model.rowCount() == len(records))
    return view


async def pick(view: LongTermView, position: int) -> Record:
    view.list_page.list.pick(position)
    await until(lambda: view.presenter.one is not None)
    one = view.presenter.one
    assert one is not None
    return one


def buttons(view: LongTermView) -> list[str]:
    return [each.text() for each in view.details.findChildren(Button) if each.isVisible()]


def line_of(view: LongTermView, position: int):
    return view.presenter.model.index(position, 0).data(LineRole)


def test_the_curve_halves_with_each_half_life() -> None:
    fresh = record(salience=1.0, last_accessed_at=NOW)
    values = words.curve(fresh, NOW, points=183)
    assert values[0] == 1.0
    assert values[30] == pytest.approx(0.5, abs=1e-6)
    assert values == sorted(values, reverse=True)
    assert HALF_LIFE[Tier.EPISODIC] == 30 * DAY
    assert set(words.curve(record(pinned=True), NOW)) == {0.8}


async def test_a_row_says_kind_tags_and_how_present_it_is(desk: Desk, qtmodeltester: object) -> None:
    view = await shown(desk, record())
    await until(lambda: line_of(view, 0) is not None)
    line = line_of(view, 0)
    assert line.title == "Ramp"
    assert line.detail == "Event · Ring for the desk."
    assert line.tags == ("access",)
    assert 0.0 < line.bar <= 0.8
    assert line.spoken.startswith("Event: Ramp")
    assert "present" in line.spoken
    qtmodeltester.check(view.presenter.model, force_py=True)  # pyright: ignore[reportAttributeAccessIssue]


async def test_the_inspector_shows_value_curve_and_origin(desk: Desk) -> None:
    view = await shown(desk, record(), record(key="clinic", value={"second_line": "555 0101", "open": True}))
    for position in range(2):
        await pick(view, position)
        await until(lambda: view.details.findChildren(PresenceCurve))
    one = view.presenter.one
    assert one is not None
    await until(lambda: any("Written by you" in label.text() for label in view.details.findChildren(QLabel)))
    view.select("7:default:clinic")
    await until(lambda: view.presenter.one is not None and view.presenter.one.key == "clinic")
    await until(lambda: "second line" in [label.text() for label in view.details.findChildren(QLabel)])
    texts = [label.text() for label in view.details.findChildren(QLabel)]
    assert texts[texts.index("second line") + 1] == "555 0101"
    assert texts[texts.index("open") + 1] == "yes"


async def test_forgetting_is_undone_exactly(desk: Desk) -> None:
    view = await shown(desk, record(pinned=True), record(key="other"))
    view.select(record().id)
    await until(lambda: view.presenter.one is not None and view.presenter.one.key == "ramp")
    before = view.presenter.one
    await view.presenter.forget()
    await until(lambda: view.presenter.model.rowCount() == 1)
    assert desk.undos[-1].said == "Forgot “Ramp”."
    assert await desk.workspace.memory.get("ramp") is None
    await desk.take_back()
    assert await desk.workspace.memory.get("ramp") == before


async def test_keep_fresh_counts_as_used_now(desk: Desk) -> None:
    view = await shown(desk, record())
    before = await pick(view, 0)
    await view.presenter.keep_fresh()
    await until(lambda: view.presenter.one is not None and view.presenter.one.access_count == 5)
    after = view.presenter.one
    assert after is not None
    assert after.salience == pytest.approx(before.salience + 0.1)
    assert after.last_accessed_at > before.last_accessed_at


async def sheet_of(view: LongTermView) -> RecordSheet:
    await until(lambda: any(each.isVisible() for each in view.page.window().findChildren(RecordSheet)))
    return next(each for each in view.page.window().findChildren(RecordSheet) if each.isVisible())


async def test_adding_checks_what_was_typed_and_chooses_the_new_one(desk: Desk) -> None:
    view = await shown(desk, record())
    adding = desk.writes.start(view.add())
    sheet = await sheet_of(view)
    sheet.save()
    await until(lambda: sheet.wrong.text() == "Give it a title.")
    sheet.name.setText("Ramp")
    sheet.text.setPlainText("A second one.")
    sheet.tags.setText("winter, access, winter")
    sheet.save()
    await adding
    await until(lambda: view.presenter.one is not None and view.presenter.one.value == "A second one.")
    one = view.presenter.one
    assert one is not None
    assert one.key == "ramp-2"
    assert one.tags == ("winter", "access")
    assert one.tier is Tier.SEMANTIC
    await desk.take_back()
    await until(lambda: view.presenter.model.rowCount() == 1)


async def test_an_edit_that_crosses_another_asks_before_it_replaces(desk: Desk) -> None:
    kept = {"title": "Ramp", "source": "phone"}
    view = await shown(desk, record(metadata=kept))
    await pick(view, 0)
    editing = desk.writes.start(view.edit())
    sheet = await sheet_of(view)
    assert sheet.text.toPlainText() == "Ring for the desk."
    await desk.workspace.memory.remember("ramp", "Changed by an assistant.", Tier.EPISODIC, metadata=kept)
    sheet.text.setPlainText("Ring twice.")
    sheet.save()
    await until(lambda: "was changed while you had it open" in sheet.wrong.text())
    present = await desk.workspace.memory.get("ramp")
    assert present is not None
    assert present.value == "Changed by an assistant."
    assert sheet.act.text() == "Keep mine"
    sheet.save()
    await editing
    present = await desk.workspace.memory.get("ramp")
    assert present is not None
    assert present.value == "Ring twice."
    assert present.metadata["source"] == "phone"


async def test_putting_the_dialog_away_changes_nothing(desk: Desk) -> None:
    view = await shown(desk, record())
    await pick(view, 0)
    editing = desk.writes.start(view.edit())
    sheet = await sheet_of(view)
    sheet.text.setPlainText("Something else.")
    sheet.reject()
    await editing
    present = await desk.workspace.memory.get("ramp")
    assert present is not None
    assert present.version == 3
    assert not desk.undos


async def test_many_are_summed_up(desk: Desk) -> None:
    view = await shown(desk, record(), record(key="b", tier=Tier.WORKING), record(key="c"))
    view.list_page.list.selectAll()
    await until(lambda: view.presenter.chosen_count == 3)
    assert view.details.title.text() == "3 memories"
    assert words.kinds_of(view.presenter.chosen) == "Event 2, Note for now 1"
    await until(lambda: buttons(view) == ["Pin", "Keep fresh", "Forget", "Change the kind…", "More"])
    await view.presenter.forget()
    await until(lambda: view.list_page.empty.isVisible())
    await desk.take_back()
    await until(lambda: view.presenter.model.rowCount() == 3)


async def test_chips_narrow_and_sort(desk: Desk) -> None:
    stale = record(key="stale", salience=0.1, updated_at=NOW)
    view = await shown(desk, record(key="new", tier=Tier.PROCEDURAL), stale)
    view.list_page.narrow("tier", "episodic")
    await until(lambda: view.presenter.model.rowCount() == 1)
    view.list_page.show_everything()
    await until(lambda: view.presenter.model.rowCount() == 2)
    sort = view.list_page._sort
    assert sort is not None
    sort[0]._choose("salience")
    await asyncio.sleep(0)
    await until(lambda: line_of(view, 0) is not None and line_of(view, 0).kind == "Procedure")


def test_values_are_read_and_edited() -> None:
    nested = {"a": [1, 2], "b": {"c": None, "d": [{"e": False}]}}
    assert list(words.pairs(nested)) == [
        ("a", "1, 2", 0), ("b", "", 0), ("c", "nothing", 1), ("d", "", 1), ("", "", 2), ("e", "no", 3),
    ]  # fmt: skip
    assert words.edited(words.editable(nested), structured=True) == nested
    assert words.edited("two\nlines", structured=False) == "two\nlines"
    with pytest.raises(InvalidValue, match="Line 2"):
        words.edited('{\n"a": }', structured=True)
    with pytest.raises(InvalidValue):
        words.edited("  ", structured=False)


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("Ramp: north", "ramp-north"),
        ("山田太郎", "山田太郎"),
        ("!?", "memory"),
        ("../x\\y", "x-y"),
        ("a" * 99, "a" * 60),
    ],
)
def test_keys_come_from_titles(title: str, key: str) -> None:
    assert words.key_for(title) == key
