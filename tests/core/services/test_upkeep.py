"""The upkeep of a workspace: nothing is lost that a paper needs, and nothing is kept that none does."""

import os
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.domain.papers import Paper
from core.services.upkeep import DAMAGED, UpkeepService
from core.tasks import TaskScope
from tests.contracts.conftest import Setting, real
from tests.fakes.store import SetClock


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Setting]:
    folder = tmp_path / "W"
    folder.mkdir()
    setting = await real(folder, SetClock(), [], None)
    yield setting
    assert setting.database is not None
    await setting.database.close()


@pytest.fixture
def upkeep(store: Setting) -> UpkeepService:
    return UpkeepService(store.upkeep, store.artifacts, TaskScope("upkeep", lambda error: None))


async def taken(store: Setting, folder: Path, name: str) -> Paper:
    folder.mkdir(exist_ok=True)
    source = folder / name
    source.write_text(f"The paper {name}")
    artifact = await store.artifacts.take(source, 1000)
    return (await store.papers.add(artifact, name, str(source)))[0]


async def stored(store: Setting, paper: Paper) -> Path:
    return await store.artifacts.path(paper.digest)


async def test_only_what_no_paper_has_is_collected(store: Setting, upkeep: UpkeepService, tmp_path: Path) -> None:
    kept, removed, old = [await taken(store, tmp_path / "in", name) for name in ("kept", "removed", "old")]
    (tmp_path / "in" / "orphan").write_text("never became a paper")
    orphan = await store.artifacts.take(tmp_path / "in" / "orphan", 1000)
    await store.papers.remove([old.id, removed.id])
    thing = await store.trash.find("paper", old.id)
    assert thing is not None
    await store.trash.erase([thing.number])
    assert await upkeep.collect() == 0  # all were taken in a moment ago; their papers may be on their way
    for digest in await store.artifacts.stored():
        os.utime(await store.artifacts.path(digest), (time.time() - 7200, time.time() - 7200))
    await store.artifacts.take(tmp_path / "in" / "orphan", 1000)  # given once more just now
    assert await upkeep.collect() == 1
    assert set(await store.artifacts.stored()) == {kept.digest, removed.digest, orphan.digest}
    assert await store.papers.get(old.id) is None
    assert len(await store.papers.restore([removed.id])) == 1


async def test_damage_is_found_said_and_repaired(store: Setting, upkeep: UpkeepService, tmp_path: Path) -> None:
    whole, lost, flipped, hopeless = [
        await taken(store, tmp_path / "in", name) for name in ("whole", "lost", "flipped", "hopeless")
    ]
    (await stored(store, lost)).unlink()
    (await stored(store, flipped)).write_bytes(b"x" * flipped.byte_length)
    (await stored(store, hopeless)).write_bytes(b"x" * hopeless.byte_length)
    (tmp_path / "in" / "hopeless").write_text("another text now")
    heard: list[tuple[int, int, str]] = []
    found = await upkeep.check(lambda done, total, name: heard.append((done, total, name)))
    assert (found.papers, found.unreferenced) == (4, 0)
    assert [paper.name for paper in found.repaired] == ["lost", "flipped"]
    assert [paper.name for paper in found.damaged] == ["hopeless"]
    assert heard[-1] == (4, 4, "hopeless")
    for paper in (whole, lost, flipped):
        assert await store.artifacts.verify(paper.digest)
    noted = await store.papers.get(hopeless.id)
    assert noted is not None
    assert [note.code for note in noted.notes] == [DAMAGED]
    assert "Add the file once more" in noted.notes[0].sentence
    (tmp_path / "in" / "hopeless").write_text("The paper hopeless")
    assert [paper.name for paper in (await upkeep.check()).repaired] == ["hopeless"]
    mended = await store.papers.get(hopeless.id)
    assert mended is not None
    assert mended.notes == ()


async def test_nothing_is_fetched_out_of_another_workspace(
    store: Setting,
    upkeep: UpkeepService,
    tmp_path: Path,
) -> None:
    paper = await taken(store, tmp_path / "other", "letter")
    (tmp_path / "other" / "workspace.toml").write_text("")  # the folder has become a workspace
    (await stored(store, paper)).unlink()
    found = await upkeep.check()
    assert ([each.name for each in found.damaged], found.repaired) == (["letter"], [])
