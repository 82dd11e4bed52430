"""The light over the window while something is dragged over it, with words that say what dropping will do."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from ui.shell.intake import Given, look, words_for
from ui.widgets import icons
from ui.widgets.theme import px, text_font, tokens


class DropLight(QWidget):
    """Covers the middle of the window; takes no events itself."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.words = ""
        self.hide()

    def light(self, words: str) -> None:
        self.words = words
        self.setAccessibleName(words)
        over = self.parentWidget()
        assert over is not None
        self.setGeometry(over.rect())
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        chosen, painter = tokens(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = chosen.color("bg")
        ground.setAlpha(150)
        painter.fillRect(self.rect(), ground)
        frame = QRectF(self.rect()).adjusted(px(12), px(12), -px(12), -px(12))
        soft = chosen.color("soft")
        soft.setAlpha(242)
        painter.setBrush(soft)
        painter.setPen(QPen(chosen.color("accent"), 2, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(frame, px(12), px(12))
        size = px(32)
        centre = frame.center()
        icons.paint(painter, "file-plus", QRectF(centre.x() - size / 2, centre.y() - size, size, size), chosen.accent)
        painter.setFont(text_font("heading", strong=True))
        painter.setPen(chosen.color("text"))
        words = QRectF(frame.left() + px(24), centre.y() + px(8), frame.width() - px(48), px(60))
        flags = int(Qt.AlignmentFlag.AlignHCenter) | int(Qt.TextFlag.TextWordWrap)
        painter.drawText(words, flags, self.words)
        below = painter.boundingRect(words, flags, self.words).bottom() + px(4)
        painter.setFont(text_font())
        painter.setPen(chosen.color("muted"))
        hint = QRectF(words.left(), below, words.width(), px(40))
        painter.drawText(hint, flags, "The files themselves stay where they are.")


class DropTarget:
    """Handles a window's drag events. `name` answers the open workspace's name, or None; `take` is given what was let
    go."""

    def __init__(self, light: DropLight, name: Callable[[], str | None], take: Callable[[Given], None]) -> None:
        self._light = light
        self._name = name
        self._take = take

    def enter(self, event: QDragEnterEvent) -> None:
        name = self._name()
        # What was dragged out of this window (a row, selected text) isn't new.
        if name is None or event.source() is not None or not event.mimeData().formats():
            event.ignore()
            return
        self._light.light(words_for(event.mimeData(), name))
        self._copy(event)

    def move(self, event: QDragMoveEvent) -> None:
        if self._light.isVisible():
            self._copy(event)
        else:
            event.ignore()

    def leave(self) -> None:
        self._light.hide()

    def drop(self, event: QDropEvent) -> None:
        self._light.hide()
        given = look(event.mimeData())
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self._take(given)

    @staticmethod
    def _copy(event: QDropEvent) -> None:
        """Always a copy: the program that the files come from must not delete them."""
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
