"""Terminals for the tests of the command line."""

from pathlib import Path

import pytest

from tests.app.terminal import Terminal
from tests.core.extraction.making import pdf

LETTER = """Dear Mrs Adler,

the quarterly inspection of the autoclave is due on 17 April 2026. Please bring reference KX-4711-B.
"""


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    """A terminal in a new home."""
    return Terminal(tmp_path / "home")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    """A terminal whose only workspace, Front Desk, holds three papers. Tests of it only read."""
    folder = tmp_path_factory.mktemp("filled")
    papers = folder / "papers"
    papers.mkdir()
    (papers / "letter.txt").write_text(LETTER, encoding="utf-8")
    (papers / "report.pdf").write_bytes(pdf("First page about parking", "The boiler was replaced in January"))
    (papers / "notes.md").write_text("# Holidays\n\nThe surgery is closed on Good Friday.\n", encoding="utf-8")
    terminal = Terminal(folder / "home")
    assert terminal.call("workspace", "create", "Front Desk", "--in", folder).code == 0
    added = terminal.call("add", papers)
    assert added.code == 0, added.out + added.err
    return terminal
