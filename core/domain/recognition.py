"""Text recognition: words with their places on the picture that they were read from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.domain.folding import fold

DOUBTFUL = 0.6  # confidence below which a word may be misread
SCALE = 10_000


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A word on a picture. left, top, right, bottom: parts of the picture's width and height, 0 to 1, from its upper
    left corner, as the picture came (a PDF page as it is shown, a photo as its camera says it is held). confidence: 0
    to 1, of its least certain letter."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    confidence: float


@dataclass(frozen=True, slots=True)
class RecognisedPage:
    """The words of one page of a paper, or of a picture in one of its parts, in reading order.

    page: 1-based; None for a single picture. turn: degrees clockwise (0, 90, 180, 270) by which the picture has to be
    turned to stand upright; places are those before the turn.
    """

    page: int | None
    part: str = ""
    turn: int = 0
    words: list[PlacedWord] = field(default_factory=list[PlacedWord])


def word_rows(words: Iterable[PlacedWord]) -> list[list[str | int]]:
    """Words as rows for storing and sending: text, four edges and confidence in parts of SCALE."""
    return [
        [
            word.text,
            *(round(value * SCALE) for value in (word.left, word.top, word.right, word.bottom, word.confidence)),
        ]
        for word in words
    ]


def words_from(rows: Iterable[Sequence[Any]]) -> list[PlacedWord]:
    """The words behind `word_rows`. Raises TypeError or ValueError on data that is none."""
    return [PlacedWord(str(text), *(int(number) / SCALE for number in numbers)) for text, *numbers in rows]


def marked(page: RecognisedPage, terms: Iterable[str]) -> list[PlacedWord]:
    """The words of the page in which one of the terms begins, without regard to case and accents."""
    wanted = tuple(filter(None, (fold(term) for term in terms)))
    return [word for word in page.words if wanted and fold(word.text.strip(".,;:!?()[]\"'“”„«»")).startswith(wanted)]
