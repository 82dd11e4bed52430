"""The list inside a card: few rows, painted like those of the big lists."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from ui.qt.line import Line
from ui.qt.paged import LineRole
from ui.widgets.row_delegate import paint_line
from ui.widgets.theme import px, tokens


class CardDelegate(QStyledItemDelegate):
    """A Line on the card's ground; the chosen row is tinted and framed."""

    def __init__(self, height: int, parent: QListWidget) -> None:
        super().__init__(parent)
        self._height = height

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(px(160), px(self._height))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        chosen, rect = tokens(), QRectF(option.rect).adjusted(1, 1, -1, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setBrush(chosen.color("soft"))
            painter.setPen(chosen.color("accent"))
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), px(6), px(6))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(chosen.color("hover"))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawRoundedRect(rect, px(6), px(6))
        line = index.data(LineRole)
        if isinstance(line, Line):
            paint_line(painter, rect, line, chosen, strong=bool(line.detail))
        painter.restore()


class CardList(QListWidget):
    """`put(Line, value)` adds a row; its value comes back from `value_of`."""

    def __init__(self, name: str, height: int, chosen: Callable[[QListWidgetItem | None], None]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setItemDelegate(CardDelegate(height, self))
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.itemClicked.connect(chosen)

    def put(self, line: Line, value: object, tip: str = "") -> None:
        item = QListWidgetItem(line.title)
        item.setData(LineRole, line)
        item.setData(Qt.ItemDataRole.UserRole, value)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, line.spoken)
        item.setToolTip(tip)
        self.addItem(item)

    @staticmethod
    def value_of(item: QListWidgetItem) -> object:
        return item.data(Qt.ItemDataRole.UserRole)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.scheduleDelayedItemsLayout()
