"""From a map of where ink of letters is likely to boxes around lines of text.

The detector (differentiable binarisation, Liao et al. 2020) shrinks lines so that neighbours stay apart; each region
is grown again by area · UNCLIP / perimeter.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

LIKELY = 0.3  # of one point of the map
LIKELY_LINE = 0.5  # of a region, on average
UNCLIP = 1.6
SMALLEST = 3.0  # points of the map, short side of a region
MOST = 3_000  # lines a page

Points = NDArray[np.float64]
Integers = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Box:
    """A turned rectangle. x, y: its middle. angle: radians by which its width leans down to the right (y grows
    downwards), in (-pi/4, pi/4], so that width lies along the page's rows. score: 0 to 1."""

    x: float
    y: float
    width: float
    height: float
    angle: float
    score: float

    def corners(self) -> Points:
        """Four corners (x, y): top left, top right, bottom right, bottom left."""
        along = np.array([math.cos(self.angle), math.sin(self.angle)]) * self.width / 2
        down = np.array([-math.sin(self.angle), math.cos(self.angle)]) * self.height / 2
        middle = np.array([self.x, self.y])
        return middle + np.array([-along - down, along - down, along + down, down - along])

    def scaled(self, by_x: float, by_y: float) -> "Box":
        """In the measure of a picture that is larger by these factors (which hardly differ)."""
        by = (by_x + by_y) / 2
        return replace(self, x=self.x * by_x, y=self.y * by_y, width=self.width * by, height=self.height * by)


def boxes_in(likelihood: NDArray[np.float32]) -> list[Box]:
    """Boxes of the lines in a map [rows, columns] of likelihoods, in points of the map, from the top down."""
    rows, starts, ends = _runs(_thickened(likelihood > LIKELY))
    if not len(rows):
        return []
    labels = _joined(rows, starts, ends, likelihood.shape[1])
    sums = np.zeros((likelihood.shape[0], likelihood.shape[1] + 1))
    np.cumsum(likelihood, axis=1, out=sums[:, 1:])
    order = np.argsort(labels, kind="stable")
    firsts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    boxes: list[Box] = []
    for members in np.split(order, firsts[1:])[:MOST]:
        y, left, right = rows[members], starts[members], ends[members]
        score = float((sums[y, right] - sums[y, left]).sum() / (right - left).sum())
        if score >= LIKELY_LINE and (box := _around(y, left, right - 1, score)) is not None:
            boxes.append(box)
    return boxes


def _thickened(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Each point grown by one to the right and below, which closes hair cracks."""
    thick = mask.copy()
    thick[:, 1:] |= mask[:, :-1]
    thick[1:] |= thick[:-1].copy()
    return thick


def _runs(mask: NDArray[np.bool_]) -> tuple[Integers, Integers, Integers]:
    """Runs of set points in each row: row, first column, column behind the last; in reading order."""
    padded = np.zeros((mask.shape[0], mask.shape[1] + 2), np.int8)
    padded[:, 1:-1] = mask
    change = np.diff(padded, axis=1)
    rows, starts = np.nonzero(change == 1)
    _, ends = np.nonzero(change == -1)
    return rows, starts, ends


def _joined(rows: Integers, starts: Integers, ends: Integers, width: int) -> Integers:
    """One label for all runs that touch, corners included: the number of the first of them."""
    stride = width + 2
    above = (rows - 1) * stride
    first = np.searchsorted(rows * stride + ends, above + starts)
    behind = np.searchsorted(rows * stride + starts, above + ends, side="right")
    counts = np.maximum(behind - first, 0)
    lower = np.repeat(np.arange(len(rows)), counts)
    upper: Integers = (
        np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(first, counts)
    )
    labels: Integers = np.arange(len(rows))
    while True:
        least = np.minimum(labels[lower], labels[upper])
        known = labels.copy()
        np.minimum.at(labels, known[lower], least)
        np.minimum.at(labels, known[upper], least)
        labels = labels[labels]
        if np.array_equal(labels, known):
            return labels


def _around(y: Integers, left: Integers, right: Integers, score: float) -> Box | None:
    """The smallest turned rectangle around a region, grown to the size of its line; None for a speck."""
    points = np.unique(np.concatenate([np.stack([left, y], axis=1), np.stack([right, y], axis=1)]), axis=0)
    box = _smallest(_hull(points.astype(np.float64)), score)
    if min(box.width, box.height) < SMALLEST:
        return None
    grow = box.width * box.height * UNCLIP / (2 * (box.width + box.height))
    return replace(box, width=box.width + 2 * grow, height=box.height + 2 * grow)


def _hull(points: Points) -> Points:
    """The convex hull of points sorted by x, then y (Andrew's monotone chain)."""
    if len(points) < 3:
        return points
    return np.array(_half(points.tolist()) + _half(points[::-1].tolist()))


def _half(points: list[Any]) -> list[Any]:
    chain: list[Any] = []
    for x, y in points:
        while len(chain) > 1:
            (ax, ay), (bx, by) = chain[-2], chain[-1]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                break
            chain.pop()
        chain.append((x, y))
    return chain[:-1]


def _smallest(hull: Points, score: float) -> Box:
    """The rectangle of least area; one of its sides lies on a side of the hull."""
    sides = np.roll(hull, -1, axis=0) - hull
    angles = np.arctan2(sides[:, 1], sides[:, 0]) % (math.pi / 2) if len(hull) > 1 else np.zeros(1)
    angles = np.unique(np.append(np.where(angles > math.pi / 4, angles - math.pi / 2, angles), 0.0))
    along = np.stack([np.cos(angles), np.sin(angles)])
    down = np.stack([-np.sin(angles), np.cos(angles)])
    u, v = hull @ along, hull @ down
    widths, heights = np.ptp(u, axis=0), np.ptp(v, axis=0)
    best = int(np.argmin((widths + 1) * (heights + 1)))
    middle_u, middle_v = (u[:, best].min() + u[:, best].max()) / 2, (v[:, best].min() + v[:, best].max()) / 2
    x, y = middle_u * along[:, best] + middle_v * down[:, best]
    return Box(float(x), float(y), float(widths[best]), float(heights[best]), float(angles[best]), score)
