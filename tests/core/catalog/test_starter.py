"""The agents and skills that come with the program: each can be read, keeps the rules of the house, is found."""

import asyncio
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.paths import resources
from core.adapters.files.manifests import ManifestFiles
from core.adapters.sqlite.catalog import SqliteCatalog
from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.migrations import prepare
from core.domain.catalog import CANONICAL_DOMAINS
from core.domain.manifest_reading import Bundle, read_bundle
from core.domain.manifests import AgentManifest, ManifestKind, RiskClass, SkillManifest
from core.events import EventHub
from core.services.jobs import JobService
from core.services.manifests import ManifestExchange

STARTER = resources() / "catalog"


async def bundles() -> list[Bundle]:
    scan = await ManifestFiles().scan(STARTER)
    assert not scan.left_out
    return await scan.read(0, scan.count)


ALL = asyncio.run(bundles())
MANIFESTS = [read_bundle(bundle).manifest for bundle in ALL]
AGENTS = [one for one in MANIFESTS if isinstance(one, AgentManifest)]
SKILLS = [one for one in MANIFESTS if isinstance(one, SkillManifest)]


@pytest.mark.parametrize("bundle", ALL, ids=[bundle.place for bundle in ALL])
def test_every_one_can_be_read_and_says_what_it_must(bundle: Bundle) -> None:
    reading = read_bundle(bundle)
    assert (reading.problems, reading.notes) == ((), ())
    manifest = reading.manifest
    assert manifest is not None
    assert bundle.place == f"{manifest.kind}s/{manifest.id}"
    assert manifest.risk_class is not None
    assert manifest.description.endswith(".")
    assert manifest.category
    assert manifest.tags
    assert manifest.tools
    assert manifest.forbidden
    assert not set(manifest.tools) & set(manifest.forbidden)
    if isinstance(manifest, AgentManifest):
        assert len(manifest.persona.instructions) > 200
        assert len(manifest.suggestions) >= 3
        assert manifest.skills
        assert (resources() / "icons" / f"{manifest.icon}.svg").is_file()
    else:
        assert len(manifest.instructions) > 200


def test_there_are_enough_for_a_clinic_and_an_office() -> None:
    assert (len(AGENTS), len(SKILLS)) == (20, 20)
    assert {one.domain for one in AGENTS} >= {*CANONICAL_DOMAINS, "finance", "operations"}
    assert {one.domain for one in SKILLS} >= set(CANONICAL_DOMAINS)
    assert {one.risk_class for one in AGENTS} == set(RiskClass)


def test_every_relation_leads_somewhere() -> None:
    used = {skill for agent in AGENTS for skill in agent.skills}
    assert used == {skill.id for skill in SKILLS}


def test_nothing_of_theirs_may_send_pay_or_diagnose() -> None:
    risky = re.compile("send|pay|sign|delete|diagnos|prescribe|approve")
    for one in (*AGENTS, *SKILLS):
        assert not [tool for tool in one.tools if risky.search(tool)], one.id
    for agent in AGENTS:
        if agent.risk_class is RiskClass.CLINICAL_ASSIST:
            assert {"give_diagnosis", "give_advice"} & set(agent.forbidden), agent.id


@pytest.fixture
async def catalog(tmp_path: Path) -> AsyncIterator[SqliteCatalog]:
    """The starter in a workspace's catalog."""
    database = await Database.open(
        tmp_path / "workspace.db", key=None, clock=time.time, publish=lambda events: None, prepare=prepare
    )
    events = EventHub(lambda error: None)
    jobs = JobService("w", events, time.time)
    catalog = SqliteCatalog(database)
    report = await ManifestExchange(catalog, ManifestFiles(), jobs, events, STARTER).add_starter()
    assert len(report.created) == 40
    yield catalog
    jobs.close()
    await database.close()


@pytest.mark.parametrize(
    ("words", "agent"),
    [
        ("intake letter", "intake-letter"), ("appointment reminders", "appointment-reminders"),
        ("price", "price-questions"), ("minutes", "minute-taker"), ("filing", "filing-clerk"),
        ("telephone", "telephone-notes"), ("unpaid invoice reminder", "invoice-helper"), ("wheelchair", "way-finder"),
    ],
)  # fmt: skip
async def test_people_find_them_with_their_own_words(catalog: SqliteCatalog, words: str, agent: str) -> None:
    assert (await catalog.search_agents(words))[0].manifest.id == agent


async def test_its_tree_holds_all_of_it(catalog: SqliteCatalog) -> None:
    tree = await catalog.get_category_tree()
    assert (tree.agents, tree.skills) == (20, 20)
    assert all(domain.count for domain in tree.domains)
    assert await catalog.missing_skills() == []
    for id in await catalog.ids(ManifestKind.SKILL):
        assert await catalog.agents_using(id), id
