"""From a text to passages ready to be written, off the writer: short texts at once, long ones in a thread."""

import asyncio
from dataclasses import replace

from core.adapters.sqlite.passages import Analysed, analyse
from core.ports.cutting import CutterPort

INLINE = 2000  # characters; about two milliseconds of work


async def cut(cutter: CutterPort, text: str, title: str, *, heading: tuple[str, ...] = (), part: str = "") -> Analysed:
    """The passages of a text, each under `heading` and named as a piece of `part`."""

    def work() -> Analysed:
        return analyse([replace(draft, heading=heading, part=part) for draft in cutter.cut(text)], title)

    return work() if len(text) < INLINE else await asyncio.to_thread(work)
