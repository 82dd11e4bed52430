"""What lay in the trash long enough is erased in the background."""

import asyncio

import pytest

from core.domain.tiers import DAY, Tier
from core.domain.trash import KEPT
from core.errors import EnvironmentFault
from core.events import Changed
from core.services import trash as service
from core.services.trash import TrashSweep
from core.tasks import TaskScope
from tests.fakes.records import FakeRecords, Shelf
from tests.fakes.store import FakeStore, SetClock
from tests.fakes.trash import FakeTrash


class Office:
    def __init__(self) -> None:
        self.clock = SetClock()
        self.published: list[Changed] = []
        store = FakeStore(self.clock, self.published)
        self.trash = FakeTrash(store)
        self.memory = FakeRecords(Shelf(store, self.trash))
        self.errors: list[BaseException] = []
        self.tasks = TaskScope("test", self.errors.append)
        self.sweep = TrashSweep(self.trash, self.clock, self.tasks)

    async def forget(self, key: str) -> None:
        await self.memory.remember(key, 1, Tier.WORKING)
        await self.memory.forget(key)


async def test_only_what_lay_long_enough_is_erased() -> None:
    office = Office()
    for n in range(3):
        await office.forget(f"k{n}")
        office.clock.now += DAY
    start = office.clock.now - 3 * DAY
    office.clock.now = start + KEPT - 1
    assert await office.sweep.sweep() == 0
    office.clock.now = start + KEPT + DAY
    assert await office.sweep.sweep() == 2
    assert [thing.title for thing, _ in office.trash.held.values()] == ["k2"]


async def test_many_are_erased_in_pieces() -> None:
    office = Office()
    for n in range(service.AT_ONCE + 30):
        await office.forget(f"k{n}")
    office.clock.now += KEPT
    office.published.clear()
    assert await office.sweep.sweep() == service.AT_ONCE + 30
    assert [len(event.ids) for event in office.published] == [service.AT_ONCE, 30]


async def test_it_works_in_the_background_and_goes_on_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    office = Office()
    monkeypatch.setattr(service, "LOOK_AGAIN", 0.001)
    faults = [EnvironmentFault("The disk is full.")]
    erase_until = office.trash.erase_until

    async def faulty(instant: float, limit: int = 500) -> int:
        if faults:
            raise faults.pop()
        erased = await erase_until(instant, limit)
        if not office.trash.held:
            emptied.set()
        return erased

    emptied = asyncio.Event()
    monkeypatch.setattr(office.trash, "erase_until", faulty)
    await office.forget("key")
    office.clock.now += KEPT
    office.sweep.start()
    async with asyncio.timeout(5):
        await emptied.wait()
    await office.tasks.close()
    assert faults == []
    assert office.errors == []


def test_the_trash_keeps_thirty_days() -> None:
    assert KEPT == 30 * 24 * 3600
