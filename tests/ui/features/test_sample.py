"""The sample workspace: complete, meaningful in every place, and added once."""

import tomllib
from pathlib import Path

from app.paths import resources
from app.sample import fill, questions
from core.domain.tiers import Tier, salience_now
from core.ports.rows import ListQuery
from tests.ui.features.desk import Desk

SAMPLE = resources() / "sample"


async def test_the_sample_fills_every_place_and_only_once(desk: Desk) -> None:
    workspace = desk.workspace
    filled = await fill(workspace, SAMPLE)
    assert (filled.records, filled.conversations, filled.shared) == (24, 3, 8)
    assert {taken.outcome for taken in filled.taken} == {"queued"}
    again = await fill(workspace, SAMPLE)
    assert (again.records, again.conversations, again.shared) == (0, 0, 0)
    assert {taken.outcome for taken in again.taken} == {"known"}
    assert len(await workspace.sessions.snapshot(ListQuery())) == 3
    assert len(await workspace.sessions.snapshot(ListQuery(where={"archived": "yes"}))) == 1


async def test_memories_of_the_sample_have_every_tier_and_age(desk: Desk) -> None:
    now = 1_790_000_000.0
    await fill(desk.workspace, SAMPLE, lambda: now)
    numbers = await desk.workspace.records.snapshot(ListQuery())
    records = [record for record in await desk.workspace.records.rows(numbers) if record is not None]
    assert {record.tier for record in records} == set(Tier)
    assert all(record.tags for record in records)
    present = [salience_now(each.salience, each.last_accessed_at, now, each.tier) for each in records]
    assert min(present) < 0.2
    assert max(present) > 0.9
    assert all(record.created_at <= record.last_accessed_at + 1 <= now + 1 for record in records)


def test_each_question_names_a_paper_that_is_there() -> None:
    names = {path.name for path in (SAMPLE / "papers").rglob("*") if path.is_file()}
    asked = questions(SAMPLE)
    assert len(asked) >= 8
    assert {question.paper for question in asked} <= names
    assert {question.kind for question in asked} >= {"words", "meaning", "misspelt", "code", "date"}


def test_the_sample_has_every_kind_of_paper() -> None:
    endings = {path.suffix for path in (SAMPLE / "papers").rglob("*") if path.is_file()}
    assert endings == {".md", ".txt", ".docx", ".csv", ".html", ".pdf", ".eml"}
    sample = tomllib.loads(Path(SAMPLE / "sample.toml").read_text("utf-8"))
    assert sample["name"] == "Northside Clinic"
