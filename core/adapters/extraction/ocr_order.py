"""The order in which a person reads the lines of a page: columns one after the other, cells of a row side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

LEAST_LINES = 3  # in a column
LEAST_WIDTH = 9.0  # of a column's lines, in line heights: what is narrower is a table's
MOST_CROSSING = 0.35  # of all lines, may lie over the gap (headings, footers)
SHARED_HEIGHT = 0.5  # of the shorter column, beside the other
SLACK = 0.3  # line heights by which a box may reach into a gap
MOST_GAPS = 200  # tried a page
PARAGRAPH = 1.5  # times the usual distance of two lines, between the lines of two paragraphs
LEAST_DISTANCE = 0.5  # line heights, below which two lines belong together


@dataclass(frozen=True, slots=True)
class Placed:
    """Edges of a line on the straightened page, in pixels. index: which line it is."""

    left: float
    top: float
    right: float
    bottom: float
    index: int

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


def paragraphs(lines: Sequence[Placed]) -> list[list[list[int]]]:
    """Paragraphs of rows of lines' indices, in reading order; a row is what stands side by side."""
    if not lines:
        return []
    height = median(line.height for line in lines)
    rows = _rows_in_order(lines, height)
    distances = [_distance(above, row) for above, row in pairwise(rows)]
    usual = median([distance for distance in distances if distance > 0] or [0.0])
    most = max(LEAST_DISTANCE * height, PARAGRAPH * usual)
    found = [[rows[0]]]
    for distance, (above, row) in zip(distances, pairwise(rows), strict=True):
        beside = min(line.left for line in row) < max(line.right for line in above)
        if beside and -2 * height < distance <= most:
            found[-1].append(row)
        else:
            found.append([row])
    return [[[line.index for line in row] for row in paragraph] for paragraph in found]


def _distance(above: Sequence[Placed], row: Sequence[Placed]) -> float:
    return min(line.top for line in row) - max(line.bottom for line in above)


def _rows_in_order(lines: Sequence[Placed], height: float) -> list[list[Placed]]:
    gap = _gap(lines, height)
    if gap is None:
        return _rows(lines)
    crossing = sorted((line for line in lines if line.left < gap - SLACK * height and line.right > gap), key=_middle)
    rest = sorted((line for line in lines if line not in crossing), key=_middle)
    rows: list[list[Placed]] = []
    for across in [*crossing, None]:
        band = [line for line in rest if across is None or line.middle < across.middle]
        rest = rest[len(band) :]
        for side in (
            [line for line in band if line.right <= gap + SLACK * height],
            [line for line in band if line.right > gap + SLACK * height],
        ):
            rows += _rows_in_order(side, height)
        if across is not None:
            if rows and not band and _same_row(rows[-1], across):
                rows[-1].append(across)
            else:
                rows.append([across])
    return rows


def _middle(line: Placed) -> float:
    return line.middle


def _gap(lines: Sequence[Placed], height: float) -> float | None:
    """Where a second column of prose begins; None where there is one column, or a table."""
    starts = sorted({line.left for line in lines})
    best: tuple[int, float] | None = None
    for start in starts[1 :: max(1, len(starts) // MOST_GAPS)]:
        left = [line for line in lines if line.right <= start + SLACK * height]
        right = [line for line in lines if line.left >= start - SLACK * height and line.right > start + SLACK * height]
        crossing = len(lines) - len(left) - len(right)
        if crossing > MOST_CROSSING * len(lines) or not (_prose(left, height) and _prose(right, height)):
            continue
        if _side_by_side(left, right) and (best is None or crossing < best[0]):
            best = crossing, start
    return None if best is None else best[1]


def _prose(lines: Sequence[Placed], height: float) -> bool:
    return len(lines) >= LEAST_LINES and median(line.right - line.left for line in lines) >= LEAST_WIDTH * height


def _side_by_side(left: Sequence[Placed], right: Sequence[Placed]) -> bool:
    (left_top, left_bottom), (right_top, right_bottom) = _span(left), _span(right)
    shared = min(left_bottom, right_bottom) - max(left_top, right_top)
    return shared >= SHARED_HEIGHT * min(left_bottom - left_top, right_bottom - right_top)


def _span(lines: Sequence[Placed]) -> tuple[float, float]:
    return min(line.top for line in lines), max(line.bottom for line in lines)


def _rows(lines: Sequence[Placed]) -> list[list[Placed]]:
    rows: list[list[Placed]] = []
    for line in sorted(lines, key=_middle):
        if rows and _same_row(rows[-1], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.left) for row in rows]


def _same_row(row: Sequence[Placed], line: Placed) -> bool:
    """Beside the others of the row, at their height."""
    if any(min(line.right, other.right) - max(line.left, other.left) > line.height / 2 for other in row):
        return False
    return all(abs(line.middle - other.middle) < 0.5 * min(line.height, other.height) for other in row[-1:])
