"""The curve that shows how present a memory will be over the next months if nobody uses it."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.widgets.theme import px, tokens

HEIGHT = 72


class PresenceCurve(QWidget):
    """values: shares of fresh (0 to 1, or above for what was reinforced), evenly spaced in time."""

    def __init__(self, values: Sequence[float], said: str) -> None:
        """said: the curve in words, for screen readers and the tooltip."""
        super().__init__()
        self._values = list(values)
        self.setAccessibleName(said)
        self.setToolTip(said)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(px(240), px(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        chosen = tokens()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = self._line()
        area = QPainterPath(line)
        area.lineTo(self.width(), self.height())
        area.lineTo(0, self.height())
        area.closeSubpath()
        painter.fillPath(area, chosen.color("soft"))
        painter.setPen(QPen(chosen.color("border"), 1))
        painter.drawLine(QPointF(0, self.height() - 0.5), QPointF(self.width(), self.height() - 0.5))
        painter.setPen(QPen(chosen.color("accent"), px(2), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPath(line)

    def _line(self) -> QPainterPath:
        """From the left edge (now) to the right; the top is fresh, or the highest value where one is above."""
        top = max(1.0, *self._values)
        margin = px(3)
        step = self.width() / (len(self._values) - 1)
        height = self.height() - 2 * margin
        path = QPainterPath()
        for index, value in enumerate(self._values):
            point = QPointF(index * step, margin + height * (1 - value / top))
            if index:
                path.lineTo(point)
            else:
                path.moveTo(point)
        return path
