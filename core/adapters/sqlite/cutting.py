"""Cutting what is to be stored, before the writer is asked: short texts at once, long ones in a thread."""

import asyncio

from core.domain.extraction import PassageDraft
from core.ports.cutting import CutterPort

INLINE = 2000  # characters; about a millisecond of cutting


async def cut(cutter: CutterPort, text: str) -> list[PassageDraft]:
    """The passages of a text."""
    if len(text) < INLINE:
        return cutter.cut(text)
    return await asyncio.to_thread(cutter.cut, text)
