"""Text recognition as a paper's readers use it. Its libraries are loaded only where pictures are to be recognised."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from PIL import Image

    from core.adapters.extraction.ocr_page import PageReader, ReadPage

MOST_PAGES = 2_000  # a paper; hours


class Heard(Protocol):
    """Hears of each page before it is read: its number, and how many there are (0: unknown)."""

    def __call__(self, page: int, pages: int) -> None: ...


class Recognition:
    """Recognises the pictures of one paper. on_line is called after each line that was read."""

    def __init__(self, reader: "PageReader", on_page: Heard, on_line: Callable[[], None] = lambda: None) -> None:
        self._reader = reader
        self._on_page = on_page
        self._on_line = on_line
        self._pages = 0
        self.unread = 0  # lines that were seen, and of which nothing could be read

    def begin(self, number: int, of: int) -> bool:
        """Say that a page comes next; False beyond MOST_PAGES. The networks are loaded before the first."""
        if self._pages >= MOST_PAGES:
            return False
        self._pages += 1
        self._on_page(number, of)
        self._reader.load()
        return True

    def page(self, picture: "Image.Image") -> "ReadPage":
        """Read one picture. Raises what the networks raise on one that they can't take."""
        page = self._reader.read(picture, self._on_line)
        self.unread += page.unread
        return page


def page_reader(models: Path) -> "PageReader":
    """A reader of pages, its libraries loaded now and its networks when the first page comes."""
    from core.adapters.extraction.ocr_page import PageReader

    return PageReader(models)
