"""The list: a table of one column over a PagedModel, with rows of two lines painted by a delegate.

QTableView and not QListView: the latter lays out every row again on each change, seconds at a million rows.
"""

from collections.abc import Iterator

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from ui.qt.paged import PagedModel
from ui.widgets.row_delegate import ROW_HEIGHT, RowDelegate
from ui.widgets.theme import px


class ListView(QTableView):
    """`opened(position)` on Enter or a double click; `picked()` when the selection is another; `menu_wanted(global
    pos)`.
    """

    opened = Signal(int)
    picked = Signal()
    menu_wanted = Signal(QPoint)

    def __init__(
        self, model: PagedModel, name: str, *, height: int = ROW_HEIGHT, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._height = height
        self._kept: tuple[list[int], int | None, int | None] = ([], None, None)
        self._top: tuple[int, int] | None = None
        self.setAccessibleName(name)
        self.setItemDelegate(RowDelegate(self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(lambda at: self.menu_wanted.emit(self.viewport().mapToGlobal(at)))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setDragEnabled(False)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setModel(model)
        self._measure()
        # Connected before the selection model can hear of a reset: it forgets everything then.
        model.modelAboutToBeReset.connect(self._keep)
        model.modelReset.connect(self._restore)
        for about, done in (
            (model.rowsAboutToBeInserted, model.rowsInserted),
            (model.rowsAboutToBeRemoved, model.rowsRemoved),
            (model.layoutAboutToBeChanged, model.layoutChanged),
        ):
            about.connect(self._hold)
            done.connect(self._stay)
        self.selectionModel().selectionChanged.connect(lambda *_: self.picked.emit())
        self.activated.connect(lambda index: self.opened.emit(index.row()))

    @property
    def rows(self) -> PagedModel:
        model = self.model()
        assert isinstance(model, PagedModel)
        return model

    # ---- selection --------------------------------------------------------------------------------------------------

    def positions(self) -> Iterator[int]:
        """Positions of the selected rows, in order."""
        for top, bottom in sorted((part.top(), part.bottom()) for part in self._ranges()):
            yield from range(top, bottom + 1)

    def selected_count(self) -> int:
        """How many rows are selected; costs nothing even when all of a million are."""
        return sum(part.height() for part in self._ranges())

    def _ranges(self) -> list[QItemSelectionRange]:
        return self.selectionModel().selection().toList()

    def selected_numbers(self) -> list[int]:
        """Row numbers of the selection, in order."""
        return [self.rows.number_at(position) for position in self.positions()]

    def pick(self, position: int, *, focus: bool = False) -> None:
        """Select one row and bring it into view."""
        index = self.rows.index(position, 0)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(index, flags)
        self.scrollTo(index)
        if focus:
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _keep(self) -> None:
        if self.selected_count() > 10_000:  # a selection of nearly everything isn't worth a walk over the whole list
            numbers: list[int] = []
        else:
            numbers = self.selected_numbers()
        current = self.currentIndex()
        top = self.indexAt(QPoint(1, 1))
        self._kept = (
            numbers,
            self.rows.number_at(current.row()) if current.isValid() else None,
            self.rows.number_at(top.row()) if top.isValid() and self.verticalScrollBar().value() > 0 else None,
        )

    def _restore(self) -> None:
        numbers, current, top = self._kept
        positions = {number: self.rows.position_of(number) for number in {*numbers, current, top} if number is not None}
        chosen = QItemSelection()
        for number in numbers:
            if (position := positions[number]) is not None:
                chosen.select(self.rows.index(position, 0), self.rows.index(position, 0))
        if current is not None and (position := positions[current]) is not None:
            self.selectionModel().setCurrentIndex(
                self.rows.index(position, 0), QItemSelectionModel.SelectionFlag.NoUpdate
            )
        self.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if top is not None and (position := positions[top]) is not None:
            self.scrollTo(self.rows.index(position, 0), QAbstractItemView.ScrollHint.PositionAtTop)
        self.picked.emit()

    def _hold(self, *_: object) -> None:
        """Remember which row stands at the top, and how much of it is hidden; at the very top new rows may show."""
        top = self.indexAt(QPoint(1, 1))
        self._top = None
        if top.isValid() and self.verticalScrollBar().value() > 0:
            self._top = (self.rows.number_at(top.row()), -self.rowViewportPosition(top.row()))

    def _stay(self, *_: object) -> None:
        """Rows that came or went above leave what is read where it is."""
        held, self._top = self._top, None
        position = self.rows.position_of(held[0]) if held is not None else None
        if held is None or position is None:
            return
        self.updateGeometries()  # the bar must know of the new rows before it is moved
        self.verticalScrollBar().setValue(position * self.verticalHeader().defaultSectionSize() + held[1])

    # ---- keyboard and measures --------------------------------------------------------------------------------------

    def keyboardSearch(self, search: str) -> None:
        """Typing letters doesn't walk the list: Qt would ask a million rows for their text. Ctrl+K searches."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex().row())
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard finds a row that is chosen; Qt alone would only make one current."""
        fresh = not self.currentIndex().isValid()
        super().focusInEvent(event)
        if fresh and self.rows.rowCount() and event.reason() != Qt.FocusReason.MouseFocusReason:
            self.pick(0)
        self.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self.model() is not None:
            self._measure()

    def _measure(self) -> None:
        header = self.verticalHeader()
        if header.defaultSectionSize() != px(self._height):
            header.setMinimumSectionSize(px(24))
            header.setDefaultSectionSize(px(self._height))
        self.verticalScrollBar().setSingleStep(px(self._height) // 2)

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """In a list, Home and End mean the first and the last row."""
        last = self.rows.rowCount() - 1
        if last >= 0 and action == QAbstractItemView.CursorAction.MoveHome:
            return self.rows.index(0, 0)
        if last >= 0 and action == QAbstractItemView.CursorAction.MoveEnd:
            return self.rows.index(last, 0)
        return super().moveCursor(action, modifiers)
