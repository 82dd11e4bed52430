"""PDFs that break off: PDFium finds their objects again, but not those that lie packed in object streams, and only with
an end that names the catalog."""

import re
import zlib
from collections.abc import Iterator

MAX_UNPACKED_BYTES = 200 * 1024 * 1024
_PACKED = re.compile(
    rb"\d+\s+\d+\s+obj\s*<<((?:[^<>]|<<[^<>]*>>|<[^<>]*>){0,2000}?/ObjStm(?:[^<>]|<<[^<>]*>>|<[^<>]*>){0,2000}?)>>\s*stream\r?\n"
)
_COUNT, _FIRST = re.compile(rb"/N\s+(\d+)"), re.compile(rb"/First\s+(\d+)")
_OBJECT = re.compile(rb"(\d+)\s+0\s+obj\b")
_KIND = re.compile(rb"/Type\s*/(Catalog|Page)\b")
OWN_CATALOG, OWN_PAGES = 8_388_606, 8_388_605  # numbers that hardly any file has (PDFium's largest is 8,388,607)


def repaired(data: bytes) -> bytes | None:
    """The file with the objects of its object streams (ISO 32000-1, 7.5.7) written out, and with an end that names its
    catalog; None where there is neither a catalog nor a page.

    Where the catalog itself is missing, the pages that are left follow each other as they stand in the file.
    """
    unpacked = b"\n".join(b"%d 0 obj\n%s\nendobj" % (number, body) for number, body in _objects(data))
    kinds = list(_kinds(data + b"\n" + unpacked))
    catalog = next((number for number, kind in reversed(kinds) if kind == b"Catalog"), None)
    pages = list(dict.fromkeys(number for number, kind in kinds if kind == b"Page"))
    if catalog is None and pages:
        kids = b" ".join(b"%d 0 R" % number for number in pages)
        unpacked += b"\n%d 0 obj\n<< /Type /Pages /Count %d /Kids [%s] >>\nendobj" % (OWN_PAGES, len(pages), kids)
        unpacked += b"\n%d 0 obj\n<< /Type /Catalog /Pages %d 0 R >>\nendobj" % (OWN_CATALOG, OWN_PAGES)
        catalog = OWN_CATALOG
    if catalog is None:
        return None
    return data + b"\nendstream\nendobj\n" + unpacked + b"\ntrailer\n<< /Root %d 0 R >>\n%%%%EOF\n" % catalog


def _kinds(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Numbers of the objects that say in their first bytes that they are a catalog or a page."""
    starts = list(_OBJECT.finditer(data))
    for found, following in zip(starts, [*starts[1:], None], strict=False):
        end = min(found.end() + 4000, following.start() if following else len(data))
        if (kind := _KIND.search(data, found.end(), end)) is not None:
            yield int(found[1]), kind[1]


def _objects(data: bytes) -> Iterator[tuple[int, bytes]]:
    room = MAX_UNPACKED_BYTES
    for found in _PACKED.finditer(data):
        count, first = _COUNT.search(found[1]), _FIRST.search(found[1])
        if count is None or first is None:
            continue
        content = _inflated(data[found.end() :], room) if b"/FlateDecode" in found[1] else data[found.end() :]
        room -= len(content)
        start = int(first[1])
        numbers = [int(word) for word in content[:start].split() if word.isdigit()][: 2 * int(count[1])]
        places = [start + place for place in numbers[1::2]] + [len(content)]
        for number, place, end in zip(numbers[::2], places, places[1:], strict=False):
            yield number, content[place:end]


def _inflated(packed: bytes, most: int) -> bytes:
    """As far as it goes."""
    stream = zlib.decompressobj()
    out = bytearray()
    try:
        for begin in range(0, len(packed), 1 << 16):
            out += stream.decompress(packed[begin : begin + (1 << 16)], max(1, most - len(out)))
            if stream.eof or len(out) >= most:
                break
    except zlib.error:
        pass
    return bytes(out)
