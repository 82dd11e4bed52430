"""Forgetting for good reaches the catalog: manifests, their files and former versions, the trash, broken ones."""

from pathlib import Path

from core.adapters.sqlite.catalog import SqliteCatalog
from core.domain.catalog import BrokenManifest, Problem, Source
from core.domain.erasure import Wanted
from core.domain.manifests import AgentManifest, ManifestKind, SkillManifest
from tests.core.erasure.office import holding, opened
from tests.fakes.store import SetClock


async def test_no_byte_of_a_name_is_left_in_the_catalog(tmp_path: Path) -> None:
    folder, clock = tmp_path / "north", SetClock()
    office = await opened(folder, clock)
    catalog = SqliteCatalog(office.database)
    named = AgentManifest(id="zebrafinch", title="For Zebrafinch", tags=("Zebrafinch",), skills=("filing",))
    await catalog.index_agent(named, Source("agents/zebrafinch", "ours", files={"persona.md": b"Zebrafinch\nis kind"}))
    changing = SkillManifest(id="filing", name="filing", title="Filing", instructions="Ask Zebrafinch")
    await catalog.index_skill(changing)
    await catalog.index_skill(changing.model_copy(update={"instructions": "Ask someone"}))
    await catalog.index_skill(SkillManifest(id="gone", name="gone", title="Gone", description="Zebrafinch"))
    await catalog.remove_skill("gone")
    problem = Problem("agent.yaml", 1, "id", "can't be “Zebrafinch x”")
    await catalog.note_broken([BrokenManifest("agents/x", "ours", ManifestKind.AGENT, (problem,))])
    await catalog.index_agent(AgentManifest(id="other", title="Other"))
    plan = await office.erasure.plan(Wanted(name="Zebrafinch"))
    said = {(thing.kind.value, thing.title) for thing in plan.things}
    assert said == {
        ("agent", "For Zebrafinch"), ("trashed", "Gone"), ("broken_manifest", "agents/x"),
        ("version", "Version 1 of “Filing”"),
    }  # fmt: skip
    report = await office.erasure.carry_out(plan)
    assert report.verified
    assert await catalog.ids(ManifestKind.AGENT) == ["other"]
    assert await catalog.ids(ManifestKind.SKILL) == ["filing"]
    assert await catalog.broken() == []
    assert [one.version for one in await catalog.versions(ManifestKind.SKILL, "filing")] == [2]
    assert [entry.manifest.id for entry in await catalog.search_skills("someone")] == ["filing"]
    await office.close()
    assert holding(folder, "Zebrafinch") == []
    assert holding(folder, "zebrafinch") == []
