"""Browser: ties a list page and an inspector to the presenter of a list."""

from collections.abc import Callable, Iterable
from itertools import islice

from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtWidgets import QMenu, QWidget

from ui.qt.browsing import SHOWN_OF_MANY, BrowsePresenter
from ui.qt.scope import Handler, ViewScope
from ui.widgets.basics import Button
from ui.widgets.chips import ChoiceChip, Choices
from ui.widgets.inspector import Inspector
from ui.widgets.list_page import ListPage

Action = tuple[str, str, Handler]
"""Words of a button, its tooltip, and what it does."""


class Browser(QObject):
    """What is picked in the list becomes the presenter's choice; what the presenter chose is shown by `show`."""

    def __init__(
        self, presenter: BrowsePresenter, page: ListPage, inspector: Inspector, show: Callable[[], None]
    ) -> None:
        super().__init__(page)
        self._presenter = presenter
        self._page = page
        self._inspector = inspector
        self._show = show
        self._shown: tuple[object, ...] = ()
        self._numbers: list[int] = []
        self._actions: list[Action] = []
        self._writes: ViewScope | None = None
        page.picked.connect(self._picked)
        page.list.menu_wanted.connect(self._open_menu)
        presenter.chosen_changed.connect(self._show_chosen)
        presenter.model.refresh()

    def add_sort(self) -> ChoiceChip:
        """The chip for the orders that the presenter offers."""
        choices = [(name, words) for name, words, _ in self._presenter.sorts]
        chip = ChoiceChip("Order", choices, quiet=True)
        self._page.add_sort(chip, {name: (name, down) for name, _, down in self._presenter.sorts})
        return chip

    def add_filter(self, facet: str, name: str, choices: Choices, tip: str = "") -> None:
        """The chip for one facet, if the list has it; choices that the list doesn't know are left out."""
        if facet not in self._presenter.facets:
            return
        known = self._presenter.facets[facet]
        offered = [choice for choice in choices if not choice[0] or not known or choice[0] in known]
        self._page.add_filter(facet, ChoiceChip(name, offered, tip=tip))

    async def select(self, id: str) -> bool:
        """Pick the row with this public id, in the whole list if the narrowed one hasn't got it.

        Answers whether it is there.
        """
        model = self._presenter.model
        await model.read()
        position = await self._presenter.position_of(id)
        if position is None and self._page.narrowed:
            self._page.show_everything()
            await model.read()
            position = await self._presenter.position_of(id)
        if position is None:
            return False
        self._page.list.pick(position)
        return True

    def offer(self, actions: Iterable[Action], writes: ViewScope, shown: int | None = None) -> None:
        """Put buttons at the foot of the inspector; a UserError of one is said beside it.

        shown: how many are buttons of their own; the others stand in a menu behind “More”.
        """
        buttons: list[Button] = []
        self._actions, self._writes = list(actions), writes
        for words, tip, run in self._actions[:shown]:
            button = Button(words, tip=tip)
            button.clicked.connect(writes.slot(run, about=button))
            buttons.append(button)
        if rest := self._actions[len(buttons) :]:
            buttons.append(self._more(rest, writes))
        self._inspector.set_actions(buttons)

    def _more(self, actions: Iterable[Action], writes: ViewScope) -> Button:
        button = Button("More", icon="chevron-down", tip="What else can be done with it")
        menu = QMenu(button)
        menu.setAccessibleName("More")
        self._fill(menu, actions, writes, button)
        button.setMenu(menu)
        return button

    def _open_menu(self, at: QPoint) -> None:
        """What the inspector offers, where the row was clicked with the right button."""
        if not self._actions or self._writes is None:
            return
        menu = QMenu(self._page)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._fill(menu, self._actions, self._writes, self._page.list)
        menu.popup(at)

    def _fill(self, menu: QMenu, actions: Iterable[Action], writes: ViewScope, about: QWidget) -> None:
        for words, tip, run in actions:
            entry = menu.addAction(words)
            entry.setToolTip(tip)
            entry.triggered.connect(writes.slot(run, about=about))

    def show_again(self) -> None:
        """Fill the inspector anew, staying where it was scrolled to."""
        self._shown = ()
        self._show_chosen()

    def _show_chosen(self) -> None:
        """Fill the inspector if something else is chosen, or what is chosen was written; it stays where it was read."""
        presenter, bar = self._presenter, self._inspector.area.verticalScrollBar()
        key = (presenter.chosen_count, *presenter.chosen)
        if key == self._shown:
            return
        numbers = presenter.chosen_numbers
        at = bar.value() if numbers == self._numbers else 0
        self._shown, self._numbers = key, numbers
        if presenter.chosen_count:
            self._show()
        else:
            self._actions = []
            self._inspector.clear()
        if at:
            QTimer.singleShot(0, self, lambda: bar.setValue(at))

    def _picked(self) -> None:
        view = self._page.list
        first = [view.rows.number_at(position) for position in islice(view.positions(), SHOWN_OF_MANY)]
        self._presenter.choose(first, view.selected_count(), view.selected_numbers)
