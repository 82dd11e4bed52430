"""One entry of the rail: icon, words, count; chosen, hovered and focused states painted by hand."""

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from ui.widgets import icons
from ui.widgets.basics import number
from ui.widgets.theme import px, text_font, tokens


class NavButton(QAbstractButton):
    """title and count are said together. technical: the term for the tooltip. keys: shortcut, for the tooltip."""

    def __init__(self, title: str, icon: str, technical: str, keys: str = "") -> None:
        super().__init__()
        self._icon = icon
        self._title = title
        self._count = -1
        self._folded = False
        self._tip = f"{title} ({technical})" if technical else title
        self._tip += f"  {keys}" if keys else ""
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setText(title)
        self.set_count(-1)

    def set_count(self, count: int) -> None:
        """-1 hides it."""
        self._count = count
        said = f"{self._title}, {number(count)}" if count >= 0 else self._title
        self.setAccessibleName(said)
        self.setToolTip(f"{self._tip}\n{number(count)}" if self._folded and count >= 0 else self._tip)
        self.update()

    def set_folded(self, folded: bool) -> None:
        self._folded = folded
        self.set_count(self._count)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(px(32 if self._folded else 200), px(32))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(32), px(32))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        chosen, on = tokens(), self.isChecked()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect())
        if on or self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(chosen.color("soft" if on else "hover"))
            painter.drawRoundedRect(rect, px(6), px(6))
        if self.hasFocus():
            painter.setPen(QPen(chosen.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), px(6), px(6))
        size = px(18)
        left = (self.width() - size) / 2 if self._folded else px(8)
        icon = QRectF(left, (self.height() - size) / 2, size, size)
        icons.paint(painter, self._icon, icon, chosen.accent if on else chosen.muted)
        if not self._folded:
            self._paint_words(painter, px(34))

    def _paint_words(self, painter: QPainter, left: int) -> None:
        chosen, right = tokens(), self.width() - px(8)
        flags = int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextSingleLine)
        if self._count >= 0:
            painter.setFont(text_font("caption"))
            painter.setPen(chosen.color("muted"))
            shown = number(self._count)
            width = painter.fontMetrics().horizontalAdvance(shown)
            painter.drawText(QRect(right - width, 0, width + 1, self.height()), flags, shown)
            right -= width + px(8)
        painter.setFont(text_font("body", strong=self.isChecked()))
        painter.setPen(chosen.color("text"))
        words = painter.fontMetrics().elidedText(self._title, Qt.TextElideMode.ElideRight, right - left)
        painter.drawText(QRect(QPoint(left, 0), QSize(right - left, self.height())), flags, words)
