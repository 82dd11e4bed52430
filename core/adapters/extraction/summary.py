"""What office files of the old kind say of themselves (the property set "SummaryInformation", MS-OLEPS).

Read here because olefile goes through vectors of properties as long as a damaged file claims that they are.
"""

import struct
from typing import Any

from core.adapters.extraction import dates
from core.adapters.extraction.charset import decode
from core.adapters.extraction.codepages import charset
from core.adapters.extraction.embedded import stream
from core.adapters.extraction.transcript import Transcript

CODEPAGE, TITLE, AUTHOR, LAST_AUTHOR, CREATED, SAVED = 1, 2, 4, 8, 12, 13
SHORT, NARROW, WIDE, TIME = 2, 30, 31, 64  # types of values
MAX_PROPERTIES = 200
LONGEST = 4_000  # bytes of a text


def describe(transcript: Transcript, container: Any) -> None:
    """Title, author and date; nothing where the properties are damaged."""
    values = _values(stream(container, "\x05SummaryInformation"))
    codepage = values.get(CODEPAGE)
    named = charset(int.from_bytes(codepage[1], "little")) if codepage else None
    author, last = (_text(values, key, named) for key in (AUTHOR, LAST_AUTHOR))
    written = _time(values, CREATED) or _time(values, SAVED)
    transcript.describe(title=_text(values, TITLE, named), author=author or last, written_on=written)


def _values(data: bytes) -> dict[int, tuple[int, bytes]]:
    """Properties by their numbers: type, and the bytes behind it."""
    if len(data) < 48:
        return {}
    section = struct.unpack_from("<I", data, 44)[0]
    count = int.from_bytes(data[section + 4 : section + 8], "little")
    found: dict[int, tuple[int, bytes]] = {}
    for number in range(min(count, MAX_PROPERTIES)):
        entry = data[section + 8 + 8 * number : section + 16 + 8 * number]
        if len(entry) < 8:
            break
        key, place = struct.unpack("<II", entry)
        value = data[section + place : section + place + 8 + LONGEST]
        if len(value) >= 8:
            kind = int.from_bytes(value[:4], "little")
            found[key] = (kind, value[4:6] if kind == SHORT else value[4:])
    return found


def _text(values: dict[int, tuple[int, bytes]], key: int, named: str | None) -> str:
    kind, value = values.get(key, (0, b""))
    length = int.from_bytes(value[:4], "little")
    if kind == WIDE or (kind == NARROW and named == "utf-16-le"):
        letters = 2 * length if kind == WIDE else length
        return value[4 : 4 + letters].decode("utf-16-le", "replace").split("\0")[0]
    return decode(value[4 : 4 + length].split(b"\0")[0], named) if kind == NARROW else ""


def _time(values: dict[int, tuple[int, bytes]], key: int) -> str | None:
    kind, value = values.get(key, (0, b""))
    moment = dates.from_ticks(int.from_bytes(value[:8], "little")) if kind == TIME else None
    return dates.from_digits(moment.isoformat(timespec="seconds")) if moment else None
