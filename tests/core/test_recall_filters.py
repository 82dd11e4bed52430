"""Recall without words: the most present ones, whether a filter leaves few records or very many."""

import random
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.adapters.sqlite import recall
from core.domain.memory import Record
from core.domain.tiers import DAY, HALF_LIFE, Tier, salience_now
from tests.core.erasure.office import Office, opened
from tests.fakes.store import SetClock

FILTERS: list[dict[str, object]] = [
    {}, {"tags": ["half"]}, {"tags": ["Half", "third"]}, {"tags": ["none"]}, {"after": -30 * DAY}, {"before": -3 * DAY},
    {"after": -90 * DAY, "before": -1 * DAY, "tags": ["third"]}, {"tier": Tier.WORKING, "tags": ["half"]},
]  # fmt: skip


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    clock, chance = SetClock(), random.Random(5)
    office = await opened(tmp_path / "north", clock)
    for number in range(150):
        tier, age = chance.choice(list(Tier)), chance.random() * 200 * DAY
        tags = [tag for tag, odds in (("half", 0.5), ("third", 0.3)) if chance.random() < odds]
        made = await office.memory.remember(f"k{number}", "x", tier, metadata={"tags": tags})
        await office.memory.forget(made.key)
        at = clock.now - age
        await office.book.take(
            replace(
                made,
                updated_at=at,
                last_accessed_at=at + chance.random() * age,
                salience=chance.choice([0.0, 0.5, 1.0, 3.0]),
                pinned=chance.random() < 0.1,
            )
        )
    yield office
    await office.close()


def expected(records: list[Record], now: float, wanted: dict[str, object]) -> list[float]:
    """The saliences of the answer, by looking at every record."""
    tags = {str(tag).lower() for tag in wanted.get("tags", [])}  # pyright: ignore[reportGeneralTypeIssues]
    after, before = wanted.get("after", float("-inf")), wanted.get("before", float("inf"))
    assert isinstance(after, int | float)
    assert isinstance(before, int | float)
    fitting = [
        salience_now(each.salience, each.last_accessed_at, now, each.tier, pinned=each.pinned)
        for each in records
        if tags <= set(each.tags) and now + after <= each.updated_at <= now + before
        and wanted.get("tier", each.tier) is each.tier
    ]  # fmt: skip
    return sorted(fitting, reverse=True)[:10]


@pytest.mark.parametrize("few", [0, 20, 10**6])
async def test_a_broad_filter_and_a_narrow_one_give_what_looking_at_all_gives(
    office: Office, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recall, "FEW", few)
    now = office.database.clock()
    found = [await office.memory.get(f"k{number}") for number in range(150)]
    records = [record for record in found if record is not None]
    assert len(records) == 150
    assert {record.tier for record in records} == set(HALF_LIFE)
    for wanted in FILTERS:
        asked = dict(wanted)
        for bound in ("after", "before"):
            if isinstance(span := asked.get(bound), float):
                asked[bound] = now + span
        answer = await office.memory.recall("", **asked)  # pyright: ignore[reportArgumentType]
        assert [hit.score for hit in answer] == pytest.approx(expected(records, now, wanted)), wanted
