"""The place of shared entries."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from core.domain.conversation_files import FileFormat
from core.domain.memory import Json, ValueType
from core.errors import InvalidValue
from tests.ui.features.desk import Desk, until
from ui.qt.paged import LineRole
from ui.shared import words
from ui.shared.dialog import SharedSheet
from ui.shared.view import SharedView
from ui.shared.words import Type
from ui.widgets.difference_text import DifferenceText
from ui.widgets.fold import Fold


async def shown(desk: Desk, **entries: Json) -> SharedView:
    for key, value in entries.items():
        await desk.workspace.shared.set(key, value)
    view = desk.build(SharedView)
    assert isinstance(view, SharedView)
    await until(lambda: view.presenter.model.state == "ready" and view.presenter.model.rowCount() == len(entries))
    return view


async def choose(view: SharedView, key: str) -> None:
    view.select(key)
    await until(lambda: view.presenter.one is not None and view.presenter.one.key == key)


async def sheet_of(view: SharedView) -> SharedSheet:
    await until(lambda: any(each.isVisible() for each in view.page.window().findChildren(SharedSheet)))
    return next(each for each in view.page.window().findChildren(SharedSheet) if each.isVisible())


async def test_rows_show_values_as_people_read_them(desk: Desk, qtmodeltester: object) -> None:
    view = await shown(desk, a=15, b=True, c=["x", "y"], d={"street": "Mill Lane", "no": 14})
    model = view.presenter.model
    await until(lambda: model.index(3, 0).data(LineRole) is not None)
    lines = [model.index(row, 0).data(LineRole) for row in range(4)]
    assert [line.detail for line in lines] == ["15", "yes", "x, y", "street: Mill Lane · no: 14"]
    assert [line.kind for line in lines] == ["Number", "Yes or no", "List", "Structured"]
    qtmodeltester.check(model, force_py=True)  # pyright: ignore[reportAttributeAccessIssue]


async def test_an_entry_says_who_changed_it_when(desk: Desk) -> None:
    view = await shown(desk, minutes=15)
    await choose(view, "minutes")
    texts = [label.text() for label in view.details.findChildren(QLabel)]
    assert "Changed today by you" in texts


async def test_adding_keeps_the_type_and_refuses_a_name_that_is_taken(desk: Desk) -> None:
    view = await shown(desk, minutes=15)
    adding = desk.writes.start(view.add())
    sheet = await sheet_of(view)
    sheet.key.setText("minutes")
    sheet.type.set_value(Type.NUMBER.value)
    sheet.text.setPlainText("fifteen")
    sheet.save()
    await until(lambda: "is not a number" in sheet.wrong.text())
    sheet.text.setPlainText("2,5")
    sheet.save()
    await until(lambda: "is a shared entry “minutes” already" in sheet.wrong.text())
    sheet.key.setText("hours")
    sheet.save()
    await adding
    await until(lambda: view.presenter.one is not None and view.presenter.one.value == 2.5)
    await desk.take_back()
    await until(lambda: view.presenter.model.rowCount() == 1)


async def test_editing_is_undone_and_sees_what_others_wrote(desk: Desk) -> None:
    view = await shown(desk, minutes=15)
    await choose(view, "minutes")
    editing = desk.writes.start(view.edit())
    sheet = await sheet_of(view)
    assert sheet.key.isReadOnly()
    assert sheet.type.value == "Number"
    await desk.workspace.shared.set("minutes", 20)
    sheet.text.setPlainText("30")
    sheet.save()
    await until(lambda: "was changed while you had it open" in sheet.wrong.text())
    sheet.save()
    await editing
    entry = await desk.workspace.shared.get("minutes")
    assert entry is not None
    assert entry.value == 30
    await desk.take_back()
    entry = await desk.workspace.shared.get("minutes")
    assert entry is not None
    assert entry.value == 20


async def test_deleting_is_undone_exactly(desk: Desk) -> None:
    view = await shown(desk, minutes=15, greeting="Hello")
    view.list_page.list.selectAll()
    await until(lambda: view.presenter.chosen_count == 2)
    before = await desk.workspace.shared.get("minutes")
    await view.presenter.delete()
    await until(lambda: view.list_page.empty.isVisible())
    assert desk.undos[-1].said == "Deleted 2 shared entries."
    await desk.take_back()
    assert await desk.workspace.shared.get("minutes") == before


async def test_both_sides_of_two_edits_that_cross_are_shown(desk: Desk) -> None:
    view = await shown(desk, greeting="Good morning, how can we help?")
    await choose(view, "greeting")
    editing = desk.writes.start(view.edit())
    sheet = await sheet_of(view)
    sheet.text.setPlainText("Good morning, how can I help?")
    await desk.workspace.shared.set("greeting", "Good day, how can we help?")
    sheet.save()
    await until(lambda: sheet.crossing is not None)
    assert sheet.crossing is not None
    said = sheet.crossing.text.accessibleName()
    assert "Taken out: “morning”" in said
    assert "Put in: “day”" in said
    sheet.take.click()
    await editing
    entry = await desk.workspace.shared.get("greeting")
    assert entry is not None
    assert entry.value == "Good day, how can we help?"
    assert not desk.undos


async def test_an_entry_that_was_deleted_meanwhile_is_put_back(desk: Desk) -> None:
    view = await shown(desk, minutes=15)
    await choose(view, "minutes")
    editing = desk.writes.start(view.edit())
    sheet = await sheet_of(view)
    sheet.text.setPlainText("30")
    await desk.workspace.shared.delete("minutes")
    sheet.save()
    await until(lambda: sheet.act.text() == "Put mine back")
    sheet.save()
    await editing
    entry = await desk.workspace.shared.get("minutes")
    assert entry is not None
    assert entry.value == 30
    assert await desk.workspace.trashed.count() == 0


async def test_former_values_are_compared_and_come_back(desk: Desk) -> None:
    view = await shown(desk, greeting="Good morning")
    await desk.workspace.shared.set("greeting", "Good day")
    await choose(view, "greeting")
    await until(lambda: view.presenter.one is not None and view.presenter.one.version == 2)
    await until(lambda: any(fold.isVisible() for fold in view.details.findChildren(Fold)))
    next(fold for fold in view.details.findChildren(Fold) if fold.isVisible()).toggle()
    await until(lambda: view.details.findChildren(DifferenceText))
    assert "Taken out: “morning”" in view.details.findChildren(DifferenceText)[0].accessibleName()
    before = await desk.workspace.shared.get("greeting")
    assert before is not None
    await view.presenter.restore(before, 1)
    entry = await desk.workspace.shared.get("greeting")
    assert entry is not None
    assert entry.value == "Good morning"
    await desk.take_back()
    entry = await desk.workspace.shared.get("greeting")
    assert entry is not None
    assert entry.value == "Good day"


async def test_a_list_of_numbers_stays_a_list_when_it_is_edited(desk: Desk) -> None:
    view = await shown(desk, rooms=[1, 2])
    await choose(view, "rooms")
    assert words.kind_of(view.presenter.one) is Type.LIST  # pyright: ignore[reportArgumentType]
    editing = desk.writes.start(view.edit())
    sheet = await sheet_of(view)
    sheet.text.setPlainText("[1, 2, 3]")
    sheet.save()
    await editing
    entry = await desk.workspace.shared.get("rooms")
    assert entry is not None
    assert (entry.value, entry.type) == ([1, 2, 3], ValueType.LIST)


async def test_kinds_narrow_and_entries_are_written_out(desk: Desk, tmp_path: Path) -> None:
    view = await shown(desk, minutes=15, greeting="=1+1", open=True)
    view.list_page.narrow("type", "number")
    await until(lambda: view.presenter.model.rowCount() == 1)
    view.list_page.show_everything()
    await until(lambda: view.presenter.model.rowCount() == 3)
    view.list_page.list.selectAll()
    await until(lambda: view.presenter.chosen_count == 3)
    target = tmp_path / "shared.csv"
    assert await view.presenter.export(FileFormat.CSV, target) == 3
    lines = target.read_text("utf-8").splitlines()
    assert lines[0] == "name,value,type,changed,changed by"
    assert lines[1].startswith("greeting,'=1+1,text,")


@pytest.mark.parametrize(
    ("type", "text", "value"),
    [
        (Type.TEXT, " as it is ", " as it is "),
        (Type.NUMBER, "1 000", 1000),
        (Type.NUMBER, "-2.5", -2.5),
        (Type.SWITCH, "Yes", True),
        (Type.SWITCH, "off", False),
        (Type.LIST, "one\n\n two ", ["one", "two"]),
        (Type.STRUCTURED, '{"a": [1]}', {"a": [1]}),
    ],
)
def test_what_is_typed_becomes_a_value(type: Type, text: str, value: Json) -> None:
    assert words.parsed(type, text) == value
    assert words.type_of(value) is type
    assert words.parsed(type, words.editable(value)) == value


@pytest.mark.parametrize(("type", "text"), [(Type.NUMBER, "many"), (Type.SWITCH, "perhaps"), (Type.STRUCTURED, "{")])
def test_what_can_not_be_a_value_is_refused_in_words(type: Type, text: str) -> None:
    with pytest.raises(InvalidValue):
        words.parsed(type, text)
