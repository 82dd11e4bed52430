"""What is dropped or pasted: files, folders, pictures, text, links; words while it is dragged."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication, QImage

from core.domain.conversations import ToldConversation, Turn
from core.domain.memory import Role
from core.ports.rows import ListQuery
from tests.ui.features.desk import until
from tests.ui.shell.office import Office
from ui.shell.intake import LINK, NOTHING, VIRTUAL, look, words_for

COPY, LEFT, NONE = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def files(*paths: Path) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return mime


def text(words: str) -> QMimeData:
    mime = QMimeData()
    mime.setText(words)
    return mime


def drag(office: Office, mime: QMimeData) -> QDragEnterEvent:
    event = QDragEnterEvent(QPoint(600, 400), COPY | Qt.DropAction.MoveAction, mime, LEFT, NONE)
    office.window.dragEnterEvent(event)
    return event


def drop(office: Office, mime: QMimeData) -> QDropEvent:
    event = QDropEvent(QPoint(600, 400), COPY | Qt.DropAction.MoveAction, mime, LEFT, NONE)
    office.window.dropEvent(event)
    return event


async def names(office: Office) -> list[str]:
    rows = office.workspaces.current.papers.rows
    return sorted(paper.name for paper in await rows.rows(await rows.snapshot(ListQuery())) if paper)


async def test_files_light_the_window_and_come_in(office: Office, tmp_path: Path) -> None:
    await office.open()
    office.window.desk.show("longterm")
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"paper {name}")
    mime = files(tmp_path / "a.txt", tmp_path / "b.txt")
    event = drag(office, mime)
    assert event.isAccepted()
    assert event.dropAction() is COPY
    assert office.window.light.isVisible()
    assert office.window.light.words == "Add 2 papers to Northside Clinic"
    office.window.dragLeaveEvent(QDragLeaveEvent())
    assert not office.window.light.isVisible()
    drag(office, mime)
    assert drop(office, mime).dropAction() is COPY  # never move: the source must not delete its files
    assert not office.window.light.isVisible()
    assert office.window.desk.place == "papers"
    await office.window.desk.session.writes.finish()
    assert await names(office) == ["a.txt", "b.txt"]
    assert (tmp_path / "a.txt").is_file()
    assert office.window.undos
    await office.window.acts.undo()
    assert await names(office) == []


def export(office: Office, folder: Path) -> Path:
    turn = Turn(Role.USER, "Which room?", 1_700_000_000.0, "m")
    office.exports.files["talks.zip"] = [ToldConversation("ChatGPT", "1", "Room plan", None, None, (turn,))]
    (folder / "talks.zip").write_bytes(b"PK")
    return folder / "talks.zip"


async def sessions(office: Office) -> int:
    return await office.workspaces.current.sessions.count()


async def test_an_export_of_conversations_is_offered_as_such(office: Office, tmp_path: Path) -> None:
    await office.open()
    drop(office, files(export(office, tmp_path)))
    dialog = await office.dialog()
    assert dialog.windowTitle() == "Conversations from ChatGPT"
    await office.press("Import conversations")
    await office.window.desk.session.writes.finish()
    assert (office.window.desk.place, await sessions(office), await names(office)) == ("conversations", 1, [])
    await office.window.acts.undo()
    assert await sessions(office) == 0


async def test_an_export_can_be_kept_as_a_paper_or_left(office: Office, tmp_path: Path) -> None:
    await office.open()
    office.window.desk.show("longterm")
    await office.workspaces.current.papers.pause()
    path = export(office, tmp_path)
    drop(office, files(path))
    await office.press("Cancel")
    await office.window.desk.session.writes.finish()
    assert (office.window.desk.place, await sessions(office), await names(office)) == ("longterm", 0, [])
    drop(office, files(path))
    await office.press("Keep as a paper")
    await office.window.desk.session.writes.finish()
    assert (office.window.desk.place, await sessions(office), await names(office)) == ("papers", 0, ["talks.zip"])


async def test_an_archive_that_is_no_export_becomes_a_paper_at_once(office: Office, tmp_path: Path) -> None:
    await office.open()
    await office.workspaces.current.papers.pause()
    (tmp_path / "letters.zip").write_bytes(b"PK")
    drop(office, files(tmp_path / "letters.zip"))
    await office.window.desk.session.writes.finish()
    assert (office.window.desk.place, await names(office)) == ("papers", ["letters.zip"])


async def test_nothing_lights_up_without_a_workspace(office: Office, tmp_path: Path) -> None:
    await office.window.desk.open_last()
    assert not drag(office, files(tmp_path / "a.txt")).isAccepted()
    assert not office.window.light.isVisible()


async def test_text_and_pictures_become_papers_and_leave_no_trace(office: Office) -> None:
    workspace = await office.open()
    await workspace.papers.pause()  # the reader of the tests knows plain text alone
    drop(office, text("Call Mrs Adler back on Monday."))
    await office.window.desk.session.writes.finish()
    picture = QImage(20, 20, QImage.Format.Format_RGB32)
    picture.fill(QColor("red"))
    mime = QMimeData()
    mime.setImageData(picture)
    QGuiApplication.clipboard().setMimeData(mime)
    office.window.acts.paste()
    await office.window.desk.session.writes.finish()
    found = await names(office)
    assert [name.split()[0] for name in found] == ["Picture", "Text"]
    assert [name[-4:] for name in found] == [".png", ".txt"]
    assert list((office.north / ".run").glob("pasted-*")) == []
    QGuiApplication.clipboard().clear()


@pytest.mark.parametrize("mime", [text("https://example.org/letter"), QMimeData()])
async def test_what_can_not_be_taken_is_answered(office: Office, mime: QMimeData) -> None:
    await office.open()
    place = office.window.desk.place
    drop(office, mime)
    await until(lambda: office.window.toast.isVisible())
    assert office.window.toast.text.text() in (LINK, NOTHING)
    assert office.window.desk.place == place
    assert await names(office) == []


def test_links_and_virtual_files_get_a_sentence() -> None:
    link = QMimeData()
    link.setUrls([QUrl("https://example.org/a.pdf")])
    assert look(link).sentence == LINK
    odd = QMimeData()
    odd.setData("application/x-virtual-file", b"x")
    assert look(odd).sentence == VIRTUAL
    assert "can't be added" in words_for(link, "Northside Clinic")


def test_words_while_dragging(tmp_path: Path) -> None:
    folder, other = tmp_path / "Scans", tmp_path / "More"
    folder.mkdir()
    other.mkdir()
    one = tmp_path / "a.txt"
    one.write_text("a")
    assert words_for(files(one), "Clinic") == "Add 1 paper to Clinic"
    assert words_for(files(folder), "Clinic") == "Add everything in “Scans” to Clinic"
    assert words_for(files(one, folder, other), "Clinic") == "Add 1 paper and everything in 2 folders to Clinic"
    assert words_for(text("words"), "Clinic") == "Add this to Clinic as a paper"
