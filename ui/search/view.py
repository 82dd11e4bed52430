"""The place that shows what was found: hits as one types, why each was found, and the text around it."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from PySide6.QtCore import QDate
from PySide6.QtWidgets import QDateEdit, QFormLayout, QFrame, QHBoxLayout, QWidget

from core.domain.query import Mode, Repair
from core.errors import NotFound
from ui.commands.command import Command
from ui.commands.place import PlaceContext, SearchView
from ui.qt import figures
from ui.qt.dialogs import Sheet, shown
from ui.qt.scope import ViewScope
from ui.search import words
from ui.search.details import HitDetails
from ui.search.presenter import SearchPresenter
from ui.widgets.basics import Button, IconLabel, label
from ui.widgets.chips import ChoiceChip
from ui.widgets.list_page import ListPage
from ui.widgets.states import Empty
from ui.widgets.theme import px


class RepairBar(QFrame):
    """ "Showing Kowalski for Kowalsky", with the words as typed one click away."""

    def __init__(self, presenter: SearchPresenter) -> None:
        super().__init__()
        self.setProperty("card", "true")
        self.sentence = label("", wrap=True)
        self.exactly = Button("", presenter.ask_exactly, kind="link", tip="Search for the words as you typed them")
        box = QHBoxLayout(self)
        box.setContentsMargins(px(12), px(4), px(8), px(4))
        box.setSpacing(px(8))
        box.addWidget(IconLabel("sparkles"))
        box.addWidget(self.sentence, 1)
        box.addWidget(self.exactly)
        self.hide()

    def say(self, sentence: str, repairs: Sequence[Repair]) -> None:
        self.sentence.setText(sentence)
        typed = " ".join(f"“{repair.typed}”" for repair in repairs)
        self.exactly.setText(f"Search for {typed}")
        self.setVisible(bool(sentence))


class SearchPlaceView(SearchView):
    """Shows a SearchPresenter; the box that one types in belongs to the window."""

    def __init__(self, context: PlaceContext) -> None:
        super().__init__()
        self._context = context
        self._reads = ViewScope(context.reads, context.problems.report)
        self.presenter = SearchPresenter(context.workspace, self._reads)
        empty = Empty("search", "Type what you are looking for", "", ("Search everything", self._loosen))
        self.page = self.list_page = ListPage("Found", self.presenter.model, empty)
        self.inspector = self.details = HitDetails(self.presenter)
        self.repair = RepairBar(self.presenter)
        self.note = label("", "secondary", wrap=True)
        self.note.hide()
        self.list_page.add_above(self.repair)
        self.list_page.add_above(self.note)
        self._chips = {
            "where": ChoiceChip(
                "Where", [(key, name) for key, (name, _) in words.WHERE.items()], tip="Where to search"
            ),
            "type": ChoiceChip(
                "Type", [(key, name) for key, (name, _) in words.TYPES.items()], tip="What kind of paper"
            ),
            "date": ChoiceChip(
                "Date", [(key, name) for key, (name, _) in words.DATES.items()], tip="How old it may be"
            ),
        }
        for name, chip in self._chips.items():
            self.list_page.add_to_header(chip)
            chip.chosen.connect(lambda value, name=name: self._narrow(name, value))
        self._asked: object = None
        self.presenter.changed.connect(self._show)
        self.presenter.passage_changed.connect(self._show_hit)
        self.list_page.picked.connect(self._picked)
        self.list_page.opened.connect(lambda _: self.open_passage())

    # ---- the contract with the window -------------------------------------------------------------------------------

    def ask(self, text: str, mode: Mode) -> None:
        self.presenter.ask(text, mode)

    def focus_first(self) -> None:
        if self.presenter.model.rowCount():
            self.list_page.list.pick(max(0, self.list_page.list.currentIndex().row()), focus=True)

    def focus_list(self) -> None:
        self.list_page.list.setFocus()

    def commands(self) -> Sequence[Command]:
        def chosen() -> bool:
            return self.presenter.hit is not None

        return (
            Command(
                "search.open", "Open the passage in its place", self.open_passage, when=chosen, menu="Go",
                icon="arrow-right", help="Goes to the paper, conversation or memory that was found, at the right spot.",
            ),
            Command(
                "search.original", "Open the original", self.open_original, ("Ctrl+Return",), "Go", when=chosen,
                icon="external-link", help="Shows the paper that was found in its own program.",
            ),
            Command(
                "search.everything", "Search everything", self._loosen, menu="Go",
                when=lambda: bool(self.presenter.narrowed), icon="filter", help="Takes the filters of the search away.",
            ),
        )  # fmt: skip

    def close(self) -> None:
        self.presenter.close()

    # ---- asking -----------------------------------------------------------------------------------------------------

    def _narrow(self, name: str, value: str) -> None:
        if name == "date" and value == "custom":
            self._reads.start(self._ask_dates(), about=self.page, latest="dates")
        else:
            self.presenter.narrow(**{name: value})

    async def _ask_dates(self) -> None:
        sheet = DatesSheet(self.page.window())
        if await shown(sheet) == 1:
            after, before = sheet.span()
            self.presenter.narrow(date="custom", after=after, before=before)
        else:
            self._chips["date"].set_value(self.presenter.narrowing.date)

    def _loosen(self) -> None:
        for chip in self._chips.values():
            chip.set_value("")
        self.presenter.loosen()

    # ---- what was found ---------------------------------------------------------------------------------------------

    def _show(self) -> None:
        presenter, result = self.presenter, self.presenter.result
        if presenter.model.state != "ready":
            return
        self.list_page.count.setText(words.heading(result) if result is not None and result.hits else "")
        self.repair.say(words.repaired(result) if result else "", result.repairs if result else ())
        waits = words.meaning_waits(result) if result else ""
        said = " ".join(part for part in (waits, words.without_words(result) if result else "") if part)
        self.note.setText(said)
        self.note.setVisible(bool(said) and bool(result and result.hits))
        empty, narrowed = self.list_page.empty, presenter.narrowed
        if empty.button is not None:
            empty.button.setVisible(bool(narrowed))
        if result is None:
            empty.say("Type what you are looking for", "Words, a name, a number, a date, or a whole question.")
        elif not result.hits:
            empty.say(words.nothing_found(result, narrowed), waits)
        asked = result.request if result is not None else None
        if asked != self._asked:
            self._asked = asked
            if presenter.model.rowCount():
                self.list_page.list.pick(0)
            else:
                presenter.choose(None)
        else:
            self._picked()

    def _picked(self) -> None:
        positions = list(self.list_page.list.positions())[:1]
        hit = self.presenter.hit_at(positions[0]) if positions else None
        if hit != self.presenter.hit:
            self.presenter.choose(hit)

    def _show_hit(self) -> None:
        if (hit := self.presenter.hit) is None:
            self.details.clear()
            return
        self.details.show_hit(hit)
        open_button = Button("Open in its place", self.open_passage, tip="Go to it, at the right spot (Enter)")
        buttons = [open_button]
        if words.PLACES[hit.passage.kind] == "papers":
            original = Button("Open the original", tip="Show the paper in its own program (Ctrl+Enter)")
            original.clicked.connect(self._reads.slot(self.open_original, about=original))
            buttons.append(original)
        self.details.set_actions(buttons)

    def open_passage(self) -> None:
        """Go to the chosen hit in its place."""
        if self.presenter.hit is not None:
            self._context.navigator.show_passage(self.presenter.hit.passage.id)

    async def open_original(self) -> None:
        """Show the paper in the system's program; what is no paper is shown in its place."""
        try:
            if not await self.presenter.open_original():
                self.open_passage()
        except NotFound:
            self.presenter.search_again()
            raise


class DatesSheet(Sheet):
    """From one day to another."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "Choose dates", "Only what is dated from one day to another is shown.")
        today = QDate.currentDate()
        self.first, self.last = QDateEdit(today.addMonths(-1)), QDateEdit(today)
        form = QFormLayout()
        for name, field in (("From", self.first), ("To", self.last)):
            field.setCalendarPopup(True)
            field.setMinimumHeight(px(30))
            field.setDisplayFormat(figures.locale().dateFormat(figures.locale().FormatType.ShortFormat))
            field.setAccessibleName(name)
            form.addRow(name, field)
        self.body.addLayout(form)
        self.add_button("Cancel", 0)
        self.add_button("Show", 1, "primary", default=True)

    def span(self) -> tuple[float, float]:
        """UTC seconds: the start of the first day, the end of the last, in whichever order they were given."""
        days = sorted(date(day.year(), day.month(), day.day()) for day in (self.first.date(), self.last.date()))
        after = datetime.combine(days[0], time())
        return after.timestamp(), (datetime.combine(days[1], time()) + timedelta(days=1)).timestamp()
