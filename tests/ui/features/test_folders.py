"""The place of watched folders."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QPushButton

from core.domain import watching
from core.domain.query import Mode
from core.domain.watching import FolderState, Keep
from core.errors import UserError
from core.services import folder_watch
from tests.ui.features.desk import Desk, until
from ui.commands.place import PlaceView
from ui.folders.dialog import FolderSheet
from ui.folders.view import FoldersView
from ui.papers.view import PapersView
from ui.qt.paged import LineRole
from ui.search.view import SearchPlaceView


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "SETTLED_SECONDS", 0.1)
    monkeypatch.setattr(folder_watch, "TICK", 0.05)
    monkeypatch.setattr(folder_watch, "CHECK", 0.3)


@pytest.fixture
def scans(tmp_path: Path) -> Path:
    folder = tmp_path / "Scans"
    folder.mkdir()
    (folder / "letter.txt").write_text("Implant at tooth 36")
    return folder


async def shown(desk: Desk, count: int) -> FoldersView:
    view = desk.build(FoldersView)
    assert isinstance(view, FoldersView)
    await until(lambda: view.presenter.model.state == "ready" and view.presenter.model.rowCount() == count)
    return view


async def sheet_of(view: FoldersView) -> FolderSheet:
    await until(lambda: any(each.isVisible() for each in view.page.window().findChildren(FolderSheet)))
    return next(each for each in view.page.window().findChildren(FolderSheet) if each.isVisible())


def texts(view: PlaceView) -> str:
    assert view.inspector is not None
    return "\n".join(label.text() for label in view.inspector.findChildren(QLabel))


async def test_a_folder_is_watched_through_the_dialog_and_its_file_is_a_paper(
    desk: Desk, scans: Path, qtmodeltester: object
) -> None:
    view = await shown(desk, 0)
    adding = desk.writes.start(view.add_at(scans))
    sheet = await sheet_of(view)
    assert "own copy" in sheet.what_follows.text()
    sheet.keep.set_value(Keep.LINK.value)
    sheet.keep.chosen.emit(Keep.LINK.value)
    assert "Nothing is copied" in sheet.what_follows.text()
    sheet.rules.setPlainText("*.tmp\n!")
    sheet.save()
    await until(lambda: "Line 2 of the rules" in sheet.wrong.text())
    sheet.rules.setPlainText("*.tmp")
    sheet.save()
    await adding
    await until(lambda: view.presenter.one is not None and view.presenter.one.files == 1)
    await until(lambda: view.presenter.one is not None and view.presenter.one.state is FolderState.WATCHING)
    await until(lambda: view.presenter.model.index(0, 0).data(LineRole).status == "Watching")
    line = view.presenter.model.index(0, 0).data(LineRole)
    assert (line.title, line.status, line.detail) == ("Scans", "Watching", "1 file taken in · linked in place")
    assert "Leave" not in texts(view)
    assert "*.tmp" in texts(view)
    qtmodeltester.check(view.presenter.model, force_py=True)  # pyright: ignore[reportAttributeAccessIssue]
    papers = desk.build(PapersView)
    assert isinstance(papers, PapersView)
    await until(lambda: papers.presenter.model.rowCount() == 1)
    papers.list_page.list.pick(0)
    await until(lambda: "Scans/letter.txt (watched)" in texts(papers) and "Linked in place" in texts(papers))
    (scans / "letter.txt").unlink()
    await until(lambda: "Its file is not there any more" in texts(papers))
    await until(lambda: "(not there any more)" in texts(papers))
    await until(lambda: papers.presenter.model.index(0, 0).data(LineRole).status == "File is gone")


async def test_a_hit_in_a_paper_whose_file_is_gone_says_so(desk: Desk, scans: Path) -> None:
    folder = await desk.workspace.folders.add(scans, Keep.LINK)
    await desk.workspace.folders.idle()
    await desk.workspace.papers.idle()
    (scans / "letter.txt").unlink()
    async with asyncio.timeout(10):
        while not (await desk.workspace.folders.get(folder.id)).gone:  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.02)
    view = desk.build(SearchPlaceView)
    assert isinstance(view, SearchPlaceView)
    view.ask("implant", Mode.WORDS)
    await until(lambda: view.presenter.model.rowCount() == 1)
    await until(lambda: view.presenter.hit_at(0) is not None)
    view.presenter.choose(view.presenter.hit_at(0))
    await until(lambda: "is not there any more" in texts(view))


async def test_a_folder_that_can_not_be_watched_is_refused_before_the_dialog(desk: Desk, scans: Path) -> None:
    view = await shown(desk, 0)
    (scans.parent / "South" / "memory").mkdir(parents=True)
    (scans.parent / "South" / "workspace.toml").write_text('id = "south"')
    with pytest.raises(UserError, match="Workspaces are kept apart"):
        await view.add_at(scans.parent / "South" / "memory")
    await desk.workspace.folders.add(scans)
    with pytest.raises(UserError, match="watched already"):
        await view.add_at(scans)


async def test_pausing_going_on_and_stopping_with_their_undo(desk: Desk, scans: Path) -> None:
    folder = await desk.workspace.folders.add(scans)
    view = await shown(desk, 1)
    view.select(folder.id)
    await until(lambda: view.presenter.one is not None)
    await view.presenter.pause()
    await until(lambda: view.presenter.one is not None and view.presenter.one.state is FolderState.PAUSED)
    assert view.inspector is not None
    await until(lambda: any(each.text() == "Go on" for each in view.inspector.findChildren(QPushButton)))
    await desk.take_back()
    await until(lambda: view.presenter.one is not None and view.presenter.one.state is FolderState.WATCHING)
    await view.presenter.stop()
    await until(lambda: view.presenter.model.rowCount() == 0)
    await desk.take_back()
    await until(lambda: view.presenter.model.rowCount() == 1)
    view.select(folder.id)
    await until(lambda: view.presenter.one is not None)
    await view.presenter.pause()
    await until(view.presenter.can_go_on)
    await view.presenter.stop()
    await desk.take_back()
    assert (await desk.workspace.folders.get(folder.id)).state is FolderState.PAUSED


async def test_changing_asks_with_what_stands_and_can_be_undone(desk: Desk, scans: Path) -> None:
    folder = await desk.workspace.folders.add(scans, Keep.COPY, "*.tmp", False)
    view = await shown(desk, 1)
    view.select(folder.id)
    await until(lambda: view.presenter.one is not None)
    changing = desk.writes.start(view.change())
    sheet = await sheet_of(view)
    assert (sheet.keep.value, sheet.within.value, sheet.rules.toPlainText()) == ("copy", "no", "*.tmp")
    sheet.within.set_value("yes")
    sheet.save()
    await changing
    assert (await desk.workspace.folders.get(folder.id)).subfolders
    await desk.take_back()
    assert not (await desk.workspace.folders.get(folder.id)).subfolders
