"""Memories in the place of long-term memory, and an assistant who writes to them too."""

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QDialog, QWidget

from core.adapters.sqlite.memory import SqliteMemory
from core.domain.memory import Record
from core.domain.tiers import Tier
from tests.fakes.cutting import OnePassage
from tests.ui.features.desk import Desk, until
from ui.longterm.view import LongTermView

Shown = TypeVar("Shown", bound=QDialog)


def assistant(desk: Desk) -> SqliteMemory:
    """The same memory, written to by an assistant."""
    memory = desk.workspace.memory
    assert isinstance(memory, SqliteMemory)
    return SqliteMemory(memory._database, OnePassage(), "assistant:desk")


async def shown(desk: Desk, *titles: str) -> LongTermView:
    for title in titles:
        metadata = {"title": title, "tags": ["access"]}
        await desk.workspace.memory.remember(title.lower(), f"{title}: ring twice.", Tier.SEMANTIC, metadata=metadata)
    view = desk.build(LongTermView)
    assert isinstance(view, LongTermView)
    await until(lambda: view.presenter.model.state == "ready" and view.presenter.model.rowCount() == len(titles))
    return view


async def pick(view: LongTermView, key: str) -> Record:
    await view._select(f"7:default:{key}")
    await until(lambda: view.presenter.one is not None and view.presenter.one.key == key)
    one = view.presenter.one
    assert one is not None
    return one


async def stored(desk: Desk, key: str) -> Record:
    record = await desk.workspace.memory.get(key)
    assert record is not None
    return record


async def sheet_of(view: LongTermView, kind: type[Shown]) -> Shown:
    await until(lambda: any(each.isVisible() for each in view.page.window().findChildren(kind)))
    return next(each for each in view.page.window().findChildren(kind) if each.isVisible())


def nameless(window: QWidget) -> list[str]:
    """Widgets in the tab order that a screen reader can't name."""
    found = []
    for widget in window.findChildren(QWidget):
        reached = widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if reached and widget.focusProxy() is None:
            face = QAccessible.queryAccessibleInterface(widget)
            if face is None or not face.text(QAccessible.Text.Name).strip():
                found.append(f"{type(widget).__name__} {widget.objectName()}")
    return found
