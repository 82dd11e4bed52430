"""A layout that puts widgets in a row and goes on in the next one where there is no room."""

from PySide6.QtCore import QMargins, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem

from ui.widgets.theme import px


class FlowLayout(QLayout):
    """Left to right (right to left where the language is), then down. spacing: px at 100 %, both ways."""

    def __init__(self, spacing: int = 8) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._gap = spacing
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        margins: QMargins = self.contentsMargins()
        return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        """Place the items, or only measure. Answers the height that they take."""
        gap, inner = px(self._gap), rect.marginsRemoved(self.contentsMargins())
        x, y, line = inner.left(), inner.top(), 0
        for item in self._items:
            if item.isEmpty():  # hidden
                continue
            hint = item.sizeHint()
            width = min(hint.width(), inner.width())
            if x > inner.left() and x + width > inner.right() + 1:
                x, y, line = inner.left(), y + line + gap, 0
            if move:
                item.setGeometry(QRect(x, y, width, hint.height()))
            x += width + gap
            line = max(line, hint.height())
        if not self._items:
            return 0
        return y + line - rect.top() + self.contentsMargins().bottom()
