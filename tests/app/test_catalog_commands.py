"""muniment catalog …"""

from pathlib import Path

import pytest

from tests.app.terminal import Terminal
from tests.core.catalog.making import AGENT, SKILL, folder_of


@pytest.fixture
def desk(terminal: Terminal) -> Terminal:
    """A terminal with one workspace and a folder of manifests."""
    assert terminal.call("workspace", "create", "Desk", "--in", terminal.home).code == 0
    folder_of(terminal.home / "ours", {
        "agents/letters/agent.yaml": AGENT + "domain: clinical\ncategory: intake.letters\ntags: [post]\n",
        "skills/write-letter/SKILL.md": SKILL,
    })  # fmt: skip
    return terminal


def test_a_catalog_from_files_to_files(desk: Terminal) -> None:
    assert desk.call("catalog", "list").err == "There is nothing like that in the catalog.\n"
    taken = desk.call("catalog", "import", desk.home / "ours", "--json")
    assert taken.code == 0, taken.err
    assert taken.json["created"] == [{"kind": "agent", "id": "letters"}, {"kind": "skill", "id": "write-letter"}]
    listed = desk.call("catalog", "list", "--json").json
    assert [one["id"] for one in listed["agents"]] == ["letters"]
    assert (len(listed["skills"]), listed["broken"]) == (1, [])
    found = desk.call("catalog", "search", "letter", "--kind", "agents", "--tag", "POST", "--domain", "Clinical")
    assert found.out == "agent\tletters\tIntake letters\tclinical.intake.letters\n"
    assert desk.call("catalog", "search", "letter", "--category", "intak", "--kind", "agents").out == ""
    shown = desk.call("catalog", "show", "agent", "letters", "--json").json
    assert shown["uses"] == [
        {"id": "write-letter", "title": "Write letter", "missing": False},
        {"id": "missing-one", "title": "", "missing": True},
    ]
    assert shown["source"]["files"] == ["agent.yaml"]
    missing = desk.call("catalog", "show", "skill", "missing-one", "--json").json
    used_by = [{"id": "letters", "title": "Intake letters", "missing": False}]
    assert missing == {"id": "missing-one", "missing": True, "used_by": used_by}
    tree = desk.call("catalog", "tree", "--json").json
    assert (tree["total"], tree["agents"], tree["skills"]) == (2, 1, 1)
    assert tree["domains"][0]["categories"][0]["subcategories"][0]["path"] == "intake.letters"
    assert "  intake\t1 agent\t0 skills\n    letters\t1 agent" in desk.call("catalog", "tree").out
    out = desk.home / "out"
    assert desk.call("catalog", "export", out, "--json").json == {"written": 2, "same": 0}
    for name in ("agents/letters/agent.yaml", "skills/write-letter/SKILL.md"):
        assert (out / name).read_bytes() == (desk.home / "ours" / name).read_bytes()
    (out / "agents/letters/agent.yaml").write_text("changed")
    assert desk.call("catalog", "export", out).code == 3
    assert desk.call("catalog", "export", out, "--agent", "letters", "--replace").code == 0
    assert desk.call("catalog", "show", "agent", "nobody").code == 3
    assert desk.call("catalog", "list", "--limit", "0").code == 3


def test_what_is_broken_is_said_with_its_line(desk: Terminal, corpus: Path) -> None:
    taken = desk.call("catalog", "import", corpus / "cases" / "manifests")
    assert taken.code == 1
    assert "broken\tbad-slug\tagent.yaml, line 1: “id” can't be “two words”" in taken.out
    assert "broken\tempty\tSKILL.md: is empty" in taken.out
    assert "broken\tno-header\tSKILL.md, line 1: has no header" in taken.out
    assert "created\tskill\tletters" in taken.out
    assert "broken\tbad-slug" in desk.call("catalog", "list").out
