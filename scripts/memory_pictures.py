"""The pictures of memory beyond full and empty: its past, two edits that cross, proposals, the trash.

Used by screenshots.py.

All of it is done as a person would, on the open sample workspace; another writer stands in for an assistant.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog

    from core.domain.memory import Record
    from core.services.workspace import Workspace
    from ui.shell.window import MainWindow

NOTES = {
    "Key of the cupboard": "It hangs behind the door of the kitchen until Friday.",
    "Parking in front of the house": "Closed for roadworks this week; patients park in Mill Lane.",
}
Take = Callable[[str, "QDialog | None"], Awaitable[None]]
"""Takes a picture of the window, or of a dialog over it."""


async def memory_pictures(window: "MainWindow", take: Take) -> None:
    """Every state that memory has beyond full and empty."""
    session = window.desk.session
    assert session is not None
    workspace = session.workspace
    assistant = _assistant(workspace)
    record = await _with_a_past(workspace, assistant)
    await workspace.meaning.idle()
    await _longterm(window, take, record, assistant)
    await _shared(window, take, workspace)
    await _trash(window, take, workspace)
    while window.acts.can_undo():
        await window.acts.undo()
    window.toast.put_away()
    for key in ("wheelchairs", *(_key(title) for title in NOTES)):
        await workspace.memory.forget(key)
    await workspace.shared.delete("greeting")
    await workspace.trash.empty()


def _key(title: str) -> str:
    return title.lower().replace(" ", "-")


def _assistant(workspace: "Workspace") -> Any:
    """The same memory for another writer, as the program's own server would hand it out."""
    from core.adapters.sqlite.memory import SqliteMemory

    memory: Any = workspace.memory
    return SqliteMemory(memory._database, memory._cutter, "assistant:Front desk")


async def _with_a_past(workspace: "Workspace", assistant: Any) -> "Record":
    from dataclasses import replace

    from core.domain.memory import Source
    from core.domain.tiers import Tier

    session = (await workspace.sessions.rows(await workspace.sessions.snapshot(_all())))[0]
    assert session is not None
    text = "Patients in a wheelchair use the north door. Ring twice, then wait for the porter."
    metadata = {"title": "Wheelchairs", "tags": ["access"]}
    source = Source("session", session.id, session.title)
    await assistant.remember("wheelchairs", text, Tier.SEMANTIC, metadata=metadata, source=source)
    await assistant.recall("which door for a wheelchair", learn=True)
    record = await workspace.memory.get("wheelchairs")
    assert record is not None
    better = replace(record, value=text.replace("twice", "once").replace("the porter", "somebody from the desk"))
    for title, text in NOTES.items():
        key = _key(title)
        await assistant.remember(key, text, Tier.WORKING, metadata={"title": title})
        for _ in range(5):
            await assistant.reinforce(key)
    return await workspace.book.edit(better, record.version)


def _all() -> Any:
    from core.ports.rows import ListQuery

    return ListQuery()


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.02)


async def _dialog(window: "MainWindow") -> "QDialog":
    from PySide6.QtWidgets import QDialog

    async with asyncio.timeout(10):
        while True:
            shown = [each for each in window.findChildren(QDialog) if each.isVisible()]
            if shown:
                return shown[0]
            await asyncio.sleep(0.02)


async def _longterm(window: "MainWindow", take: Take, record: "Record", assistant: Any) -> None:
    from core.domain.tiers import Tier
    from ui.widgets.fold import Fold

    window.desk.show("longterm", record.id)
    view: Any = window.desk.view
    await _until(lambda: view.proposal is not None and view.proposal.isVisible() and view.presenter.one == record)
    await take("longterm-proposals", None)
    for name in ("uses", "versions"):
        view.details._opened.add(name)
    view._browser.show_again()
    await asyncio.sleep(0.4)
    fold = view.details.findChildren(Fold)[0]
    view.details.show_at(fold, 0)
    await take("longterm-versions", None)
    view.details._opened.clear()
    view._browser.show_again()
    await _crossing(window, take, assistant, record, Tier.SEMANTIC)
    for name, act in (("decide", view.look_at_proposals), ("tags", view.change_tags), ("kind", view.change_kind)):
        window.scope.start(act())
        opened = await _dialog(window)
        await take(f"longterm-{name}", opened)
        opened.reject()
        await asyncio.sleep(0.1)
    window.scope.start(view.ask())
    sheet: Any = await _dialog(window)
    sheet.line.setText("which door for a wheelchair?")
    await asyncio.sleep(1.0)
    await take("longterm-question", sheet)
    sheet.reject()
    await asyncio.sleep(0.1)
    view.list_page.list.selectAll()
    await asyncio.sleep(0.3)
    await take("longterm-many", None)
    view.list_page.list.pick(0)


async def _crossing(window: "MainWindow", take: Take, assistant: Any, record: "Record", tier: Any) -> None:
    view: Any = window.desk.view
    window.scope.start(view.edit())
    sheet: Any = await _dialog(window)
    sheet.text.setPlainText(f"{record.value} In winter the north door is locked at five.")
    theirs = "Patients in a wheelchair use the west door. Ring once, then wait for somebody from the desk."
    await assistant.remember(record.key, theirs, tier, metadata=record.metadata)
    sheet.save()
    await asyncio.sleep(0.5)
    await take("longterm-conflict", sheet)
    sheet.reject()
    await asyncio.sleep(0.1)


async def _shared(window: "MainWindow", take: Take, workspace: "Workspace") -> None:
    from ui.widgets.fold import Fold

    await workspace.shared.set("greeting", "Northside Clinic, good morning. How can we help?")
    await workspace.shared.set("greeting", "Northside Clinic, good morning. This is Anna. How can I help you?")
    window.desk.show("shared", "greeting")
    await asyncio.sleep(0.5)
    view: Any = window.desk.view
    for fold in view.details.findChildren(Fold):
        fold.toggle()
    await asyncio.sleep(0.4)
    await take("shared-versions", None)


async def _trash(window: "MainWindow", take: Take, workspace: "Workspace") -> None:
    window.desk.show("longterm", "7:default:wheelchairs")
    await asyncio.sleep(0.5)
    view: Any = window.desk.view
    await view.presenter.forget()
    window.desk.show("shared", "greeting")
    await asyncio.sleep(0.3)
    view = window.desk.view
    await view.presenter.delete()
    number = (await workspace.sessions.snapshot(_all()))[0]
    session = (await workspace.sessions.rows([number]))[0]
    assert session is not None
    await workspace.conversations.remove(session.id)
    window.toast.put_away()
    window.desk.show("trash")
    window.desk.focus_list()
    await asyncio.sleep(0.4)
    view = window.desk.view
    view.list_page.list.pick(0)
    await take("trash-full", None)
    await workspace.conversations.restore(session.id)
