"""The middle of the window and the details beside it; on a narrow window the details open over the list."""

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from ui.widgets.theme import px

LEAST_LIST = 380  # px at 100 %: where the list would be narrower, the details lie over it
LEAST_SIDE, MOST_SIDE = 280, 640
GRIP = 6


class Grip(QWidget):
    """The line between list and details, to drag. `dragged(dx)`."""

    dragged = Signal(int)
    let_go = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.SplitHCursor)
        self._at: QPoint | None = None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._at = event.globalPosition().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._at is not None:
            now = event.globalPosition().toPoint()
            self.dragged.emit(now.x() - self._at.x())
            self._at = now

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._at = None
        self.let_go.emit()


class Body(QWidget):
    """`width_changed(px at 100 %)` when the person dragged the line. `side_changed` when the details came or went."""

    width_changed = Signal(int)
    side_changed = Signal()
    arranged = Signal()

    def __init__(self, width: int, *, folded: bool) -> None:
        super().__init__()
        self.pages = QStackedWidget(self)
        self.sides = QStackedWidget(self)
        self._grip = Grip(self)
        self._grip.dragged.connect(self._drag)
        self._grip.let_go.connect(lambda: self.width_changed.emit(self._width))
        self._width = max(LEAST_SIDE, min(MOST_SIDE, width))
        self._folded = folded
        self._over = False  # on a narrow window: opened over the list
        self._has_side = False
        self._arrange()

    # ---- what is shown ----------------------------------------------------------------------------------------------

    def show_place(self, page: QWidget, side: QWidget | None) -> None:
        for stack, widget in ((self.pages, page), (self.sides, side)):
            if widget is not None:
                if stack.indexOf(widget) < 0:
                    stack.addWidget(widget)
                stack.setCurrentWidget(widget)
        self._has_side = side is not None
        self._over = False
        self._arrange()

    @property
    def narrow(self) -> bool:
        return self.width() - px(self._width) < px(LEAST_LIST)

    @property
    def side_open(self) -> bool:
        return self._has_side and (self._over if self.narrow else not self._folded)

    @property
    def folded(self) -> bool:
        """Whether the person folded the details on a window that is wide enough."""
        return self._folded

    def toggle_side(self) -> None:
        """Fold or unfold; on a narrow window lay over the list or take away."""
        if self.narrow:
            self._over = not self._over
        else:
            self._folded = not self._folded
        self._arrange()
        self.side_changed.emit()

    def open_side(self) -> None:
        if not self.side_open and self._has_side:
            self.toggle_side()

    def close_over(self) -> bool:
        """Take the details off the list; False where they don't lie over it."""
        if not (self.narrow and self._over):
            return False
        self._over = False
        self._arrange()
        return True

    # ---- measures ---------------------------------------------------------------------------------------------------

    def _drag(self, dx: int) -> None:
        wide = px(self._width) - dx
        self._width = max(LEAST_SIDE, min(MOST_SIDE, round(wide / max(px(100), 1) * 100)))
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._arrange()

    def _arrange(self) -> None:
        width, height, opened = self.width(), self.height(), self.side_open
        side = min(px(self._width), max(0, width - px(32)))
        beside = opened and not self.narrow
        self.pages.setGeometry(0, 0, width - side if beside else width, height)
        self.sides.setVisible(opened)
        self._grip.setVisible(beside)
        if opened:
            self.sides.setGeometry(width - side, 0, side, height)
            self.sides.raise_()
        if beside:
            self._grip.setGeometry(width - side - GRIP // 2, 0, GRIP, height)
            self._grip.raise_()
        self.arranged.emit()
