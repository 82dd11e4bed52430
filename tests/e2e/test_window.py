"""The real window under a real window manager: typed keys, dropped files, signals, and what is kept of it all."""

import signal
from pathlib import Path

import psutil
import pytest

from tests.e2e.at_work import AtWork, Opened, owner, papers, wait_for_papers

pytestmark = pytest.mark.timeout(150)

LETTER = "Dear Mrs Adler,\n\nthe inspection of the autoclave is due. Please bring reference KX-4711-B.\n"


def ended_well(opened: Opened, workspace: Path, work: AtWork) -> None:
    """The program has closed in order and left nothing behind."""
    assert opened.end() == (0, "")
    left = owner(workspace)
    assert (left["clean"], left["pid"]) == (True, 0)
    assert not (work.data / "crashes").exists()
    assert list((work.terminal.home / "tmp").iterdir()) == []
    kept = {work.data, workspace, work.terminal.home / ".config" / "Muniment", work.terminal.home / ".cache/fontconfig"}
    files = [path for path in work.terminal.home.rglob("*") if path.is_file() and not kept.intersection(path.parents)]
    assert [path.name for path in files if not path.name.endswith("-output")] == []


def connections(opened: Opened) -> list[object]:
    """Network connections and open ports of the program and its workers."""
    program = psutil.Process(opened.process.pid)
    return [found for each in (program, *program.children(recursive=True)) for found in each.net_connections("inet")]


def ask(opened: Opened, text: str) -> None:
    """Type a question into the search box."""
    opened.screen.key("ctrl+k")
    opened.has_keyboard("Search everything")
    opened.screen.key("ctrl+a")
    opened.screen.type(text)


def test_a_question_and_a_command_by_keyboard_alone(at_work: AtWork) -> None:
    with at_work.program("--sample", title="Northside Clinic") as opened:
        workspace = at_work.data / "Sample" / "Northside Clinic"
        letter = "St Anne's Hospital, 2 April 2026.pdf"
        wait_for_papers(workspace, lambda found: found.get(letter) == "searchable")
        ask(opened, "REF-48213")
        opened.says(letter, "cell")
        opened.screen.key("Down")
        opened.has_keyboard("Found")
        opened.screen.key("Return")  # opens the passage in its place
        opened.says("Papers", "table")
        assert opened.has_keyboard(f"{letter}. Searchable").role == "cell"

        opened.screen.key("ctrl+shift+p")
        opened.has_keyboard("What do you want to do?")
        opened.screen.type("dark col")
        opened.says("Dark colours", "list item")
        opened.screen.key("Return")
        opened.says_no_more("What do you want to do?")
        opened.screen.key("alt+2")
        opened.says("Shared", "table")

        assert connections(opened) == []
        opened.screen.key("ctrl+q")
        ended_well(opened, workspace, at_work)
    settings = (at_work.terminal.home / ".config" / "Muniment" / "settings.ini").read_text(encoding="utf-8")
    assert "dark" in settings
    with at_work.program(title="Northside Clinic") as opened:  # the last workspace and place come back
        opened.says("Shared", "table")
        opened.screen.key("alt+F4")
        ended_well(opened, workspace, at_work)


def test_dropped_files_become_papers_and_removing_can_be_undone(at_work: AtWork, tmp_path: Path) -> None:
    workspace = at_work.workspace("Front Desk")
    folder = tmp_path / "Briefe für Ödön 🦘"
    folder.mkdir()
    (folder / "note.txt").write_text("The caretaker has the alarm code.", encoding="utf-8")
    letter = tmp_path / "letter.txt"
    letter.write_text(LETTER, encoding="utf-8")
    with at_work.program(title="Front Desk") as opened:
        with at_work.dragging(letter, folder) as (source, said):
            at_work.screen.drag(source.centre, opened.window.centre)
            wait_for_papers(workspace, lambda found: set(found.values()) == {"searchable"} and len(found) == 2)
            assert said.read_text(encoding="utf-8") == "CopyAction\n"
        assert letter.read_text(encoding="utf-8") == LETTER  # the file itself stays where it is
        opened.says("letter.txt. Searchable", "cell")

        opened.screen.activate(opened.window)
        ask(opened, "KX-4711-B")
        opened.says("Paper: letter.txt", "cell")
        opened.screen.key("Escape")
        opened.says("note.txt", "cell")

        opened.screen.key("alt+6")
        opened.has_keyboard("Papers")
        opened.screen.key("Home")
        opened.screen.key("Delete")
        (left,) = wait_for_papers(workspace, lambda found: len(found) == 1)
        removed = next(name for name in ("letter.txt", "note.txt") if name != left)
        opened.says_no_more(f"{removed}. Searchable")
        opened.screen.key("ctrl+z")
        assert wait_for_papers(workspace, lambda found: len(found) == 2)
        wait_for_papers(workspace, lambda found: found[removed] == "searchable")
        opened.says(f"{removed}. Searchable", "cell")

        elsewhere = at_work.terminal.run("status")
        who = f"is open in another program on this computer (process {opened.process.pid})"
        assert (elsewhere.code, elsewhere.out) == (3, "")
        assert who in elsewhere.err

        opened.process.send_signal(signal.SIGTERM)
        ended_well(opened, workspace, at_work)


def test_killed_in_the_middle_it_starts_says_so_and_goes_on(at_work: AtWork, tmp_path: Path) -> None:
    workspace = at_work.workspace("Front Desk")
    folder = tmp_path / "papers"
    folder.mkdir()
    for number in range(80):
        (folder / f"{number:02}.txt").write_text(f"Paper number {number} about the boiler.\n" * 40, encoding="utf-8")
    with at_work.program(title="Front Desk") as opened:
        with at_work.dragging(folder) as (source, _said):
            at_work.screen.drag(source.centre, opened.window.centre)
            wait_for_papers(workspace, lambda found: list(found.values()).count("searchable") >= 3)
        opened.process.kill()
        assert opened.end() == (-signal.SIGKILL, "")
    before = papers(workspace)
    assert "waiting" in before.values()
    assert owner(workspace)["clean"] is False

    with at_work.program(title="Front Desk") as opened:
        opened.says("The program was stopped in the middle of its work last time")
        after = wait_for_papers(workspace, lambda found: set(found.values()) == {"searchable"})
        assert before.keys() <= after.keys()
        opened.process.send_signal(signal.SIGINT)
        ended_well(opened, workspace, at_work)
