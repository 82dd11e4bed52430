"""A list in each of its states, and what stands beside it."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QLabel, QWidget

from core.errors import UserError
from core.tasks import TaskScope
from tests.ui.rows import NumberRows, describe
from tests.ui.test_paged import settled
from ui.qt.line import Line
from ui.qt.paged import PagedModel
from ui.qt.scope import ViewScope
from ui.widgets.basics import Button
from ui.widgets.chips import ChoiceChip
from ui.widgets.flow import FlowLayout
from ui.widgets.inspector import Inspector
from ui.widgets.list_page import ListPage
from ui.widgets.states import Empty


class Place:
    """A page over rows in memory. `errors`: what was reported; `asked`: how often the empty state's way was taken."""

    def __init__(self, count: int) -> None:
        self.errors: list[BaseException] = []
        self.asked = 0
        self.rows = NumberRows(count)
        self.tasks = TaskScope("page", self.errors.append)
        self.model: PagedModel[str] = PagedModel(
            self.rows, ViewScope(self.tasks, lambda error, about=None: self.errors.append(error)), describe
        )
        self.page = ListPage("Numbers", self.model, Empty("hash", "Numbers live here", "", ("Add", self._ask)))
        self.page.add_filter("parity", ChoiceChip("Parity", (("", "All"), ("even", "Even"), ("odd", "Odd"))))
        self.page.add_sort(
            ChoiceChip("Order", (("up", "Up"), ("down", "Down")), quiet=True), {"down": ("number", True)}
        )

    def _ask(self) -> None:
        self.asked += 1


@pytest.fixture
async def many(qtbot) -> AsyncIterator[Place]:
    place = Place(300)
    yield place
    place.page.close()
    await place.tasks.close()
    place.page.deleteLater()


@pytest.fixture
async def none(qtbot) -> AsyncIterator[Place]:
    place = Place(0)
    yield place
    place.page.close()
    await place.tasks.close()
    place.page.deleteLater()


async def shown(place: Place) -> ListPage:
    place.page.resize(700, 500)
    place.page.show()
    place.model.refresh()
    await settled(place.model)
    await asyncio.sleep(0.01)
    return place.page


async def test_loading_shows_quiet_rows_only_after_a_while(many: Place) -> None:
    many.rows.gate.clear()
    many.page.resize(700, 500)
    many.page.show()
    assert many.page.skeleton.isVisible()
    blank = many.page.skeleton.grab().toImage()
    await asyncio.sleep(0.03)
    assert many.page.skeleton.grab().toImage() == blank
    await asyncio.sleep(0.2)
    assert many.page.skeleton.grab().toImage() != blank
    many.rows.gate.set()


async def test_many_rows_are_counted_and_narrowed(many: Place) -> None:
    page = await shown(many)
    assert page.list.isVisible()
    assert page.count.text() == "300"
    page.narrow("parity", "even")
    await settled(many.model)
    assert page.count.text() == "150 of 300"
    page.narrow_text("no such row")
    await settled(many.model)
    assert page.nothing.isVisible()
    page.show_everything()
    await settled(many.model)
    assert page.list.isVisible()
    assert page.count.text() == "300"


async def test_sorted_by_the_chip(many: Place) -> None:
    page = await shown(many)
    assert page._sort is not None
    page._sort[0]._choose("down")
    await settled(many.model)
    assert many.model.number_at(0) == 300


async def test_empty_has_one_action_and_takes_the_keyboard(none: Place) -> None:
    page = await shown(none)
    assert page.empty.isVisible()
    assert page.focus_part()
    page.activateWindow()
    assert page.empty.button is not None
    page.empty.button.click()
    assert none.asked == 1
    none.rows.order.extend([1, 2])
    none.model.refresh()
    await settled(none.model)
    assert page.list.isVisible()


async def test_error_is_said_in_place_with_a_way_on(many: Place) -> None:
    many.rows.failure = UserError("The list can't be read. Connect the drive.")
    page = await shown(many)
    assert page.problem.isVisible()
    assert page.problem.sentence.text() == "The list can't be read. Connect the drive."
    many.rows.failure = None
    next(button for button in page.problem.findChildren(Button)).click()
    await settled(many.model)
    assert page.list.isVisible()
    assert len(many.errors) == 1


async def test_keyboard_picks_opens_and_does_not_search(many: Place, qtbot) -> None:
    page = await shown(many)
    opened: list[int] = []
    page.opened.connect(opened.append)
    page.list.pick(0, focus=True)
    qtbot.keyClick(page.list, Qt.Key.Key_Down)
    qtbot.keyClick(page.list, Qt.Key.Key_Return)
    assert opened == [1]
    qtbot.keyClick(page.list, Qt.Key.Key_End)
    assert page.list.currentIndex().row() == 299
    qtbot.keyClicks(page.list, "row 5")
    assert page.list.currentIndex().row() == 299
    qtbot.keyClick(page.list, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert page.list.selected_count() == 300
    await settled(many.model)


async def test_a_problem_beside_the_list_replaces_the_one_before(many: Place) -> None:
    page = await shown(many)
    page.say("First.")
    page.say("Second.")
    await asyncio.sleep(0.01)
    said = [label.text() for label in page.findChildren(QLabel) if label.isVisible()]
    assert "Second." in said
    assert "First." not in said


def test_rows_are_spoken_kind_first() -> None:
    line = Line("Ramp", "North door", "Procedure", when="3 Nov", bar=0.9, bar_words="very present", pinned=True)
    assert line.spoken == "Procedure: Ramp. North door. 3 Nov. very present. pinned"


async def test_inspector_is_filled_anew(qtbot) -> None:
    inspector = Inspector("Paper", "Choose a paper.")
    qtbot.addWidget(inspector)
    inspector.resize(376, 500)
    inspector.show()
    inspector.begin("<b>Ramp</b>", ["Procedure"])
    inspector.add_section("Found because", "wheelchair (1st by words)")
    inspector.add_facts([("Size", "12 kB")])
    inspector.set_actions([Button("Edit"), Button("Forget")])
    inspector.say("It is locked.")
    await asyncio.sleep(0.01)
    texts = [label.text() for label in inspector.findChildren(QLabel) if label.isVisible()]
    assert {"<b>Ramp</b>", "Procedure", "Found because", "12 kB", "It is locked."} <= set(texts)
    assert all(
        label.textFormat() is Qt.TextFormat.PlainText for label in inspector.findChildren(QLabel) if label.text()
    )
    inspector.clear()
    await asyncio.sleep(0.01)
    texts = [label.text() for label in inspector.findChildren(QLabel) if label.isVisible() and label.text()]
    assert texts == ["Choose a paper."]


def test_flow_goes_on_in_the_next_line(qtbot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    flow = FlowLayout(spacing=8)
    parent.setLayout(flow)
    boxes = [QWidget() for _ in range(4)]
    for box in boxes:
        box.setFixedSize(60, 20)
        flow.addWidget(box)
    assert flow.heightForWidth(200) == 48
    assert flow.heightForWidth(70) == 4 * 20 + 3 * 8
    flow.setGeometry(QRect(0, 0, 200, 100))
    assert [box.pos().toTuple() for box in boxes] == [(0, 0), (68, 0), (136, 0), (0, 28)]
