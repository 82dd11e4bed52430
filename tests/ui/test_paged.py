"""The windowed model: what it reads, what it keeps, and what views keep when the list becomes another."""

import asyncio
import time
from array import array
from collections.abc import AsyncIterator

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt

from core.errors import UserError
from core.ports.rows import ListQuery
from core.tasks import TaskScope
from tests.ui.rows import NumberRows, describe
from ui.qt.paged import KEPT_PAGES, PAGE, PagedModel, shared_prefix, shared_suffix
from ui.qt.scope import ViewScope
from ui.widgets.list_view import ListView
from ui.widgets.theme import Theme

Errors = list[BaseException]


@pytest.fixture
def errors() -> Errors:
    return []


@pytest.fixture
async def scope(errors: Errors) -> AsyncIterator[ViewScope]:
    tasks = TaskScope("test", errors.append)
    yield ViewScope(tasks, lambda error, about=None: errors.append(error))
    await tasks.close()


async def settled(model: PagedModel) -> None:
    """Wait until the model has nothing to read."""
    for _ in range(200):
        await asyncio.sleep(0.002)
        if not model._wanted and not model._reading:
            return
    raise AssertionError("the model never settled")


async def loaded(rows: NumberRows, scope: ViewScope) -> PagedModel[str]:
    model = PagedModel(rows, scope, describe)
    await model.read()
    return model


async def test_reads_only_the_pages_that_are_asked_for(scope: ViewScope) -> None:
    rows = NumberRows(10_000)
    model = await loaded(rows, scope)
    assert model.rowCount() == 10_000
    assert model.index(5_000, 0).data() == "…"
    await settled(model)
    assert model.index(5_000, 0).data() == "row 5001"
    assert rows.reads == [(4_993, 5_056)]
    assert model.index(5_000, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "Row: row 5001. about row 5001"


async def test_newest_request_first_and_scrolled_past_dropped(scope: ViewScope) -> None:
    rows = NumberRows(10_000)
    model = await loaded(rows, scope)
    rows.gate.clear()
    for position in range(0, 10_000, PAGE):
        model.row_at(position)
    await asyncio.sleep(0)
    rows.gate.set()
    await settled(model)
    first = [start for start, _ in rows.reads]
    assert first == [9_985, 9_921, 9_857, 9_793]


async def test_keeps_a_bounded_number_of_pages(scope: ViewScope) -> None:
    rows = NumberRows((KEPT_PAGES + 20) * PAGE)
    model = await loaded(rows, scope)
    for page in range(KEPT_PAGES + 20):
        model.row_at(page * PAGE)
        await settled(model)
    assert len(model._pages) == KEPT_PAGES
    assert model.row_at(0) is None


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda o: array("q", [999_999]) + o, 51),  # something came at the top
        (lambda o: o[:10] + o[20:], 40),  # ten went above the selection
        (lambda o: o[50:51] + o[:50] + o[51:], 0),  # the selected one moved to the top
        (lambda o: array("q", reversed(o)), 249),  # sorted the other way
        (lambda o: array("q", [7_777_777, 8_888_888]) + o[45:], 7),  # some came while others went
    ],
)
async def test_selection_survives_changes(qtbot, scope: ViewScope, change, expected: int) -> None:
    rows = NumberRows(300)
    model = await loaded(rows, scope)
    view = ListView(model, "Rows")
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.show()
    view.pick(50)
    number = model.number_at(50)
    rows.order = change(rows.order)
    await model.read()
    assert view.selected_numbers() == [number]
    assert view.currentIndex().row() == expected
    await settled(model)


async def test_scroll_position_stays_on_the_same_row(qtbot, scope: ViewScope) -> None:
    rows = NumberRows(5_000)
    model = await loaded(rows, scope)
    view = ListView(model, "Rows")
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.show()
    view.scrollTo(model.index(2_000, 0), ListView.ScrollHint.PositionAtTop)
    top = model.number_at(view.rowAt(1))
    rows.order = array("q", [-1, -2]) + rows.order[1:]  # one went and two came: the whole model is reset
    await model.read()
    assert model.number_at(view.rowAt(1)) == top
    await settled(model)


async def test_filter_sort_and_emptiness(scope: ViewScope) -> None:
    rows = NumberRows(10)
    model = await loaded(rows, scope)
    model.set_query(ListQuery(sort="number", descending=True, where={"parity": "even"}))
    await settled(model)
    assert [model.number_at(position) for position in range(model.rowCount())] == [10, 8, 6, 4, 2]
    model.set_query(ListQuery(text="nothing like it"))
    await settled(model)
    assert model.rowCount() == 0
    assert model.state == "ready"


async def test_a_list_that_can_not_be_read_says_so(scope: ViewScope, errors: Errors) -> None:
    rows = NumberRows(10)
    rows.failure = UserError("The list is gone.")
    model = PagedModel(rows, scope, describe)
    model.refresh()
    await settled(model)
    assert model.state == "failed"
    assert model.problem is rows.failure
    assert errors == [rows.failure]


async def test_closed_model_asks_for_nothing(scope: ViewScope) -> None:
    rows = NumberRows(1_000)
    model = await loaded(rows, scope)
    model.row_at(0)
    model.close()
    await asyncio.sleep(0.01)
    assert model.rowCount() == 0
    model.refresh()
    assert model.state == "closed"


async def test_find_and_fetch(scope: ViewScope) -> None:
    model = await loaded(NumberRows(3_000), scope)
    assert await model.find(lambda row: row == "row 2500") == 2_499
    assert await model.find(lambda row: row == "none") is None
    assert await model.fetch([3, 1]) == ["row 3", "row 1"]


async def test_qt_finds_no_fault_with_it(qtmodeltester, scope: ViewScope) -> None:
    rows = NumberRows(600)
    model = await loaded(rows, scope)
    qtmodeltester.check(model, force_py=True)  # with nothing but placeholders; it goes on watching
    await settled(model)
    rows.order = array("q", [700]) + rows.order
    await model.read()
    rows.order = rows.order[5:]
    await model.read()
    rows.order = array("q", reversed(rows.order))
    await model.read()
    await settled(model)
    assert model.rowCount() == 596


@pytest.fixture
def look(qapp) -> Theme:
    return Theme(qapp, choice="light")


async def test_a_million_rows_paint_at_once_wherever_one_jumps(qtbot, scope: ViewScope, look: Theme) -> None:
    model = await loaded(NumberRows(1_000_000), scope)
    view = ListView(model, "Rows")
    qtbot.addWidget(view)
    view.resize(800, 600)
    view.show()
    bar, spent = view.verticalScrollBar(), []
    for position in range(0, bar.maximum(), bar.maximum() // 40):
        started = time.perf_counter()
        bar.setValue(position)
        view.viewport().repaint()
        spent.append((time.perf_counter() - started) * 1000)
        await settled(model)
    assert sorted(spent)[len(spent) // 2] < 50  # generous: a busy machine; benchmarks/ has the figures
    await model.read()
    view.selectionModel().select(model.index(999_999, 0), QItemSelectionModel.SelectionFlag.ClearAndSelect)
    assert view.selected_numbers() == [1_000_000]


@pytest.mark.parametrize(
    ("old", "new", "prefix", "suffix"),
    [
        ([], [], 0, 0),
        ([1, 2, 3], [1, 2, 3], 3, 0),
        ([1, 2, 3], [1, 9, 3], 1, 1),
        ([1, 1], [1, 1, 1], 2, 0),
        ([1], [2], 0, 0),
    ],
)
def test_shared_ends(old: list[int], new: list[int], prefix: int, suffix: int) -> None:
    a, b = array("q", old), array("q", new)
    assert shared_prefix(a, b) == prefix
    assert shared_suffix(a, b, prefix) == suffix
