"""The place of shared entries."""

import pytest
from PySide6.QtWidgets import QLabel

from core.domain.memory import Json
from core.errors import InvalidValue
from tests.ui.features.desk import Desk, until
from ui.qt.paged import LineRole
from ui.shared import words
from ui.shared.dialog import SharedSheet
from ui.shared.view import SharedView
from ui.shared.words import Type


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
