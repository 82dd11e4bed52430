"""Python's garbage collector, kept to the thread of the window.

It runs in whichever thread makes an object too many. What it frees there may be a part of the window: a timer that is
freed outside the window's thread goes on firing there, and ends the process. The readers and the writer of a database
are such threads.
"""

import gc

from PySide6.QtCore import QObject, QTimer

LOOK = 1000  # ms between two looks


class Collector(QObject):
    """Collects on the thread that made it, as often as Python would; nobody else does until `stop`, after which Python
    does as it did before."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._python_collects = gc.isenabled()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK)
        self._timer.timeout.connect(collect_if_due)
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        if self._python_collects:
            gc.enable()


def collect_if_due() -> None:
    """The oldest generation whose count is above its threshold, with all younger ones."""
    for generation in (2, 1, 0):
        if gc.get_count()[generation] > gc.get_threshold()[generation]:
            gc.collect(generation)
            return
