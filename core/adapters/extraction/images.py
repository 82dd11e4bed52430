"""Pictures: checked that they open within bounds; their text is recognised, page by page where a file holds several."""

import io
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import pi_heif  # pyright: ignore[reportMissingTypeStubs]
from PIL import Image, ImageOps, UnidentifiedImageError

from core.adapters.extraction import scans
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable
from core.domain.extraction import RefusalCode

MAX_PIXELS = 200_000_000  # 600 dpi of an A3 sheet is 70 million
DECODED_PIXELS = 60_000_000  # larger ones are only opened, not decoded to their end, before it is their turn
LONGEST_SIDE = 4_000  # what a photo is reduced to while it is unpacked, where its format can do that
MAX_FRAMES = 20_000
PAGES = ("tiff", "heic")  # formats in which several pictures are pages; in the others they move
BROKEN = (
    UnidentifiedImageError,
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    TypeError,
    KeyError,
    IndexError,
    OverflowError,
)

pi_heif.register_heif_opener()  # pyright: ignore[reportUnknownMemberType]


def read(source: Source) -> None:
    """Refuses with TOO_LARGE, DAMAGED, or NO_TEXT where nothing can be recognised on it."""
    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    with _checking(source), Image.open(io.BytesIO(source.data)) as picture:
        if picture.width * picture.height > MAX_PIXELS:
            raise Image.DecompressionBombError
        pages = min(int(getattr(picture, "n_frames", 1)), MAX_FRAMES) if source.format in PAGES else 1
        large = scans.worth_reading(picture.width, picture.height) and source.format != "ico"
        if source.recognition is None and picture.width * picture.height <= DECODED_PIXELS:
            picture.load()
    if not source.depth:
        source.transcript.pages = pages if pages > 1 else None
    if large and source.recognition is None:
        scans.count(source, pages)
        return
    if not (large and _recognised(source, pages)) and not source.depth:
        raise scans.no_text(source, "this picture" if pages == 1 else "these pictures")


def _recognised(source: Source, pages: int) -> bool:
    """Tell whether there was any text."""
    found = failed = 0
    with _checking(source):
        for number, picture in enumerate(_pages(source, pages), start=1):
            where = source.name if pages == 1 else f"page {number} of {source.name}"
            if pages > 1:
                source.transcript.page(number)
            if picture is None:
                sentence = f"Page {number} of {source.name} is damaged and can't be read."
                source.transcript.note("page_unreadable", sentence, number)
                failed += 1
            elif scans.recognise(source, picture, number if pages > 1 else None, pages, where):
                found += 1
    if failed == pages:
        raise _damaged(source)
    return found > 0


def _pages(source: Source, pages: int) -> Iterator[Image.Image | None]:
    """Each picture as its camera was held; None for one that is damaged, as long as others may follow."""
    with Image.open(io.BytesIO(source.data)) as file:
        for number in range(pages):
            try:
                file.seek(number)
                if file.width * file.height > MAX_PIXELS:
                    raise Image.DecompressionBombError
                file.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
                file.load()
            except BROKEN:
                if pages == 1:
                    raise
                yield None
                continue
            yield _held_upright(file)


def _held_upright(picture: Image.Image) -> Image.Image:
    try:
        return ImageOps.exif_transpose(picture)
    except BROKEN:  # of what its camera wrote, nothing can be made
        return picture


@contextmanager
def _checking(source: Source) -> Generator[None]:
    """What the library raises, in words."""
    try:
        yield
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):  # the warning, where warnings are errors
        raise Unreadable(
            RefusalCode.TOO_LARGE, f"{source.name} claims to be larger than any scan and was not opened. Scan it again."
        ) from None
    except BROKEN:
        raise _damaged(source) from None


def _damaged(source: Source) -> Unreadable:
    return Unreadable(RefusalCode.DAMAGED, f"{source.name} is a damaged picture and can't be opened. Ask for it again.")
