"""Port: pictures of a paper's pages."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from core.domain.previews import PagePicture


class PreviewPort(Protocol):
    """Draws pages. Nothing is loaded from outside the file, no script runs, nothing is written."""

    def draws(self, format: str) -> bool:
        """Whether papers of this reader's format have pages to be drawn."""
        ...

    async def page(
        self, path: Path, name: str, page: int, width: int, lines: Sequence[str] = (), turn: int = 0
    ) -> PagePicture:
        """A page (from 1; one past the end answers the last) as wide as asked for, within bounds of pixels.

        turn: degrees clockwise (0, 90, 180, 270) by which it is turned. lines: text to be marked where it stands on the
        page. Raises UserError with a sentence where the file can't be drawn (locked, damaged, too large).
        """
        ...

    async def close(self) -> None: ...
