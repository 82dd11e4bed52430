"""The whole window over real workspaces; only reading and meaning are done in process."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.ui.shell.office import Office, open_office


@pytest.fixture
async def office(qapp: QApplication, tmp_path: Path) -> AsyncIterator[Office]:
    """A window, and two workspaces of which none is open yet."""
    made = await open_office(qapp, tmp_path)
    yield made
    await made.close()
