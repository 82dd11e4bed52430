"""Erasing what has lain in the trash long enough, in the background."""

import asyncio
from contextlib import suppress

from core.clock import Clock
from core.domain.trash import KEPT
from core.errors import EnvironmentFault
from core.ports.trash import ForgottenPort
from core.tasks import TaskScope

LOOK_AGAIN = 3600.0  # seconds between two looks
AT_ONCE = 200  # things erased between two chances for other writes


class TrashSweep:
    """Looks into the trash when the workspace opens and every hour from then on."""

    def __init__(self, trash: ForgottenPort, clock: Clock, tasks: TaskScope) -> None:
        self._trash = trash
        self._clock = clock
        self._tasks = tasks

    def start(self) -> None:
        """Begin to work in the background. Called once."""
        self._tasks.start(self._run(), latest="trash")

    async def sweep(self) -> int:
        """Erase what was removed longer ago than the trash keeps; answers how many things."""
        until, erased = self._clock() - KEPT, 0
        while gone := await self._trash.erase_until(until, AT_ONCE):
            erased += gone
        return erased

    async def _run(self) -> None:
        while True:
            with suppress(EnvironmentFault):  # a full or locked disk: what people ask for says it, and later it works
                await self.sweep()
            await asyncio.sleep(LOOK_AGAIN)
