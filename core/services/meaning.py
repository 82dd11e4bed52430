"""Meaning in the background: passages that have no vector yet get one, in small batches, the newest first."""

import asyncio
from collections.abc import Sequence

import numpy as np

from core.events import Changed, Event, EventHub, Progress
from core.ports.embedding import EmbeddingPort
from core.ports.index import MeaningIndexPort
from core.services.background import Background
from core.tasks import TaskScope

BATCH = 8  # passages; under a second of work, so that little is lost by a stop and progress is seen to move
TEXTS = 64  # that the model takes at once
HEAD_START = 0.7  # seconds that belong to the first list of a workspace; a question that comes earlier doesn't wait
SOURCES = frozenset({"paper", "record", "message", "session", "shared"})  # what passages are pieces of


class MeaningService:
    """Wakes when something was stored, works until nothing waits, publishes Progress("meaning") and Changed("passage").

    fault: a sentence about why it doesn't go on just now (the model's worker died, its file is missing), "" while it
    does. It is tried again after a while.
    """

    def __init__(self, index: MeaningIndexPort, embedding: EmbeddingPort, events: EventHub, tasks: TaskScope) -> None:
        self._index = index
        self._embedding = embedding
        self._events = events
        self._tasks = tasks
        self._work = Background(self._embed_waiting, lambda _fault: None)  # what is asked for says it

    @property
    def paused(self) -> bool:
        return self._work.paused

    @property
    def fault(self) -> str:
        return self._work.fault

    async def start(self) -> None:
        """Begin to work in the background. Called once, when the workspace opens."""
        self._events.subscribe(self._heard)
        self._tasks.start(self._embed_all(), latest="meaning")
        self.wake()

    def wake(self) -> None:
        """There may be new passages."""
        self._work.wake()

    async def pause(self) -> None:
        """Stop after the batch at hand."""
        self._work.pause()
        await self._report()

    async def resume(self) -> None:
        self._work.resume()
        await self._report()

    async def idle(self) -> None:
        """Wait until no passage waits, or until a fault keeps them waiting."""
        await self._work.idle()

    def _heard(self, event: Event) -> None:
        if isinstance(event, Changed) and event.kind in SOURCES and event.sequence > 0:
            self.wake()

    async def _embed_all(self) -> None:
        await asyncio.sleep(HEAD_START)
        await self._index.prepare()
        await self._embedding.start()
        await self._work.run()

    async def _embed_waiting(self) -> None:
        while True:
            await self._work.allowed()
            batch = await self._index.without_meaning(BATCH)
            if not batch:
                return
            texts = [text for _id, text in batch]
            rows = [
                await self._embedding.passages(texts[first : first + TEXTS]) for first in range(0, len(texts), TEXTS)
            ]
            ids = [id for id, _text in batch]
            await self._index.store(ids, np.concatenate(rows))
            await self._report(list(dict.fromkeys(ids)))

    async def _report(self, ids: Sequence[int] = ()) -> None:
        state = await self._index.state()
        events: list[Event] = [Progress("meaning", state.ready, state.passages, paused=self.paused)]
        if ids:
            events.append(Changed("passage", tuple(map(str, ids)), "system"))
        self._events.publish(events)
