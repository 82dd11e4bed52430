"""PreviewPort in memory: form feeds part the pages of a text, each of which is a grey sheet."""

from collections.abc import Sequence
from pathlib import Path

from core.domain.previews import Mark, PagePicture
from core.errors import UserError


class PlainPages:
    """Draws "txt", "pdf" and "png" alike; "broken" at the beginning of a file can't be drawn."""

    def draws(self, format: str) -> bool:
        return format in ("pdf", "png")

    async def page(
        self, path: Path, name: str, page: int, width: int, lines: Sequence[str] = (), turn: int = 0
    ) -> PagePicture:
        sheets = path.read_text("latin-1").split("\f")
        if sheets[0].startswith("broken"):
            raise UserError(f"“{name}” can't be shown: the file is damaged.")
        number = max(1, min(page, len(sheets)))
        words = " ".join(sheets[number - 1].split())
        marks = tuple(
            Mark(0.1, 0.1, 0.5, 0.2).turned(turn) for line in lines if line and " ".join(line.split()) in words
        )
        height = width * 2 if turn % 180 == 0 else width // 2
        return PagePicture(number, len(sheets), width, height, b"\xee" * (width * height * 3), marks)

    async def close(self) -> None:
        pass
