"""Browser: ties a list page and an inspector to the presenter of a list."""

from collections.abc import Callable
from itertools import islice

from PySide6.QtCore import QObject

from ui.qt.browsing import SHOWN_OF_MANY, BrowsePresenter
from ui.widgets.chips import ChoiceChip, Choices
from ui.widgets.inspector import Inspector
from ui.widgets.list_page import ListPage


class Browser(QObject):
    """What is picked in the list becomes the presenter's choice; what the presenter chose is shown by `show`."""

    def __init__(
        self, presenter: BrowsePresenter, page: ListPage, inspector: Inspector, show: Callable[[], None]
    ) -> None:
        super().__init__(page)
        self._presenter = presenter
        self._page = page
        self._inspector = inspector
        page.picked.connect(self._picked)
        presenter.chosen_changed.connect(lambda: show() if presenter.chosen_count else inspector.clear())
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
        """Pick the row with this public id, in the whole list if the narrowed one hasn't got it. True if it is there."""
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

    def _picked(self) -> None:
        view = self._page.list
        first = [view.rows.number_at(position) for position in islice(view.positions(), SHOWN_OF_MANY)]
        self._presenter.choose(first, view.selected_count(), view.selected_numbers)
