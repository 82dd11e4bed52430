"""Pictures of text, drawn for the tests of recognition."""

import io
from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont
from sample_pdf import Pdf

from app.paths import recognition_models
from core.adapters.extraction.ocr_page import PageReader
from core.adapters.extraction.paper import read_paper
from core.adapters.extraction.recognition import Recognition
from core.domain.extraction import Extracted, Refusal
from tests.core.extraction.reading import cutter

FONT = Path(__file__).parents[3] / "resources" / "fonts" / "Inter-Regular.ttf"
SIZE = 26
A4 = (800, 1132)  # pixels of a page


@cache
def reader() -> PageReader:
    return PageReader(recognition_models())


def page(*lines: tuple[int, int, str], size: tuple[int, int] = (700, 300), font: int = SIZE) -> Image.Image:
    """A white picture with lines of text at (x, y)."""
    picture = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(picture)
    face = ImageFont.truetype(str(FONT), font)
    for x, y, text in lines:
        draw.text((x, y), text, font=face, fill=(20, 20, 20))
    return picture


def saved(picture: Image.Image, format: str, **options: Any) -> bytes:
    file = io.BytesIO()
    picture.save(file, format, **options)
    return file.getvalue()


def pdf_of(*pages: str | Image.Image, stamp: str = "") -> bytes:
    """A PDF with a line of text, nothing (""), or a picture on each page; `stamp` is written onto the pictures."""
    pdf = Pdf()
    for content in pages:
        sheet = pdf.page()
        if isinstance(content, Image.Image):
            sheet.picture = Image.new("L", A4, 255)
            sheet.picture.paste(content.convert("L"))
            content = stamp
        if content:
            pdf.text(sheet, 60, 20, 10, content)
    return pdf.save()


def recognised(
    data: bytes, name: str, heard: list[tuple[int, int]] | None = None, password: str | None = None
) -> Extracted | Refusal:
    """What the second reading makes of a paper; an error that no reader foresaw fails the test."""
    defects: list[Exception] = []
    seen: list[tuple[int, int]] = [] if heard is None else heard
    recognition = Recognition(reader(), lambda page, pages: seen.append((page, pages)))
    result = read_paper(data, name, cutter(), password=password, recognition=recognition, on_defect=defects.append)
    if defects:
        raise AssertionError("a reader met an error that it didn't foresee") from defects[0]
    return result
