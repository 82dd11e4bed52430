"""The place of the trash."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog, QLabel, QPushButton

from core.domain.memory import Role
from core.domain.papers import PaperState
from core.domain.tiers import DAY, Tier
from core.domain.trash import Trashed
from core.errors import VersionConflict
from tests.ui.features.desk import Desk, until
from ui.qt.paged import LineRole
from ui.trash import words
from ui.trash.view import TrashView

NOW = 1_760_000_000.0


async def shown(desk: Desk) -> TrashView:
    """A memory, a shared entry and a conversation in the trash."""
    workspace = desk.workspace
    await workspace.memory.remember("ramp", "Ring for the desk.", Tier.SEMANTIC, metadata={"title": "Ramp"})
    await workspace.shared.set("minutes", 15)
    await workspace.conversations.begin("Holidays", "s1")
    await workspace.conversations.add("s1", Role.USER, "Are we open on Friday?")
    await workspace.memory.forget("ramp")
    await workspace.shared.delete("minutes")
    await workspace.conversations.remove("s1")
    view = desk.build(TrashView)
    assert isinstance(view, TrashView)
    await until(lambda: view.presenter.model.state == "ready" and view.presenter.model.rowCount() == 3)
    return view


async def pick(view: TrashView, kind: str) -> Trashed:
    for position in range(view.presenter.model.rowCount()):
        await until(lambda position=position: view.presenter.model.row_at(position) is not None)
        thing = view.presenter.model.row_at(position)
        if thing is not None and thing.kind == kind:
            view.list_page.list.pick(position)
            await until(lambda thing=thing: view.presenter.one == thing)
            return thing
    raise AssertionError(kind)


async def press(view: TrashView, words: str) -> None:
    """Press a button of the dialog that was just opened."""
    await until(lambda: any(each.isVisible() for each in view.page.window().findChildren(QDialog)))
    dialog = next(each for each in view.page.window().findChildren(QDialog) if each.isVisible())
    next(button for button in dialog.findChildren(QPushButton) if button.text() == words).click()


def texts(view: TrashView) -> str:
    return "\n".join(label.text() for label in view.details.findChildren(QLabel))


async def test_rows_say_what_it_was_and_how_long_it_stays(desk: Desk, qtmodeltester: object) -> None:
    view = await shown(desk)
    model = view.presenter.model
    await until(lambda: model.index(2, 0).data(LineRole) is not None)
    lines = [model.index(row, 0).data(LineRole) for row in range(3)]
    assert [line.kind for line in lines] == ["Conversation", "Shared entry", "Memory"]
    assert [line.title for line in lines] == ["Holidays", "minutes", "Ramp"]
    assert {line.status for line in lines} == {"30 days left"}
    assert lines[2].detail == "Memory · Ring for the desk."
    qtmodeltester.check(model, force_py=True)  # pyright: ignore[reportAttributeAccessIssue]


async def test_the_details_say_who_when_and_until_when(desk: Desk) -> None:
    view = await shown(desk)
    await pick(view, "record")
    await until(lambda: "Forgotten today by you" in texts(view))
    assert "It stays here for 30 more days" in texts(view)
    assert "Ring for the desk." in texts(view)


@pytest.mark.parametrize("kind", ["record", "shared", "session"])
async def test_putting_back_one_and_its_undo(desk: Desk, kind: str) -> None:
    view = await shown(desk)
    thing = await pick(view, kind)
    await view.presenter.restore()
    await until(lambda: view.presenter.model.rowCount() == 2)
    assert await desk.workspace.trash.find(kind, thing.id) is None
    assert desk.undos[-1].said == f"Put back “{words.title(thing)}”."
    await desk.take_back()
    await until(lambda: view.presenter.model.rowCount() == 3)
    assert await desk.workspace.trash.find(kind, thing.id) is not None


async def test_putting_back_many_brings_all_of_it(desk: Desk) -> None:
    view = await shown(desk)
    view.list_page.list.selectAll()
    await until(lambda: view.presenter.chosen_count == 3)
    assert "1 memory" in texts(view)
    await view.presenter.restore()
    await until(lambda: view.list_page.empty.isVisible())
    workspace = desk.workspace
    assert await workspace.memory.get("ramp") is not None
    assert await workspace.shared.get("minutes") is not None
    assert len(await workspace.conversations.messages("s1")) == 1
    assert not view.empty_button.isVisible()


async def test_what_was_written_again_stays_and_is_said(desk: Desk) -> None:
    view = await shown(desk)
    await pick(view, "record")
    await desk.workspace.memory.remember("ramp", "Another.", Tier.SEMANTIC)
    with pytest.raises(VersionConflict):
        await view.presenter.restore()
    present = await desk.workspace.memory.get("ramp")
    assert present is not None
    assert present.value == "Another."
    assert view.presenter.model.rowCount() == 3
    assert not desk.undos


async def test_erasing_asks_first(desk: Desk) -> None:
    view = await shown(desk)
    thing = await pick(view, "shared")
    erasing = desk.writes.start(view.erase())
    await press(view, "Cancel")
    await erasing
    assert await desk.workspace.trash.find("shared", thing.id) is not None
    erasing = desk.writes.start(view.erase())
    await press(view, "Erase")
    await erasing
    await until(lambda: view.presenter.model.rowCount() == 2)
    assert await desk.workspace.trash.find("shared", thing.id) is None


async def test_emptying_takes_what_is_narrowed_away_too(desk: Desk) -> None:
    view = await shown(desk)
    view.list_page.narrow("kind", "record")
    await until(lambda: view.presenter.model.rowCount() == 1)
    emptying = desk.writes.start(view.empty())
    await press(view, "Erase")
    await emptying
    assert await desk.workspace.trashed.count() == 0


async def test_the_list_narrows_as_one_types(desk: Desk) -> None:
    view = await shown(desk)
    line = view.list_page.find_line
    assert line is not None
    line.setText("holi")
    await until(lambda: view.presenter.model.rowCount() == 1)
    view.list_page.show_everything()
    await until(lambda: view.presenter.model.rowCount() == 3)
    assert line.text() == ""


async def test_what_is_forgotten_elsewhere_appears_by_itself(desk: Desk) -> None:
    view = await shown(desk)
    await pick(view, "record")
    await desk.workspace.shared.set("hours", "8 to 12")
    await desk.workspace.shared.delete("hours")
    await until(lambda: view.presenter.model.rowCount() == 4)
    assert view.presenter.one is not None
    assert view.presenter.one.kind == "record"


def test_days_left_are_counted_to_the_end() -> None:
    thing = Trashed(1, "record", "7:default:a", "A", "", NOW, "person")
    assert words.left(thing, NOW) == "30 days left"
    assert words.left(thing, NOW + 29.5 * DAY) == "1 day left"
    assert words.left(thing, NOW + 31 * DAY) == "erased soon"
    assert words.line(thing, NOW + 28 * DAY).tone == "warn"


async def test_a_removed_paper_comes_back_from_the_trash_and_is_read_again(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Mrs Adler, the ramp is open.")
    (taken,) = await desk.workspace.papers.add([tmp_path / "letter.txt"])
    await desk.workspace.papers.idle()
    assert taken.paper is not None
    await desk.workspace.papers.remove([taken.paper.id])
    view = desk.build(TrashView)
    assert isinstance(view, TrashView)
    await until(lambda: view.presenter.model.rowCount() == 1)
    thing = await pick(view, "paper")
    assert (thing.title, thing.preview) == ("letter.txt", "Dear Mrs Adler, the ramp is open.")
    await view.presenter.restore()
    await until(lambda: view.presenter.model.rowCount() == 0)
    await desk.workspace.papers.idle()
    paper = await desk.workspace.papers.get(taken.paper.id)
    assert paper.state is PaperState.SEARCHABLE
    await desk.take_back()
    await until(lambda: view.presenter.model.rowCount() == 1)
