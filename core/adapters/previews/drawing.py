"""Draws one page of a file: PDF through PDFium, pictures through Pillow, DICOM through pydicom."""

import ctypes
import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pypdfium2  # pyright: ignore[reportMissingTypeStubs]
import pypdfium2.raw  # pyright: ignore[reportMissingTypeStubs]
from numpy.typing import NDArray
from PIL import Image, ImageOps

from core.domain.previews import MOST_MARKS, Mark, PagePicture

pdfium: Any = pypdfium2.raw  # made by ctypesgen, without types

MOST_PIXELS = 16_000_000  # of what is drawn: 48 MB
MOST_SOURCE_PIXELS = 200_000_000  # of a picture that is opened: 600 dpi of an A3 sheet is 70 million
SHORTEST_LINE = 2
LONGEST_LINE = 80


class CantDraw(Exception):
    """sentence: names the file and says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def draw(data: bytes, name: str, page: int, width: int, lines: Sequence[str], turn: int = 0) -> PagePicture:
    """turn: degrees clockwise, a multiple of 90. Raises CantDraw."""
    drawn = _drawn(data, name, page, width, lines)
    return _turned(drawn, turn % 360, width) if turn % 360 else drawn


def _turned(drawn: PagePicture, turn: int, width: int) -> PagePicture:
    way = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}[turn]
    picture = Image.frombytes("RGB", (drawn.width, drawn.height), drawn.rgb).transpose(way)
    marks = tuple(mark.turned(turn) for mark in drawn.marks)
    return replace(_fitted(picture, drawn.page, drawn.pages, width), marks=marks)


def _drawn(data: bytes, name: str, page: int, width: int, lines: Sequence[str]) -> PagePicture:
    if b"%PDF" in data[:1024]:
        return _pdf(data, name, page, width, lines)
    if data[128:132] == b"DICM":
        return _dicom(data, name, page, width)
    return _picture(data, name, page, width)


# ---- PDF ------------------------------------------------------------------------------------------------------------


def _pdf(data: bytes, name: str, page: int, width: int, lines: Sequence[str]) -> PagePicture:
    try:
        document: Any = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD:
            raise CantDraw(f"“{name}” is locked with a password, so its pages aren't shown.") from None
        raise CantDraw(f"The pages of “{name}” can't be drawn: the file is damaged.") from None
    try:
        pages = len(document)
        if not pages:
            raise CantDraw(f"“{name}” has no pages.")
        number = max(1, min(page, pages))
        document.init_forms()  # so that what was filled in is seen
        try:
            return _pdf_page(document[number - 1], number, pages, width, lines)
        except pypdfium2.PdfiumError:
            raise CantDraw(f"Page {number} of “{name}” is damaged and can't be drawn.") from None
    finally:
        document.close()


def _pdf_page(sheet: Any, number: int, pages: int, width: int, lines: Sequence[str]) -> PagePicture:
    points_wide, points_high = sheet.get_size()
    if points_wide <= 0 or points_high <= 0:
        raise pypdfium2.PdfiumError("a page without a size")
    scale = min(width / points_wide, (MOST_PIXELS / (points_wide * points_high)) ** 0.5)
    bitmap = sheet.render(scale=scale, rev_byteorder=True, prefer_bgrx=False, may_draw_forms=True)
    picture = bitmap.to_pil().convert("RGB")
    marks = _marks(sheet, lines)
    return PagePicture(number, pages, picture.width, picture.height, picture.tobytes(), marks)


def _marks(sheet: Any, lines: Sequence[str]) -> tuple[Mark, ...]:
    """Where the lines stand. A line that the reader has put together differently is simply not marked."""
    text = sheet.get_textpage()
    marks: list[Mark] = []
    for line in lines:
        words = " ".join(line.split())[:LONGEST_LINE]
        if len(words) < SHORTEST_LINE:
            continue
        search = text.search(words, match_case=False, match_whole_word=False)
        found = search.get_next()
        if found is not None:
            for place in range(text.count_rects(*found)):
                marks.append(_on_page(sheet, text.get_rect(place)))
        if len(marks) >= MOST_MARKS:
            break
    return tuple(marks)


def _on_page(sheet: Any, rectangle: tuple[float, float, float, float]) -> Mark:
    """From points of the sheet to parts of what is seen of it, with its turn and its cropping."""
    left, bottom, right, top = rectangle
    size = 100_000
    corners: list[tuple[float, float]] = []
    for x, y in ((left, top), (right, bottom)):
        across, down = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(sheet, 0, 0, size, size, 0, x, y, ctypes.byref(across), ctypes.byref(down))
        corners.append((across.value / size, down.value / size))
    (x1, y1), (x2, y2) = corners
    return Mark(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))


# ---- pictures -------------------------------------------------------------------------------------------------------


def _picture(data: bytes, name: str, page: int, width: int) -> PagePicture:
    Image.MAX_IMAGE_PIXELS = MOST_SOURCE_PIXELS // 2  # Pillow refuses at twice this
    _know_heif()
    try:
        with Image.open(io.BytesIO(data)) as file:
            pages = int(getattr(file, "n_frames", 1)) if file.format in ("TIFF", "HEIF") else 1
            number = max(1, min(page, pages))
            if file.width * file.height > MOST_SOURCE_PIXELS:
                raise CantDraw(f"“{name}” is too large to be shown: {file.width} by {file.height} dots.")
            file.seek(number - 1)
            file.draft("RGB", (width, width * 4))
            picture = _on_white(ImageOps.exif_transpose(file))
    except CantDraw:
        raise
    except Image.DecompressionBombError:
        raise CantDraw(f"“{name}” is too large to be shown.") from None
    except MemoryError:
        raise
    except Exception:  # Pillow raises what it meets
        raise CantDraw(f"“{name}” can't be shown: the picture is damaged.") from None
    return _fitted(picture, number, pages, width)


def _know_heif() -> None:
    import pi_heif  # pyright: ignore[reportMissingTypeStubs]

    pi_heif.register_heif_opener()  # pyright: ignore[reportUnknownMemberType]


def _on_white(picture: Image.Image) -> Image.Image:
    """What is transparent is white, as paper is; more than eight bits a colour are brought down to eight."""
    if picture.mode in ("I", "F") or picture.mode.startswith("I;16"):
        return Image.fromarray(_eight_bits(np.asarray(picture, np.float64))).convert("RGB")
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
        ground = Image.new("RGBA", picture.size, "white")
        return Image.alpha_composite(ground, picture).convert("RGB")
    return picture.convert("RGB")


def _eight_bits(values: NDArray[np.float64]) -> NDArray[np.uint8]:
    """From the darkest to the lightest value that there is."""
    low, high = float(values.min()), float(values.max())
    return np.ascontiguousarray((values - low) * (255.0 / max(high - low, 1e-9)), dtype=np.uint8)


def _fitted(picture: Image.Image, page: int, pages: int, width: int) -> PagePicture:
    """No wider than asked for, never larger than it is."""
    scale = min(1.0, width / picture.width, (MOST_PIXELS / (picture.width * picture.height)) ** 0.5)
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    if size != picture.size:
        picture = picture.resize(size, Image.Resampling.LANCZOS if scale > 0.1 else Image.Resampling.BOX)
    return PagePicture(page, pages, picture.width, picture.height, picture.tobytes())


# ---- images of examinations -----------------------------------------------------------------------------------------


def _dicom(data: bytes, name: str, page: int, width: int) -> PagePicture:
    import pydicom
    from pydicom.pixels.processing import apply_modality_lut, apply_voi_lut
    from pydicom.pixels.utils import pixel_array

    try:
        dataset: Any = pydicom.dcmread(io.BytesIO(data))  # pyright: ignore[reportUnknownMemberType]
        if "PixelData" not in dataset:
            raise CantDraw(f"“{name}” holds no picture.")
        frames = int(dataset.get("NumberOfFrames") or 1)
        rows, columns = int(dataset.Rows), int(dataset.Columns)
        if rows * columns > MOST_SOURCE_PIXELS:
            raise CantDraw(f"“{name}” is too large to be shown.")
        number = max(1, min(page, frames))
        values: Any = pixel_array(dataset, index=number - 1 if frames > 1 else None)
        if values.ndim == 2:
            values = _eight_bits(apply_voi_lut(apply_modality_lut(values, dataset), dataset).astype(np.float64))
            if dataset.get("PhotometricInterpretation") == "MONOCHROME1":
                values = 255 - values
        picture = Image.fromarray(np.ascontiguousarray(values, dtype=np.uint8)).convert("RGB")
    except CantDraw:
        raise
    except MemoryError:
        raise
    except Exception:  # pydicom raises what it meets; some ways of packing need programs that aren't here
        raise CantDraw(f"The picture of “{name}” is packed in a way that can't be shown here.") from None
    return _fitted(picture, number, frames, width)
