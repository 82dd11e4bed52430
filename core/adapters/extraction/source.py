"""A paper, or a part of one, on its way through its reader."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.adapters.extraction.charset import decode
from core.adapters.extraction.recognition import Recognition
from core.adapters.extraction.transcript import Transcript


@dataclass(slots=True)
class Source:
    """What a reader receives.

    name: as people know it, for sentences. format: what `detect` found. declared: charset that somebody claims.
    depth: 0 for the paper itself. read_part reads an attachment or member with the reader that fits it; what goes
    wrong there becomes a note of the paper, and never stops it. read_again reads a source whose data and format its
    reader has changed (what was found inside a lock). tokens: how many tokens the embedding model makes of each text.
    recognition: reads pictures of text; None where they are only to be counted.
    """

    name: str
    data: bytes
    format: str
    transcript: Transcript
    read_part: Callable[["Source", str, bytes, str | None], None]
    read_again: Callable[["Source"], None]
    tokens: Callable[[Sequence[str]], list[int]]
    password: str | None = None
    declared: str | None = None
    depth: int = 0
    recognition: Recognition | None = None

    def text(self) -> str:
        """The bytes as text, whatever their encoding."""
        return decode(self.data, self.declared)

    def part(self, name: str, data: bytes, declared: str | None = None) -> None:
        """Read an attachment or member."""
        self.read_part(self, name, data, declared)
