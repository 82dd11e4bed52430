"""CatalogPort: one suite for the SQLite adapter (plain and sealed) and the fake."""

import asyncio

import pytest

from core.domain.catalog import (
    CANONICAL_DOMAINS,
    BrokenManifest,
    Entry,
    IndexOutcome,
    MissingSkill,
    Narrowing,
    Problem,
    Related,
    Source,
)
from core.domain.changes import Operation
from core.domain.manifests import AgentManifest, ManifestKind, Maturity, RiskClass, SkillManifest
from core.errors import InvalidValue, NotFound, VersionConflict
from core.events import Changed
from tests.contracts.conftest import Setting

AGENT, SKILL = ManifestKind.AGENT, ManifestKind.SKILL


def agent(id: str, title: str = "", **fields: object) -> AgentManifest:
    return AgentManifest.model_validate({"id": id, "title": title or id.capitalize(), **fields})


def skill(id: str, title: str = "", **fields: object) -> SkillManifest:
    return SkillManifest.model_validate({"id": id, "name": id, "title": title or id.capitalize(), **fields})


def ids(found: list[Entry]) -> list[str]:
    return [entry.manifest.id for entry in found]


async def some(setting: Setting) -> None:
    """A few of each, in no order."""
    for one in (
        agent("letters", "Intake letters", domain="Clinical", category="intake.letters", tags=["Letters", "new"],
              description="Writes to new clients", skills=["write-letter", "look-up"], tools=["search"]),
        agent("reminders", "Appointment reminders", domain="clinical", category="appointments",
              tags=["appointments"], persona="Be kind about a letter", risk_class="admin", maturity="stable"),
        agent("forms", "Forms", domain="CLINICAL", category="intake.forms", risk_class="clinical_assist"),
        agent("intakes", "Intakes", domain="clinical", category="intakes"),
        agent("secret", "Secret letters", domain="finance", hidden=True, tags=["letters"]),
        agent("prices", "Answers about prices", domain="finance", description="A letter about prices, politely"),
    ):  # fmt: skip
        await setting.catalog.index_agent(one)
    await setting.catalog.index_skill(
        skill("write-letter", "Write a letter", domain="clinical", category="intake.letters", instructions="Be brief.")
    )
    await setting.catalog.index_skill(skill("filing", "File papers", domain="office", tools=["move"]))


# ---- writing --------------------------------------------------------------------------------------------------------


async def test_what_is_indexed_comes_back_whole(setting: Setting) -> None:
    manifest = agent(
        "a", "Ä title", version="1.10", license="MIT", risk_class="wellness", maturity="beta", tags="x, y",
        model={"provider": "p", "name": "n", "temperature": 0.5}, persona={"role": "r", "tone": "t"}, skills=["s"],
        tools=["t"], forbidden=["f"], suggestions=["one", "two"], care_stages=["intake"], target_audience=["staff"],
        prompt_template="{question}", icon="mail", can_delegate=True, max_iterations=7, category="a.b", domain="D",
    )  # fmt: skip
    source = Source("agents/a", "ours", "abc", 12.5, {"agent.yaml": "id: a\r\nümlaut".encode(), "b.bin": b"\xff\0\x01"})
    entry = await setting.catalog.index_agent(manifest, source)
    assert (entry.version, entry.updated_by, entry.updated_at) == (1, "person", setting.clock.now)
    held = await setting.catalog.get_agent("a")
    assert held == entry
    assert held.manifest == manifest
    assert held.source == source
    other = skill("a", metadata={"deep": [1, None, {"x": True}]}, references=["r.md"], evals=["e"], is_verified=True)
    await setting.catalog.index_skill(other)
    found = await setting.catalog.get_skill("a")
    assert found is not None
    assert found.manifest == other
    assert await setting.catalog.get_skill("none") is None
    assert (await setting.catalog.ids(AGENT), await setting.catalog.ids(SKILL)) == (["a"], ["a"])


async def test_every_write_is_in_the_stream_and_published_once(setting: Setting) -> None:
    before = len(setting.published)
    await setting.catalog.index_agent(agent("a"))
    await setting.catalog.index_agent(agent("a"))  # the same again
    await setting.catalog.index_agent(agent("a", "Other"))
    await setting.catalog.index_skill(skill("s"))
    assert await setting.catalog.remove_agent("a")
    assert not await setting.catalog.remove_agent("a")
    stream = [(c.kind, c.id, c.version, c.operation) for c in await setting.changes.after(0)]
    assert stream == [
        ("agent", "a", 1, Operation.CREATED), ("agent", "a", 2, Operation.UPDATED),
        ("skill", "s", 1, Operation.CREATED), ("agent", "a", 3, Operation.DELETED),
    ]  # fmt: skip
    heard = [(e.kind, e.ids, e.sequence) for e in setting.published[before:] if e.kind in ("agent", "skill")]
    assert heard == [("agent", ("a",), 1), ("agent", ("a",), 2), ("skill", ("s",), 3), ("agent", ("a",), 4)]


async def test_many_are_indexed_at_once_and_say_what_became_of_them(setting: Setting) -> None:
    await setting.catalog.index_agent(agent("same"))
    await setting.catalog.index_agent(agent("changed"))
    done = await setting.catalog.index_many([
        (agent("same"), None), (agent("changed", "Now"), None), (skill("new"), Source("skills/new", "o")),
    ])  # fmt: skip
    assert [one.outcome for one in done] == [IndexOutcome.SAME, IndexOutcome.UPDATED, IndexOutcome.CREATED]
    assert [one.entry.version for one in done] == [1, 2, 1]


async def test_a_write_over_another_version_is_refused(setting: Setting) -> None:
    await setting.catalog.index_agent(agent("a"), expected=0)
    await setting.catalog.index_agent(agent("a", "Mine"), expected=1)
    with pytest.raises(VersionConflict) as refused:
        await setting.catalog.index_agent(agent("a", "Theirs"), expected=1)
    assert (refused.value.present, refused.value.wanted) == (agent("a", "Mine"), agent("a", "Theirs"))
    with pytest.raises(VersionConflict):
        await setting.catalog.index_agent(agent("a", "Theirs"), expected=0)
    with pytest.raises(VersionConflict):
        await setting.catalog.index_skill(skill("s"), expected=4)
    assert await setting.catalog.ids(SKILL) == []


async def test_former_versions_are_kept_and_come_back_with_their_files(setting: Setting) -> None:
    source = Source("agents/a", "o", "", 3.0, {"agent.yaml": b"first"})
    await setting.catalog.index_agent(agent("a", "First"), source)
    setting.clock.now += 5
    await setting.catalog.index_agent(agent("a", "Second"))
    versions = await setting.catalog.versions(AGENT, "a")
    assert [(one.version, one.manifest.title, one.present) for one in versions] == [
        (2, "Second", True), (1, "First", False),
    ]  # fmt: skip
    assert versions[0].at - versions[1].at == 5
    back = await setting.catalog.restore_version(AGENT, "a", 1)
    assert (back.version, back.manifest.title, back.source) == (3, "First", source)
    assert (await setting.catalog.restore_version(AGENT, "a", 3)).version == 3
    for kind, id, version in ((AGENT, "a", 9), (AGENT, "b", 1), (SKILL, "a", 1)):
        with pytest.raises(NotFound):
            await setting.catalog.restore_version(kind, id, version)
    assert await setting.catalog.versions(SKILL, "a") == []
    with pytest.raises(InvalidValue):
        await setting.catalog.versions(AGENT, "a", 0)


async def test_what_is_removed_lies_in_the_trash_and_comes_back_exactly(setting: Setting) -> None:
    source = Source("agents/a", "o", "", 3.0, {"agent.yaml": b"\xffx"})
    await setting.catalog.index_agent(agent("a", "First", tags=["t"], skills=["s"]), source)
    await setting.catalog.index_agent(agent("a", "Zebra", tags=["t"], skills=["s"]), source)
    held = await setting.catalog.get_agent("a")
    assert await setting.catalog.remove_agent("a")
    assert await setting.catalog.search_agents("zebra") == []
    assert await setting.catalog.agents_using("s") == []
    thing = await setting.trash.find("agent", "a")
    assert thing is not None
    assert thing.title == "Zebra"
    await setting.trash.restore(thing.number)
    assert await setting.catalog.get_agent("a") == held
    assert ids(await setting.catalog.search_agents("zebra", tags=["T"])) == ["a"]
    assert [one.version for one in await setting.catalog.versions(AGENT, "a")] == [2, 1]
    assert await setting.catalog.remove_agent("a")
    await setting.catalog.index_agent(agent("a", "New"))
    thing = await setting.trash.find("agent", "a")
    assert thing is not None
    with pytest.raises(VersionConflict):
        await setting.trash.restore(thing.number)
    assert await setting.trash.erase([thing.number]) == 1


async def test_many_writers_at_once(setting: Setting) -> None:
    await asyncio.gather(*(setting.catalog.index_agent(agent(f"a{n % 10}", f"Title {n}")) for n in range(150)))
    assert len(await setting.catalog.ids(AGENT)) == 10
    assert sum([len(await setting.catalog.versions(AGENT, f"a{n}")) for n in range(10)]) == 150


# ---- search ---------------------------------------------------------------------------------------------------------


async def test_without_words_everything_that_is_not_hidden_comes_by_title(setting: Setting) -> None:
    await some(setting)
    assert ids(await setting.catalog.search_agents()) == ["prices", "reminders", "forms", "letters", "intakes"]
    assert ids(await setting.catalog.search_agents(" … -- ")) == ["prices", "reminders", "forms", "letters", "intakes"]
    assert ids(await setting.catalog.search_agents(include_hidden=True))[-1] == "secret"
    assert ids(await setting.catalog.search_skills()) == ["filing", "write-letter"]


async def test_pages(setting: Setting) -> None:
    await some(setting)
    every = ids(await setting.catalog.search_agents())
    pages = [ids(await setting.catalog.search_agents(limit=2, offset=offset)) for offset in (0, 2, 4, 6)]
    assert pages == [every[:2], every[2:4], every[4:], []]
    ranked = ids(await setting.catalog.search_agents("letter"))
    assert [ids(await setting.catalog.search_agents("letter", limit=1, offset=n))[0] for n in range(3)] == ranked
    assert await setting.catalog.search_agents("letter prices", offset=50) == []


@pytest.mark.parametrize("limit", [0, -1, 101])
async def test_limits(setting: Setting, limit: int) -> None:
    with pytest.raises(InvalidValue):
        await setting.catalog.search_agents(limit=limit)


async def test_offset_below_zero(setting: Setting) -> None:
    for offset in (-1, 1 << 40):
        with pytest.raises(InvalidValue):
            await setting.catalog.search_skills("x", offset=offset)


async def test_domain_matches_without_case_and_category_as_a_dotted_prefix(setting: Setting) -> None:
    await some(setting)
    search = setting.catalog.search_agents
    assert ids(await search(domain="cLiNiCaL")) == ["reminders", "forms", "letters", "intakes"]
    assert ids(await search(category="intake")) == ["forms", "letters"]
    assert ids(await search(category="intake.forms")) == ["forms"]
    assert ids(await search(category="intake.form")) == []
    assert ids(await search(category="Intake")) == []
    assert ids(await search("letter", domain="Finance")) == ["prices"]
    assert ids(await search(domain="finance", category="intake")) == []
    assert await search(domain="clinic%") == []
    assert await search(category="inta_e") == []


async def test_tags_are_any_of_and_hold_before_the_limit(setting: Setting) -> None:
    await some(setting)
    for n in range(30):
        await setting.catalog.index_agent(agent(f"a{n}", f"AAA letter {n}"))
    search = setting.catalog.search_agents
    assert ids(await search(tags=["appointments", "LETTERS"], limit=2)) == ["reminders", "letters"]
    assert ids(await search("letter", tags=["letters"], limit=1)) == ["letters"]
    assert ids(await search(tags=["letters"], include_hidden=True)) == ["letters", "secret"]
    assert await search(tags=["nothing"]) == []


async def test_lists_are_narrowed_by_risk_maturity_and_tools(setting: Setting) -> None:
    await some(setting)
    search = setting.catalog.search_agents
    risky = Narrowing(risk_classes=(RiskClass.ADMIN, RiskClass.CLINICAL_ASSIST))
    assert ids(await search(narrowing=risky)) == ["reminders", "forms"]
    assert ids(await search(narrowing=Narrowing(maturities=(Maturity.STABLE,)))) == ["reminders"]
    assert ids(await search(narrowing=Narrowing(tools=("SEARCH", "x")))) == ["letters"]
    assert ids(await setting.catalog.search_skills(narrowing=Narrowing(tools=("move",)))) == ["filing"]


async def test_titles_count_above_tags_above_descriptions_above_the_rest(setting: Setting) -> None:
    for one in (
        agent("body", "One", persona="zebra"), agent("summary", "Two", description="zebra"),
        agent("tagged", "Three", tags=["zebra"]), agent("title", "Zebra"), agent("none", "Four", description="horse"),
    ):  # fmt: skip
        await setting.catalog.index_agent(one)
    assert ids(await setting.catalog.search_agents("ZEBRA")) == ["title", "tagged", "summary", "body"]


async def test_all_words_count_before_any(setting: Setting) -> None:
    await some(setting)
    search = setting.catalog.search_agents
    assert ids(await search("letter prices")) == ["prices"]
    assert set(ids(await search("appointment nonsense forms"))) == {"reminders", "forms"}
    assert ids(await search("appointments")) == ids(await search("appointment")) == ids(await search("appoi"))
    assert await search("ppointments") == []
    assert await search("appoi ") == []  # a space says that the word is whole


async def test_accents_and_other_scripts(setting: Setting) -> None:
    await setting.catalog.index_agent(agent("a", "Größe für Ärzte"))
    await setting.catalog.index_agent(agent("b", "予約の確認"))
    await setting.catalog.index_agent(agent("c", "Запись на приём"))
    for words, id in (("arzte", "a"), ("GRÖSSE", ""), ("予約", "b"), ("приём", "c"), ("ПРИЕМ", "c")):
        assert ids(await setting.catalog.search_agents(words)) == ([id] if id else []), words


HOSTILE = [
    "", " ", "\t\n", "\0", "a\0b", "'", '"', '""', '"unclosed', "'; DROP TABLE agents; --", "*", "**", "a*", "*a", "-",
    "-letter", "--", "AND", "OR", "NOT", "NEAR", "NEAR(a b, 3)", "a AND", "NOT a", "a OR OR b", "title:letter",
    "label : x", "{label body}: x", "^letter", "(", ")", "((letter)", "letter)", "design-doc", "C++", "foo:bar", "a+b",
    "%", "_", "\\", "/", "..", "../../x", "\ud800", "é" * 500, "x" * 100_000, "word " * 5000, "🙂", "‮abc", "١٢٣", "ﬁ",
    "1=1", "<script>", "${x}", "NULL", "rank", "agents_fts", "\u200b",
]  # fmt: skip


@pytest.mark.parametrize("query", HOSTILE, ids=[f"{n}" for n in range(len(HOSTILE))])
async def test_no_query_is_syntax(setting: Setting, query: str) -> None:
    await some(setting)
    found = await setting.catalog.search_agents(query)
    assert "secret" not in ids(found)
    await setting.catalog.search_skills(query, domain=query, category=query, tags=[query])
    await setting.catalog.search_agents(query, tags=[query], narrowing=Narrowing(tools=(query,)))
    assert await setting.catalog.get_agent(query) is None
    assert await setting.catalog.skills_of(query) == await setting.catalog.agents_using(query) == []
    assert len(await setting.catalog.ids(AGENT)) == 6


@pytest.mark.parametrize("query", ["C++", "design-doc", "foo:bar", "AND", "NEAR", '"quoted"'])
async def test_words_that_look_like_syntax_are_found(setting: Setting, query: str) -> None:
    await setting.catalog.index_agent(agent("a", f"About {query} here"))
    await setting.catalog.index_agent(agent("b", "Something else"))
    assert ids(await setting.catalog.search_agents(query)) == ["a"]


async def test_old_words_find_nothing_after_a_change(setting: Setting) -> None:
    await setting.catalog.index_agent(agent("a", "Zebra", tags=["stripes"], tools=["ride"]))
    await setting.catalog.index_agent(agent("a", "Horse"))
    assert await setting.catalog.search_agents("zebra") == []
    assert await setting.catalog.search_agents(tags=["stripes"]) == []
    assert await setting.catalog.search_agents(narrowing=Narrowing(tools=("ride",))) == []
    assert ids(await setting.catalog.search_agents("horse")) == ["a"]


# ---- tree -----------------------------------------------------------------------------------------------------------


async def test_canonical_domains_are_always_there(setting: Setting) -> None:
    tree = await setting.catalog.get_category_tree()
    assert tuple(domain.name for domain in tree.domains) == CANONICAL_DOMAINS
    assert (tree.total, tree.agents, tree.skills) == (0, 0, 0)


async def test_the_tree_counts_agents_and_skills_apart_and_leaves_hidden_ones_out(setting: Setting) -> None:
    await some(setting)
    await setting.catalog.index_agent(agent("deep", domain="clinical", category="intake.forms.short.one"))
    tree = await setting.catalog.get_category_tree()
    assert tuple(domain.name for domain in tree.domains) == (*CANONICAL_DOMAINS, "finance", "office")
    assert (tree.agents, tree.skills, tree.total) == (6, 2, 8)
    clinical = tree.domains[0]
    assert (clinical.agents, clinical.skills) == (5, 1)
    assert [(node.name, node.agents, node.skills) for node in clinical.categories] == [
        ("appointments", 1, 0), ("intake", 3, 1), ("intakes", 1, 0),
    ]  # fmt: skip
    forms = clinical.categories[1].subcategories[0]
    assert (forms.path, forms.agents) == ("intake.forms", 2)
    assert forms.subcategories[0].subcategories[0].path == "intake.forms.short.one"
    finance = tree.domains[5]
    assert (finance.agents, finance.skills, finance.categories) == (1, 0, ())


async def test_the_tree_follows_every_change(setting: Setting) -> None:
    async def counts() -> tuple[int, int]:
        tree = await setting.catalog.get_category_tree()
        return tree.agents, tree.skills

    assert await counts() == (0, 0)
    await setting.catalog.index_agent(agent("a"))
    assert await counts() == await counts() == (1, 0)
    await setting.shared.set("hours", "8 to 5")  # another kind
    assert await counts() == (1, 0)
    await setting.catalog.index_skill(skill("s"))
    assert await counts() == (1, 1)
    await setting.catalog.index_agent(agent("a", hidden=True))
    assert await counts() == (0, 1)
    await setting.catalog.restore_version(AGENT, "a", 1)
    assert await counts() == (1, 1)
    await setting.catalog.remove_skill("s")
    assert await counts() == (1, 0)
    thing = await setting.trash.find("skill", "s")
    assert thing is not None
    await setting.trash.restore(thing.number)
    assert await counts() == (1, 1)


# ---- relations ------------------------------------------------------------------------------------------------------


async def test_relations_both_ways_and_what_is_missing(setting: Setting) -> None:
    await some(setting)
    catalog = setting.catalog
    assert await catalog.skills_of("letters") == [
        Related("write-letter", "Write a letter"), Related("look-up", missing=True),
    ]  # fmt: skip
    assert await catalog.agents_using("write-letter") == [Related("letters", "Intake letters")]
    assert await catalog.agents_using("look-up") == [Related("letters", "Intake letters")]
    assert await catalog.missing_skills() == [MissingSkill("look-up", (Related("letters", "Intake letters"),))]
    await catalog.index_skill(skill("look-up"))
    assert await catalog.missing_skills() == []
    await catalog.remove_skill("write-letter")
    assert [one.id for one in await catalog.missing_skills()] == ["write-letter"]
    await catalog.remove_agent("letters")
    assert await catalog.missing_skills() == []
    assert await catalog.skills_of("letters") == await catalog.agents_using("nothing") == []


# ---- broken ---------------------------------------------------------------------------------------------------------


async def test_broken_manifests_stay_listed_until_they_can_be_read(setting: Setting) -> None:
    problem = Problem("agent.yaml", 3, "risk_class", "has to be one of …")
    await setting.catalog.note_broken([
        BrokenManifest("agents/b", "ours", AGENT, (problem,)), BrokenManifest("agents/a", "ours", SKILL, (problem,)),
    ])  # fmt: skip
    again = Problem("agent.yaml", None, "", "is empty")
    await setting.catalog.note_broken([BrokenManifest("agents/b", "ours", AGENT, (again,))])
    listed = await setting.catalog.broken()
    assert [(one.place, one.kind, one.problems, one.at) for one in listed] == [
        ("agents/a", SKILL, (problem,), setting.clock.now), ("agents/b", AGENT, (again,), setting.clock.now),
    ]  # fmt: skip
    await setting.catalog.index_agent(agent("b"), Source("agents/b", "others", files={"agent.yaml": b""}))
    assert len(await setting.catalog.broken()) == 2  # another origin
    await setting.catalog.index_agent(agent("b"), Source("agents/b", "ours", files={"agent.yaml": b""}))
    assert [one.place for one in await setting.catalog.broken()] == ["agents/a"]
    assert await setting.catalog.dismiss_broken("ours", "agents/a")
    assert not await setting.catalog.dismiss_broken("ours", "agents/a")
    assert Changed("broken_manifest", (), "person") in setting.published
