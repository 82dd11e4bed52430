"""Work that goes on in the background whenever there may be some, for papers to read and passages to embed."""

import asyncio
from collections.abc import Awaitable, Callable

from core.errors import EnvironmentFault

FIRST_WAIT, LONGEST_WAIT = 2.0, 120.0  # seconds until work is tried again after a fault; the wait doubles each time


class Background:
    """Calls `turn` each time it is woken; `turn` does whatever waits and returns.

    fault: a sentence about why it doesn't go on just now (the disk is full, a worker died), "" while it does.
    `on_fault` hears each. Run `run` as a task; the rest is called on the same loop.
    """

    def __init__(self, turn: Callable[[], Awaitable[None]], on_fault: Callable[[EnvironmentFault], None]) -> None:
        self.fault = ""
        self._turn = turn
        self._on_fault = on_fault
        self._woken = asyncio.Event()
        self._idle = asyncio.Event()
        self._resumed = asyncio.Event()
        self._resumed.set()

    @property
    def paused(self) -> bool:
        return not self._resumed.is_set()

    def wake(self) -> None:
        """There may be something to do."""
        self._idle.clear()
        self._woken.set()

    def pause(self) -> None:
        """Hold `turn` at its next `allowed`."""
        self._resumed.clear()

    def resume(self) -> None:
        self._resumed.set()

    async def allowed(self) -> None:
        """Wait while paused. `turn` asks before each piece of work."""
        await self._resumed.wait()

    async def idle(self) -> None:
        """Wait until there is nothing left to do, or until a fault stands in the way."""
        await self._idle.wait()

    async def run(self) -> None:
        """Work until cancelled."""
        wait = FIRST_WAIT
        while True:
            await self._woken.wait()
            self._woken.clear()
            try:
                await self._turn()
                wait, self.fault = FIRST_WAIT, ""
            except EnvironmentFault as fault:
                self.fault = fault.sentence
                self._on_fault(fault)
                self._idle.set()
                await asyncio.sleep(wait)
                wait = min(2 * wait, LONGEST_WAIT)
                self._woken.set()
                continue
            if not self._woken.is_set():
                self._idle.set()
