"""What can be taken back: the newest for ten seconds at the foot of the window, all of this opening by Ctrl+Z."""

from PySide6.QtCore import QObject, Signal

from ui.commands.place import Undo

KEPT = 100


class UndoStack(QObject):
    """`offered(Undo)` when something new can be taken back."""

    offered = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kept: list[Undo] = []

    def offer(self, undo: Undo) -> None:
        self._kept.append(undo)
        del self._kept[:-KEPT]
        self.offered.emit(undo)

    def take(self, undo: Undo | None = None) -> Undo | None:
        """Remove and answer this one, or the newest; None where there is none."""
        if undo is None:
            return self._kept.pop() if self._kept else None
        if undo not in self._kept:
            return None
        self._kept.remove(undo)
        return undo

    def clear(self) -> None:
        self._kept.clear()

    def __bool__(self) -> bool:
        return bool(self._kept)
