"""Port: reading papers, apart from the program, within limits."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.domain.extraction import Extracted, Refusal


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """Limits of one reading. memory_bytes bounds the worker's address space or resident set, whichever the system
    can hold."""

    seconds: float = 120.0
    memory_bytes: int = 1_500 * 1024 * 1024
    text_characters: int = 32_000_000


class ExtractionPort(Protocol):
    """Reads one paper at a time in a process of its own."""

    async def read(
        self, path: Path, name: str, *, password: str | None = None, limits: ReadLimits | None = None
    ) -> Extracted | Refusal:
        """Read the bytes at `path`, which a person knows as `name` (used for the type and for sentences only).

        Never raises for anything that the paper does: a crash, a hang or a memory bomb is a `Refusal`.
        Cancelling the call kills the worker; the next call gets a new one.
        """
        ...

    async def close(self) -> None:
        """Stop the worker. May be called twice."""
        ...
