"""Small pieces: labels by role, buttons, tags, rows of them. All text is plain text; nothing of a paper is ever
markup.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLayout,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ui.qt import figures
from ui.widgets import icons
from ui.widgets.theme import icon_size, px, tokens

Action = Callable[[], object]


def number(value: int) -> str:
    """A number as this place writes it: 2,418."""
    return figures.count(value)


def label(text: str, role: str = "", *, wrap: bool = False, selectable: bool = False) -> QLabel:
    """role: "title" | "heading" | "strong" | "section" | "muted" | "secondary" | "caption" | "warn" | "danger" | ""."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("role", role)
    made.setWordWrap(wrap)
    if wrap:
        made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    if selectable:
        made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


RESCALED = (QEvent.Type.FontChange, QEvent.Type.StyleChange)
"""Events after which a widget that measured itself in px() has to do so again."""


class ElidedLabel(QLabel):
    """One line that ends in “…” where there is no room; the whole text stands in its tooltip."""

    def __init__(self, text: str = "", role: str = "", mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self._mode = mode
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return QSize(px(24), super().sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        rect = self.contentsRect()
        shown = self.fontMetrics().elidedText(self.text(), self._mode, rect.width())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(rect, int(self.alignment()) | int(Qt.TextFlag.TextSingleLine), shown)
        self.setToolTip(self.text() if shown != self.text() else "")


class IconLabel(QLabel):
    """An icon that only decorates; it follows scale and colours."""

    def __init__(self, name: str, token: str = "muted", size: int = 18) -> None:
        super().__init__()
        self._icon = icons.icon(name, token)
        self._size = size
        self._draw()

    def set(self, name: str, token: str = "muted") -> None:
        self._icon = icons.icon(name, token)
        self._draw()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._draw()
        super().changeEvent(event)

    def _draw(self) -> None:
        self.setPixmap(self._icon.pixmap(icon_size(self._size), self.devicePixelRatioF()))
        self.setFixedSize(icon_size(self._size))


class Button(QPushButton):
    """kind: "" | "primary" | "danger" | "link" | "plain". At least 28 px high. `run` is called on a click."""

    def __init__(self, text: str, run: Action | None = None, *, kind: str = "", icon: str = "", tip: str = "") -> None:
        super().__init__(text)
        self.setProperty("kind", kind)
        self.setAutoDefault(False)
        self.setToolTip(tip)
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        if icon:
            self.setIcon(icons.icon(icon, "on" if kind == "primary" else "text"))
        self._measure()
        if run is not None:
            self.clicked.connect(lambda: run())

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in RESCALED:
            self._measure()
        super().changeEvent(event)

    def _measure(self) -> None:
        self.setIconSize(icon_size(16))
        self.setMinimumHeight(px(30))


class IconButton(QToolButton):
    """A button that shows an icon alone; `name` is said by screen readers and stands in the tooltip."""

    def __init__(self, icon: str, name: str, run: Action | None = None, *, token: str = "muted", tip: str = "") -> None:
        super().__init__()
        self.setIcon(icons.icon(icon, token))
        self.setAccessibleName(name)
        self.setToolTip(tip or name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._measure()
        if run is not None:
            self.clicked.connect(lambda: run())

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in RESCALED:
            self._measure()
        super().changeEvent(event)

    def _measure(self) -> None:
        self.setIconSize(icon_size(16))
        self.setMinimumSize(px(30), px(30))


def tag(text: str, tone: str = "", tip: str = "") -> QLabel:
    """A word about a thing; not a button. tone: "" | "warn" | "danger"."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("kind", "tag")
    made.setProperty("tone", tone)
    made.setToolTip(tip)
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    return made


def row(*widgets: QWidget | int, spacing: int = 8) -> QHBoxLayout:
    """Widgets side by side; an int is a stretch."""
    made = QHBoxLayout()
    made.setSpacing(px(spacing))
    made.setContentsMargins(0, 0, 0, 0)
    _fill(made, widgets)
    return made


def column(*widgets: QWidget | int, spacing: int = 8) -> QVBoxLayout:
    made = QVBoxLayout()
    made.setSpacing(px(spacing))
    made.setContentsMargins(0, 0, 0, 0)
    _fill(made, widgets)
    return made


def _fill(layout: QHBoxLayout | QVBoxLayout, widgets: Sequence[QWidget | int]) -> None:
    for widget in widgets:
        if isinstance(widget, int):
            layout.addStretch(widget)
        else:
            layout.addWidget(widget)


def empty_layout(layout: QLayout) -> None:
    """Take everything out of a layout; the widgets are deleted later."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
        elif (inner := item.layout()) is not None:
            empty_layout(inner)
            inner.deleteLater()


def restyle(widget: QWidget) -> None:
    """Apply the style sheet again after a property that it looks at was changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    widget.update()


def progress(name: str, width: int = 220) -> QProgressBar:
    """A thin bar without text, named for screen readers."""
    bar = QProgressBar()
    bar.setTextVisible(False)
    bar.setAccessibleName(name)
    bar.setFixedWidth(px(width))
    return bar


class Skeleton(QWidget):
    """Quiet grey rows in the place of a list that is being read. Shown only after 150 ms, so that most never see it."""

    DELAY = 150

    def __init__(self, height: int = 56) -> None:
        super().__init__()
        self._height = height
        self._visible = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(self.DELAY)
        self._timer.timeout.connect(self._appear)
        self.setAccessibleName("Being read")

    def start(self) -> None:
        self._visible = False
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        self._visible = False

    def _appear(self) -> None:
        self._visible = True
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._visible:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tokens().color("hover"))
        for index in range(8):
            paint_placeholder(painter, 0, index * px(self._height), self.width(), index)


def paint_placeholder(painter: QPainter, x: int, top: int, width: int, index: int) -> None:
    """Two grey bars where a row's two lines will be; their lengths vary with `index`."""
    long, short = (0.42, 0.62) if index % 2 else (0.34, 0.7)
    painter.drawRoundedRect(x + px(40), top + px(14), int(width * long), px(10), px(4), px(4))
    painter.drawRoundedRect(x + px(40), top + px(34), int(width * short), px(8), px(4), px(4))
