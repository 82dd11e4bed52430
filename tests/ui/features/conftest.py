"""The places of the window, each on a real workspace in a folder of its own."""

import functools
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.ui.features.desk import Desk
from ui.widgets.theme import Theme


@pytest.fixture(scope="session")
def look(qapp: QApplication) -> Theme:
    """The window's font, colours and measures."""
    return Theme(qapp, choice="light")


@pytest.fixture
def desk(look: Theme, clean_desk: None, tmp_path: Path) -> Desk:
    """A workspace and what surrounds a place of the window; open while the test runs."""
    return Desk(tmp_path / "workspace")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    """Open the desk for the test, and fail a test where an error was reported that it didn't take."""
    desk, test = pyfuncitem.funcargs.get("desk"), pyfuncitem.obj
    if not isinstance(desk, Desk):
        return

    @functools.wraps(test)
    async def on_desk(**arguments: object) -> None:
        async with desk:
            await test(**arguments)
        assert not desk.errors, f"errors reported: {desk.errors}"

    pyfuncitem.obj = on_desk
