"""Pieces of a passage: what it says, sentence by sentence, for the model to read one at a time.

A vector of a whole passage is a mean: what one sentence of a letter says is lost among greetings and terms of payment.
So each sentence (short ones together) gets a vector of its own beside the passage's, and the nearest of them counts.
"""

import re

LEAST = 25  # characters; shorter sentences share a piece
MOST = 24  # pieces

_ENDS = re.compile(r"(?<=[.!?;:…])\s+|(?<=[。！？；])|\n+")


def pieces(text: str) -> list[str]:
    """Two to MOST pieces that cover the text; none where it says one thing only."""
    least = max(LEAST, len(text) // MOST + 1)
    found: list[str] = []
    held = ""
    for sentence in _ENDS.split(text):
        held = f"{held} {sentence.strip()}".strip()
        if len(held) >= least:
            found.append(held)
            held = ""
    if held and found and len(held) < least // 2:
        found[-1] = f"{found[-1]} {held}"
    elif held:
        found.append(held)
    return found if len(found) > 1 else []
