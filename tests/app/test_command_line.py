"""The command line: what it answers, on which stream, and with which exit code."""

import stat
from pathlib import Path

import pytest

from core.adapters.embedding.process import ProcessEmbedding
from core.adapters.sqlite.papers import SqlitePapers
from core.errors import EnvironmentFault
from tests.app.terminal import Terminal
from tests.core.extraction.making import pdf


def make(terminal: Terminal, name: str = "Front Desk") -> Path:
    """A new workspace in the terminal's home."""
    return Path(terminal.call("workspace", "create", name, "--in", terminal.home, "--json").json["path"])


# ---- workspaces -----------------------------------------------------------------------------------------------------


def test_without_a_workspace_it_says_how_to_make_one(terminal: Terminal) -> None:
    answer = terminal.call("workspace", "list")
    assert (answer.code, answer.out) == (0, "")
    assert answer.err == "There is no workspace yet. Make one: muniment workspace create NAME\n"
    answer = terminal.call("workspace", "list", "--json")
    assert (answer.code, answer.json, answer.err) == (0, [], "")
    for command in (["status"], ["search", "x"], ["workspace", "info"]):
        answer = terminal.call(*command)
        assert (answer.code, answer.out, answer.err) == (3, "", "Say which workspace: --workspace NAME\n")


def test_a_workspace_is_made_listed_and_described(terminal: Terminal) -> None:
    made = terminal.call("workspace", "create", "Front  Desk", "--in", terminal.home)
    path = terminal.home / "Front Desk"
    assert (made.code, made.out, made.err) == (0, f"Made the workspace “Front Desk” in {path}\n", "")
    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert terminal.call("workspace", "list").out == f"Front Desk\tready\t{path}\n"
    (listed,) = terminal.call("workspace", "list", "--json").json
    assert listed == {"name": "Front Desk", "path": str(path), "state": "ready", "id": listed["id"], "reason": ""}
    described = terminal.call("workspace", "info")  # the only one
    assert described.out == f"name\tFront Desk\npath\t{path}\nstate\tready\nid\t{listed['id']}\n"
    assert terminal.call("workspace", "info", "-w", "FRONT DESK", "--json").json == listed
    assert terminal.call("workspace", "info", "-w", path, "--json").json == listed


def test_a_new_workspace_lies_in_documents_unless_said_otherwise(terminal: Terminal) -> None:
    made = terminal.call("workspace", "create", "Southside", "--json")
    assert made.json["path"] == str(terminal.home / "Documents" / "Muniment" / "Southside")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "Give the workspace a name.\n"),
        (" \t", "Give the workspace a name.\n"),
        ("x" * 81, "A workspace's name can have up to 80 characters.\n"),
        ("a\x07b", "A workspace's name can't hold control characters.\n"),
        ("a\udcffb", "A character of this name can't be stored. Type the name again.\n"),
    ],
)
def test_names_that_a_workspace_cant_have(terminal: Terminal, name: str, sentence: str) -> None:
    answer = terminal.call("workspace", "create", name)
    assert (answer.code, answer.out, answer.err) == (3, "", sentence)
    assert terminal.call("workspace", "list", "--json").json == []


def test_a_folder_that_holds_something_is_not_made_a_workspace(terminal: Terminal) -> None:
    make(terminal)
    answer = terminal.call("workspace", "create", "Front Desk", "--in", terminal.home)
    assert answer.code == 3
    assert "holds something already" in answer.err


def test_two_of_one_name_are_told_apart_by_folder(terminal: Terminal) -> None:
    first = make(terminal)
    second = Path(terminal.call("workspace", "create", "Front Desk", "--in", first.parent / "b", "--json").json["path"])
    answer = terminal.call("status", "-w", "Front Desk")
    assert answer.code == 3
    assert answer.err == "2 workspaces are called “Front Desk”. Give the folder instead of the name.\n"
    assert terminal.call("workspace", "info", "-w", second, "--json").json["path"] == str(second)


def test_a_workspace_that_is_gone_is_listed_and_the_others_work(terminal: Terminal) -> None:
    gone, there = make(terminal, "Gone"), make(terminal, "There")
    gone.rename(gone.with_name("elsewhere"))
    states = {
        entry["name"]: (entry["state"], entry["reason"]) for entry in terminal.call("workspace", "list", "--json").json
    }
    assert states["There"] == ("ready", "")
    assert states["Gone"][0] == "missing"
    assert "not where it was" in states["Gone"][1]
    assert terminal.call("status", "-w", "Gone").code == 3
    assert terminal.call("status", "-w", there).code == 0


def test_an_unknown_name_is_refused(terminal: Terminal) -> None:
    answer = terminal.call("status", "-w", "Nowhere")
    assert answer.code == 3
    assert answer.err == "There is no workspace called “Nowhere”. See: muniment workspace list\n"


# ---- papers ---------------------------------------------------------------------------------------------------------


def test_each_file_has_a_line_and_bad_ones_make_the_code_1(terminal: Terminal, tmp_path: Path) -> None:
    make(terminal)
    letter, locked, missing = tmp_path / "letter.txt", tmp_path / "locked.pdf", tmp_path / "no such.txt"
    letter.write_text("The lift was repaired.")
    locked.write_bytes(pdf("secret", password="tulip"))

    answer = terminal.call("add", letter, locked, missing)

    assert answer.code == 1
    first, second, third = answer.out.splitlines()
    assert first == f"searchable\t{letter}"
    assert second.startswith(f"attention\t{locked}\t")
    assert "password" in second
    assert third == f"refused\t{missing}\t“no such.txt” is not there any more."
    counts = terminal.call("status", "--json").json
    assert counts == {
        "workspace": "Front Desk",
        "waiting": 0,
        "searchable": 1,
        "attention": 1,
        "cancelled": 0,
        "passages": 2,  # the name of the locked one is the second
        "passages_with_meaning": 2,
    }
    words = "1 paper searchable, 0 waiting, 1 needs attention. 2 of 2 passages can be found by meaning.\n"
    assert terminal.call("status").out == words

    again = terminal.call("add", letter, "--json")  # the same bytes once more
    assert (again.code, again.json[0]["state"]) == (0, "known")
    assert again.json[0]["reason"] == "“letter.txt” is here already. It was not stored twice."
    again = terminal.call("add", locked, "--json")  # known, and still in need of a person
    assert (again.code, again.json[0]["state"], again.json[0]["reason_code"]) == (1, "known", "password")
    assert "not stored twice" in again.json[0]["reason"]
    assert "password" in again.json[0]["reason"]
    stored = [path for path in (terminal.home / "Front Desk" / "artifacts").rglob("*") if path.is_file()]
    assert len(stored) == 2


def test_a_check_repairs_what_it_can_and_names_the_rest(terminal: Terminal, tmp_path: Path) -> None:
    make(terminal)
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text("The lift was repaired.")
    two.write_text("The ramp as well.")
    terminal.call("add", one, two, "--words-only")
    assert terminal.call("check").out == "2 papers checked\n"
    for path in (terminal.home / "Front Desk" / "artifacts").rglob("*"):
        if path.is_file():
            path.write_bytes(b"damaged")
    two.unlink()
    answer = terminal.call("check", "--json")
    assert answer.code == 1
    assert answer.json == {"papers": 2, "repaired": ["one.txt"], "damaged": ["two.txt"], "unreferenced": 0}


def test_a_folder_is_walked(terminal: Terminal, tmp_path: Path) -> None:
    make(terminal)
    folder = tmp_path / "letters"
    (folder / "2026" / ".hidden").mkdir(parents=True)
    (folder / "a.txt").write_text("first")
    (folder / "2026" / "b.txt").write_text("second")
    (folder / "2026" / ".hidden" / "c.txt").write_text("third")
    (folder / ".d.txt").write_text("fourth")
    answer = terminal.call("add", folder, "--words-only", "--json")
    assert answer.code == 0
    assert [paper["source"] for paper in answer.json] == [str(folder / "a.txt"), str(folder / "2026" / "b.txt")]
    assert all(paper["state"] == "searchable" and paper["passages"] == 1 for paper in answer.json)


def test_an_empty_folder_is_no_fault(terminal: Terminal, tmp_path: Path) -> None:
    make(terminal)
    (tmp_path / "empty").mkdir()
    answer = terminal.call("add", tmp_path / "empty")
    assert (answer.code, answer.out) == (0, "")


def test_names_of_any_script_are_kept_and_printed(terminal: Terminal, tmp_path: Path) -> None:
    make(terminal, "Praxis Süd 🦘")
    names = ["Brief 🦘 für Ödön.txt", "مواعيد.txt", "שלום 2.txt", "診療時間.txt", "e\u0301te\u0301.txt"]
    for number, name in enumerate(names):
        (tmp_path / name).write_text(f"paper {number}")
    answer = terminal.call("add", *(tmp_path / name for name in names), "--words-only", "--json")
    assert answer.code == 0
    assert [Path(paper["source"]).name for paper in answer.json] == names
    assert terminal.call("status", "-w", "praxis süd 🦘").code == 0


# ---- search ---------------------------------------------------------------------------------------------------------


def test_a_hit_is_a_line_with_title_page_and_snippet(filled: Terminal) -> None:
    answer = filled.call("search", "boiler")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.splitlines()[0] == "A small paper · report.pdf, page 2\tThe boiler was replaced in January"


def test_json_tells_where_and_why(filled: Terminal) -> None:
    answer = filled.call("search", "KX-4711-B", "--json", "--limit", "1")
    assert (answer.code, answer.err) == (0, "")
    result = answer.json
    (hit,) = result["hits"]
    assert (result["query"], result["repairs"], result["meaning_ready"]) == ("KX-4711-B", [], result["passages"])
    assert (hit["title"], hit["kind"], hit["page"]) == ("letter.txt", "paper", None)
    assert hit["why"]["lookup"] is True
    (start, end), *_ = hit["marks"]
    assert hit["snippet"][start:end] == "KX-4711-B"


def test_a_misspelt_word_is_repaired_and_said_beside_the_answer(filled: Terminal) -> None:
    answer = filled.call("search", "autoclav", "inspektion", "--json")
    assert "Showing “inspection” for “inspektion”. Use --exact for what you typed." in answer.err
    assert {"typed": "inspektion", "used": "inspection"} in answer.json["repairs"]
    assert answer.json["hits"][0]["title"] == "letter.txt"

    exact = filled.call("search", "inspektion", "--exact", "--mode", "words", "--json")
    assert (exact.code, exact.json["hits"], exact.json["repairs"], exact.err) == (0, [], [], "")
    plain = filled.call("search", "inspektion", "--exact", "--mode", "words")
    assert (plain.code, plain.out, plain.err) == (0, "", "Nothing matches.\n")


def test_types_of_paper_can_be_chosen(filled: Terminal) -> None:
    assert filled.call("search", "boiler", "--format", "md", "--mode", "words", "--json").json["hits"] == []
    assert len(filled.call("search", "boiler", "--format", "md", "--format", "pdf", "--json").json["hits"]) == 1


@pytest.mark.parametrize("words", ["", "' OR 1=1 --", "\udcff \0", "title:x AND ("])
def test_whatever_is_asked_is_answered(filled: Terminal, words: str) -> None:
    answer = filled.call("search", "--json", "--", words)
    assert answer.code == 0
    assert isinstance(answer.json["hits"], list)


def test_meaning_alone(filled: Terminal) -> None:
    answer = filled.call("search", "heating", "was", "renewed", "--mode", "meaning", "--json")
    assert answer.json["hits"][0]["title"].endswith("report.pdf")
    assert answer.json["hits"][0]["why"]["words_rank"] is None


# ---- use and help ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["frobnicate"],
        ["--nonsense"],
        ["workspace"],
        ["workspace", "create"],
        ["add"],
        ["search"],
        ["search", "x", "--limit", "0"],
        ["search", "x", "--limit", "201"],
        ["search", "x", "--limit", "many"],
        ["search", "x", "--mode", "luck"],
    ],
)
def test_what_is_not_understood_is_a_usage_error(terminal: Terminal, arguments: list[str]) -> None:
    answer = terminal.call(*arguments)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("usage: muniment")
    assert "_limit" not in answer.err


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["workspace"],
        ["workspace", "create"],
        ["workspace", "list"],
        ["workspace", "info"],
        ["add"],
        ["search"],
        ["status"],
    ],
)
def test_every_command_has_help(terminal: Terminal, command: list[str]) -> None:
    answer = terminal.call(*command, "--help")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"usage: {' '.join(['muniment', *command])}")
    options = [line.split()[0] for line in answer.out.splitlines() if line.startswith("  -")]
    explained = [line for line in answer.out.splitlines() if line.startswith(("  -", "    ")) and len(line.split()) > 1]
    assert options
    assert len(explained) >= len(options)


def test_the_version_is_said(terminal: Terminal) -> None:
    assert terminal.call("--version").out.startswith("Muniment 0.")


def test_the_workspace_can_be_named_in_the_environment(terminal: Terminal) -> None:
    make(terminal, "One")
    make(terminal, "Two")
    terminal.environment["MUNIMENT_WORKSPACE"] = "Two"
    assert terminal.call("status", "--json").json["workspace"] == "Two"
    assert terminal.call("status", "--json", "-w", "One").json["workspace"] == "One"
    del terminal.environment["MUNIMENT_WORKSPACE"]
    assert terminal.call("status", "--json").json["workspace"] == "One"  # the last opened


def test_the_list_of_workspaces_holds_paths_and_names_only(filled: Terminal) -> None:
    data = filled.home / ".local" / "share" / "Muniment"
    text = (data / "workspaces.toml").read_text("utf-8")
    assert "Front Desk" in text
    for word in ("Adler", "autoclave", "letter.txt", "KX-4711"):
        assert word not in text
    kept = {path.name: path.stat().st_size for path in data.rglob("*") if path.is_file()}
    assert kept == {"workspaces.toml": len(text.encode()), "workspaces.lock": 0}
    others = [path for path in filled.home.rglob("*") if path.is_file() and data not in path.parents]
    assert others == []  # no library keeps anything in the person's home either


@pytest.mark.logs("unexpected EnvironmentFault")
def test_a_disk_that_is_full_is_said_and_nothing_hangs(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object) -> None:
        raise EnvironmentFault("There is no room left on the disk.")

    make(terminal)
    (tmp_path / "letter.txt").write_text("The lift was repaired.")
    monkeypatch.setattr(SqlitePapers, "finish", full)
    answer = terminal.call("add", tmp_path / "letter.txt")
    assert (answer.code, answer.out, answer.err) == (4, "", "There is no room left on the disk.\n")
    monkeypatch.undo()
    assert terminal.call("add", tmp_path / "letter.txt").code == 0  # goes on where it stopped
    assert terminal.call("status", "--json").json["searchable"] == 1


@pytest.mark.logs("unexpected EnvironmentFault")
def test_papers_are_found_by_words_where_meaning_fails_and_it_is_said(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stopped(*_: object) -> None:
        raise EnvironmentFault("Search by meaning can't run just now: its worker process stopped.")

    make(terminal)
    (tmp_path / "letter.txt").write_text("The lift was repaired.")
    monkeypatch.setattr(ProcessEmbedding, "passages", stopped)
    answer = terminal.call("add", tmp_path / "letter.txt")
    assert (answer.code, answer.out) == (0, f"searchable\t{tmp_path / 'letter.txt'}\n")
    assert answer.err == "Search by meaning can't run just now: its worker process stopped.\n"
    found = terminal.call("search", "lift", "--json")
    assert [hit["title"] for hit in found.json["hits"]] == ["letter.txt"]
    assert found.err == "Search by meaning is still being prepared. These were found by words.\n"
