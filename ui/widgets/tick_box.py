"""TickBox: a check box whose frame, tick and focus can be seen in every look."""

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox

from ui.widgets import icons
from ui.widgets.basics import RESCALED
from ui.widgets.theme import px, text_font, tokens

BOX = 18
HEIGHT = 28


class TickBox(QCheckBox):
    """Ticked, empty, or a line where only some of many have it."""

    def __init__(self, words: str) -> None:
        super().__init__(words.replace("&", "&&"))
        self._words = words
        self.setAccessibleName(words)
        self.setMinimumHeight(px(HEIGHT))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in RESCALED:
            self.setMinimumHeight(px(HEIGHT))

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self._words)
        return QSize(px(BOX + 16) + width, max(px(HEIGHT), self.fontMetrics().height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        chosen, state = tokens(), self.checkState()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = px(BOX)
        box = QRectF(px(3), (self.height() - side) / 2, side, side)
        filled = state is not Qt.CheckState.Unchecked
        painter.setBrush(chosen.color("accent" if filled else "surface"))
        painter.setPen(QPen(chosen.color("accent" if filled else "line"), 1))
        painter.drawRoundedRect(box, px(4), px(4))
        if filled:
            mark = "check" if state is Qt.CheckState.Checked else "minus"
            inner = box.adjusted(px(2), px(2), -px(2), -px(2))
            icons.paint(painter, mark, inner, chosen.color("on"))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(chosen.color("accent"), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), px(6), px(6))
        painter.setFont(text_font())
        painter.setPen(chosen.color("text"))
        left = round(box.right()) + px(8)
        where = QRect(left, 0, self.width() - left, self.height())
        words = painter.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, where.width())
        painter.drawText(where, int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextSingleLine), words)

    def hitButton(self, pos: object) -> bool:
        return True
