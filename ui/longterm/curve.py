"""The curve that shows how present a memory will be if nobody uses it, and what always stays."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.widgets.theme import px, tokens

HEIGHT = 72


class PresenceCurve(QWidget):
    """values: shares of fresh (0 to 1, or above for what was reinforced), evenly spaced in time."""

    def __init__(self, values: Sequence[float], floor: float, said: str) -> None:
        """floor: the share that never fades, a dotted line. said: the curve in words, for screen readers and the
        tooltip."""
        super().__init__()
        self._values = list(values)
        self._floor = floor
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
        painter.setPen(QPen(chosen.color("line"), 1, Qt.PenStyle.DotLine))
        low = self._y(self._floor)
        painter.drawLine(QPointF(0, low), QPointF(self.width(), low))
        painter.setPen(QPen(chosen.color("accent"), px(2), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPath(line)

    def _line(self) -> QPainterPath:
        """From the left edge (now) to the right."""
        step = self.width() / (len(self._values) - 1)
        path = QPainterPath()
        for index, value in enumerate(self._values):
            point = QPointF(index * step, self._y(value))
            if index:
                path.lineTo(point)
            else:
                path.moveTo(point)
        return path

    def _y(self, value: float) -> float:
        """The top is fresh, or the highest value where one is above."""
        margin = px(4)
        return margin + (self.height() - 2 * margin) * (1 - value / max(1.0, *self._values))
