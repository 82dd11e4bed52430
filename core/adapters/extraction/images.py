"""Pictures: checked that they open within bounds. Their text can't be read yet, and that is said."""

import io

from PIL import Image, UnidentifiedImageError

from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable
from core.domain.extraction import RefusalCode

MAX_PIXELS = 200_000_000  # 600 dpi of an A3 sheet is 70 million
DECODED_PIXELS = 60_000_000  # larger ones are only opened, not decoded to their end


def read(source: Source) -> None:
    """Always refuses: TOO_LARGE, DAMAGED, or NO_TEXT with what helps."""
    pages = _checked(source)
    what = "a picture" if pages < 2 else f"{pages} pictures"
    raise Unreadable(
        RefusalCode.NO_TEXT,
        f"{source.name} is {what}. Reading text in pictures isn't possible yet; it is kept. "
        "Scan it to a PDF with text recognition, or add a written copy.",
    )


def _checked(source: Source) -> int:
    """Number of pictures in the file."""
    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    try:
        with Image.open(io.BytesIO(source.data)) as picture:
            if picture.width * picture.height > MAX_PIXELS:
                raise Image.DecompressionBombError
            frames = int(getattr(picture, "n_frames", 1))
            if picture.width * picture.height <= DECODED_PIXELS:
                picture.load()
            return frames
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):  # the warning, where warnings are errors
        raise Unreadable(
            RefusalCode.TOO_LARGE, f"{source.name} claims to be larger than any scan and was not opened. Scan it again."
        ) from None
    except MemoryError:
        raise
    except (
        UnidentifiedImageError,
        OSError,
        ValueError,
        SyntaxError,
        EOFError,
        TypeError,
        KeyError,
        IndexError,
        OverflowError,
    ):
        raise Unreadable(
            RefusalCode.DAMAGED, f"{source.name} is a damaged picture and can't be opened. Ask for it again."
        ) from None
