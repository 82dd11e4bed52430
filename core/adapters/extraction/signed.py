"""Signed mails (S/MIME): the mail lies inside the signature (CMS, RFC 5652). What is encrypted stays shut."""

from collections.abc import Iterator

from core.adapters.extraction import base64_text
from core.adapters.extraction.formats import refusal
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable
from core.domain.extraction import RefusalCode

SIGNED = bytes.fromhex("06092a864886f70d010702")  # object identifiers of CMS, as they are encoded
CONTENT = bytes.fromhex("06092a864886f70d010701")
SEQUENCE, OCTETS, MANY_OCTETS, CHOICE = 0x30, 0x04, 0x24, 0xA0
MAX_DEPTH = 20


def read(source: Source) -> None:
    """The content of the signature as a part; it isn't checked who signed it."""
    data = source.data if source.data[:1] == b"\x30" else _from_text(source.data)
    if SIGNED not in data[:64]:
        refused = refusal("encrypted", source.name)
        assert refused is not None
        source.format = "encrypted"
        raise Unreadable(refused.code, refused.sentence)
    start = data.find(CONTENT)
    content = b"" if start < 0 else b"".join(_octets(data, start + len(CONTENT), len(data), 0, first=True))
    if not content.strip():
        sentence = f"{source.name} is a signature; what it signs lies in the mail beside it."
        raise Unreadable(RefusalCode.NO_TEXT, sentence)
    name = source.name.rpartition(".")[0] or source.name
    source.part(f"{name}.eml", content)


def _from_text(data: bytes) -> bytes:
    lines = (line for line in data.split(b"\n") if not line.startswith(b"-----"))
    return base64_text.unpacked(b"".join(lines)) or b""


def _octets(data: bytes, place: int, end: int, depth: int, *, first: bool = False) -> Iterator[bytes]:
    """Octet strings between two places (BER: in pieces, of lengths that may be told at their ends). first: one only."""
    while place + 2 <= end and depth < MAX_DEPTH:
        kind = data[place]
        if kind == 0 and data[place + 1] == 0:
            return
        length, place = _length(data, place + 1)
        inner_end = end if length < 0 else min(end, place + length)
        if kind == OCTETS:
            yield data[place:inner_end]
        elif kind in (MANY_OCTETS, CHOICE):
            yield from _octets(data, place, inner_end, depth + 1)
        else:
            return
        if first or length < 0:
            return
        place = inner_end


def _length(data: bytes, place: int) -> tuple[int, int]:
    """Length (-1: until its end is told) and the place behind it."""
    head = data[place]
    if head < 0x80:
        return head, place + 1
    count = head & 0x7F
    return (int.from_bytes(data[place + 1 : place + 1 + count], "big") if count else -1), place + 1 + count
