"""MeaningService: embedding in the background."""

import asyncio
from collections.abc import Callable, Sequence

import pytest

from core.domain.extraction import PassageDraft
from core.domain.passages import Kind
from core.errors import EnvironmentFault
from core.events import Changed, Event, EventHub, Progress
from core.ports.embedding import Vectors
from core.services import background
from core.services.meaning import BATCH, MeaningService
from core.tasks import TaskScope
from tests.fakes.embedding import WordHashes
from tests.fakes.index import FakeIndex


class Model(WordHashes):
    """Counts what it embeds; dies while `faults` is above 0; waits at the `gate`."""

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.faults = 0
        self.started = 0
        self.gate = asyncio.Event()
        self.gate.set()
        self.entered = asyncio.Event()

    async def start(self) -> None:
        self.started += 1

    async def passages(self, texts: Sequence[str]) -> Vectors:
        self.entered.set()
        await self.gate.wait()
        if self.faults:
            self.faults -= 1
            raise EnvironmentFault("Its worker process stopped.")
        self.batches.append(len(texts))
        return await super().passages(texts)


class Office:
    """An index with passages, the service over it, and what it published."""

    def __init__(self) -> None:
        self.errors: list[BaseException] = []
        self.index, self.model = FakeIndex(), Model()
        self.events, self.tasks = EventHub(self.errors.append), TaskScope("test", self.errors.append)
        self.service = MeaningService(self.index, self.model, self.events, self.tasks)
        self.heard: list[Event] = []
        self.events.subscribe(self.heard.append)

    def put(self, owner: str, count: int) -> None:
        self.index.replace(Kind.PAPER, owner, [PassageDraft(f"{owner} {n}") for n in range(count)], "", None, "txt")

    def changed(self, kind: str = "paper", sequence: int = 1) -> None:
        self.events.publish([Changed(kind, ("x",), "person", sequence)])

    async def idle(self) -> None:
        async with asyncio.timeout(5):
            await self.service.idle()

    async def close(self) -> None:
        await self.tasks.close()
        assert self.errors == []


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(5):
        while not holds():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0)


async def test_everything_that_waits_is_embedded_and_reported() -> None:
    office = Office()
    office.put("a", BATCH + 4)
    await office.service.start()
    await office.idle()
    assert office.model.batches == [BATCH, 4]
    assert (office.model.started, office.index.prepared) == (1, 1)
    assert (await office.index.state()).ready == BATCH + 4
    progress = [event for event in office.heard if isinstance(event, Progress)]
    assert [(event.activity, event.done, event.total) for event in progress] == [
        ("meaning", BATCH, BATCH + 4),
        ("meaning", BATCH + 4, BATCH + 4),
    ]
    changed = [event for event in office.heard if isinstance(event, Changed)]
    assert {event.kind for event in changed} == {"passage"}
    assert sum(len(event.ids) for event in changed) == BATCH + 4
    await office.close()


async def test_new_passages_wake_it() -> None:
    office = Office()
    await office.service.start()
    await office.idle()
    for number, kind in enumerate(("paper", "record", "message", "shared")):
        office.put(kind, 1)
        office.changed(kind)
        await office.idle()
        assert (await office.index.state()).ready == number + 1
    office.put("unheard", 1)
    office.changed("passage")
    office.changed("paper", sequence=0)  # derived news: nothing was stored
    await asyncio.sleep(0)
    await office.idle()
    assert (await office.index.state()).ready == 4
    office.service.wake()
    await office.idle()
    assert (await office.index.state()).ready == 5
    await office.close()


async def test_it_pauses_after_the_batch_at_hand() -> None:
    office = Office()
    office.put("a", 3 * BATCH)
    office.model.gate.clear()
    await office.service.start()
    await office.model.entered.wait()
    await office.service.pause()
    assert office.service.paused
    assert isinstance(office.heard[-1], Progress)
    assert office.heard[-1].paused
    office.model.gate.set()
    await until(lambda: office.model.batches)
    for _ in range(20):
        await asyncio.sleep(0)
    assert office.model.batches == [BATCH]
    await office.service.resume()
    await office.idle()
    assert office.model.batches == [BATCH, BATCH, BATCH]
    await office.close()


async def test_it_goes_on_after_a_worker_died(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "FIRST_WAIT", 0.0)
    office = Office()
    office.put("a", 2)
    office.model.faults = 2
    office.model.gate.clear()
    await office.service.start()
    await office.model.entered.wait()
    office.model.gate.set()
    await until(lambda: office.service.fault)
    assert office.service.fault == "Its worker process stopped."
    await until(lambda: office.model.batches)
    await office.idle()
    assert office.service.fault == ""
    assert (await office.index.state()).ready == 2
    await office.close()


async def test_a_fault_lets_go_whoever_waits() -> None:
    office = Office()
    office.put("a", 1)
    office.model.faults = 1_000
    await office.service.start()
    await office.idle()
    assert office.service.fault
    await office.close()


async def test_closing_stops_it_in_the_middle() -> None:
    office = Office()
    office.put("a", 1)
    office.model.gate.clear()
    await office.service.start()
    await office.model.entered.wait()
    await office.close()
    assert (await office.index.state()).ready == 0


async def test_passages_removed_meanwhile_do_not_hold_it_up() -> None:
    office = Office()
    office.put("a", 2)
    office.model.gate.clear()
    await office.service.start()
    await office.model.entered.wait()
    office.put("a", 1)
    office.model.gate.set()
    await office.idle()
    state = await office.index.state()
    assert (state.passages, state.ready) == (1, 1)
    await office.close()
