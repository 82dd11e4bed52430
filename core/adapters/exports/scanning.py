"""Finding the objects of a large JSON text without building all of them in memory."""

import re

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|["\[\]{}]', re.DOTALL)
_BLANK = b" \t\r\n"


class BrokenOff(Exception):
    """The text ends before its brackets do, or has too many of them."""


def objects(data: bytes) -> list[tuple[int, int]]:
    """Where the objects of a list stand, as (start, end); a text that is one object is a list of one.

    Only brackets and strings are looked at: an object whose inside is damaged is found like any other.
    Raises BrokenOff.
    """
    opening = len(data) - len(data.lstrip(_BLANK + b"\xef\xbb\xbf"))
    outer = 0 if data[opening : opening + 1] == b"{" else 1
    found: list[tuple[int, int]] = []
    depth = start = end = 0
    for token in _TOKEN.finditer(data, opening):
        first = token.group()[:1]
        if first == b'"':
            if token.end() - token.start() == 1:
                raise BrokenOff
        elif first in b"[{":
            if depth == 0 and end:
                raise BrokenOff  # something more behind the end
            if depth == outer:
                start = token.start()
            depth += 1
        else:
            depth -= 1
            end = token.end() if depth == 0 else end
            if depth < 0:
                raise BrokenOff
            if depth == outer and first == b"}":
                found.append((start, token.end()))
    if depth != 0 or end == 0 or data[end:].strip(_BLANK + b"\0"):
        raise BrokenOff
    return found
