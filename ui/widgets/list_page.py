"""ListPage: the middle of a place. Heading with count, chips, and the list with every state that a list has."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedLayout, QVBoxLayout, QWidget

from core.errors import MunimentError
from core.ports.rows import ListQuery
from ui.qt.paged import PagedModel
from ui.widgets.basics import Skeleton, label, number
from ui.widgets.chips import ChoiceChip, Choices
from ui.widgets.find_line import FindLine
from ui.widgets.flow import FlowLayout
from ui.widgets.list_view import ListView
from ui.widgets.row_delegate import ROW_HEIGHT
from ui.widgets.states import Empty, EmptyState, Problem, ProblemNote
from ui.widgets.theme import px


class ListPage(QWidget):
    """Shows a PagedModel. `opened(position)`, `picked()`.

    title: the heading. empty: what to say when there is nothing at all. nothing: sentence and hint when filters leave
    nothing. Add chips with `add_filter` and `add_sort`, a line that narrows with `add_find`, or any widget with
    `add_to_header`.
    """

    opened = Signal(int)
    picked = Signal()

    def __init__(
        self,
        title: str,
        model: PagedModel,
        empty: Empty,
        *,
        nothing: tuple[str, str] = ("Nothing matches these filters", "Choose fewer of them to see more."),
        height: int = ROW_HEIGHT,
    ) -> None:
        super().__init__()
        self.model = model
        self._total: int | None = None
        self._where: dict[str, ChoiceChip] = {}
        self._sort: tuple[ChoiceChip, Mapping[str, tuple[str, bool]]] | None = None
        self._note: ProblemNote | None = None
        self.find_line: FindLine | None = None
        self._tools: FlowLayout | None = None
        self._focus_waits = False  # the keyboard is to come here, but there was nothing yet to put it on
        self.title = label(title, "title")
        self.count = label("", "muted")
        self.list = ListView(model, title, height=height)
        self.list.opened.connect(self.opened)
        self.list.picked.connect(self.picked)
        self.empty = EmptyState(empty)
        self.nothing = EmptyState(Empty("search", nothing[0], nothing[1], ("Show everything", self.show_everything)))
        self.problem = Problem(model.refresh)
        self.skeleton = Skeleton(height)
        self._lay_out()
        for signal in (model.state_changed, model.modelReset, model.rowsInserted, model.rowsRemoved):
            signal.connect(self._show_state)
        self._show_state()

    def _lay_out(self) -> None:
        self._header = QHBoxLayout()
        self._header.setSpacing(px(8))
        self._header.addWidget(self.title)
        self._header.addWidget(self.count, 0, Qt.AlignmentFlag.AlignVCenter)
        self._header.addStretch(1)
        self._above = QVBoxLayout()
        self._above.setSpacing(px(8))
        box = QVBoxLayout(self)
        box.setContentsMargins(px(16), px(12), px(12), 0)
        box.setSpacing(px(8))
        box.addLayout(self._header)
        box.addLayout(self._above)
        self._stack = QStackedLayout()
        box.addLayout(self._stack, 1)
        for state in (self.skeleton, self.list, self.empty, self.nothing, self.problem):
            self._stack.addWidget(state)  # only now: a stack without a parent shows its first widget as a window

    # ---- chips ------------------------------------------------------------------------------------------------------

    def add_to_header(self, widget: QWidget) -> None:
        """Put a widget at the right of the heading."""
        self._header.addWidget(widget)

    def add_above(self, widget: QWidget) -> None:
        """Put a widget between heading and list."""
        self._above.addWidget(widget)

    def add_filter(self, facet: str, chip: ChoiceChip) -> None:
        """A chip whose value narrows by a facet of the port; "" is all. Hidden while it has nothing to choose."""
        self._where[facet] = chip
        if not chip.can_choose:
            chip.hide()
        chip.chosen.connect(self._ask)
        if self._tools is not None:
            self._tools.addWidget(chip)
        else:
            self.add_to_header(chip)

    def add_find(self, name: str) -> None:
        """A line that narrows by title as one types; filters that are added after it stand in its row."""
        self.find_line = FindLine(name)
        self.find_line.wanted.connect(self.narrow_text)
        self.find_line.down.connect(self.focus_part)
        self._tools = FlowLayout()
        self._tools.addWidget(self.find_line)
        box = self.layout()
        assert isinstance(box, QVBoxLayout)
        box.insertLayout(1, self._tools)

    def start_finding(self) -> None:
        """Put the keyboard into the line that narrows."""
        if self.find_line is not None:
            self.find_line.start()

    def set_choices(self, facet: str, choices: Choices) -> None:
        """Other values for a filter; the one that is chosen stays. A filter with nothing to choose is hidden."""
        chip = self._where[facet]
        known = {value for value, _ in choices}
        kept = [] if chip.value in known else [(chip.value, chip.text())]
        chip.set_choices([*choices, *kept])
        chip.setVisible(chip.can_choose)

    def add_sort(self, chip: ChoiceChip, orders: Mapping[str, tuple[str, bool]]) -> None:
        """orders: the chip's value to (sort, descending)."""
        self._sort = (chip, orders)
        chip.chosen.connect(self._ask)
        self.add_to_header(chip)

    def show_everything(self) -> None:
        """Undo every filter."""
        for chip in self._where.values():
            chip.set_value("")
        self.narrow_text("")

    def narrow(self, facet: str, value: str) -> None:
        """Set a filter from outside, as the chip would."""
        self._where[facet].set_value(value)
        self._ask()

    def narrow_text(self, text: str) -> None:
        """Only rows whose title holds these words."""
        if self.find_line is not None and self.find_line.text() != text:
            self.find_line.set_silently(text)
        self._ask(text=text)

    def _ask(self, *_: object, text: str | None = None) -> None:
        sort, descending = "", False
        if self._sort is not None:
            sort, descending = self._sort[1].get(self._sort[0].value, ("", False))
        where = {facet: chip.value for facet, chip in self._where.items() if chip.value}
        before = self.model.query.text
        self.model.set_query(ListQuery(sort, descending, before if text is None else text, where))

    @property
    def narrowed(self) -> bool:
        return bool(self.model.query.where or self.model.query.text)

    @property
    def holds_something(self) -> bool:
        """Whether there is anything in the list, as far as is known; filters may hide all of it."""
        return self.model.rowCount() > 0 or self.narrowed

    def focus_part(self) -> bool:
        """Put the keyboard into the list, or on the way on that stands in its place, or where one finds; False
        where there is none of them."""
        shown = self._stack.currentWidget()
        self._focus_waits = shown is self.skeleton
        if shown is self.list or self._focus_waits:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        buttons = shown.findChildren(QPushButton) if shown is not None else []
        target = next((button for button in buttons if button.isEnabled()), self.find_line)
        if target is not None:
            target.setFocus(Qt.FocusReason.OtherFocusReason)
        return target is not None

    # ---- states -----------------------------------------------------------------------------------------------------

    def say(self, sentence: str) -> None:
        """Say a problem above the list; the next one takes its place."""
        self.unsay()
        self._note = ProblemNote(sentence)
        self.add_above(self._note)

    def note(self, sentence: str) -> None:
        """Say something worth knowing above the list; as `say`, without alarm."""
        self.unsay()
        self._note = ProblemNote(sentence, quiet=True)
        self.add_above(self._note)

    def unsay(self) -> None:
        if self._note is not None:
            self._note.hide()
            self._note.deleteLater()
            self._note = None

    def _show_state(self, *_: object) -> None:
        model, rows = self.model, self.model.rowCount()
        if model.state == "ready" and not self.narrowed:
            self._total = rows
        shown: QWidget = self.list
        if model.state == "loading":
            shown = self.skeleton
        elif model.state == "failed":
            shown = self.problem
            error = model.problem
            self.problem.say(
                error.sentence if isinstance(error, MunimentError) else "This list can't be read just now."
            )
        elif rows == 0:
            shown = self.nothing if self.narrowed else self.empty
        if shown is not self._stack.currentWidget() or shown is self.skeleton:
            had_focus = self.isAncestorOf(self.focusWidget()) if self.focusWidget() else False
            (self.skeleton.start if shown is self.skeleton else self.skeleton.stop)()
            self._stack.setCurrentWidget(shown)
            if self._focus_waits or (had_focus and shown is self.list):
                self.focus_part()
            if shown is self.list and self.list.hasFocus() and not self.list.currentIndex().isValid():
                self.list.pick(0)  # the keyboard waited here for the first rows
        self._show_count(rows)

    def _show_count(self, rows: int) -> None:
        if self.model.state != "ready":
            self.count.setText("")
        elif self.narrowed and self._total is not None:
            self.count.setText(f"{number(rows)} of {number(self._total)}")
        else:
            self.count.setText(number(rows) if rows else "")
