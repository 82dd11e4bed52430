"""A card over the window: the palette, the list of workspaces. Escape or a click beside it closes it."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRect, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from ui.widgets.theme import px


class Overlay(QFrame):
    """Child of the window, above its parts. Gives the keyboard back to where it was when it closes."""

    def __init__(self, window: QWidget, name: str) -> None:
        super().__init__(window)
        self.setObjectName("card")
        self.setProperty("card", "true")
        self.setAccessibleName(name)
        self._before: QWidget | None = None
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(px(12), px(12), px(12), px(12))
        self.box.setSpacing(px(8))
        self.hide()

    def open_at(self, where: QRect) -> None:
        """Show the card there, in the window's coordinates."""
        self._before = QApplication.focusWidget()
        self.setGeometry(where)
        self.show()
        self.raise_()
        _application().installEventFilter(self)
        self.begin()

    def begin(self) -> None:
        """Prepare what the card shows and put the keyboard into it."""

    def close_card(self) -> None:
        if not self.isVisible():
            return
        _application().removeEventFilter(self)
        focus = QApplication.focusWidget()
        within = focus is None or self.isAncestorOf(focus)
        self.hide()
        if within and self._before is not None and self._before.isVisible():
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)
        self._before = None

    def lend_keys(self, line: QLineEdit, items: QListWidget, chosen: Callable[[QListWidgetItem | None], None]) -> None:
        """Up, Down and Enter in the line act on the list, so that the keyboard never has to leave the line."""
        self._line, self._items, self._chosen = line, items, chosen
        line.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and watched is self._line:
            return self._key_in_line(event)
        if event.type() == QEvent.Type.MouseButtonPress and isinstance(watched, QWidget) and self.isVisible():
            inside = watched is self or self.isAncestorOf(watched)
            if not inside and watched.window() is self.window():
                self.close_card()
        return False

    def _key_in_line(self, event: QKeyEvent) -> bool:
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if step is not None and self._items.count():
            self._items.setCurrentRow((self._items.currentRow() + step) % self._items.count())
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._chosen(self._items.currentItem())
            return True
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_card()
            return
        super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab stays inside the card."""
        inside = [
            child
            for child in self.findChildren(QWidget)
            if child.isVisible() and child.focusPolicy() & Qt.FocusPolicy.TabFocus
        ]
        inside = [child for child in inside if child.isEnabled() and child.focusProxy() is None]
        current = QApplication.focusWidget()
        if current in inside:
            step = 1 if forward else -1
            inside[(inside.index(current) + step) % len(inside)].setFocus(
                Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
            )
        return True


def _application() -> QCoreApplication:
    application = QCoreApplication.instance()
    assert application is not None
    return application
