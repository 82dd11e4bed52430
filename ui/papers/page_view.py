"""A page on the screen: small beside the list, large in a dialog of its own."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from ui.papers.pages import PagesPresenter
from ui.qt import figures
from ui.qt.dialogs import shown
from ui.widgets.basics import Button, IconButton, label
from ui.widgets.theme import px, tokens

HIGHEST = 300  # px of the small picture
ZOOMS = (1.0, 1.5, 2.0, 3.0)
SIDEWAYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_PageUp: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageDown: 1}


class PageView(QWidget):
    """Paints the presenter's page. `opened` on a click or the space bar. highest: px, or 0 for as high as it gets."""

    opened = Signal()

    def __init__(self, presenter: PagesPresenter, name: str, highest: int = 0) -> None:
        super().__init__()
        self._presenter = presenter
        self._name = name
        self._highest = highest
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        presenter.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        presenter = self._presenter
        where = f"Page {figures.count(presenter.page)} of {self._name}" if presenter.pages > 1 else self._name
        marked = ", what was found is marked" if presenter.marks else ""
        self.setAccessibleName(presenter.problem or f"Picture of {where}{marked}")
        self._measure()
        self.update()

    def _size(self) -> QSize:
        """As wide as there is room, as high as the page asks for."""
        image, width = self._presenter.image, max(1, self.width())
        shape = image.height() / image.width() if image is not None else 1.3
        height = round(width * shape)
        if self._highest and height > px(self._highest):
            height = px(self._highest)
            width = round(height / shape)
        return QSize(width, height)

    def _measure(self) -> None:
        size = self._size()
        if self.height() != size.height():
            self.setFixedHeight(max(px(40), size.height()))
        self._presenter.fit(round(size.width() * self.devicePixelRatioF()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()

    def paintEvent(self, event: QPaintEvent) -> None:
        chosen, painter = tokens(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        size = self._size()
        page = QRectF(max(0.0, (self.width() - size.width()) / 2), 0.0, size.width(), size.height())
        image = self._presenter.image
        if image is None:
            painter.setPen(chosen.color("muted"))
            words = self._presenter.problem or "Drawing the page…"
            painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), words)
        else:
            painter.drawImage(page, image)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
            for mark in self._presenter.marks:
                where = QRectF(mark.left, mark.top, mark.right - mark.left, mark.bottom - mark.top)
                painter.fillRect(_within(page, where), "#ffe27a")  # on paper, which is white in the dark as well
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
            painter.setPen(QPen(chosen.color("border"), 1))
            painter.drawRect(page.adjusted(0.5, 0.5, -0.5, -0.5))
        if self.hasFocus():
            painter.setPen(QPen(chosen.color("accent"), 2))
            painter.drawRect(page.adjusted(1, 1, -1, -1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        elif key in SIDEWAYS:
            turn(self._presenter, SIDEWAYS[key])
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit()

    def mark_top(self) -> int | None:
        """The y of the first mark, within this widget."""
        marks = self._presenter.marks
        return round(marks[0].top * self.height()) if marks else None


def _within(page: QRectF, part: QRectF) -> QRectF:
    left, top = page.left() + part.left() * page.width(), page.top() + part.top() * page.height()
    return QRectF(left, top, part.width() * page.width(), part.height() * page.height())


def turn(presenter: PagesPresenter, step: int) -> None:
    """One page on or back."""
    if 1 <= presenter.page + step <= presenter.pages:
        presenter.turn_to(presenter.page + step)


class PageTurner(QWidget):
    """ "Page 3 of 12" between two buttons; hidden where there is one page."""

    def __init__(self, presenter: PagesPresenter) -> None:
        super().__init__()
        self._presenter = presenter
        self.back = IconButton("chevron-left", "Page before", partial(turn, presenter, -1), tip="Page before (PgUp)")
        self.on = IconButton("chevron-right", "Next page", partial(turn, presenter, 1), tip="Next page (PgDn)")
        self.where = label("", "secondary")
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(px(4))
        for part in (self.back, self.where, self.on):
            box.addWidget(part)
        presenter.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        presenter = self._presenter
        self.where.setText(f"Page {figures.count(presenter.page)} of {figures.count(presenter.pages)}")
        self.back.setEnabled(presenter.page > 1)
        self.on.setEnabled(presenter.page < presenter.pages)
        if presenter.pages == 1 or self.parentWidget() is not None:  # shown without a parent it would be a window
            self.setVisible(presenter.pages > 1)


class PageCard(QWidget):
    """The small picture with its pages, for the details."""

    def __init__(self, presenter: PagesPresenter, name: str, enlarge: Callable[[], object]) -> None:
        super().__init__()
        self.view = PageView(presenter, name, HIGHEST)
        self.view.opened.connect(enlarge)
        self.view.setToolTip("Click, or press the space bar, to see it large")
        foot = QHBoxLayout()
        foot.setContentsMargins(0, 0, 0, 0)
        foot.addWidget(PageTurner(presenter))
        foot.addStretch(1)
        foot.addWidget(Button("See it large", enlarge, kind="link"))
        box = QVBoxLayout(self)
        box.setContentsMargins(0, px(4), 0, px(8))
        box.setSpacing(px(4))
        box.addWidget(self.view)
        box.addLayout(foot)


class LargePage(QDialog):
    """A page as large as the window allows. Ctrl and the wheel, or the buttons, make it larger."""

    def __init__(self, parent: QWidget, presenter: PagesPresenter, name: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(name)
        self._presenter = presenter
        self.view = PageView(presenter, name)
        self.view.opened.connect(self.accept)
        self.area = QScrollArea()
        self.area.setAccessibleName(f"Page of {name}")
        self.area.setWidgetResizable(False)
        self.area.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.area.setWidget(self.view)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._zoom = 1.0
        self._pointed = bool(presenter.marks)
        self._lay_out(name)
        presenter.changed.connect(self._place)
        self.resize(round(parent.width() * 0.9), round(parent.height() * 0.92))
        self.view.setFocus()

    def _lay_out(self, name: str) -> None:
        head = QHBoxLayout()
        head.addWidget(label(name, "strong"), 1)
        head.addWidget(PageTurner(self._presenter))
        head.addWidget(IconButton("minus", "Smaller", partial(self._zoom_by, -1), tip="Smaller (Ctrl+-)"))
        head.addWidget(IconButton("plus", "Larger", partial(self._zoom_by, 1), tip="Larger (Ctrl++)"))
        head.addWidget(Button("Close", self.accept))
        box = QVBoxLayout(self)
        box.setContentsMargins(px(12), px(8), px(12), px(12))
        box.addLayout(head)
        box.addWidget(self.area, 1)

    def _zoom_by(self, step: int) -> None:
        place = ZOOMS.index(self._zoom) + step
        if 0 <= place < len(ZOOMS):
            self._zoom = ZOOMS[place]
            self._fit()

    def _fit(self) -> None:
        room = self.area.viewport().width() - px(4)
        self.view.setFixedWidth(max(px(200), round(room * self._zoom)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _place(self) -> None:
        """Bring the first mark into view, once."""
        if self._pointed and (top := self.view.mark_top()) is not None:
            self._pointed = False
            self.area.verticalScrollBar().setValue(max(0, top - self.area.viewport().height() // 3))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and event.text() in ("+", "=", "-"):
            self._zoom_by(-1 if event.text() == "-" else 1)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._zoom_by(1 if event.angleDelta().y() > 0 else -1)
        else:
            super().wheelEvent(event)


async def show_large(parent: QWidget, presenter: PagesPresenter, name: str) -> None:
    """Open the page in a dialog and wait until it is put away."""
    await shown(LargePage(parent, presenter, name))
