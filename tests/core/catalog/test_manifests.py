"""Manifests are read leniently where their meaning is clear; otherwise file, line, field and rule are told."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.catalog import tree_of
from core.domain.manifest_reading import Bundle, Layout, Reading, read_bundle
from core.domain.manifest_yaml import UnreadableText, meant, read_yaml
from core.domain.manifests import AgentManifest, Maturity, RiskClass, SkillManifest
from core.domain.manifests import ManifestKind as Kind

AGENT = """\
id: intake-letter
title: Intake letter
version: 1.10
domain: Clinical
category: intake.letters
risk_class: admin
maturity: beta
tags: [letters, intake, letters]
model:
  provider: local
  name: small
  temperature: 0.2
skills: [write-letter]
forbidden: [send_mail]
can_delegate: yes
"""


def agent(text: str = AGENT, **others: str) -> Reading:
    files = {"agent.yaml": text.encode(), **{name.replace("_", "."): held.encode() for name, held in others.items()}}
    return read_bundle(Bundle("agents/intake-letter", Layout.AGENT_FOLDER, files))


def skill(text: str, place: str = "skills/write-letter") -> Reading:
    return read_bundle(Bundle(place, Layout.SKILL_FOLDER, {"SKILL.md": text.encode()}))


def one_file(data: object, place: str = "agents/x.json") -> Reading:
    text = data if isinstance(data, str) else json.dumps(data, indent=2)
    return read_bundle(Bundle(place, Layout.JSON_FILE, {place.split("/")[-1]: text.encode()}))


def told(reading: Reading) -> list[tuple[str, int | None, str]]:
    assert reading.manifest is None
    return [(problem.file, problem.line, problem.field) for problem in reading.problems]


def test_an_agent_is_put_together_from_its_four_files() -> None:
    read = agent(
        metadata_yaml="title: Not this one\ndescription: Writes the first letter\ncare_stages: [intake]\n",
        persona_md="You write kindly.\n",
        starters_json='["Write to a new client", {"title": "Short", "prompt": "A short letter"}]',
    )
    manifest = read.manifest
    assert isinstance(manifest, AgentManifest)
    assert (manifest.title, manifest.description, manifest.version) == (
        "Intake letter", "Writes the first letter", "1.10",
    )  # fmt: skip
    assert manifest.persona.instructions == "You write kindly."
    assert manifest.suggestions == ("Write to a new client", "A short letter")
    assert manifest.tags == ("letters", "intake")
    assert (manifest.risk_class, manifest.maturity) == (RiskClass.ADMIN, Maturity.BETA)
    assert manifest.model is not None
    assert manifest.model.temperature == 0.2
    assert manifest.can_delegate
    assert manifest.max_iterations == 3


def test_a_persona_may_be_told_in_parts() -> None:
    manifest = agent(AGENT + "persona: {role: secretary, tone: warm}\n", persona_md="Be brief.").manifest
    assert isinstance(manifest, AgentManifest)
    assert (manifest.persona.role, manifest.persona.tone, manifest.persona.instructions) == (
        "secretary", "warm", "Be brief.",
    )  # fmt: skip


def test_a_skill_has_front_matter_and_instructions() -> None:
    read = skill(
        "---\nname: write-letter\ndescription: Writes\nallowed-tools: read, search\nmetadata: {pages: 2, draft: false,"
        " code: '07'}\n---\n\n# How\n\nWrite.\n"
    )
    manifest = read.manifest
    assert isinstance(manifest, SkillManifest)
    assert (manifest.id, manifest.name, manifest.title) == ("write-letter", "write-letter", "Write letter")
    assert manifest.tools == ("read", "search")
    assert manifest.instructions == "# How\n\nWrite."
    assert manifest.metadata == {"pages": 2, "draft": False, "code": "07"}


def test_one_json_file_is_an_agent_or_a_skill() -> None:
    assert isinstance(one_file({"id": "a", "title": "A"}).manifest, AgentManifest)
    assert isinstance(one_file({"id": "a", "title": "A"}, "skills/a.json").manifest, SkillManifest)
    assert isinstance(one_file({"kind": "skill", "id": "a", "title": "A"}).manifest, SkillManifest)
    assert one_file({"name": "a-package", "version": "1"}, "package.json").is_manifest is False
    assert one_file([1, 2], "list.json").is_manifest is False


@pytest.mark.parametrize(
    ("text", "line", "field"),
    [
        ("id: two words\ntitle: T\n", 1, "id"),
        ("title: T\n\nid: ../up\n", 3, "id"),
        ("id: a\ntitle: T\nrisk_class: high\n", 3, "risk_class"),
        ("id: a\ntitle: T\nmaturity: done\n", 3, "maturity"),
        ("id: a\ntitle: T\nmodel:\n  name: x\n  temperature: hot\n", 5, "model.temperature"),
        ("id: a\ntitle: T\nmodel:\n  temperature: .nan\n", 4, "model.temperature"),
        ("id: a\ntitle: T\nmax_iterations: 0\n", 3, "max_iterations"),
        ("id: a\ntitle: T\nskills:\n  - good\n  - not good\n", 5, "skills.1"),
        ("id: a\ntitle: T\ncategory: intake..forms\n", 3, "category"),
        ("id: a\ntitle: T\nhidden: perhaps\n", 3, "hidden"),
        ("id: a\ntitle: ''\n", 2, "title"),
        ("id: a\ntitle: T\ntitle: U\n", 3, "title"),
        ("id: a\ntitle: T\ntools: !include tools.yaml\n", 3, "tools"),
        ("id: a\ntitle: T\nextends: ../../secret.yaml\n", 3, "extends"),
        ("id: a\ntitle: T\nextends: /etc/passwd\n", 3, "extends"),
        ("id: a\ntitle: T\ninclude: [missing.yaml]\n", 3, "include"),
        ("id: a\ntitle: T\nextends: agent.yaml\n", 1, "extends"),
        ("id: a\ntitle: b: c\n", 2, ""),
        ("id: a\n\ttitle: T\n", 2, ""),
        ("- a\n- b\n", 1, ""),
        ("id: a\ntitle: T\n---\nid: b\n", 3, ""),
        ("", None, ""),
    ],
)
def test_what_is_wrong_is_told_with_file_line_and_field(text: str, line: int | None, field: str) -> None:
    assert told(agent(text)) == [("agent.yaml", line, field)]


def test_every_broken_rule_is_told_not_only_the_first() -> None:
    assert told(agent("id: a b\nrisk_class: high\n")) == [
        ("agent.yaml", 1, "id"), ("agent.yaml", 1, "title"), ("agent.yaml", 2, "risk_class"),
    ]  # fmt: skip


def test_the_file_is_named_in_which_the_mistake_stands() -> None:
    assert told(agent(metadata_yaml="description: x\nhidden: perhaps\n")) == [("metadata.yaml", 2, "hidden")]
    assert told(agent(starters_json="{}")) == [("starters.json", 1, "")]
    assert told(agent(starters_json='["a",\n "b"')) == [("starters.json", 2, "")]


def test_lines_of_a_skill_count_from_the_top_of_its_file() -> None:
    assert told(skill("---\nname: a\nrisk_class: high\n---\nBody")) == [("SKILL.md", 3, "risk_class")]
    assert told(skill("---\nname: a\ntags: [a\n---\nBody"))[0][0] == "SKILL.md"
    assert told(skill("---\nname: a\n")) == [("SKILL.md", 1, "")]


def test_lines_of_json() -> None:
    assert told(one_file('{\n "id": "a",\n "title": "T",\n "maturity": "done"\n}')) == [("x.json", 4, "maturity")]
    assert told(one_file('{\n "id": "a",\n "title": }'))[0][1] == 3
    assert told(one_file('{"id": "a", "title": "T", "extends": "b.json"}'))[0][2] == "extends"
    assert told(one_file('{"id": "a", "title": "T", "max_iterations": NaN}')) == [("x.json", None, "")]
    assert told(one_file("[" * 100_000)) == [("x.json", None, "")]


def test_a_file_of_the_same_folder_may_be_extended() -> None:
    files = {
        "agent.yaml": b"id: a\nextends: shared/base.yaml\n",
        "shared/base.yaml": b"id: base\ntitle: From the base\nmaturity: stable\n",
    }
    manifest = read_bundle(Bundle("a", Layout.AGENT_FOLDER, files)).manifest
    assert manifest is not None
    assert (manifest.id, manifest.title) == ("a", "From the base")


def test_a_colon_that_was_not_quoted_is_read_as_it_is_meant() -> None:
    read = skill("---\nname: letters\ndescription: Writes letters: short and long\n---\nBody.")
    assert read.manifest is not None
    assert read.manifest.description == "Writes letters: short and long"
    assert [(note.line, note.field) for note in read.notes] == [(3, "description")]


def test_unknown_fields_are_noted() -> None:
    read = agent(AGENT + "categry: x\n")
    assert read.manifest is not None
    assert [(note.line, note.field) for note in read.notes] == [(16, "categry")]


def test_text_in_another_encoding_is_named_with_its_line() -> None:
    read = read_bundle(Bundle("a", Layout.AGENT_FOLDER, {"agent.yaml": "id: a\ntitle: Größe\n".encode("latin-1")}))
    assert told(read) == [("agent.yaml", 2, "")]


@pytest.mark.parametrize(
    "text",
    [
        "a: !!python/object/apply:os.system [x]",
        "[" * 5000,
        "x: &a [1,1]\n" + "".join(f"y{n}: &b{n} [{','.join(['*' + (f'b{n - 1}' if n else 'a')] * 9)}]\n"
                                  for n in range(9)),
        "a: &a [*a]",
        "? [a]\n: b",
        "a: *nowhere",
        "base: &b {x: 1}\n<<: *b",
    ],
)  # fmt: skip
def test_yaml_that_is_no_plain_data_is_refused(text: str) -> None:
    with pytest.raises(UnreadableText):
        read_yaml(text)


@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_any_text_is_read_or_refused(text: str) -> None:
    for name in ("agent.yaml", "SKILL.md", "x.json"):
        layout = {"agent.yaml": Layout.AGENT_FOLDER, "SKILL.md": Layout.SKILL_FOLDER, "x.json": Layout.JSON_FILE}[name]
        for content in (text, f"---\n{text}\n---\n"):
            reading = read_bundle(Bundle("agents/a", layout, {name: content.encode("utf-8", "replace")}))
            assert reading.manifest is not None or reading.problems or not reading.is_manifest


def test_numbers_are_read_only_where_nothing_is_lost() -> None:
    assert meant(read_yaml("[1, 1.50, 1.5, 007, true, no, '2', ~]").data) == [
        1, "1.50", 1.5, "007", True, "no", "2", None,
    ]  # fmt: skip


EXPECTED = {"colon": True, "no-header": False, "empty": False, "bad-slug": False}


def test_the_corpus(corpus: Path) -> None:
    for name, readable in EXPECTED.items():
        files = {path.name: path.read_bytes() for path in (corpus / "cases" / "manifests" / name).iterdir()}
        layout = Layout.AGENT_FOLDER if "agent.yaml" in files else Layout.SKILL_FOLDER
        reading = read_bundle(Bundle(name, layout, files))
        assert (reading.manifest is not None) == readable, name
        assert readable or reading.problems[0].sentence
        if name == "bad-slug":
            assert (reading.problems[0].line, reading.problems[0].field) == (1, "id")
            assert "letters" in reading.problems[0].rule


def test_the_tree_counts_what_is_below() -> None:
    tree = tree_of([
        (Kind.AGENT, "Clinical", "intake", 1), (Kind.AGENT, "clinical", "intake.forms", 2),
        (Kind.SKILL, "clinical", "intake.forms.short", 4), (Kind.SKILL, "finance", "", 3),
    ])  # fmt: skip
    assert [domain.name for domain in tree.domains] == [
        "clinical", "therapy", "wellness", "navigation", "education", "finance",
    ]  # fmt: skip
    (intake,) = tree.domains[0].categories
    assert (intake.agents, intake.skills, intake.count) == (3, 4, 7)
    (forms,) = intake.subcategories
    assert (forms.path, forms.name, forms.agents, forms.skills) == ("intake.forms", "forms", 2, 4)
    assert (tree.agents, tree.skills, tree.total) == (3, 7, 10)
    assert tree.domains[1].count == 0
