"""Dialogs that are awaited: no nested loop, an answer for every way out."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QPushButton, QWidget

from ui.qt import dialogs


@pytest.fixture
def window(qtbot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


async def opened(window: QWidget) -> QDialog:
    """The dialog that a coroutine just opened."""
    for _ in range(100):
        await asyncio.sleep(0.005)
        found = [dialog for dialog in window.findChildren(QDialog) if dialog.isVisible()]
        if found:
            return found[0]
    raise AssertionError("no dialog opened")


def press(dialog: QDialog, words: str) -> None:
    next(button for button in dialog.findChildren(QPushButton) if button.text() == words).click()


async def test_others_go_on_while_one_is_open(window: QWidget) -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.001)
            ticks += 1

    ticking = asyncio.create_task(tick())
    asked = asyncio.create_task(dialogs.confirm(window, "Erase", "It can't be undone.", "Erase", danger=True))
    dialog = await opened(window)
    before = ticks
    await asyncio.sleep(0.05)
    assert ticks > before
    press(dialog, "Erase")
    assert await asked is True
    ticking.cancel()


async def test_put_away_is_no(window: QWidget) -> None:
    asked = asyncio.create_task(
        dialogs.choose(window, "Copy", "It is there twice.", (("own", "Keep"), ("drop", "Forget")))
    )
    (await opened(window)).reject()
    assert await asked is None
    asked = asyncio.create_task(
        dialogs.choose(window, "Copy", "It is there twice.", (("own", "Keep"), ("drop", "Forget")))
    )
    press(await opened(window), "Forget")
    assert await asked == "drop"


async def test_text_is_checked_as_one_types(window: QWidget) -> None:
    asked = asyncio.create_task(
        dialogs.ask_text(
            window, "Rename", "", field="Name", act="Rename", text="Old",
            check=lambda text: None if text.strip() else "Give it a name.",
        )
    )  # fmt: skip
    dialog = await opened(window)
    line = dialog.findChild(QLineEdit)
    act = next(button for button in dialog.findChildren(QPushButton) if button.text() == "Rename")
    assert line.text() == "Old"
    line.setText(" ")
    assert not act.isEnabled()
    line.setText("New")
    assert act.isEnabled()
    act.click()
    assert await asked == "New"


async def test_a_name_must_be_typed_as_it_is(window: QWidget) -> None:
    asked = asyncio.create_task(dialogs.type_name(window, "Delete", "", "Northside Clinic", "Move to the trash"))
    dialog = await opened(window)
    act = next(button for button in dialog.findChildren(QPushButton) if "trash" in button.text())
    for typed, allowed in (("", False), ("northside clinic", False), ("Northside  Clinic", True)):
        dialog.findChild(QLineEdit).setText(typed)
        assert act.isEnabled() is allowed
    act.click()
    assert await asked == "Northside  Clinic"


async def test_cancelling_the_caller_closes_the_dialog(window: QWidget) -> None:
    asked = asyncio.create_task(dialogs.message(window, "Note", "Something."))
    await opened(window)
    asked.cancel()
    await asyncio.wait([asked])
    assert not [left for left in window.findChildren(QDialog) if left.isVisible()]


async def test_files_and_folders(window: QWidget, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    asked = asyncio.create_task(dialogs.choose_folder(window, "Where", tmp_path))
    dialog = await opened(window)
    assert isinstance(dialog, QFileDialog)
    dialog.accept()
    answer = await asked
    assert answer is not None
    assert answer.resolve() == tmp_path.resolve()
    asked = asyncio.create_task(dialogs.choose_files(window, "Add"))
    (await opened(window)).reject()
    assert await asked == []
    assert QApplication.activeModalWidget() is None
