"""Manifests into the catalog and out of it, on real files and a real database; two workspaces stay apart."""

import shutil
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.adapters.files.folder import WorkspaceFolder
from core.adapters.files.manifests import ManifestFiles
from core.adapters.sqlite.catalog import SqliteCatalog
from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.migrations import prepare
from core.domain.manifest_reading import Bundle, Layout, read_bundle
from core.domain.manifest_writing import files_of_manifest
from core.domain.manifests import AgentManifest, ManifestKind, Persona, SkillManifest
from core.errors import NotFound, UserError
from core.events import Event, EventHub, Progress
from core.services.jobs import JobService
from core.services.manifests import ManifestExchange
from tests.core.catalog.making import AGENT, SKILL, folder_of

A, S = ManifestKind.AGENT, ManifestKind.SKILL


class Desk:
    """One workspace with a catalog."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.heard: list[Event] = []

    async def open(self) -> "Desk":
        await WorkspaceFolder().create(self.folder, "Desk")
        self.database = await Database.open(
            self.folder / "workspace.db", key=None, clock=time.time, publish=lambda events: None, prepare=prepare
        )
        events = EventHub(self.raise_)
        events.subscribe(self.heard.append)
        self.catalog = SqliteCatalog(self.database)
        self.jobs = JobService("w", events, time.time)
        starter = folder_of(self.folder.parent / "starter", {"agents/letters/agent.yaml": AGENT})
        self.manifests = ManifestExchange(self.catalog, ManifestFiles(), self.jobs, events, starter)
        return self

    def raise_(self, error: BaseException) -> None:
        raise error

    async def close(self) -> None:
        self.jobs.close()
        await self.database.close()


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    desk = await Desk(tmp_path / "one").open()
    yield desk
    await desk.close()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return folder_of(tmp_path / "ours", {
        "agents/letters/agent.yaml": AGENT, "agents/letters/persona.md": "Kind.\r\n",
        "agents/letters/starters.json": '[ "One" ]', "skills/write-letter/SKILL.md": SKILL,
        "skills/write-letter/extra.bin": b"\xff\0", "skills/two.json": '{"id": "two",\n"title": "Two"}',
        "agents/broken/agent.yaml": "id: x y\ntitle: Broken\n", "agents/twin/agent.yaml": "id: letters\ntitle: Twin\n",
        "tools/package.json": '{"name": "x"}',
    })  # fmt: skip


def below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def test_a_folder_comes_in_and_what_is_broken_is_listed(desk: Desk, source: Path) -> None:
    report = await desk.manifests.take(source)
    assert sorted(one.id for one in report.created) == ["letters", "two", "write-letter"]
    assert [(one.place, one.problems[0].line, one.problems[0].field) for one in report.broken] == [
        ("agents/broken", 1, "id"), ("agents/twin", None, "id"),
    ]  # fmt: skip
    assert "agents/letters" in report.broken[1].problems[0].rule
    assert [left.place for left in report.left] == ["tools/package.json"]
    assert [one.place for one in await desk.catalog.broken()] == ["agents/broken", "agents/twin"]
    assert [one.id for one in await desk.catalog.missing_skills()] == ["missing-one"]
    assert [event.done for event in desk.heard if isinstance(event, Progress)] == [6, 6]
    entry = await desk.catalog.get_agent("letters")
    assert entry is not None
    assert (entry.source.place, entry.source.origin) == ("agents/letters", "ours")
    assert isinstance(entry.manifest, AgentManifest)
    assert entry.manifest.persona.instructions == "Kind."


async def test_coming_in_again_changes_what_has_changed(desk: Desk, source: Path) -> None:
    await desk.manifests.take(source)
    again = await desk.manifests.take(source)
    assert (len(again.created), len(again.updated), len(again.same)) == (0, 0, 3)
    (source / "agents/letters/agent.yaml").write_text(AGENT.replace("Intake", "First"))
    shutil.rmtree(source / "agents/twin")
    (source / "agents/broken/agent.yaml").write_text("id: mended\ntitle: Mended\n")
    (source / "skills/two.json").write_text("{")
    third = await desk.manifests.take(source)
    assert [one.id for one in third.updated] == ["letters"]
    assert [one.id for one in third.created] == ["mended"]
    assert [(one.place, one.problems[0].line) for one in third.broken] == [("skills/two.json", 1)]
    assert [one.place for one in await desk.catalog.broken()] == ["agents/twin", "skills/two.json"]
    assert await desk.catalog.get_skill("two") is not None  # what could be read once stays
    assert [one.manifest.title for one in await desk.catalog.versions(A, "letters")] == [
        "First letters", "Intake letters",
    ]  # fmt: skip


@pytest.mark.parametrize("target", ["out", "out.zip"])
async def test_what_came_in_goes_out_byte_for_byte(desk: Desk, source: Path, tmp_path: Path, target: str) -> None:
    await desk.manifests.take(source)
    await desk.manifests.export(None, None, tmp_path / target)
    for broken in ("agents/broken", "agents/twin", "tools"):
        shutil.rmtree(source / broken)
    if target == "out.zip":
        shutil.unpack_archive(tmp_path / target, tmp_path / "out")
    assert below(tmp_path / "out") == below(source)
    if target == "out":
        done = await desk.manifests.export(None, None, tmp_path / "out")
        assert (done.written, done.same) == (0, 6)
        with pytest.raises(NotFound):
            await desk.manifests.export(["nobody"], [], tmp_path / "none")
        await desk.manifests.export([], ["two"], tmp_path / "some")
        assert list(below(tmp_path / "some")) == ["skills/two.json"]


async def test_an_empty_catalog_writes_nothing(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nothing in the catalog"):
        await desk.manifests.export(None, None, tmp_path / "out")
    assert not (tmp_path / "out").exists()


async def test_two_that_came_from_the_same_place_go_out_apart(desk: Desk, tmp_path: Path) -> None:
    for name in ("a", "b"):
        await desk.manifests.take(folder_of(tmp_path / name, {"x/agent.yaml": f"id: {name}\ntitle: T\n"}))
    await desk.manifests.export(None, None, tmp_path / "out")
    assert below(tmp_path / "out") == {
        "x/agent.yaml": b"id: a\ntitle: T\n", "agents/b/agent.yaml": b"id: b\ntitle: T\n",
    }  # fmt: skip


async def test_an_import_can_be_stopped(desk: Desk, tmp_path: Path) -> None:
    source = folder_of(tmp_path / "many", {f"a{n}/agent.yaml": f"id: a{n}\ntitle: T\n" for n in range(250)})
    report = await desk.manifests.take(source, on_progress=lambda progress: desk.manifests.cancel())
    assert report.cancelled
    assert (report.done, report.found) == (100, 250)
    assert len(await desk.catalog.ids(A)) == 100
    assert not (await desk.manifests.take(source)).cancelled
    assert len(await desk.catalog.ids(A)) == 250


async def test_entries_reach_another_workspace_by_files_alone(desk: Desk, source: Path, tmp_path: Path) -> None:
    await desk.manifests.take(source)
    other = await Desk(tmp_path / "b" / "two").open()
    for refused in (desk.folder, desk.folder / "memory", desk.folder / "artifacts"):
        report = None
        try:
            report = await other.manifests.take(refused)
        except UserError:
            continue
        assert (report.found, report.created) == (0, [])
    await other.manifests.add_starter()
    for refused in (desk.folder, desk.folder / "artifacts", desk.folder / "x.zip"):
        with pytest.raises(UserError, match="kept apart"):
            await other.manifests.export(None, None, refused)
    assert await other.catalog.ids(S) == []
    await desk.manifests.export(["letters"], None, tmp_path / "chosen.zip")
    await other.manifests.take(tmp_path / "chosen.zip")
    assert await other.catalog.ids(S) == ["two", "write-letter"]
    mine, theirs = await desk.catalog.get_agent("letters"), await other.catalog.get_agent("letters")
    assert mine is not None
    assert theirs is not None
    assert mine.source.files == theirs.source.files
    await other.close()


async def test_the_starter_is_put_in(desk: Desk) -> None:
    assert [one.id for one in (await desk.manifests.add_starter()).created] == ["letters"]
    assert [one.id for one in (await desk.manifests.add_starter()).same] == ["letters"]


# ---- files made of fields -------------------------------------------------------------------------------------------

words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
ids = st.from_regex(r"[A-Za-z0-9_-]{1,20}", fullmatch=True)
lines = words.filter(lambda text: len(text) > 0)


@given(
    st.builds(
        AgentManifest, id=ids, title=lines, version=words, description=words, prompt_template=words,
        tags=st.lists(lines, max_size=3, unique=True).map(tuple), suggestions=st.lists(words, max_size=3).map(tuple),
        persona=st.builds(Persona, role=words, tone=words, instructions=words), hidden=st.booleans(),
        skills=st.lists(ids, max_size=3, unique=True).map(tuple), max_iterations=st.integers(1, 100),
    )
)  # fmt: skip
def test_an_agent_read_from_its_own_files_is_the_same(manifest: AgentManifest) -> None:
    reading = read_bundle(Bundle("agents/x", Layout.AGENT_FOLDER, files_of_manifest(manifest)))
    assert reading.manifest == manifest, reading.problems


@given(
    st.builds(
        SkillManifest, id=ids, name=lines, title=lines, license=words, description=words, instructions=words,
        tools=st.lists(lines, max_size=3, unique=True).map(tuple), is_verified=st.booleans(),
        metadata=st.dictionaries(lines, words | st.integers(-1000, 1000) | st.booleans() | st.none(), max_size=3),
    )
)  # fmt: skip
def test_a_skill_read_from_its_own_files_is_the_same(manifest: SkillManifest) -> None:
    reading = read_bundle(Bundle("skills/x", Layout.SKILL_FOLDER, files_of_manifest(manifest)))
    assert reading.manifest == manifest, reading.problems
