"""Port: cutting a text into passages that the embedding model reads whole."""

from typing import Protocol

from core.domain.extraction import PassageDraft


class CutterPort(Protocol):
    def cut(self, text: str) -> list[PassageDraft]:
        """Passages of at most 220 tokens, in order, with offsets; [] for blank text. Fast enough for a message;
        pure."""
        ...
