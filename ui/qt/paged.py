"""PagedModel: a list of any length behind Qt's model, of which only the pages near the view are in memory.

The order is a snapshot of row numbers (8 bytes a row); rows are read 64 at a time, the newest request first, and kept
in an LRU. Sorting and filtering happen in the port. After a change the snapshot is taken again: where rows only came,
went or moved, views keep selection and scroll position by Qt's own means; else the list view restores them by number.
"""

import time
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from core.ports.rows import ListQuery, RowsPort
from ui.qt.line import Line
from ui.qt.scope import ViewScope

PAGE = 64  # several screens; the work for a page stays below what the eye notices
KEPT_LINES = 512
KEPT_PAGES = 64
WANTED_PAGES = 4  # requests of pages that were scrolled past are dropped

RowRole = Qt.ItemDataRole.UserRole + 1  # the row itself, or None while it isn't loaded
LineRole = Qt.ItemDataRole.UserRole + 2  # its Line, or None
NumberRole = Qt.ItemDataRole.UserRole + 3  # its number, as int

Row = TypeVar("Row")
Index = QModelIndex | QPersistentModelIndex


class PagedModel(QAbstractTableModel, Generic[Row]):
    """One column. `describe` makes a row's Line. Signals: `settled(ms)` when a page has come; `state_changed`.

    state: "loading" until the first snapshot is there, then "ready"; "failed" (with `problem`) when it can't be read.
    """

    settled = Signal(float)
    state_changed = Signal()

    def __init__(
        self,
        rows: RowsPort[Row],
        scope: ViewScope,
        describe: Callable[[Row], Line],
        *,
        query: ListQuery | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._rows = rows
        self._scope = scope
        self._describe = describe
        self._query = query or ListQuery()
        self._numbers: array[int] = array("q")
        self._pages: OrderedDict[int, list[Row | None]] = OrderedDict()
        self._lines: dict[int, tuple[Row, Line]] = {}  # by id of the row object, which is held here
        self._stale: set[int] = set()
        self._wanted: list[int] = []
        self._reading = False
        self._generation = 0
        self.state = "loading"
        self.problem: BaseException | None = None

    # ---- what Qt asks -----------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._numbers)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._numbers):
            return None
        if role == NumberRole:
            return self._numbers[index.row()]
        if role == RowRole:
            return self.row_at(index.row())
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, LineRole):
            return None
        row = self.row_at(index.row())
        if row is None:
            return None if role == LineRole else "…"
        line = self._line_of(row)
        if role == LineRole:
            return line
        return line.title if role == Qt.ItemDataRole.DisplayRole else line.spoken

    def _line_of(self, row: Row) -> Line:
        """What a row looks like, described once for as long as this reading of it is shown."""
        known = self._lines.get(id(row))
        if known is None or known[0] is not row:
            if len(self._lines) > KEPT_LINES:
                self._lines.clear()
            known = self._lines[id(row)] = (row, self._describe(row))
        return known[1]

    # ---- what views and presenters ask ------------------------------------------------------------------------------

    @property
    def query(self) -> ListQuery:
        return self._query

    def row_at(self, position: int) -> Row | None:
        """The row at a position, or None while it is being read (a request for its page is noted)."""
        number, offset = divmod(position, PAGE)
        page = self._pages.get(number)
        if page is None or number in self._stale:
            self._want(number)
        else:
            self._pages.move_to_end(number)
        if page is None or offset >= len(page):
            return None
        return page[offset]

    def number_at(self, position: int) -> int:
        return self._numbers[position]

    def position_of(self, number: int) -> int | None:
        """Where the row with this number stands, or None."""
        try:
            return self._numbers.index(number)
        except ValueError:
            return None

    async def fetch(self, numbers: Iterable[int]) -> list[Row]:
        """Rows by number, from memory or read anew; those that are gone are left out. For selections of any size."""
        wanted, found = list(numbers), []
        for start in range(0, len(wanted), 1024):
            found += [row for row in await self._rows.rows(wanted[start : start + 1024]) if row is not None]
        return found

    async def find(self, matches: Callable[[Row], bool]) -> int | None:
        """The position of the first row for which `matches` holds, reading from the top; None if there is none."""
        numbers = self._numbers
        for start in range(0, len(numbers), 1024):
            rows = await self._rows.rows(numbers[start : start + 1024])
            for offset, row in enumerate(rows):
                if row is not None and matches(row):
                    return self.position_of(numbers[start + offset])
        return None

    def set_query(self, query: ListQuery) -> None:
        """Sort or narrow differently."""
        self._query = query
        self.refresh()

    def refresh(self) -> None:
        """Read order and rows again; what is shown stays until the new is there."""
        if self.state != "closed":
            self._scope.start(self.read(), latest=f"snapshot {id(self)}")

    async def read(self) -> None:
        """As `refresh`, awaited. An error that is the person's or the computer's is kept in `problem`."""
        try:
            numbers = await self._rows.snapshot(self._query)
        except Exception as error:
            self._become("failed", error)
            raise
        self._generation += 1
        self._stale.update(self._pages)
        self._put(numbers)
        self._become("ready", None)
        if self._numbers:
            # Views ask again for what they show; everything else stays unread until it is scrolled to.
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._numbers) - 1, 0))

    def close(self) -> None:
        """Ask for nothing any more and hold no row. Called with the view's scope already closing."""
        self.beginResetModel()
        self.state = "closed"
        self._numbers = array("q")
        self._pages.clear()
        self._lines.clear()
        self._stale.clear()
        self._wanted.clear()
        self.endResetModel()

    # ---- the order --------------------------------------------------------------------------------------------------

    def _become(self, state: str, problem: BaseException | None) -> None:
        self.state, self.problem = state, problem
        self.state_changed.emit()

    def _put(self, new: "array[int]") -> None:
        old = self._numbers
        if old.tobytes() == new.tobytes():
            return
        first = shared_prefix(old, new)
        last = shared_suffix(old, new, first)
        gone, come = len(old) - first - last, len(new) - first - last
        root = QModelIndex()
        if gone == 0 and old:
            self.beginInsertRows(root, first, first + come - 1)
            self._take(new)
            self.endInsertRows()
        elif come == 0 and new:
            self.beginRemoveRows(root, first, first + gone - 1)
            self._take(new)
            self.endRemoveRows()
        elif gone == come and sorted(old[first : first + gone]) == sorted(new[first : first + come]):
            self._move(new)
        else:
            self.beginResetModel()
            self._take(new)
            self.endResetModel()

    def _take(self, new: "array[int]") -> None:
        """Put the new order in force, keeping at hand the rows that were in memory."""
        rows: dict[int, Row | None] = {}
        for page, loaded in self._pages.items():
            rows.update(zip(self._numbers[page * PAGE : page * PAGE + len(loaded)], loaded, strict=True))
        self._numbers = new
        pages = list(self._pages)
        self._pages.clear()
        for page in pages:
            part = new[page * PAGE : (page + 1) * PAGE]
            if part:
                self._pages[page] = [rows.get(number) for number in part]
        self._stale = set(self._pages)

    def _move(self, new: "array[int]") -> None:
        self.layoutAboutToBeChanged.emit()
        persistent = self.persistentIndexList()
        numbers = [self._numbers[index.row()] for index in persistent]
        self._take(new)
        moved = [self.index(new.index(number), 0) for number in numbers]
        self.changePersistentIndexList(persistent, moved)
        self.layoutChanged.emit()

    # ---- the pages --------------------------------------------------------------------------------------------------

    def _want(self, page: int) -> None:
        if self.state == "closed":
            return
        if page in self._wanted:
            self._wanted.remove(page)
        self._wanted.append(page)
        del self._wanted[:-WANTED_PAGES]
        if not self._reading:
            self._reading = self._scope.start(self._read_pages())

    async def _read_pages(self) -> None:
        try:
            while self._wanted:
                await self._read_page(self._wanted[-1])
        finally:
            self._reading = False

    async def _read_page(self, page: int) -> None:
        started = time.perf_counter()
        generation = self._generation
        numbers = self._numbers[page * PAGE : (page + 1) * PAGE]
        if numbers:
            try:
                rows = list(await self._rows.rows(numbers))
            except BaseException:
                self._wanted.clear()
                raise
            if generation != self._generation or self.state == "closed":
                return
            self._pages[page] = rows
            self._pages.move_to_end(page)
            while len(self._pages) > KEPT_PAGES:
                self._stale.discard(self._pages.popitem(last=False)[0])
        self._stale.discard(page)
        if page in self._wanted:
            self._wanted.remove(page)
        if numbers:
            first = self.index(page * PAGE, 0)
            self.dataChanged.emit(first, self.index(page * PAGE + len(numbers) - 1, 0))
        self.settled.emit((time.perf_counter() - started) * 1000)


def shared_prefix(old: "array[int]", new: "array[int]") -> int:
    """How many numbers at the start are the same; compares memory, so a million cost a few milliseconds."""
    a, b, low, high = old.tobytes(), new.tobytes(), 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low * 8 : middle * 8] == b[low * 8 : middle * 8]:
            low = middle
        else:
            high = middle - 1
    return low


def shared_suffix(old: "array[int]", new: "array[int]", prefix: int) -> int:
    """How many numbers at the end are the same, beyond those already counted at the start."""
    a, b, low, high = old.tobytes(), new.tobytes(), 0, min(len(old), len(new)) - prefix
    while low < high:
        middle = (low + high + 1) // 2
        if a[len(a) - middle * 8 : len(a) - low * 8] == b[len(b) - middle * 8 : len(b) - low * 8]:
            low = middle
        else:
            high = middle - 1
    return low
