"""muniment conversation …: what it answers, on which stream, and with which exit code."""

import json
from pathlib import Path

from tests.app.terminal import Terminal
from tests.app.test_command_line import make


def export(folder: Path, *texts: str, name: str = "conversations.json") -> Path:
    messages = [
        {
            "uuid": f"m{n}",
            "sender": ("human", "assistant")[n % 2],
            "text": text,
            "created_at": f"2026-01-02T10:00:0{n}Z",
        }
        for n, text in enumerate(texts)
    ]
    talk = {"uuid": "c1", "name": "Ramp", "created_at": "2026-01-02T10:00:00Z", "chat_messages": messages}
    path = folder / name
    path.write_text(json.dumps([talk, {"title": "No list", "create_time": 1.0}]))
    return path


def test_an_export_is_taken_over_once_and_grows(terminal: Terminal) -> None:
    make(terminal)
    path = export(terminal.home, "Which room?", "The north room.")
    first = terminal.call("conversation", "import", path)
    assert (first.code, first.err) == (1, "")  # one was left out
    assert first.out == "new\tRamp\t2 new\nleft out\tNo list\t“No list” holds no list of messages and was left out.\n"
    export(terminal.home, "Which room?", "The north room.", "Thanks")
    second = terminal.call("conversation", "import", path, "--json")
    (answer,) = second.json
    (talk,) = answer["conversations"]
    assert (talk["title"], talk["outcome"], talk["added"]) == ("Ramp", "grown", 1)
    assert answer["left_out"] == [
        {"title": "No list", "reason": "“No list” holds no list of messages and was left out."}
    ]


def test_files_that_are_no_exports_are_named_and_the_others_come(terminal: Terminal) -> None:
    make(terminal)
    letter = terminal.home / "letter.json"
    letter.write_text("[{")
    answer = terminal.call(
        "conversation", "import", letter, terminal.home / "gone.json", export(terminal.home, "Hello")
    )
    assert answer.code == 1
    lines = answer.out.splitlines()
    assert lines[0].startswith(f"left out\t{letter}\t“letter.json” is damaged")
    assert lines[1].startswith("left out\t")
    assert "not there any more" in lines[1]
    assert lines[2] == "new\tRamp\t1 new"


def test_conversations_are_listed_shown_and_exported(terminal: Terminal) -> None:
    make(terminal)
    nothing = terminal.call("conversation", "list")
    assert (nothing.code, nothing.out, nothing.err) == (0, "", "There is no conversation here.\n")
    terminal.call("conversation", "import", export(terminal.home, "Which room?", "The north room."))
    (listed,) = terminal.call("conversation", "list", "--json").json
    assert (listed["title"], listed["messages"], listed["origin"]) == ("Ramp", 2, "Claude")
    assert terminal.call("conversation", "list").out == f"{listed['id']}\t2026-01-02T10:00:01Z\t2\tRamp\n"
    assert terminal.call("conversation", "list", "--title", "lift").out == ""
    assert terminal.call("conversation", "list", "--archived", "yes").out == ""

    shown = terminal.call("conversation", "show", "ramp")
    assert shown.out == (
        "# Ramp\n\nBegun 2026-01-02T10:00:00Z, from Claude.\n\n## Person, 2026-01-02T10:00:00Z\n\nWhich room?\n\n"
        "## Assistant, 2026-01-02T10:00:01Z\n\nThe north room.\n"
    )
    told = terminal.call("conversation", "show", listed["id"], "--json").json
    assert [message["content"] for message in told["messages"]] == ["Which room?", "The north room."]
    missing = terminal.call("conversation", "show", "lift")
    assert (missing.code, missing.err) == (3, "There is no conversation “lift”. See: muniment conversation list\n")

    assert terminal.call("conversation", "export", "--format", "csv").out.startswith(
        "conversation,id,number,role,at,text"
    )
    target = terminal.home / "talk.json"
    wrote = terminal.call("conversation", "export", "Ramp", "--format", "json", "-o", target)
    assert wrote.out == f"Wrote 1 conversation to {target}.\n"
    assert [each["title"] for each in json.loads(target.read_text())] == ["Ramp"]


def test_nothing_of_another_workspace_is_reached(terminal: Terminal) -> None:
    first = make(terminal, "First")
    terminal.call("conversation", "import", export(terminal.home, "Hello"), "-w", "First")
    (listed,) = terminal.call("conversation", "list", "-w", "First", "--json").json
    make(terminal, "Second")
    for command in (["show", listed["id"]], ["show", "Ramp"], ["export", listed["id"]]):
        answer = terminal.call("conversation", *command, "-w", "Second")
        assert (answer.code, answer.out) == (3, "")
    refused = terminal.call("conversation", "import", first / "workspace.db", "-w", "Second")
    assert refused.code == 1
    assert "Workspaces are kept apart" in refused.out
    target = first / "out.md"
    assert terminal.call("conversation", "export", "-o", target, "-w", "Second").code == 3
    assert not target.exists()
