"""What recognition does without networks: boxes in a map of likelihoods, and the order of lines on a page."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from core.adapters.extraction.ocr_boxes import LIKELY, UNCLIP, boxes_in
from core.adapters.extraction.ocr_order import Placed, paragraphs
from core.domain.recognition import PlacedWord, RecognisedPage, marked, word_rows, words_from


def drawn(*corners: list[tuple[float, float]]) -> np.ndarray:
    picture = Image.new("L", (400, 300))
    for polygon in corners:
        ImageDraw.Draw(picture).polygon(polygon, fill=230)
    return np.asarray(picture, np.float32) / 255


def rectangle(x: float, y: float, width: float, height: float, degrees: float) -> list[tuple[float, float]]:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [
        (x + u * width / 2 * cos - v * height / 2 * sin, y + u * width / 2 * sin + v * height / 2 * cos)
        for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]


@pytest.mark.parametrize("degrees", [0, 3, -7, 20, -40])
def test_a_turned_line_has_a_turned_box(degrees: float) -> None:
    (box,) = boxes_in(drawn(rectangle(200, 150, 240, 20, degrees)))
    grown = 240 * 20 * UNCLIP / (2 * 260)
    assert (box.x, box.y) == pytest.approx((200, 150), abs=1.5)
    assert (box.width, box.height) == pytest.approx((240 + 2 * grown, 20 + 2 * grown), abs=6)
    assert math.degrees(box.angle) == pytest.approx(degrees, abs=0.6)
    assert box.score == pytest.approx(230 / 255, abs=0.08)  # its edge is thickened
    left_top, _, right_bottom, _ = box.corners()
    assert left_top[0] < 200 < right_bottom[0]
    assert box.scaled(2, 2).width == 2 * box.width


def test_standing_lines_specks_and_faint_regions() -> None:
    (box,) = boxes_in(drawn(rectangle(100, 150, 16, 200, 0), rectangle(300, 20, 1, 1, 0)))
    assert box.height > 5 * box.width
    assert boxes_in(drawn(rectangle(100, 150, 100, 16, 0)) * np.float32(0.4)) == []
    assert boxes_in(np.zeros((40, 40), np.float32)) == []


@given(st.lists(st.lists(st.booleans(), min_size=12, max_size=12), min_size=1, max_size=10))
def test_regions_are_those_that_a_flood_finds(rows: list[list[bool]]) -> None:
    """Against a plain flood fill, on maps blown up so that no region is a speck."""
    small = np.array(rows)
    # Each point becomes a block of 6, which a gap of 3 keeps from its neighbours unless that is set too.
    found = boxes_in(np.kron(small, np.ones((6, 6))).astype(np.float32))
    left, regions = {(int(y), int(x)) for y, x in zip(*np.nonzero(small), strict=True)}, 0
    while left:
        regions += 1
        flood = [left.pop()]
        while flood:
            y, x = flood.pop()
            near = {(y + down, x + right) for down in (-1, 0, 1) for right in (-1, 0, 1)} & left
            left -= near
            flood += near
    assert len(found) == regions
    assert all(box.score > LIKELY for box in found)


def placed(*lines: tuple[float, float, float, float]) -> list[Placed]:
    """From (left, top, width, height)."""
    return [
        Placed(left, top, left + width, top + height, index) for index, (left, top, width, height) in enumerate(lines)
    ]


def order(lines: list[Placed]) -> list[int]:
    return [index for paragraph in paragraphs(lines) for row in paragraph for index in row]


def test_a_heading_over_two_columns_and_a_footer_below() -> None:
    heading, footer = (0, 0, 1000, 30), (300, 700, 500, 30)
    left = [(0, 100 + 40 * row, 450, 30) for row in range(10)]
    right = [(550, 105 + 40 * row, 440, 30) for row in range(9)]
    lines = placed(footer, *right, *left, heading)
    assert order(lines) == [20, *range(10, 20), *range(1, 10), 0]


def test_cells_of_a_table_stay_in_their_row() -> None:
    cells = [(200 * column, 50 * row, 90, 30) for row in range(5) for column in range(4)]
    assert paragraphs(placed(*cells)) == [[[4 * row + column for column in range(4)] for row in range(5)]]


def test_a_wider_gap_begins_a_paragraph() -> None:
    lines = placed((0, 0, 500, 30), (0, 40, 500, 30), (0, 80, 300, 30), (0, 160, 500, 30), (0, 200, 500, 30))
    assert paragraphs(lines) == [[[0], [1], [2]], [[3], [4]]]
    assert paragraphs([]) == []
    assert paragraphs(placed((5, 5, 50, 20))) == [[[0]]]


@given(st.lists(st.tuples(*[st.integers(0, 900)] * 2, st.integers(1, 500), st.integers(1, 60)), max_size=60))
def test_every_line_is_read_once(lines: list[tuple[int, int, int, int]]) -> None:
    assert sorted(order(placed(*lines))) == list(range(len(lines)))


def test_words_are_marked_without_regard_to_case_and_accents_and_travel_as_rows() -> None:
    words = [
        PlacedWord("(Müller,", 0.1, 0.2, 0.3, 0.25, 0.9),
        PlacedWord("Mullerstrasse", 0.4, 0.2, 0.6, 0.25, 0.5),
        PlacedWord("Dr.", 0.7, 0.2, 0.75, 0.25, 1.0),
    ]
    assert words_from(word_rows(words)) == words
    found = RecognisedPage(1, words=words)
    assert marked(found, ["MÜLLER"]) == words[:2]
    assert marked(found, []) == marked(found, [""]) == []
    for broken in ([["a"]], [["a", 1, 2, 3, 4, "x"]]):
        with pytest.raises((TypeError, ValueError)):
            words_from(broken)
