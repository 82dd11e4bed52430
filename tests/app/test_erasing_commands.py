"""muniment forget-for-good: what it says before, what it does, and that other workspaces are not touched."""

import shutil
import time

import pytest

from core.adapters.sqlite import driver
from core.domain.erasure import Stage
from tests.app.terminal import Terminal
from tests.app.test_command_line import make
from tests.core.erasure.office import holding

LETTER = "Dear Quastenflosser,\n\nyour appointment is on Monday. Please bring the Bananenschachtel.\n"


def test_everything_about_a_name(terminal: Terminal) -> None:
    folder = make(terminal)
    letter = terminal.home / "letter.txt"
    letter.write_text(LETTER)
    assert terminal.call("add", letter, "--words-only").code == 0
    letter.unlink()
    assert holding(folder, "Bananenschachtel")

    look = terminal.call("forget-for-good", "--name", "quastenflosser", "--dry-run")
    assert look.code == 0
    assert look.out.splitlines()[0] == "paper\tletter.txt\ttext"
    assert "1 paper, " in look.out
    told = terminal.call("forget-for-good", "--name", "quastenflosser", "--dry-run", "--json").json
    assert (told["erased"], told["counts"]["stored file"]) == (False, 1)
    refused = terminal.call("forget-for-good", "--name", "quastenflosser")
    assert refused.code == 3
    assert "Nothing was erased" in refused.err
    assert holding(folder, "Bananenschachtel")

    report = terminal.home / "report.md"
    done = terminal.call("forget-for-good", "--name", "quastenflosser", "--yes", "--report", report)
    assert (done.code, done.err) == (0, f"The report is in {report}.\n")
    assert done.out == report.read_text()
    assert "- Nothing of it was found." in done.out
    assert "- 1 paper\n" in done.out
    for word in ("Quastenflosser", "Bananenschachtel", "letter.txt"):
        assert holding(terminal.home, word) == []
    again = terminal.call("forget-for-good", "--name", "quastenflosser", "--yes")
    assert (again.code, again.out) == (0, "There is nothing of it here.\n")


def test_one_workspace_forgets_and_the_other_keeps(terminal: Terminal) -> None:
    places = {name: make(terminal, name) for name in ("North", "South")}
    letter = terminal.home / "letter.txt"
    letter.write_text(LETTER)
    for name in ("North", "South"):
        assert terminal.call("add", letter, "--words-only", "-w", name).code == 0
    letter.unlink()
    assert terminal.call("forget-for-good", "--name", "quastenflosser", "--yes", "-w", "South").code == 0
    assert holding(places["South"], "Bananenschachtel") == []
    assert holding(places["North"], "Bananenschachtel")
    found = terminal.call("search", "Bananenschachtel", "-w", "North", "--json").json
    assert len(found["hits"]) == 1


def test_what_is_not_understood(terminal: Terminal) -> None:
    make(terminal)
    assert terminal.call("forget-for-good", "--yes").code == 3
    assert terminal.call("forget-for-good", "--name", "!", "--yes").code == 3
    assert terminal.call("forget-for-good", "--name", "a b", "--record", "a", "--yes").code == 3
    nothing = terminal.call("forget-for-good", "--record", "a", "--yes", "--json")
    assert (nothing.code, nothing.json["things"]) == (0, [])


@pytest.mark.parametrize("stage", ["rows", "files"])
def test_a_killed_program_finishes_it_at_its_next_start(terminal: Terminal, stage: str) -> None:
    folder, papers = make(terminal), terminal.home / "papers"
    papers.mkdir()
    for number in range(30):
        words = " ".join(f"bananenschachtel{number}x{word}" for word in range(400))
        (papers / f"p{number}.txt").write_text(f"Quastenflosser {words}")
    assert terminal.call("add", papers, "--words-only").code == 0
    shutil.rmtree(papers)
    process = terminal.start("forget-for-good", "--name", "Quastenflosser", "--yes")
    watching, _ = driver.connect(folder / "workspace.db", None, read_only=True)
    begun = False
    while process.poll() is None and not begun:
        row = watching.execute("SELECT stage FROM erasures").fetchone()
        begun = row is not None and list(Stage).index(Stage(row[0])) >= list(Stage).index(Stage(stage))
        time.sleep(0.001)
    process.kill()
    process.communicate()
    watching.close()
    assert begun
    after = terminal.call("status")
    assert "Forgetting for good, which was interrupted last time, was finished. Nothing of it is left." in after.err
    for word in ("bananenschachtel", "Quastenflosser"):
        assert holding(folder, word) == []
