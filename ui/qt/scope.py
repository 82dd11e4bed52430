"""From Qt's signals to coroutines: the one file of the window that starts work, so that no task is without an owner."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

from PySide6.QtWidgets import QWidget

from core.tasks import TaskScope

Handler = Callable[..., Awaitable[object] | None]


class Report(Protocol):
    """Where an error goes on its way to the person."""

    def __call__(self, error: BaseException, about: QWidget | None = None) -> None: ...


async def _awaited(work: Awaitable[object]) -> object:
    return await work


class ViewScope:
    """Runs handlers of one view: plain functions at once, coroutines in `tasks`. What they raise is reported."""

    def __init__(self, tasks: TaskScope, report: Report) -> None:
        self._tasks = tasks
        self._report = report

    def run(self, handler: Handler, *arguments: Any, about: QWidget | None = None, latest: str | None = None) -> None:
        """Call `handler`; where it answers with something awaitable, await it in a task.

        about: the widget beside which a UserError is said. latest: cancels what was started earlier under this word.
        """
        try:
            answer = handler(*arguments)
        except Exception as error:
            self._report(error, about)
            return
        if answer is not None and hasattr(answer, "__await__"):
            self._go(answer, about, latest)

    def slot(self, handler: Handler, *arguments: Any, about: QWidget | None = None) -> Callable[..., None]:
        """A function to connect to a signal, whose arguments are dropped."""

        def called(*_: object) -> None:
            self.run(handler, *arguments, about=about)

        return called

    def _go(self, work: Awaitable[object], about: QWidget | None, latest: str | None) -> bool:
        work = work if inspect.iscoroutine(work) else _awaited(work)
        if self._tasks.closed or not _loop_runs():
            # A view may paint, and ask for rows, once more while it or the loop ends. An error out of its model's
            # `data` would end the process (shiboken can't take it).
            work.close()
            return False
        task = self._tasks.start(self._guarded(work, about), latest=latest)
        task.add_done_callback(lambda _: work.close())  # cancelled before its first step, a task never awaits it
        return True

    def start(
        self, work: Coroutine[Any, Any, object], *, about: QWidget | None = None, latest: str | None = None
    ) -> bool:
        """Run a coroutine; as `run`. False where nothing can be started any more: the view, or the loop, has ended."""
        return self._go(work, about, latest)

    def cancel(self, latest: str) -> None:
        """Cancel what runs under this word, if anything does."""
        self._tasks.cancel(latest)

    async def _guarded(self, work: Awaitable[object], about: QWidget | None) -> None:
        try:
            await work
        except Exception as error:
            self._report(error, about)


def _loop_runs() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
