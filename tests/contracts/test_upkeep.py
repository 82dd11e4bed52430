"""UpkeepPort: rows of papers as their upkeep needs them."""

import hashlib

import pytest

from core.domain.extraction import Note
from core.domain.papers import Artifact
from core.errors import NotFound
from tests.contracts.conftest import Setting


async def added(setting: Setting, name: str) -> str:
    digest = hashlib.sha256(name.encode()).hexdigest()
    paper, _ = await setting.papers.add(Artifact(digest, 1, setting.clock.now), name, f"/{name}")
    return paper.id


async def test_digests_are_those_of_all_papers_removed_ones_too(setting: Setting) -> None:
    assert await setting.upkeep.digests() == set()
    await added(setting, "a")
    await setting.papers.remove([await added(setting, "b")])
    assert await setting.upkeep.digests() == {hashlib.sha256(name).hexdigest() for name in (b"a", b"b")}


async def test_papers_are_read_piece_by_piece(setting: Setting) -> None:
    for name in ("a", "b", "c", "d"):
        await added(setting, name)
    await setting.papers.remove([await added(setting, "b")])
    first = await setting.upkeep.some(0, 2)
    assert [paper.name for paper in first] == ["a", "c"]
    assert [paper.name for paper in await setting.upkeep.some(first[-1].number, 2)] == ["d"]
    assert await setting.upkeep.some(99, 2) == []


async def test_a_note_is_set_once_and_taken_away(setting: Setting) -> None:
    id = await added(setting, "a")
    note = Note("damaged", "The stored copy is damaged.", None)
    noted = await setting.upkeep.set_note(id, "damaged", note)
    assert noted.notes == (note,)
    assert await setting.upkeep.set_note(id, "damaged", note) == noted
    assert await setting.upkeep.set_note(id, "other", None) == noted
    free = await setting.upkeep.set_note(id, "damaged", None)
    assert (free.notes, free.version) == ((), noted.version + 1)
    assert await setting.papers.get(id) == free
    with pytest.raises(NotFound):
        await setting.upkeep.set_note("unknown", "damaged", note)
