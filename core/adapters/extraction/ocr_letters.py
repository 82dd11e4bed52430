"""Reading the letters of a line: its picture goes in, text, words with their places and confidence come out."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from core.adapters.extraction.ocr_boxes import Box
from core.adapters.extraction.ocr_models import LETTERS, Network, Values, normalised

HEIGHT = 48  # pixels of a line, as the network sees it
LEAST_WIDTH, MOST_WIDTH = 320, 4_800
# mmol/I and I'hôpital; I'm and I've stay.
_SMALL_L = re.compile(r"(?<=[a-zµμ]/)I(?!\w)|\bI(?=['’][aeiouyhàâéèêëîïôöùûü])")
STRAIGHT = math.radians(0.25)


@dataclass(frozen=True, slots=True)
class ReadWord:
    """start, end: where it stands along its line, 0 to 1. confidence: of its least certain letter."""

    text: str
    start: float
    end: float
    confidence: float


@dataclass(frozen=True, slots=True)
class ReadLine:
    """confidence: mean over its letters, 0 to 1; 0 where there are none."""

    text: str
    confidence: float
    words: list[ReadWord] = field(default_factory=list[ReadWord])


def cut_out(picture: Image.Image, box: Box) -> Image.Image:
    """The picture of one line, upright as the page is, HEIGHT high."""
    width, height = max(box.width, 1.0), max(box.height, 1.0)
    target = (min(MOST_WIDTH, max(8, math.ceil(HEIGHT * width / height))), HEIGHT)
    if abs(box.angle) * width < STRAIGHT * width:
        left, top = max(0.0, box.x - width / 2), max(0.0, box.y - height / 2)
        right, bottom = min(picture.width, box.x + width / 2), min(picture.height, box.y + height / 2)
        if right - left >= 1 and bottom - top >= 1:
            return picture.resize(target, Image.Resampling.BILINEAR, box=(left, top, right, bottom))
    cos, sin = math.cos(box.angle), math.sin(box.angle)
    corner_x = box.x - cos * width / 2 + sin * height / 2
    corner_y = box.y - sin * width / 2 - cos * height / 2
    straight = picture.transform(
        (max(1, round(width)), max(1, round(height))),
        Image.Transform.AFFINE,
        (cos, -sin, corner_x, sin, cos, corner_y),
        Image.Resampling.BICUBIC,
        fillcolor=(255, 255, 255),
    )
    return straight.resize(target, Image.Resampling.BILINEAR)


class LetterReader:
    """Reads pictures of lines."""

    def __init__(self, folder: Path) -> None:
        self._network = Network(folder / LETTERS)
        self._letters: list[str] = [
            "",
            *self._network.about["character"].splitlines(),
            " ",
        ]  # the first stands for no letter

    def read(self, lines: Sequence[Image.Image]) -> list[ReadLine]:
        """One answer a picture, in order. The pictures are HEIGHT high."""
        return [self._line(line) for line in lines]

    def _line(self, line: Image.Image) -> ReadLine:
        """One at a time: the work grows with the width, so batches save nothing, and padding costs."""
        width = max(LEAST_WIDTH, line.width)
        values = np.zeros((1, 3, HEIGHT, width), np.float32)
        values[0, :, :, : line.width] = normalised(line)
        return self._spelt(self._network.run(values)[0], width / line.width)

    def _spelt(self, odds: Values, stretch: float) -> ReadLine:
        """What the columns of odds [steps, letters] spell (CTC): the same letter in a row counts once.

        stretch: length of the steps over that of the line.
        """
        best = odds.argmax(axis=1)
        new = np.flatnonzero((best != 0) & (np.diff(best, prepend=0) != 0))
        if not len(new):
            return ReadLine("", 0.0)
        letters = _likely([self._letters[int(step)] for step in best[new]])
        sure = odds[new, best[new]]
        place = stretch / len(best)
        return ReadLine("".join(letters).strip(), float(sure.mean()), _words(letters, sure, new, place))


def _likely(letters: list[str]) -> list[str]:
    """I and l, which many typefaces draw alike, told apart where nothing else makes sense."""
    text = "".join(letters)
    if "I" not in text or len(text) != len(letters):
        return letters
    return list(_SMALL_L.sub("l", text))


def _words(letters: list[str], sure: NDArray[np.float32], steps: NDArray[np.intp], place: float) -> list[ReadWord]:
    """Words between the spaces. place: what one step is of the line's length."""
    words: list[ReadWord] = []
    begin = 0
    for index in range(len(letters) + 1):
        if index < len(letters) and letters[index] != " ":
            continue
        if index > begin:
            start, end = max(0.0, (steps[begin] - 0.5) * place), min(1.0, (steps[index - 1] + 1.5) * place)
            confidence = float(sure[begin:index].min())
            words.append(ReadWord("".join(letters[begin:index]), float(start), float(end), confidence))
        begin = index + 1
    return words
