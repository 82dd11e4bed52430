"""ExtractionPort in memory: reads UTF-8 text files, one passage a paragraph, and refuses what it was told to refuse."""

from pathlib import Path

from core.domain.extraction import Extracted, PassageDraft, Refusal, RefusalCode
from core.domain.text import one_line, tidy
from core.ports.extraction import OnPage, ReadLimits


class MemoryExtraction:
    """`refusals` maps the names of papers to what is said of them."""

    def __init__(self) -> None:
        self.refusals: dict[str, Refusal] = {}
        self.read_names: list[str] = []
        self.closed = False

    async def read(
        self,
        path: Path,
        name: str,
        *,
        password: str | None = None,
        limits: ReadLimits | None = None,
        on_page: OnPage | None = None,
    ) -> Extracted | Refusal:
        self.read_names.append(name)
        shown = one_line(name)
        if name in self.refusals:
            return self.refusals[name]
        if not path.is_file():
            return Refusal(RefusalCode.MISSING, f"{shown} is not there any more.")
        data = path.read_bytes()
        if not data:
            return Refusal(RefusalCode.EMPTY, f"{shown} is empty.")
        text = tidy(data.decode("utf-8", "replace"))
        drafts: list[PassageDraft] = []
        start = 0
        for paragraph in text.split("\n\n"):
            drafts.append(PassageDraft(paragraph, start=start, end=start + len(paragraph)))
            start += len(paragraph) + 2
        if not text:
            return Refusal(RefusalCode.NO_TEXT, f"There is no text in {shown}.")
        return Extracted("text/plain", "txt", drafts)

    async def close(self) -> None:
        self.closed = True
