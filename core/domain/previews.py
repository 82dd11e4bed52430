"""Pictures of pages: what a person sees of a paper in the window."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.domain.folding import fold
from core.domain.recognition import PlacedWord

MOST_MARKS = 400


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on a page. left, top, right, bottom: parts of the page's width and height, 0 to 1."""

    left: float
    top: float
    right: float
    bottom: float

    def turned(self, degrees: int) -> "Mark":
        """Where it is after the page was turned clockwise by 0, 90, 180 or 270 degrees."""
        mark = self
        for _ in range(degrees // 90 % 4):
            mark = Mark(1 - mark.bottom, mark.left, 1 - mark.top, mark.right)
        return mark


@dataclass(frozen=True, slots=True)
class PagePicture:
    """One page as it is seen. rgb: rows of width x 3 bytes without gaps, `height` of them. page counts from 1."""

    page: int
    pages: int
    width: int
    height: int
    rgb: bytes
    marks: tuple[Mark, ...] = ()


def marks_of_lines(words: Sequence[PlacedWord], lines: Sequence[str]) -> Iterator[Mark]:
    """Where lines stand among recognised words: each line at the first run of words that it is made of."""
    known = [fold(word.text) for word in words]
    for line in lines:
        wanted = [fold(word) for word in line.split()]
        if not wanted or wanted[0] not in known:
            continue
        starts = (place for place in range(len(known)) if known[place : place + len(wanted)] == wanted)
        first = next(starts, None)
        if first is not None:
            for word in words[first : first + len(wanted)]:
                yield Mark(word.left, word.top, word.right, word.bottom)
