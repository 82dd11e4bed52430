"""Recall through the whole program, with the model that it ships."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.bootstrap import Program
from app.paths import Paths
from core.domain.tiers import Tier
from core.services.workspace import Workspace


@pytest.fixture
async def workspace(tmp_path: Path) -> AsyncIterator[Workspace]:
    data = tmp_path / "data"
    data.mkdir()
    program = Program.build(Paths(data, data, data))
    yield await program.workspaces.open((await program.workspaces.create(tmp_path, "W")).path)
    await program.close()


async def test_a_question_in_other_words_finds_the_memory(workspace: Workspace) -> None:
    memory = workspace.memory
    await memory.remember("parking", "Visitors leave their vehicles behind the building", Tier.PROCEDURAL)
    await memory.remember("results", "The diagnosis is told by a physician only", Tier.PROCEDURAL)
    await memory.remember("kitchen", "The coffee machine is cleaned on Fridays", Tier.PROCEDURAL)
    assert [record.key for record in await memory.recall("diagnoses")] == ["results"]  # by words, at once
    await workspace.meaning.idle()
    (first, *_) = await memory.recall("Where can patients put the car?")
    assert first.key == "parking"
    assert first.why is not None
    assert first.why.words == ()
    assert (first.why.similarity or 0) > 0.3
    (first, *_) = await memory.recall("diagnoses")
    assert first.key == "results"
    assert first.why is not None
    assert (first.why.words, first.why.by_words) == (("diagnoses",), 1.0)
    assert (first.why.similarity or 0) > 0.3
    assert await memory.recall("Where can patients put the car?", namespace="other") == []
    assert await memory.recall("Where can patients put the car?", Tier.WORKING) == []


async def test_what_is_said_in_other_words_is_proposed_for_merging(workspace: Workspace) -> None:
    memory = workspace.memory
    await memory.remember("fax", "Fax to the insurer goes to extension 12.", Tier.SEMANTIC, metadata={"title": "Fax"})
    await memory.remember("faxes", "Faxes for the insurer: extension 12.", Tier.SEMANTIC, metadata={"title": "Faxes"})
    await memory.remember("vaccine", "The flu vaccine arrives in October.", Tier.SEMANTIC)
    await memory.remember("fee", "The flu vaccination costs 20 euros.", Tier.SEMANTIC)
    await workspace.meaning.idle()
    pairs = await workspace.consolidation.pairs()
    assert [{pair.left.key, pair.right.key} for pair in pairs] == [{"fax", "faxes"}]
    assert await workspace.consolidation.pairs(namespace="other") == []
