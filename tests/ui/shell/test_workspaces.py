"""Workspaces as folders, through the window: create, rename, move, take off, delete, copies, what is missing or
broken.
"""

import asyncio
import shutil
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit

from core.domain.workspaces import KnownState
from tests.ui.features.desk import until
from tests.ui.shell.office import Office


def start(office: Office, id: str) -> None:
    command = office.window.registry.find(id)
    assert command is not None
    office.window.registry.run(command)


async def test_create(office: Office) -> None:
    await office.window.desk.open_last()
    start(office, "workspace.create")
    dialog = await office.dialog()
    dialog.findChild(QLineEdit).setText("  Dr Brandt: practice ")
    await office.press("Create")
    await until(lambda: office.window.desk.workspace_name() == "Dr Brandt: practice")
    assert (office.folder / "Dr Brandt_ practice" / "workspace.toml").is_file()


async def test_rename_and_take_off_the_list(office: Office) -> None:
    await office.open()
    start(office, "workspace.rename")
    (await office.dialog()).findChild(QLineEdit).setText("Riverside Clinic")
    await office.press("Rename")
    await until(lambda: office.window.windowTitle() == "Riverside Clinic — Muniment")
    assert office.window.rail.switcher.text() == "Riverside Clinic"
    start(office, "workspace.take_off")
    await office.press("Close")
    assert [known.name for known in await office.workspaces.list()] == ["Southside Office"]
    assert office.north.is_dir()
    assert office.window.desk.session is None


async def test_move(office: Office, tmp_path: Path) -> None:
    await office.open()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    start(office, "workspace.move")
    dialog = await office.dialog()
    assert isinstance(dialog, QFileDialog)
    dialog.findChild(QLineEdit, "fileNameEdit").setText(str(elsewhere))
    dialog.accept()
    await until(lambda: (elsewhere / office.north.name).is_dir() and office.window.desk.session is not None)
    assert office.window.desk.session.workspace.info.path == (elsewhere / office.north.name).resolve()
    assert not office.north.exists()


async def test_delete_only_after_its_name_was_typed(office: Office) -> None:
    await office.open()
    start(office, "workspace.delete")
    dialog = await office.dialog()
    dialog.findChild(QLineEdit).setText("Northside")
    await office.press("Move to the trash")
    assert office.trash.trashed == []
    dialog.findChild(QLineEdit).setText("Northside Clinic")
    await office.press("Move to the trash")
    await until(lambda: office.trash.trashed == [office.north])
    await until(lambda: [known.name for known in office.window.desk.known] == ["Southside Office"])
    assert office.window.start_page.isVisible()


async def test_a_copy_is_noticed_and_kept_as_its_own(office: Office) -> None:
    copy = office.folder / "Copy of it"
    shutil.copytree(office.north, copy)
    await office.workspaces.add(copy)
    await office.window.desk.refresh()
    states = {known.path: known.state for known in office.window.desk.known}
    assert states[copy.resolve()] is KnownState.COPY
    known = next(known for known in office.window.desk.known if known.path == copy.resolve())
    picking = asyncio.create_task(office.window.acts.folders.pick(known))
    await office.press("Keep as its own workspace")
    await picking
    assert office.window.desk.session.workspace.info.path == copy.resolve()
    assert all(known.state is not KnownState.COPY for known in await office.workspaces.list())


async def test_a_missing_workspace_has_a_way_on(office: Office) -> None:
    office.north.rename(office.folder / "gone")
    await office.window.desk.refresh()
    known = office.window.desk.known[0]
    assert known.state is KnownState.MISSING
    picking = asyncio.create_task(office.window.acts.folders.pick(known))
    await office.press("Take it off the list")
    await picking
    assert [known.name for known in office.window.desk.known] == ["Southside Office"]


async def test_a_broken_workspace_does_not_stop_the_others(office: Office) -> None:
    (office.north / "workspace.toml").write_text("nonsense = [")
    await office.workspaces._known.set_last_opened(office.north)
    await office.window.desk.open_last()
    window = office.window
    assert window.desk.session is None
    assert window.start_page._note is not None
    await office.open(office.south)
    assert window.desk.workspace_name() == "Southside Office"


async def test_switcher_finds_and_opens_by_keyboard(office: Office, qtbot) -> None:
    await office.open()
    window = office.window
    qtbot.keyClick(window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    card = window.switcher_card
    await until(lambda: card.list.count() == 2)
    qtbot.keyClicks(card.line, "south")
    assert card.list.count() == 1
    qtbot.keyClick(card.line, Qt.Key.Key_Return)
    await until(lambda: window.desk.workspace_name() == "Southside Office")
    qtbot.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    await until(lambda: window.desk.workspace_name() == "Northside Clinic")


async def test_quick_switching_ends_where_one_went_last(office: Office) -> None:
    await office.open()
    await asyncio.gather(
        office.window.desk.open(office.south),
        office.window.desk.open(office.north),
        office.window.desk.open(office.south),
    )
    assert office.window.desk.workspace_name() == "Southside Office"
    assert office.workspaces.current is office.window.desk.session.workspace
