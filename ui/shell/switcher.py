"""The button at the top of the rail that says which workspace this is, and the card that lists the others."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QLineEdit,
    QListWidgetItem,
    QSizePolicy,
    QWidget,
)

from core.domain.workspaces import KnownState, KnownWorkspace, WorkspaceInfo
from ui.qt.line import Line
from ui.shell.card_list import CardList
from ui.shell.overlay import Overlay
from ui.widgets import icons
from ui.widgets.basics import Button, label
from ui.widgets.theme import px, text_font, tokens

WORDS = {
    KnownState.READY: "",
    KnownState.OPEN: "Open now",
    KnownState.IN_USE: "Open in another program",
    KnownState.MISSING: "Its folder isn't there",
    KnownState.BROKEN: "It can't be read",
    KnownState.COPY: "A copy of another one",
}


class SwitcherButton(QAbstractButton):
    """Shows the open workspace; a click opens the card with all of them."""

    def __init__(self) -> None:
        super().__init__()
        self._folded = False
        self._name = "No workspace"
        self._where = "Create or open one"
        self._sealed = self._open = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.show_workspace(None)

    def show_workspace(self, info: WorkspaceInfo | None) -> None:
        self._name = info.name if info else "No workspace"
        self._open = info is not None
        self._sealed = bool(info and info.sealed)
        self._where = "Create or open one"
        if info:
            self._where = "Sealed, on this computer" if info.sealed else "On this computer"
        self.setText(self._name)
        self.setAccessibleName(f"Workspace: {self._name}. {self._where}. Switch workspace")
        self.setToolTip(f"{self._name}\n{info.path}\nSwitch workspace" if info else "Open a workspace")
        self.update()

    def set_folded(self, folded: bool) -> None:
        self._folded = folded
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(40 if self._folded else 200), px(40 if self._folded else 50))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        chosen, painter = tokens(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if not self._folded:
            painter.setBrush(chosen.color("hover" if self.underMouse() else "surface"))
            painter.setPen(QPen(chosen.color("border"), 1))
            painter.drawRoundedRect(rect, px(8), px(8))
        self._paint_avatar(painter)
        if not self._folded:
            self._paint_words(painter)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(chosen.color("accent"), 2))
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), px(8), px(8))

    def _paint_avatar(self, painter: QPainter) -> None:
        chosen, size = tokens(), px(32)
        left = (self.width() - size) / 2 if self._folded else px(9)
        avatar = QRectF(left, (self.height() - size) / 2, size, size)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(chosen.color("accent"))
        painter.drawRoundedRect(avatar, px(6), px(6))
        painter.setPen(chosen.color("on"))
        painter.setFont(text_font("body", strong=True))
        if self._open:
            painter.drawText(avatar, Qt.AlignmentFlag.AlignCenter, self._name[:1].upper())
        else:
            inset = px(8)
            icons.paint(painter, "archive", avatar.adjusted(inset, inset, -inset, -inset), chosen.on)

    def _paint_words(self, painter: QPainter) -> None:
        chosen = tokens()
        left, right = px(50), self.width() - px(28)
        flags = int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextSingleLine)
        painter.setPen(chosen.color("text"))
        painter.setFont(text_font("body", strong=True))
        middle = self.height() // 2
        metrics = painter.fontMetrics()
        name = metrics.elidedText(self._name, Qt.TextElideMode.ElideRight, right - left)
        painter.drawText(QRect(left, middle - metrics.height(), right - left, metrics.height()), flags, name)
        if self._sealed:
            icons.paint(painter, "lock", QRectF(left, middle + px(3), px(11), px(11)), chosen.muted)
            left += px(15)
        painter.setFont(text_font("caption"))
        painter.setPen(chosen.color("muted"))
        metrics = painter.fontMetrics()
        where = metrics.elidedText(self._where, Qt.TextElideMode.ElideRight, right - left)
        painter.drawText(QRect(left, middle + px(1), right - left, metrics.height()), flags, where)
        size = px(14)
        arrow = QRectF(self.width() - px(10) - size, (self.height() - size) / 2, size, size)
        icons.paint(painter, "chevrons-up-down", arrow, chosen.muted)


class SwitcherCard(Overlay):
    """Known workspaces with their states, a search line, and the ways to more. `picked(KnownWorkspace)`."""

    picked = Signal(object)
    create_wanted = Signal()
    open_wanted = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window, "Workspaces")
        self._known: list[KnownWorkspace] = []
        self.line = QLineEdit()
        self.line.setPlaceholderText("Find a workspace")
        self.line.setAccessibleName("Find a workspace")
        self.line.textChanged.connect(self._show)
        self.list = CardList("Workspaces", 50, self._pick)
        self.lend_keys(self.line, self.list, self._pick)
        self.nothing = label("No workspace has this name.", "muted")
        self.box.addWidget(self.line)
        self.box.addWidget(self.list, 1)
        self.box.addWidget(self.nothing)
        foot = QHBoxLayout()
        foot.addWidget(Button("New workspace…", self._create, icon="plus"))
        foot.addWidget(Button("Open a folder…", self._open, icon="folder-open"))
        foot.addStretch(1)
        self.box.addLayout(foot)

    def fill(self, known: Sequence[KnownWorkspace]) -> None:
        self._known = list(known)
        self._show()

    def _show(self, *_: object) -> None:
        wanted = self.line.text().casefold().strip()
        self.list.clear()
        for place, known in enumerate(self._known, 1):
            if wanted not in known.name.casefold():
                continue
            line = Line(
                known.name,
                WORDS[known.state] or str(known.path.parent),
                icon=_icon(known.state),
                when=f"Ctrl {place}" if place <= 9 else "",
            )
            self.list.put(line, known, known.reason or str(known.path))
        if self.list.count():
            # The most likely wish is another one than the one that is open.
            states = [known.state for known in self._known if wanted in known.name.casefold()]
            others = [row for row, state in enumerate(states) if state is not KnownState.OPEN]
            self.list.setCurrentRow(others[0] if others else 0)
        self.nothing.setVisible(bool(self._known) and not self.list.count())

    def wanted_height(self) -> int:
        """Room for the line, up to seven workspaces, and the buttons."""
        return px(12 + 30 + 8 + 50 * max(2, min(7, len(self._known))) + 8 + 30 + 16)

    def begin(self) -> None:
        self.line.clear()
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)

    def _pick(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            known = self.list.value_of(item)
            self.close_card()
            self.picked.emit(known)

    def _create(self) -> None:
        self.close_card()
        self.create_wanted.emit()

    def _open(self) -> None:
        self.close_card()
        self.open_wanted.emit()


def _icon(state: KnownState) -> str:
    if state is KnownState.OPEN:
        return "check"
    if state is KnownState.READY:
        return "folder"
    return {KnownState.IN_USE: "lock", KnownState.COPY: "copy"}.get(state, "triangle-alert")
