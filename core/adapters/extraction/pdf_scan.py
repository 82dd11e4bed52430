"""PDF pages that are pictures of text: told from others, and drawn for recognition within bounds."""

import ctypes
import math
from typing import Any

import pypdfium2.raw  # pyright: ignore[reportMissingTypeStubs]
from PIL import Image

pdfium: Any = pypdfium2.raw  # made by ctypesgen, without types

POINTS = 72  # an inch
DPI = 250
MOST_PIXELS = 12_000_000
MOST_STORED_PIXELS = 200_000_000  # of a picture on the page: pdfium unpacks it whole
MAX_OBJECTS = 5_000  # looked at on a page
FEW_LETTERS = 40  # what scanners and archives stamp onto a page that is a picture otherwise
MOST_OF_PAGE = 0.5


def is_scan(page: Any, text: str) -> bool:
    """A page with something drawn on it and no text, or a stamp at most beside a picture that covers the page."""
    letters = sum(character.isalnum() for character in text)
    if not letters:
        return pdfium.FPDFPage_CountObjects(page) > 0
    return letters < FEW_LETTERS and _covered(page) >= MOST_OF_PAGE


def drawn(page: Any) -> Image.Image | None:
    """The page as it is shown, in colours; None where a picture on it claims to be larger than any scan."""
    if any(_stored_pixels(picture) > MOST_STORED_PIXELS for picture in _pictures(page)):
        return None
    width, height = page.get_size()
    scale = DPI / POINTS
    pixels = width * height * scale * scale
    if pixels > MOST_PIXELS:
        scale *= math.sqrt(MOST_PIXELS / pixels)
    bitmap = page.render(scale=scale, may_draw_forms=False)
    try:
        return bitmap.to_pil().convert("RGB")
    finally:
        bitmap.close()


def _pictures(page: Any) -> list[Any]:
    count = min(pdfium.FPDFPage_CountObjects(page), MAX_OBJECTS)
    objects = (pdfium.FPDFPage_GetObject(page, index) for index in range(count))
    return [thing for thing in objects if pdfium.FPDFPageObj_GetType(thing) == pdfium.FPDF_PAGEOBJ_IMAGE]


def _stored_pixels(picture: Any) -> int:
    width, height = ctypes.c_uint(), ctypes.c_uint()
    known = pdfium.FPDFImageObj_GetImagePixelSize(picture, ctypes.byref(width), ctypes.byref(height))
    return width.value * height.value if known else 0


def _covered(page: Any) -> float:
    """Part of the page that its largest picture covers."""
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    page_width, page_height = page.get_size()
    largest = 0.0
    for picture in _pictures(page):
        edges = (ctypes.byref(edge) for edge in (left, bottom, right, top))
        if pdfium.FPDFPageObj_GetBounds(picture, *edges):
            largest = max(largest, (right.value - left.value) * (top.value - bottom.value))
    return largest / max(1.0, page_width * page_height)
