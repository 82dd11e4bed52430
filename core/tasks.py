"""TaskScope: the one place that starts tasks.

A scope owns its tasks: it cancels and awaits them when it ends, and reports an error that nobody awaited.
Reads belong to a view's scope (cancelled with it, the latest wins); writes belong to the application's scope and
finish.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class TaskScope:
    """Owns tasks on the running loop. `on_error` receives what a task raised, cancellation excepted."""

    def __init__(self, name: str, on_error: Callable[[BaseException], None]) -> None:
        self.name = name
        self._on_error = on_error
        self._tasks: set[asyncio.Task[Any]] = set()
        self._latest: dict[str, asyncio.Task[Any]] = {}
        self._closed = False

    @property
    def closed(self) -> bool:
        """Nothing can be started any more."""
        return self._closed

    def start(self, work: Coroutine[Any, Any, T], *, latest: str | None = None) -> asyncio.Task[T]:
        """Run `work`. With `latest`, a task started earlier under the same word is cancelled first."""
        if self._closed:
            work.close()
            raise RuntimeError(f"scope {self.name} is closed")
        if latest is not None and (before := self._latest.get(latest)) is not None:
            before.cancel()
        task = asyncio.get_running_loop().create_task(work, name=f"{self.name}:{latest or work.__name__}")
        self._tasks.add(task)
        if latest is not None:
            self._latest[latest] = task
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        for word, latest in list(self._latest.items()):
            if latest is task:
                del self._latest[word]
        if not task.cancelled() and (error := task.exception()) is not None:
            self._on_error(error)

    def report(self, error: BaseException) -> None:
        """Say what a task met and could go on from."""
        self._on_error(error)

    def cancel(self, latest: str) -> None:
        """Cancel the task that runs under this word, if any."""
        if (task := self._latest.get(latest)) is not None:
            task.cancel()

    async def finish(self) -> None:
        """Wait until every task has ended by itself (ordered shutdown of writes)."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def close(self) -> None:
        """Cancel what runs and wait for it. Nothing can be started afterwards. May be called twice."""
        self._closed = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
