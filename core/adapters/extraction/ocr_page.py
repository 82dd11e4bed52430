"""Reading a page's picture: made upright, its lines found, read, put in order, and placed on the page as it came."""

import hashlib
import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image

from core.adapters.extraction.ocr_boxes import Box
from core.adapters.extraction.ocr_letters import LetterReader, ReadLine, cut_out
from core.adapters.extraction.ocr_models import LineFinder
from core.adapters.extraction.ocr_order import Placed, paragraphs
from core.domain.recognition import PlacedWord

MOST_PIXELS = 12_000_000  # A4 at 350 dpi; a larger picture is made smaller
SMALL = 250_000  # pixels: a logo, which stands below each of an office's mails and is read once
MOST_KNOWN = 64
SAMPLE = 5  # lines that tell whether a page stands on its head
UPRIGHT = 0.95  # confidence beyond which the other way isn't tried
LONG = 3.0  # width over height of a line whose direction can be trusted
STANDING = 1.5  # height over width of a line that runs up or down
UNREADABLE = 0.5  # confidence of a line below which it is left out
LETTERS_ALONE = 3  # what a page must have to count as text, unless its letters are certain
CERTAIN = 0.9


@dataclass(frozen=True, slots=True)
class ReadPage:
    """text: lines and paragraphs in reading order. turn: degrees clockwise by which the page has to be turned to stand
    upright. words: in reading order, placed on the picture as it came. confidence: mean over the letters. lines: how
    many were read; unread: how many were seen but could not be."""

    text: str
    turn: int
    words: list[PlacedWord]
    confidence: float
    lines: int
    unread: int


class PageReader:
    """Text recognition with the networks in a folder, which are loaded when the first page comes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._loaded: tuple[LineFinder, LetterReader] | None = None
        self._known: OrderedDict[bytes, ReadPage] = OrderedDict()

    def load(self) -> tuple[LineFinder, LetterReader]:
        """The networks. Raises what onnxruntime raises where their files are missing or damaged."""
        if self._loaded is None:
            self._loaded = LineFinder(self._folder), LetterReader(self._folder)
        return self._loaded

    def read(self, picture: Image.Image, on_line: Callable[[], None] = lambda: None) -> ReadPage:
        """Read one page; `on_line` is called after each line. Raises what the networks raise on a picture that they
        can't take."""
        picture = _bounded(picture)
        if picture.width * picture.height > SMALL:
            return self._read(picture, on_line)
        key = hashlib.sha256(repr(picture.size).encode() + picture.tobytes()).digest()
        page = self._known.pop(key, None)
        self._known[key] = page = page or self._read(picture, on_line)
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        return page

    def _read(self, picture: Image.Image, on_line: Callable[[], None]) -> ReadPage:
        finder, reader = self.load()
        boxes = finder.lines(picture)
        quarters = 1 if _lies(boxes) else 0
        upright, boxes = _turned(picture, boxes, quarters)
        if boxes and _stands_on_its_head(upright, boxes, reader):
            quarters += 2
            upright, boxes = _turned(upright, boxes, 2)
        lines = _read(upright, boxes, reader, on_line)
        return _page(lines, len(boxes) - len(lines), quarters, picture.size)


@dataclass(frozen=True, slots=True)
class _Line:
    """box: as it lies on the page. along: the same, as wide as the line is long; another one where the line stands."""

    box: Box
    along: Box
    read: ReadLine


def _bounded(picture: Image.Image) -> Image.Image:
    picture = _on_white(picture)
    pixels = picture.width * picture.height
    if pixels <= MOST_PIXELS:
        return picture
    scale = math.sqrt(MOST_PIXELS / pixels)
    size = max(1, round(picture.width * scale)), max(1, round(picture.height * scale))
    return picture.resize(size, Image.Resampling.BOX, reducing_gap=2.0)


def _on_white(picture: Image.Image) -> Image.Image:
    """In colours without transparency: what shines through is paper."""
    if picture.mode in {"I;16", "I;16B", "I;16L", "I", "F"}:
        values = np.asarray(picture, np.float32)
        low, high = float(values.min()), float(values.max())
        picture = Image.fromarray(((values - low) * (255.0 / max(high - low, 1.0))).astype(np.uint8))
    if picture.has_transparency_data:
        layer = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", layer.size, "white"), layer)
    return picture.convert("RGB")


def _lies(boxes: Sequence[Box]) -> bool:
    """Most of the page's text runs up or down."""
    standing = sum(box.height for box in boxes if box.height >= STANDING * box.width)
    level = sum(box.width for box in boxes if box.width >= STANDING * box.height)
    return standing > level


def _turned(picture: Image.Image, boxes: list[Box], quarters: int) -> tuple[Image.Image, list[Box]]:
    """Picture and boxes after turns of 90 degrees anticlockwise."""
    for _ in range(quarters % 4):
        boxes = [replace(box, x=box.y, y=picture.width - box.x, width=box.height, height=box.width) for box in boxes]
        picture = picture.transpose(Image.Transpose.ROTATE_90)
    return picture, boxes


def _stands_on_its_head(picture: Image.Image, boxes: Sequence[Box], reader: LetterReader) -> bool:
    level = [box for box in boxes if box.width >= LONG * box.height] or list(boxes)
    sample = sorted(level, key=lambda box: abs(box.width / box.height - 8))[:SAMPLE]  # neither a word nor a whole row
    cut = [cut_out(picture, box) for box in sample]
    as_it_is = _certainty(reader.read(cut))
    if as_it_is >= UPRIGHT:
        return False
    return _certainty(reader.read([line.transpose(Image.Transpose.ROTATE_180) for line in cut])) > as_it_is


def _certainty(lines: Sequence[ReadLine]) -> float:
    letters = sum(len(line.text) for line in lines)
    return sum(line.confidence * len(line.text) for line in lines) / letters if letters else 0.0


def _read(picture: Image.Image, boxes: Sequence[Box], reader: LetterReader, on_line: Callable[[], None]) -> list[_Line]:
    """Every line that can be read; those that stand are read in each direction, and the most certain counts."""
    tries: list[tuple[int, Box]] = []
    for number, box in enumerate(boxes):
        tries.append((number, box))
        if box.height >= STANDING * box.width:
            for angle in (box.angle + math.pi / 2, box.angle - math.pi / 2):
                tries.append((number, replace(box, width=box.height, height=box.width, angle=angle)))
    best: dict[int, _Line] = {}
    for number, along in tries:
        (line,) = reader.read([cut_out(picture, along)])
        on_line()
        if line.confidence >= UNREADABLE and (number not in best or line.confidence > best[number].read.confidence):
            best[number] = _Line(boxes[number], along, line)
    return [best[number] for number in sorted(best)]


def _page(lines: list[_Line], unread: int, quarters: int, size: tuple[int, int]) -> ReadPage:
    letters = sum(sum(character.isalnum() for character in line.read.text) for line in lines)
    confidence = _certainty([line.read for line in lines])
    if not letters or (letters < LETTERS_ALONE and confidence < CERTAIN):
        return ReadPage("", 0, [], 0.0, 0, unread + len(lines))
    skew = _skew([line.box for line in lines])
    order = paragraphs([_straightened(line.box, skew, index) for index, line in enumerate(lines)])
    text = "\n\n".join("\n".join(" ".join(lines[index].read.text for index in row) for row in rows) for rows in order)
    words = [word for rows in order for row in rows for index in row for word in _words(lines[index], quarters, size)]
    return ReadPage(text, -90 * quarters % 360, words, confidence, len(lines), unread)


def _skew(boxes: Sequence[Box]) -> float:
    """Radians by which the page's lines lean: the middle one, long lines counting for more."""
    level = sorted((box.angle, box.width) for box in boxes if box.width >= LONG * box.height)
    half = sum(width for _, width in level) / 2
    for angle, width in level:
        half -= width
        if half <= 0:
            return angle
    return 0.0


def _straightened(box: Box, skew: float, index: int) -> Placed:
    cos, sin = math.cos(skew), math.sin(skew)
    x, y = box.x * cos + box.y * sin, box.y * cos - box.x * sin
    return Placed(x - box.width / 2, y - box.height / 2, x + box.width / 2, y + box.height / 2, index)


def _words(line: _Line, quarters: int, size: tuple[int, int]) -> list[PlacedWord]:
    """The line's words on the picture as it came: edges as parts of its width and height."""
    top_left, top_right, bottom_right, bottom_left = line.along.corners()
    words: list[PlacedWord] = []
    for word in line.read.words:
        points = [
            edge[0] + (edge[1] - edge[0]) * part
            for edge in ((top_left, top_right), (bottom_left, bottom_right))
            for part in (word.start, word.end)
        ]
        places = [_as_it_came(float(x), float(y), quarters, size) for x, y in points]
        left, top = (max(0.0, min(place[axis] for place in places)) for axis in (0, 1))
        right, bottom = (min(1.0, max(place[axis] for place in places)) for axis in (0, 1))
        words.append(PlacedWord(word.text, left, top, right, bottom, word.confidence))
    return words


def _as_it_came(x: float, y: float, quarters: int, size: tuple[int, int]) -> tuple[float, float]:
    """A point of the upright page as parts of width and height of the picture before it was turned."""
    width, height = size if quarters % 2 == 0 else (size[1], size[0])
    for _ in range(quarters % 4):
        x, y = height - y, x
        width, height = height, width
    return x / width, y / height
