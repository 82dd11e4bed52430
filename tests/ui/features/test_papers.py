"""The place of papers."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, Qt, QUrl
from PySide6.QtWidgets import QDialog, QLineEdit

from core.domain.papers import Paper, PaperState
from core.domain.passages import Kind
from core.domain.query import Mode, SearchRequest
from core.errors import UserError
from tests.ui.features.desk import Desk, until
from ui.papers import words
from ui.papers.page_view import LargePage, PageCard
from ui.papers.view import PapersView
from ui.qt.opening import Opener, file_name
from ui.qt.paged import LineRole
from ui.widgets.basics import Button
from ui.widgets.passage_text import PassageText


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    folder = tmp_path / "letters"
    folder.mkdir()
    (folder / "report.txt").write_text("The ramp has a handrail.\n\nSecond.\fPage two.\n\nThe lift is old.", "utf-8")
    (folder / "notes.md").write_text("Frau Müller helps on Tuesdays.", "utf-8")
    (folder / "locked.txt").write_text("Behind a password.", "utf-8")
    (folder / "scan.txt").write_text("x", "utf-8")
    return folder


async def shown(desk: Desk) -> PapersView:
    view = desk.build(PapersView)
    assert isinstance(view, PapersView)
    await until(lambda: view.presenter.model.state == "ready")
    return view


async def filled(desk: Desk, letters: Path) -> PapersView:
    view = await shown(desk)
    await view.take([letters])
    await desk.workspace.papers.idle()
    await until(lambda: spoken(view, "scan.txt").count("Needs attention"))
    return view


def position(view: PapersView, name: str) -> int:
    model = view.presenter.model
    for row in range(model.rowCount()):
        paper = model.row_at(row)
        if paper is not None and paper.name == name:
            return row
    return -1


def spoken(view: PapersView, name: str) -> str:
    row = position(view, name)
    line = view.presenter.model.index(row, 0).data(LineRole) if row >= 0 else None
    return line.spoken if line is not None else ""


async def pick(view: PapersView, name: str) -> None:
    await until(lambda: position(view, name) >= 0)
    view.list_page.list.pick(position(view, name))
    await until(lambda: view.presenter.one is not None and view.presenter.one.name == name)


def buttons(view: PapersView) -> list[str]:
    return [each.text() for each in view.details.findChildren(Button) if each.isVisible() and not each.property("kind")]


async def test_an_empty_list_says_what_lives_here(desk: Desk) -> None:
    view = await shown(desk)
    assert view.list_page.empty.isVisible()
    assert "papers of this workspace" in view.list_page.empty.sentence.text()
    assert view.list_page.empty.button is not None


async def test_papers_show_at_once_and_say_where_they_stand(desk: Desk, letters: Path, qtmodeltester: object) -> None:
    desk.reader.hold.clear()
    view = await shown(desk)
    await view.take([letters])
    await until(lambda: view.presenter.model.rowCount() == 4 and "Reading" in "".join(map(spoken_of(view), range(4))))
    await until(lambda: sum("Waiting" in spoken_of(view)(row) for row in range(4)) == 3)
    desk.reader.hold.set()
    await desk.workspace.papers.idle()
    await until(lambda: "Searchable" in spoken(view, "report.txt"))
    await until(lambda: "locked with a password" in spoken(view, "locked.txt"))
    assert "Text" in spoken(view, "report.txt")
    assert "2 pages" in spoken(view, "report.txt")
    assert view.list_page.count.text() == "4"
    model = view.presenter.model
    assert isinstance(model, QAbstractItemModel)
    qtmodeltester.check(model, force_py=True)  # pyright: ignore[reportAttributeAccessIssue]


def spoken_of(view: PapersView):
    def of(row: int) -> str:
        line = view.presenter.model.index(row, 0).data(LineRole)
        return line.spoken if line is not None else ""

    return of


async def test_the_same_bytes_are_said_to_be_here_already(desk: Desk, letters: Path) -> None:
    view = await filled(desk, letters)
    desk.undos.clear()
    answers = await view.take([letters / "notes.md", letters / "gone.txt"])
    assert [answer.outcome for answer in answers] == ["known", "refused"]
    assert words.intake(answers) == "1 here already, 1 can't be taken."
    await until(lambda: view._note is not None and view._note.isVisible())
    assert not desk.undos


async def test_taking_in_can_be_undone(desk: Desk, letters: Path) -> None:
    view = await shown(desk)
    await view.take([letters / "notes.md"])
    await desk.workspace.papers.idle()
    assert desk.undos[-1].said == "Added “notes.md”."
    await desk.take_back()
    await until(lambda: view.presenter.model.rowCount() == 0)


async def test_the_inspector_shows_a_paper_and_its_text_by_page(desk: Desk, letters: Path) -> None:
    view = await filled(desk, letters)
    await pick(view, "report.txt")
    text = view.details.findChild(PassageText)
    await until(lambda: "The lift is old." in view.details.findChild(PassageText).toPlainText())
    text = view.details.findChild(PassageText)
    assert isinstance(text, PassageText)
    assert text.toPlainText().index("Page 1") < text.toPlainText().index("Page 2")
    assert view.details.title.text() == "report.txt"
    await until(lambda: buttons(view) == ["Open the original", "Save a copy…", "Rename…", "Remove"])


async def test_a_passage_is_opened_on_its_page(desk: Desk, letters: Path) -> None:
    view = await filled(desk, letters)
    paper = view.presenter.model.row_at(position(view, "report.txt"))
    assert paper is not None
    passages = await desk.workspace.search.of_owner(Kind.PAPER, paper.id)
    view.select(paper.id, passages[-1].id)
    await until(lambda: view.presenter.one is not None and view.presenter.one.id == paper.id)
    text = view.details.findChild(PassageText)
    await until(lambda: view.details.findChild(PassageText).top_of("3") is not None)
    text = view.details.findChild(PassageText)
    assert isinstance(text, PassageText)
    marked = [part for part in text._parts if part.role == "found"]
    assert [part.text for part in marked] == ["The lift is old."]


async def test_a_locked_paper_asks_until_the_password_fits(desk: Desk, letters: Path) -> None:
    view = await filled(desk, letters)
    await pick(view, "locked.txt")
    await until(lambda: buttons(view)[:2] == ["Enter password…", "Read again"])
    asking = desk.writes.start(view.enter_password())
    first = await dialog_of(view)
    first.findChild(QLineEdit).setText("wrong")
    first.done(1)
    second = await dialog_of(view, other_than=first)
    assert "doesn't open" in " ".join(label_texts(second))
    second.findChild(QLineEdit).setText("1234")
    second.done(1)
    await asking
    await until(lambda: "Searchable" in spoken(view, "locked.txt"))


async def dialog_of(view: PapersView, other_than: QDialog | None = None) -> QDialog:
    def there() -> list[QDialog]:
        found = view.page.window().findChildren(QDialog)
        return [each for each in found if each.isVisible() and each is not other_than]

    await until(there)
    return there()[0]


def label_texts(dialog: QDialog) -> list[str]:
    from PySide6.QtWidgets import QLabel

    return [label.text() for label in dialog.findChildren(QLabel)]


async def test_removing_can_be_undone_and_keeps_the_rest_chosen(desk: Desk, letters: Path) -> None:
    view = await filled(desk, letters)
    await pick(view, "notes.md")
    await view.presenter.remove()
    await until(lambda: view.presenter.model.rowCount() == 3)
    await until(lambda: view.presenter.chosen_count == 0)
    assert desk.undos[-1].said == "Removed “notes.md”."
    await desk.take_back()
    await until(lambda: "Searchable" in spoken(view, "notes.md"))


async def test_many_are_summed_up_and_offered_what_works_on_all(desk: Desk, letters: Path) -> None:
    view = await filled(desk, letters)
    view.list_page.list.selectAll()
    await until(lambda: view.presenter.chosen_count == 4)
    assert view.details.title.text().startswith("4 papers, ")
    await until(lambda: buttons(view) == ["Remove"])
    view.show_attention()
    await until(lambda: view.presenter.model.rowCount() == 2)
    view.list_page.list.selectAll()
    await until(lambda: view.presenter.chosen_count == 2)
    await until(lambda: buttons(view) == ["Read again", "Remove"])
    before = {paper.name: paper.version for paper in view.presenter.chosen}
    await view.presenter.retry()
    await desk.workspace.papers.idle()
    view.list_page.show_everything()
    await until(lambda: view.presenter.model.rowCount() == 4)
    papers = await view.presenter.model.fetch(view.presenter.model.number_at(row) for row in range(4))
    again = {paper.name: paper for paper in papers if paper.name in before}
    assert all(paper.version > before[name] for name, paper in again.items())
    assert {paper.state for paper in again.values()} == {PaperState.ATTENTION}


async def test_a_filter_that_leaves_nothing_says_so(desk: Desk, letters: Path) -> None:
    view = await shown(desk)
    await view.take([letters / "notes.md"])
    await desk.workspace.papers.idle()
    view.list_page.narrow("state", "attention")
    await until(lambda: view.list_page.nothing.isVisible())
    view.list_page.show_everything()
    await until(lambda: view.list_page.list.isVisible())


async def test_a_change_leaves_selection_and_scroll_where_they_were(desk: Desk, tmp_path: Path) -> None:
    many = tmp_path / "many"
    many.mkdir()
    for number in range(60):
        (many / f"{number:03d}.txt").write_text(f"Paper number {number}.", "utf-8")
    view = await shown(desk)
    await view.take([many])
    await desk.workspace.papers.idle()
    await until(lambda: view.presenter.model.rowCount() == 60)
    await pick(view, "019.txt")
    at = view.list_page.list.verticalScrollBar().value()
    assert at > 0
    await desk.workspace.papers.remove([view.presenter.model.row_at(50).id])  # pyright: ignore[reportOptionalMemberAccess]
    await until(lambda: view.presenter.model.rowCount() == 59)
    assert view.presenter.chosen[0].name == "019.txt"
    assert view.list_page.list.verticalScrollBar().value() == at


async def test_the_original_is_shown_on_a_copy_that_goes_away(desk: Desk, letters: Path) -> None:
    view = await filled(desk, letters)
    await pick(view, "notes.md")
    urls: list[QUrl] = []
    folder = desk.workspace.info.path
    opener = Opener(folder, desk.workspace.papers.export, lambda url: not urls.append(url))
    copy = await opener.open(view.presenter.chosen[0])
    assert copy.name == "notes.md"
    assert copy.read_bytes() == (letters / "notes.md").read_bytes()
    assert urls == [QUrl.fromLocalFile(str(copy))]
    assert copy.stat().st_mode & 0o777 == 0o400
    opener.clean()
    assert not copy.exists()


async def test_a_program_is_not_opened(desk: Desk, tmp_path: Path) -> None:
    view = await shown(desk)
    (tmp_path / "setup.bat").write_text("rem", "utf-8")
    await view.take([tmp_path / "setup.bat"])
    await desk.workspace.papers.idle()
    await pick(view, "setup.bat")
    opener = Opener(desk.workspace.info.path, desk.workspace.papers.export, lambda url: True)
    with pytest.raises(UserError, match="is not opened from here"):
        await opener.open(view.presenter.chosen[0])


@pytest.mark.parametrize(
    ("name", "safe"),
    [("a/b.pdf", "a_b.pdf"), ("con.txt", "_con.txt"), ("x" * 300 + ".docx", "x" * 60 + ".docx"), ("Brief", "Brief")],
)
def test_names_are_safe_for_files(name: str, safe: str) -> None:
    assert file_name(name) == safe


# ---- pages ----------------------------------------------------------------------------------------------------------


async def test_a_page_is_seen_beside_the_list_and_large(desk: Desk, tmp_path: Path, qtbot) -> None:
    (tmp_path / "plan.pdf").write_text("Ground floor\fFirst floor")
    (tmp_path / "note.txt").write_text("No pages here")
    view = await shown(desk)
    await view.take([tmp_path / "plan.pdf", tmp_path / "note.txt"])
    await desk.workspace.papers.idle()
    await pick(view, "plan.pdf")
    card = view.details.findChild(PageCard)
    await until(lambda: view.presenter.pages.image is not None)
    assert card.view.accessibleName() == "Picture of Page 1 of plan.pdf"
    looking = desk.writes.start(view.look())
    await until(lambda: view.page.window().findChild(LargePage) is not None)
    large = view.page.window().findChild(LargePage)
    qtbot.keyClick(large.view, Qt.Key.Key_PageDown)
    await until(lambda: "Page 2" in large.view.accessibleName())
    before = large.view.width()
    qtbot.keyClick(large.view, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert large.view.width() > before
    qtbot.keyClick(large.view, Qt.Key.Key_Space)
    await looking
    await pick(view, "note.txt")
    assert not view.presenter.offers().look


async def test_what_was_found_is_marked_on_its_page(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "plan.pdf").write_text("Ground floor\fThe ramp is here")
    view = await shown(desk)
    await view.take([tmp_path / "plan.pdf"])
    await desk.workspace.papers.idle()
    (paper,) = await desk.workspace.papers.rows.rows([1])
    assert paper is not None
    passages = await desk.workspace.search.of_owner(Kind.PAPER, paper.id)
    view.select(paper.id, passages[1].id)
    await until(lambda: view.presenter.pages.marks)
    assert view.presenter.pages.page == 2
    card = view.details.findChild(PageCard)
    assert card.view.accessibleName().endswith("what was found is marked")


async def test_a_page_that_cant_be_drawn_is_a_sentence_in_its_place(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "old.pdf").write_text("broken")
    view = await shown(desk)
    await view.take([tmp_path / "old.pdf"])
    await desk.workspace.papers.idle()
    await pick(view, "old.pdf")
    await until(lambda: view.presenter.pages.problem)
    card = view.details.findChild(PageCard)
    assert card.view.accessibleName() == "“old.pdf” can't be shown: the file is damaged."
    assert desk.errors == []


def test_a_scan_says_that_its_pictures_are_recognised_in_their_turn() -> None:
    paper = Paper("a", 1, "d", "scan.pdf", "/scan.pdf", 9, PaperState.WAITING, 1.0, 1.0, scan=True)
    assert words.line(paper).status == "Waiting, scan"
    assert "after papers that can be read at once" in words.state_tip(paper)
    assert words.state(replace(paper, state=PaperState.READING)) == "Reading scan"
    assert words.state(replace(paper, scan=False)) == "Waiting"
    assert words.state_tip(replace(paper, scan=False)) == words.STATE_TIPS[PaperState.WAITING]


async def test_a_paper_is_renamed_found_by_its_new_name_and_named_back(desk: Desk, letters: Path, qtbot) -> None:
    view = await filled(desk, letters)
    await pick(view, "notes.md")
    renaming = desk.writes.start(view.rename())
    await until(lambda: view.page.window().findChild(QDialog) is not None)
    dialog = view.page.window().findChild(QDialog)
    line = dialog.findChild(QLineEdit)
    assert line.text() == "notes.md"
    line.setText("Who speaks German.md")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    await renaming
    await until(lambda: position(view, "Who speaks German.md") >= 0)
    result = await desk.workspace.search.search(SearchRequest("speaks", Mode.WORDS))
    assert [hit.passage.title for hit in result.hits] == ["Who speaks German.md"]
    await desk.take_back()
    await until(lambda: position(view, "notes.md") >= 0)
    assert (await desk.workspace.search.search(SearchRequest("speaks", Mode.WORDS))).hits == ()


async def test_the_paper_that_is_looked_at_is_read_next(desk: Desk, tmp_path: Path) -> None:
    names = [f"letter {n}.txt" for n in range(4)]
    for n, name in enumerate(names):
        (tmp_path / name).write_text("x" * (n + 1) * 100)
    desk.reader.hold.clear()
    view = await shown(desk)
    await view.take([tmp_path / name for name in names])
    await pick(view, names[3])
    await until(lambda: "Reading" in spoken(view, names[0]))
    desk.reader.hold.set()
    await desk.workspace.papers.idle()
    papers = [await desk.workspace.papers.rows.rows([n]) for n in (2, 3, 4)]
    order = sorted((paper for (paper,) in papers if paper is not None), key=lambda paper: paper.updated_at)
    assert order[0].name == names[3]
