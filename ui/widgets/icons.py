"""Icons: SVG files tinted when they are painted, so that they are sharp at every scale and follow light and dark."""

from functools import lru_cache
from importlib.resources import files

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from ui.widgets.theme import Tokens, tokens

STROKE = "1.8"  # the family's 2 looks heavy beside 13 px text


@lru_cache(maxsize=256)
def _source(name: str) -> str:
    text = (files("resources") / "icons" / f"{name}.svg").read_text("utf-8")
    return text.replace('stroke-width="2"', f'stroke-width="{STROKE}"')


@lru_cache(maxsize=512)
def _picture(name: str, colour: str, width: int, height: int) -> QPixmap:
    """An icon drawn once at its size in the screen's own dots."""
    picture = QPixmap(width, height)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    source = _source(name).replace("currentColor", colour).encode()
    QSvgRenderer(QByteArray(source)).render(painter, QRectF(0, 0, width, height))
    painter.end()
    return picture


def paint(painter: QPainter, name: str, rect: QRectF, colour: QColor | str) -> None:
    """Paint an icon into a square."""
    dots = painter.device().devicePixelRatio()
    width, height = round(rect.width() * dots), round(rect.height() * dots)
    picture = _picture(name, QColor(colour).name(), width, height)
    painter.drawPixmap(rect, picture, QRectF(picture.rect()))


class TintedEngine(QIconEngine):
    """Draws one icon in the colour that a token has at that moment."""

    def __init__(self, name: str, token: str) -> None:
        super().__init__()
        _source(name)  # a name that doesn't exist fails here, not in a paint event
        self._name = name
        self._token = token

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        paint(painter, self._name, QRectF(rect), self._colour(tokens(), mode))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        painter.end()
        return pixmap

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        return self.pixmap(size * scale, mode, state)

    def clone(self) -> QIconEngine:
        return TintedEngine(self._name, self._token)

    def _colour(self, chosen: Tokens, mode: QIcon.Mode) -> str:
        if mode == QIcon.Mode.Disabled:
            return chosen.line
        return getattr(chosen, self._token)


def icon(name: str, token: str = "muted") -> QIcon:
    """name: a file in resources/icons without ".svg". token: a colour of `theme.Tokens`. Raises FileNotFoundError."""
    return QIcon(TintedEngine(name, token))
