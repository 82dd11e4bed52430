"""Asking where a selection is to be written, and in which form; and saying that it was."""

from pathlib import Path

from PySide6.QtWidgets import QWidget

from core.domain.conversation_files import FileFormat
from core.domain.workspaces import folder_name
from ui.qt.dialogs import choose, choose_target
from ui.widgets.list_page import ListPage

FORMATS = ((FileFormat.MARKDOWN, "To read (Markdown)"), (FileFormat.CSV, "As a table (CSV)"), (FileFormat.JSON, "JSON"))
DETAIL = "JSON holds everything, for other programs. The file is written whole, or not at all."
LONGEST = 80


async def ask_where(parent: QWidget, what: str, name: str, title: str) -> tuple[FileFormat, Path] | None:
    """what: the selection in words ("3 memories"). name: what the file is called, without its ending. None when put
    away."""
    answers = [(format.value, words) for format, words in FORMATS]
    chosen = await choose(parent, title, f"How should {what} be written?", answers, DETAIL)
    if chosen is None:
        return None
    target = await choose_target(parent, title, f"{folder_name(name)[:LONGEST]}.{chosen}")
    return None if target is None else (FileFormat(chosen), target)


def wrote(page: ListPage, things: str, target: Path) -> None:
    """Say above the list what was written where."""
    page.note(f"Wrote {things} to “{target.name}”.")
