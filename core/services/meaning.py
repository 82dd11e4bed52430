"""Meaning follows words: in the background, passages without a vector get one, a few at a time."""

import asyncio
from collections.abc import Sequence

from core.errors import EnvironmentFault
from core.events import Changed, Event, EventHub, Progress
from core.ports.embedding import EmbeddingPort
from core.ports.index import MeaningIndexPort
from core.tasks import TaskScope

BATCH = 16  # passages at once: under a second of work, so that pausing and closing are quick
WRITTEN = frozenset({"paper", "record", "message", "session", "shared"})  # kinds whose change may bring passages
FIRST_WAIT, LONGEST_WAIT = 2.0, 120.0  # seconds until the next try after the model could not run


class MeaningService:
    """Embeds what waits, newest papers first, and publishes Progress("meaning"). `start` begins its one background
    task.
    """

    def __init__(self, index: MeaningIndexPort, embedding: EmbeddingPort, events: EventHub, tasks: TaskScope) -> None:
        self._index = index
        self._embedding = embedding
        self._events = events
        self._tasks = tasks
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._resumed = asyncio.Event()
        self._resumed.set()
        self.fault = ""

    async def start(self) -> None:
        """Begin, and listen for whatever brings new passages."""
        self._events.subscribe(self._heard)
        self._tasks.start(self._run(), latest="meaning")
        self.wake()

    def wake(self) -> None:
        """There may be passages without a vector."""
        self._idle.clear()
        self._wake.set()

    def _heard(self, event: Event) -> None:
        if isinstance(event, Changed) and event.kind in WRITTEN:
            self.wake()

    async def idle(self) -> None:
        """Wait until every passage can be found by meaning, or the model can't run here (then `fault` says why)."""
        await self._idle.wait()

    async def pause(self) -> None:
        """Stop after the passages at hand."""
        self._resumed.clear()
        await self._report()

    async def resume(self) -> None:
        self._resumed.set()
        await self._report()

    async def _run(self) -> None:
        wait = FIRST_WAIT
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._embed_what_waits()
                self.fault, wait = "", FIRST_WAIT
                if not self._wake.is_set():
                    self._idle.set()
            except EnvironmentFault as fault:
                self.fault = fault.sentence
                self._idle.set()
                await asyncio.sleep(wait)
                wait = min(LONGEST_WAIT, wait * 2)
                self._wake.set()

    async def _embed_what_waits(self) -> None:
        while True:
            await self._resumed.wait()
            waiting = await self._index.without_meaning(BATCH)
            if not waiting:
                break
            ids = [id for id, _ in waiting]
            vectors = await self._embedding.passages([text for _, text in waiting])
            await self._index.store(ids, vectors)
            await self._report(ids)

    async def _report(self, ids: Sequence[int] = ()) -> None:
        state = await self._index.state()
        progress = Progress("meaning", state.ready, state.passages, paused=not self._resumed.is_set())
        changed = [Changed("passage", tuple(map(str, ids)), "system")] if ids else []
        self._events.publish([progress, *changed])
