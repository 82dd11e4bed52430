"""The presenter: state and signals of one view. Views show it and hold no logic; it can be tested without them."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from core.events import Changed, Event, EventHub
from ui.qt.scope import ViewScope

SETTLE = 40  # ms: changes that arrive together are read once


class Presenter(QObject):
    """Base of presenters. `changed` says that the state is another; `scope` runs its work and ends with the view.

    `listen` calls back once for a burst of changes of certain kinds. After `close` nothing is called any more.
    """

    changed = Signal()

    def __init__(self, scope: ViewScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.scope = scope
        self._stops: list[Callable[[], None]] = []

    def listen(self, hub: EventHub, kinds: frozenset[str], refresh: Callable[[], None]) -> None:
        """Call `refresh` soon after rows of these kinds changed."""
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(SETTLE)
        timer.timeout.connect(refresh)

        def heard(event: Event) -> None:
            if isinstance(event, Changed) and event.kind in kinds and not timer.isActive():
                timer.start()

        self.hear(hub, heard)
        self._stops.append(timer.stop)

    def hear(self, hub: EventHub, handler: Callable[[Event], None]) -> None:
        """Get every event at once, as it is published."""
        self._stops.append(hub.subscribe(handler))

    def close(self) -> None:
        for stop in self._stops:
            stop()
        self._stops.clear()
