"""muniment memory …: what it keeps and answers, under whose name, and in which workspace."""

from tests.app.terminal import Terminal
from tests.app.test_command_line import make


def test_something_is_remembered_found_read_and_forgotten(terminal: Terminal) -> None:
    make(terminal)
    first = terminal.call(
        "memory", "remember", "lift", "The lift is out of order", "--tier", "episodic", "--tag", "house"
    )
    assert (first.code, first.out, first.err) == (0, "Remembered “lift”.\n", "")
    again = terminal.call(
        "memory",
        "remember",
        "lift",
        '{"state": "repaired", "on": [17, 4]}',
        "--value-json",
        "--title",
        "Lift",
        "--json",
    ).json
    assert (again["version"], again["title"], again["created_by"], again["tier"]) == (2, "Lift", "person", "semantic")
    assert again["value"] == {"state": "repaired", "on": [17, 4]}
    terminal.call("memory", "remember", "hours", "Open from nine to five", "--namespace", "desk")

    got = terminal.call("memory", "get", "lift")
    assert got.out == "state: repaired\non:\n17\n4\n"
    found = terminal.call("memory", "recall", "repaired", "--json").json
    assert [(each["key"], each["relevance"] > 0) for each in found] == [("lift", True)]
    assert terminal.call("memory", "recall", "repaired", "--tier", "working").out == ""
    assert [line.split("\t")[:2] for line in terminal.call("memory", "list").out.splitlines()] == [
        ["desk", "hours"], ["default", "lift"]
    ]  # fmt: skip
    assert len(terminal.call("memory", "list", "--namespace", "desk", "--json").json) == 1

    gone = terminal.call("memory", "forget", "lift", "never")
    assert gone.out == "forgotten\tlift\nnot there\tnever\n"
    missing = terminal.call("memory", "get", "lift")
    assert (missing.code, missing.out) == (3, "")


def test_an_assistant_writes_under_its_own_name(terminal: Terminal) -> None:
    make(terminal)
    made = terminal.call("memory", "remember", "a", "b", "--as", "Ada", "--json").json
    assert (made["created_by"], made["updated_by"]) == ("assistant:Ada", "assistant:Ada")
    assert terminal.call("memory", "recall", "b", "--as", "Ada", "--learn").code == 0
    read = terminal.call("memory", "get", "a", "--json").json
    assert (read["uses"], read["version"]) == (1, 1)
    assert terminal.call("memory", "remember", "a", "b", "--as", "two\nlines").code == 3
    assert terminal.call("memory", "remember", "a/b", "c").code == 3
    assert terminal.call("memory", "remember", "a", "{", "--value-json").code == 3
    assert terminal.call("memory", "recall", "b", "--limit", "0").code == 3


def test_one_workspace_remembers_nothing_of_another(terminal: Terminal) -> None:
    for name in ("North", "South"):
        make(terminal, name)
    terminal.call("memory", "remember", "word", "Bananenschachtel", "-w", "North")
    assert terminal.call("memory", "recall", "Bananenschachtel", "-w", "South", "--json").json == []
    assert terminal.call("memory", "get", "word", "-w", "South").code == 3
    assert terminal.call("memory", "list", "-w", "South", "--json").json == []
    assert len(terminal.call("memory", "list", "-w", "North", "--json").json) == 1
