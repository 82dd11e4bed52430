"""Reading: something beside a list that is read again after changes, a little later, and never twice at once."""

import time
from collections.abc import Awaitable, Callable

from PySide6.QtCore import QObject, QTimer

from ui.qt.scope import ViewScope

SETTLE = 400  # ms; what stands in menus and notices may be a moment behind the list
SHARE = 20  # a reading that takes long (counting a million rows) is made in at most 1/20 of the time


class Reading(QObject):
    """Runs `read` when asked: `now`, or `soon` for a burst of changes. A long reading is never cut short by the next
    change; it is read once more afterwards."""

    def __init__(self, parent: QObject, scope: ViewScope, read: Callable[[], Awaitable[None]]) -> None:
        super().__init__(parent)
        self._scope = scope
        self._read = read
        self._runs = False
        self._again = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE)
        self._timer.timeout.connect(self.now)

    def soon(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def now(self) -> None:
        if self._runs:
            self._again = True
        else:
            self._runs = self._scope.start(self._run())

    async def _run(self) -> None:
        begun = time.perf_counter()
        try:
            await self._read()
        finally:
            self._runs = False
            self._timer.setInterval(max(SETTLE, round((time.perf_counter() - begun) * 1000 * SHARE)))
        if self._again:
            self._again = False
            self.soon()
