"""The window at work: workspaces, places, search, undo, keys."""

import asyncio
import gc
import time
import weakref
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from core.domain.tiers import Tier
from core.errors import EnvironmentFault, UserError
from tests.ui.features.desk import until
from tests.ui.shell.office import Office, new_window
from ui.commands.place import Undo
from ui.qt import settings as declared
from ui.shell.intake import Given
from ui.shell.places import PLACES
from ui.widgets.states import Banner
from ui.workspaces.check import CheckSheet


async def test_starts_without_a_workspace(office: Office) -> None:
    window = office.window
    await window.desk.open_last()
    assert window.desk.session is None
    assert window.start_page.isVisible()
    assert not window.top.isVisible()
    assert [known.name for known in window.desk.known] == ["Northside Clinic", "Southside Office"]


async def test_opens_the_last_workspace_and_place(office: Office, qapp: QApplication) -> None:
    await office.open()
    office.window.desk.show("longterm")
    await office.window.shut()
    again = new_window(office, qapp)
    again.show()
    await again.desk.open_last()
    assert again.desk.workspace_name() == "Northside Clinic"
    assert again.desk.place == "longterm"
    assert again.windowTitle() == "Northside Clinic — Muniment"
    office.window = again


async def test_every_place_shows_itself_and_counts(office: Office) -> None:
    workspace = await office.open()
    await workspace.memory.remember("ramp", "North door", Tier.SEMANTIC)
    for place in PLACES:
        office.window.desk.show(place.id)
        assert office.window.rail.buttons[place.id].isChecked()
        assert office.window.body.pages.currentWidget().isVisible()
    await until(lambda: office.window.rail.buttons["longterm"].accessibleName() == "Long-term, 1")


async def test_places_that_were_never_shown_are_counted_and_not_built(office: Office) -> None:
    window = office.window
    window.settings.set(declared.LAST_PLACE, "papers")
    await window.desk.open(office.north)
    session = window.desk.session
    assert session is not None
    await session.workspace.memory.remember("ramp", "North door", Tier.SEMANTIC)
    await session.workspace.conversations.begin("Holidays")
    await until(lambda: window.rail.buttons["longterm"].accessibleName() == "Long-term, 1")
    await until(lambda: window.rail.buttons["conversations"].accessibleName() == "Conversations, 1")
    assert list(session._views) == ["papers"]
    await session.workspace.memory.forget("ramp")
    await until(lambda: window.rail.buttons["longterm"].accessibleName() == "Long-term, 0")


async def test_switching_leaves_nothing_of_the_old_workspace(office: Office) -> None:
    workspace = await office.open()
    await workspace.memory.remember("ramp", "North door", Tier.SEMANTIC)
    office.window.top.search.line.setText("ramp")
    await asyncio.sleep(0.1)
    session = office.window.desk.session
    assert session is not None
    held = (workspace.papers, workspace.search, workspace.events, session, *session._views.values())
    old = [weakref.ref(thing) for thing in held]
    before = {task for task in asyncio.all_tasks() if task.get_name().startswith(("reads:", "workspace:"))}
    del workspace, session, held
    started = time.perf_counter()
    await office.window.desk.open(office.south)
    spent = time.perf_counter() - started
    assert office.window.desk.workspace_name() == "Southside Office"
    assert office.window.top.search.text == ""
    assert all(task.done() for task in before)
    before.clear()
    await asyncio.sleep(0.05)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    assert [ref() for ref in old] == [None] * len(old)
    assert spent < 1.5  # generous: a busy machine; benchmarks/ has the figure


async def test_search_shows_what_is_found_and_escape_goes_back(office: Office, qtbot) -> None:
    workspace = await office.open()
    await workspace.memory.remember("ramp", "Patients in a wheelchair use the north door", Tier.SEMANTIC)
    window = office.window
    window.desk.show("longterm")
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert window.top.search.line.hasFocus()
    qtbot.keyClicks(window.top.search.line, "wheelchair")
    await until(lambda: window.desk.place == "search" and office.list_page.model.rowCount() == 1)
    qtbot.keyClick(window.top.search.line, Qt.Key.Key_Down)
    await until(lambda: office.list_page.list.hasFocus())
    qtbot.keyClick(office.list_page.list, Qt.Key.Key_Escape)
    await until(lambda: window.desk.place == "longterm")
    assert window.top.search.text == ""


async def test_a_passage_opens_in_its_place(office: Office) -> None:
    workspace = await office.open()
    record = await workspace.memory.remember("ramp", "Patients in a wheelchair use the north door", Tier.SEMANTIC)
    window = office.window
    window.top.search.line.setText("wheelchair")
    await until(lambda: window.desk.place == "search" and office.list_page.model.rowCount() == 1)
    office.list_page.opened.emit(0)
    await until(lambda: window.desk.place == "longterm")
    await until(lambda: office.list_page.list.selected_count() == 1)
    assert record.key == "ramp"


async def test_keys_go_to_places_and_parts(office: Office, qtbot) -> None:
    await office.open()
    window = office.window
    for number, place in enumerate(PLACES[:9], 1):
        qtbot.keyClick(window, Qt.Key(Qt.Key.Key_0 + number), Qt.KeyboardModifier.AltModifier)
        assert window.desk.place == place.id
    await until(lambda: office.list_page.model.state == "ready")
    visited: set[str] = set()
    for _ in range(5):
        qtbot.keyClick(window, Qt.Key.Key_F6)
        focus = QApplication.focusWidget()
        for name, part in (
            ("rail", window.rail),
            ("top", window.top),
            ("list", window.body.pages),
            ("side", window.body.sides),
        ):
            if focus is not None and part.isAncestorOf(focus):
                visited.add(name)
    assert visited >= {"rail", "top", "list"}


async def test_the_keyboard_reaches_every_part_by_tab(office: Office, qtbot) -> None:
    await office.open()
    window = office.window
    window.rail.switcher.setFocus()
    seen: list[object] = []
    for _ in range(60):
        focus = QApplication.focusWidget()
        if focus in seen:
            break
        seen.append(focus)
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
    parts = [window.rail, window.top, window.body.pages]
    for part in parts:
        assert any(part.isAncestorOf(widget) for widget in seen), part
    assert QApplication.focusWidget() in seen  # it comes round again: nothing holds the keyboard


async def test_no_key_is_claimed_twice(office: Office) -> None:
    await office.open()
    for place in (*(place.id for place in PLACES), "search"):
        office.window.desk.show(place)
        assert office.window.registry.conflicts() == []


async def test_every_command_says_what_it_does(office: Office) -> None:
    await office.open()
    for place in (*(place.id for place in PLACES), "search"):
        office.window.desk.show(place)
        for command in office.window.registry.all():
            assert command.help.endswith("."), command.id
            assert "!" not in command.title + command.help


async def test_undo_by_button_and_by_key(office: Office, qtbot) -> None:
    await office.open()
    done: list[str] = []

    def undo(word: str) -> Undo:
        async def back() -> None:
            done.append(word)

        return Undo(f"Removed “{word}”.", back)

    window = office.window
    window.undos.offer(undo("one"))
    window.undos.offer(undo("two"))
    assert window.toast.text.text() == "Removed “two”."
    window.toast.button.click()
    await until(lambda: done == ["two"])
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    await until(lambda: done == ["two", "one"])
    assert not window.undos


async def test_errors_are_said_where_they_belong(office: Office) -> None:
    await office.open()
    window = office.window
    page = office.list_page
    window.problems.report(UserError("“scan.pdf” is locked."), page)
    assert any("locked" in label.text() for label in page.findChildren(type(page.title)))
    window.problems.report(UserError("That can't be done."))
    assert window.toast.text.text() == "That can't be done."
    window.problems.report(EnvironmentFault("The disk is full. Free some space."))
    window.problems.report(EnvironmentFault("The disk is full. Free some space."))
    await asyncio.sleep(0.01)
    banners = [banner for banner in window.findChildren(Banner) if banner.isVisible()]
    assert [banner.sentence for banner in banners] == ["The disk is full. Free some space."]
    window.problems.report(asyncio.CancelledError())
    window.problems.report(ZeroDivisionError())
    assert [type(defect) for defect in office.defects] == [ZeroDivisionError]
    office.defects.clear()


async def test_palette_runs_commands_by_keyboard_alone(office: Office, qtbot) -> None:
    await office.open()
    window = office.window
    window.desk.view.focus_list()
    qtbot.keyClick(window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    card = window.palette_card
    assert card.line.hasFocus()
    qtbot.keyClicks(card.line, "larger")
    qtbot.keyClick(card.line, Qt.Key.Key_Return)
    assert office.theme.scale == 110
    assert not card.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(card.line, Qt.Key.Key_Escape)
    assert not card.isVisible()
    assert office.settings.get(declared.SCALE) == 110


async def test_details_fold_and_lie_over_the_list_when_narrow(office: Office) -> None:
    await office.open()
    window = office.window
    body = window.body
    assert body.side_open
    window.acts.fold_side()
    assert not body.side_open
    assert body.pages.width() == body.width()
    window.acts.fold_side()
    window.resize(700, 600)
    await asyncio.sleep(0.02)
    assert window.rail.folded
    assert body.narrow
    assert not body.side_open
    window.acts.fold_side()
    assert body.side_open
    assert body.pages.width() == body.width()
    window.acts.back()
    assert not body.side_open


async def test_window_comes_back_within_reach(office: Office, qapp: QApplication) -> None:
    office.settings.set(declared.GEOMETRY, "90000,90000,900,700")
    again = new_window(office, qapp)
    again.show()
    assert any(screen.availableGeometry().intersects(again.geometry()) for screen in qapp.screens())
    await again.shut()


async def test_closing_asks_the_owner(office: Office) -> None:
    asked: list[bool] = []
    office.window.quit_wanted.connect(lambda: asked.append(True))
    office.window.close()
    assert asked == [True]
    assert office.window.isVisible()


async def test_help_lists_every_key(office: Office) -> None:
    await office.open()
    command = office.window.registry.find("window.help")
    assert command is not None
    office.window.registry.run(command)
    dialog = await office.dialog()
    texts = {label.text() for label in dialog.findChildren(type(office.window.toast.text))}
    assert {"Search", "Add papers", "In this place"} & texts
    dialog.reject()
    await asyncio.sleep(0.02)


async def test_a_file_named_like_a_place_is_no_danger(office: Office, tmp_path: Path) -> None:
    """The box takes any text literally; nothing that is typed can raise or show markup."""
    await office.open()
    line = office.window.top.search.line
    assert isinstance(line, QLineEdit)
    for text in ('"', "<b>x</b>", "a" * 5_000, "' OR 1=1 --", "\u202e\u0000\ufffd", "🩺" * 30, "NEAR(", "*"):
        line.setText(text)
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)
    office.window.top.search.leave()


class Flashes(QObject):
    """Notes every widget that is shown as a window of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.seen.append(type(watched).__name__)
        return False


async def test_no_part_flashes_up_as_a_window_of_its_own(office: Office, qapp: QApplication) -> None:
    flashes = Flashes()
    qapp.installEventFilter(flashes)
    await office.open()
    for place in PLACES:
        office.window.desk.show(place.id)
        await asyncio.sleep(0.05)
    office.window.show_banner("The disk is full.")
    office.window.say("Something.")
    await office.open(office.south)
    qapp.removeEventFilter(flashes)
    assert flashes.seen == []


async def test_an_open_dialog_does_not_hold_up_the_close(office: Office) -> None:
    await office.open()
    window = office.window
    window.desk.show("shared")
    window.registry.run(next(command for command in window.registry.by_owner()["place"] if command.main))
    dialog = await office.dialog()
    started = time.perf_counter()
    await window.desk.open(office.south)
    assert time.perf_counter() - started < 2
    assert not [other for other in window.findChildren(type(dialog)) if other.isVisible()]


async def test_taking_in_many_papers_stops_when_one_switches(office: Office, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr("ui.shell.session.GRACE", 0.05)
    workspace = await office.open()
    many = tmp_path / "many"
    many.mkdir()
    for number in range(400):
        (many / f"{number}.txt").write_text(f"paper {number}")
    office.window.acts.take(Given(paths=(many,)))
    await until(lambda: office.window.rail.buttons["papers"].accessibleName() != "Papers, 0")
    del workspace
    await office.window.desk.open(office.south)
    again = await office.open(office.north)
    state = await again.papers.queue()
    assert 0 < state.waiting + state.reading + state.searchable < 400


async def test_arrows_in_the_rail_go_from_place_to_place(office: Office, qtbot) -> None:
    await office.open()
    rail = office.window.rail
    office.window.desk.show(PLACES[0].id)
    rail.focus_part()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down)
    assert rail.buttons[PLACES[1].id].hasFocus()
    assert office.window.desk.place == PLACES[1].id


async def test_a_workspace_is_checked_and_says_what_it_found(office: Office) -> None:
    workspace = await office.open()
    for name in ("whole.txt", "lost.txt"):
        (office.folder / name).write_text(f"The text of {name}")
    taken = await workspace.papers.add([office.folder / "whole.txt", office.folder / "lost.txt"])
    await workspace.papers.idle()
    lost = taken[1].paper
    assert lost is not None
    (office.folder / "lost.txt").unlink()
    (office.north / "artifacts" / "sha256" / lost.digest[:2] / lost.digest).unlink()
    command = office.window.registry.find("workspace.check")
    assert command is not None
    office.window.registry.run(command)
    sheet = await office.dialog()
    assert isinstance(sheet, CheckSheet)
    await until(lambda: sheet.close_button.text() == "Close")
    assert "2 papers checked." in sheet.said.text()
    assert "Damaged or lost: “lost.txt”." in sheet.said.text()
    await office.press("Close")
    paper = await workspace.papers.get(lost.id)
    assert "Add the file once more" in paper.notes[0].sentence
