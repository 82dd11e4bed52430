"""Everything that the keyboard reaches has a name, and rows are said with their kind."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget

from app.paths import resources
from app.sample import fill
from tests.ui.features.desk import Desk, until
from ui.commands.place import PlaceContext, PlaceView
from ui.conversations.view import ConversationsView
from ui.jobs.view import JobsView, ScratchpadView
from ui.longterm.view import LongTermView
from ui.papers.view import PapersView
from ui.shared.view import SharedView
from ui.trash.view import TrashView
from ui.widgets.list_page import ListPage

PLACES = [PapersView, LongTermView, ConversationsView, SharedView, JobsView, ScratchpadView, TrashView]


def unnamed(window: QWidget) -> list[str]:
    """Widgets in the tab order that a screen reader can say nothing of."""
    found: list[str] = []
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or not widget.focusPolicy() & Qt.FocusPolicy.TabFocus or widget.focusProxy():
            continue
        said = QAccessible.queryAccessibleInterface(widget)
        if said is None or not said.text(QAccessible.Text.Name).strip():
            found.append(f"{type(widget).__name__} in {type(widget.parent()).__name__}")
    return found


@pytest.mark.parametrize("make", PLACES)
async def test_what_the_keyboard_reaches_has_a_name(desk: Desk, make: Callable[[PlaceContext], PlaceView]) -> None:
    await fill(desk.workspace, resources() / "sample")
    await desk.workspace.papers.idle()
    view = desk.build(make)
    page = view.page
    assert isinstance(page, ListPage)
    await until(lambda: page.model.state == "ready")
    assert unnamed(page.window()) == []
    if page.model.rowCount():
        page.list.pick(0)
        await until(lambda: page.model.row_at(0) is not None)
        said = page.model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
        assert ": " in said
        assert view.inspector is not None
        title = getattr(view.inspector, "title")  # noqa: B009 - an Inspector, whatever its place
        await until(lambda: title.text())
        assert unnamed(page.window()) == []


@pytest.mark.parametrize("make", PLACES)
async def test_commands_are_complete_and_their_keys_free(desk: Desk, make: Callable[[PlaceContext], PlaceView]) -> None:
    view = desk.build(make)
    commands = view.commands()
    assert len({command.id for command in commands}) == len(commands)
    keys = [key for command in commands for key in command.keys]
    assert len(set(keys)) == len(keys)
    assert all(command.help.endswith(".") for command in commands)
    assert sum(command.main for command in commands) <= 1
    for command in commands:
        if not command.main:
            assert not command.when(), f"{command.id} is offered though nothing is chosen"
