"""What differs between two texts, word by word, for eyes and for screen readers."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum

WORDS_AT_MOST = 800  # on either side; what is longer is compared line by line, then word by word within changed lines
LINES_AT_MOST = 1500
SAID_AT_MOST = 300  # characters of a piece that are read out
CONTEXT = 80  # characters that stay on either side of a change where the rest is left out

_WORD = re.compile(r"\w+[^\S\n]*|[^\w\s][^\S\n]*|[^\S\n]+|\n")


class Part(Enum):
    SAME = "same"
    GONE = "gone"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that both sides have, that only the old one has, or only the new one."""

    part: Part
    text: str


def difference(old: str, new: str) -> list[Piece]:
    """The pieces in reading order: without the new ones they are `old`, without those that are gone they are `new`."""
    if old == new:
        return _pieces([(Part.SAME, old)])
    before, after = _WORD.findall(old), _WORD.findall(new)
    if max(len(before), len(after)) <= WORDS_AT_MOST:
        return _pieces(_compared(before, after))
    lines = old.splitlines(keepends=True), new.splitlines(keepends=True)
    if max(map(len, lines)) > LINES_AT_MOST:
        return _pieces(_trimmed(*lines))
    found: list[tuple[Part, str]] = []
    for gone, come, same in _blocks(*lines):
        found += [(Part.SAME, "".join(same))] if same else _changed("".join(gone), "".join(come))
    return _pieces(found)


def _changed(old: str, new: str) -> list[tuple[Part, str]]:
    before, after = _WORD.findall(old), _WORD.findall(new)
    if max(len(before), len(after)) <= WORDS_AT_MOST:
        return _compared(before, after)
    return _trimmed(before, after)


def _compared(before: Sequence[str], after: Sequence[str]) -> list[tuple[Part, str]]:
    found: list[tuple[Part, str]] = []
    for gone, come, same in _blocks(before, after):
        found += [(Part.SAME, "".join(same)), (Part.GONE, "".join(gone)), (Part.NEW, "".join(come))]
    return found


def _blocks(
    before: Sequence[str], after: Sequence[str]
) -> Iterable[tuple[Sequence[str], Sequence[str], Sequence[str]]]:
    """(only in the old, only in the new, in both), in order; each time one side or the other is filled."""
    for what, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        yield ((), (), before[a:b]) if what == "equal" else (before[a:b], after[c:d], ())


def _trimmed(before: Sequence[str], after: Sequence[str]) -> list[tuple[Part, str]]:
    """For very long texts: what both begin and end with, and all that stands between."""
    least = min(len(before), len(after))
    first = next((n for n in range(least) if before[n] != after[n]), least)
    last = next((n for n in range(least - first) if before[-1 - n] != after[-1 - n]), least - first)
    return [
        (Part.SAME, "".join(before[:first])),
        (Part.GONE, "".join(before[first : len(before) - last])),
        (Part.NEW, "".join(after[first : len(after) - last])),
        (Part.SAME, "".join(before[len(before) - last :])),
    ]


def _pieces(found: Iterable[tuple[Part, str]]) -> list[Piece]:
    """Neighbours of one kind joined; between two equal stretches what is gone stands before what is new."""
    made: list[Piece] = []
    waiting = {Part.GONE: "", Part.NEW: ""}

    def settle() -> None:
        for part in (Part.GONE, Part.NEW):
            if waiting[part]:
                made.append(Piece(part, waiting[part]))
            waiting[part] = ""

    for part, text in found:
        if part is not Part.SAME:
            waiting[part] += text
        elif text:
            settle()
            if made and made[-1].part is Part.SAME:
                made[-1] = Piece(Part.SAME, made[-1].text + text)
            else:
                made.append(Piece(Part.SAME, text))
    settle()
    return made


def shortened(pieces: Sequence[Piece]) -> list[Piece]:
    """Long stretches that both have, cut to what stands around the changes."""
    return [
        Piece(piece.part, _cut(piece.text, first=index == 0, last=index == len(pieces) - 1))
        if piece.part is Part.SAME
        else piece
        for index, piece in enumerate(pieces)
    ]


def _cut(text: str, *, first: bool, last: bool) -> str:
    if (first and last) or len(text) <= 2 * CONTEXT + 20:
        return text
    before = "" if first else text[:CONTEXT].rstrip()
    after = "" if last else text[-CONTEXT:].lstrip()
    return f"{before} … {after}".strip()


def spoken(pieces: Sequence[Piece]) -> str:
    """The changes in words: "Taken out: “twice”. Put in: “once”."."""
    said = [
        f"{'Taken out' if piece.part is Part.GONE else 'Put in'}: “{_flat(piece.text)}”."
        for piece in pieces
        if piece.part is not Part.SAME and piece.text.strip()
    ]
    return " ".join(said) or "Nothing differs."


def _flat(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= SAID_AT_MOST else f"{flat[:SAID_AT_MOST]} …"
