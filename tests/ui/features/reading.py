"""An ExtractionPort that reads plain text in this process, and refuses by name what a test wants refused."""

import asyncio
from pathlib import Path, PurePath

from core.domain.extraction import Extracted, Note, PassageDraft, Refusal, RefusalCode
from core.ports.extraction import OnPage, ReadLimits


class PlainReader:
    """Paragraphs are passages, a form feed begins a page. "locked" in the name asks for a password ("1234"), "scan" has
    no text, "noted" carries a note. `hold` keeps readings back until it is set.
    """

    def __init__(self) -> None:
        self.hold = asyncio.Event()
        self.hold.set()

    async def read(
        self,
        path: Path,
        name: str,
        *,
        password: str | None = None,
        limits: ReadLimits | None = None,
        on_page: OnPage | None = None,
    ) -> Extracted | Refusal:
        await self.hold.wait()
        if "locked" in name and password != "1234":
            return Refusal(RefusalCode.PASSWORD, f"“{name}” is locked with a password. Enter it, or skip this paper.")
        if "scan" in name:
            return Refusal(RefusalCode.NO_TEXT, f"“{name}” has no text in it.")
        pages = path.read_text("utf-8", "replace").split("\f")
        passages = [
            PassageDraft(paragraph.strip(), page=number if len(pages) > 1 else None)
            for number, page in enumerate(pages, 1)
            for paragraph in page.split("\n\n")
            if paragraph.strip()
        ]
        return Extracted(
            media_type="text/plain",
            format=PurePath(name).suffix.lstrip(".") or "txt",
            passages=passages,
            pages=len(pages) if len(pages) > 1 else None,
            notes=[Note("page_unreadable", "Page 3 could not be read.", 3)] if "noted" in name else [],
        )

    async def close(self) -> None:
        self.hold.set()
