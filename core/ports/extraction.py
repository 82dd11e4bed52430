"""Port: reading papers, apart from the program, within limits."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.domain.extraction import Extracted, Refusal


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """Limits of one reading. seconds: for all of it; while pictures are recognised, from one line to the next.
    memory_bytes bounds the worker's address space or resident set, whichever the system can hold."""

    seconds: float = 120.0
    memory_bytes: int = 1_500 * 1024 * 1024
    text_characters: int = 32_000_000


OnPage = Callable[[int, int], None]


class ExtractionPort(Protocol):
    """Reads one paper at a time in a process of its own.

    Pictures of text are recognised, or counted (Extracted.scans; a paper with nothing else is a Refusal with SCAN),
    whichever this reader was made for.
    """

    async def read(
        self,
        path: Path,
        name: str,
        *,
        password: str | None = None,
        limits: ReadLimits | None = None,
        on_page: OnPage | None = None,
    ) -> Extracted | Refusal:
        """Read the bytes at `path`, which a person knows as `name` (used for the type and for sentences only).

        on_page hears of each page before it is recognised: its number, and how many there are.

        Never raises for anything that the paper does: a crash, a hang or a memory bomb is a `Refusal`.
        Cancelling the call kills the worker; the next call gets a new one.
        """
        ...

    async def close(self) -> None:
        """Stop the worker. May be called twice."""
        ...
