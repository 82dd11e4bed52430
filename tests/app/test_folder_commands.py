"""muniment folder."""

from pathlib import Path

from tests.app.terminal import Terminal


def test_a_folder_is_watched_listed_looked_at_and_let_go(terminal: Terminal, tmp_path: Path) -> None:
    assert terminal.call("workspace", "create", "Front Desk", "--in", terminal.home).code == 0
    scans = tmp_path / "Scans"
    (scans / "2025").mkdir(parents=True)
    (scans / "letter.txt").write_text("The autoclave is inspected on 17 April.")
    (scans / "2025" / "old.txt").write_text("The boiler was replaced in January.")
    (scans / "draft.tmp").write_text("not to be taken")
    added = terminal.call("folder", "add", scans, "--link", "--json")
    assert added.code == 0, added.err
    (folder,) = added.json
    assert (folder["path"], folder["keep"], folder["files"], folder["left_out"]) == (str(scans), "link", 2, 1)
    assert "letter.txt" in terminal.call("search", "autoclave").out
    (scans / "letter.txt").unlink()
    (scans / "new.txt").write_text("The lift is out of order.")
    again = terminal.call("folder", "rescan")
    assert again.out == f"watching\t{scans}\tlink\t2 taken in\t1 gone\n"
    assert "new.txt" in terminal.call("search", "lift").out
    assert str(scans) in terminal.call("folder", "list").out
    removed = terminal.call("folder", "remove", scans)
    assert removed.out == f"Stopped watching {scans}. The papers stay.\n"
    assert terminal.call("folder", "list").out == ""
    assert "new.txt" in terminal.call("search", "lift").out


def test_what_can_not_be_watched_is_said(terminal: Terminal, tmp_path: Path) -> None:
    assert terminal.call("workspace", "create", "Front Desk", "--in", terminal.home).code == 0
    answer = terminal.call("folder", "add", tmp_path / "nowhere")
    assert (answer.code, answer.err) == (3, "“nowhere” is not a folder, or is not there.\n")
    answer = terminal.call("folder", "add", terminal.home / "Front Desk")
    assert (answer.code, "is the folder of a workspace" in answer.err) == (3, True)
    answer = terminal.call("folder", "remove", tmp_path)
    assert (answer.code, "is not watched" in answer.err) == (3, True)
