"""The places of the window, each on a real workspace in a folder of its own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.ui.features.desk import Desk, open_desk
from ui.widgets.theme import Theme


@pytest.fixture(scope="session")
def look(qapp: QApplication) -> Theme:
    """The window's font, colours and measures."""
    return Theme(qapp, choice="light")


@pytest.fixture
async def desk(look: Theme, clean_desk: None, tmp_path: Path) -> AsyncIterator[Desk]:
    """A workspace with a place of the window; fails the test where an error was reported that it didn't take."""
    made = await open_desk(tmp_path / "workspace")
    yield made
    await made.close()
    assert not made.errors, f"errors reported: {made.errors}"
