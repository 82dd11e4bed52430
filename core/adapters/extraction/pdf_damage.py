"""Pages of a PDF whose content is damaged. PDFium shows what is left of such a page and says nothing.

Looked for in the file itself, where its objects lie open (ISO 32000-1, 7.5 and 7.7.3); what lies packed or locked is
left to PDFium.
"""

import re
import zlib
from collections.abc import Iterator

MAX_BYTES = 100 * 1024 * 1024  # of content, unpacked
MAX_DEPTH = 60
MAX_NODES = 50_000
_OBJECT = re.compile(rb"(?<!\d)(\d{1,10})\s+\d{1,5}\s+obj\b")
_ROOT, _PAGES = re.compile(rb"/Root\s+(\d+)\s+\d+\s+R"), re.compile(rb"/Pages\s+(\d+)\s+\d+\s+R")
_KIDS, _CONTENTS = re.compile(rb"/Kids\s*\[([^\]]*)\]"), re.compile(rb"/Contents\s*(?:\[([^\]]*)\]|(\d+)\s+\d+\s+R)")
_REFERENCE = re.compile(rb"(\d+)\s+\d+\s+R")
_FLATE = re.compile(rb"/Filter\s*\[?\s*/(?:FlateDecode|Fl)\s*(?:\]|/(?!A85|ASCII)|>|\s)")
_STREAM = re.compile(rb"\bstream\r?\n")


def damaged_pages(data: bytes, pages: int) -> list[int]:
    """Numbers (from 1) of pages with content that doesn't unpack; [] where the file's structure doesn't lie open."""
    if b"/Encrypt" in data or b"/FlateDecode" not in data:
        return []
    file = _File(data)
    found = list(file.pages())
    if len(found) != pages:
        return []
    return [number for number, page in enumerate(found, 1) if any(file.is_damaged(one) for one in file.contents(page))]


class _File:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._places = {int(found[1]): found.end() for found in _OBJECT.finditer(data)}  # the last of a number counts
        self._room = MAX_BYTES
        self._known: dict[int, bool] = {}

    def _dictionary(self, number: int) -> bytes:
        place = self._places.get(number)
        if place is None:
            return b""
        end = self._data.find(b"endobj", place, place + 200_000)
        body = self._data[place : end if end >= 0 else place + 20_000]
        stream = _STREAM.search(body)
        return body[: stream.start()] if stream else body

    def pages(self) -> Iterator[int]:
        """Numbers of the page objects in the order of the document."""
        roots = _ROOT.findall(self._data)
        tree = _PAGES.search(self._dictionary(int(roots[-1]))) if roots else None
        stack = [(int(tree[1]), 0)] if tree else []
        seen: set[int] = set()
        while stack and len(seen) < MAX_NODES:
            number, depth = stack.pop()
            if number in seen or depth > MAX_DEPTH:
                continue
            seen.add(number)
            node = self._dictionary(number)
            kids = _KIDS.search(node)
            if kids is not None:
                stack.extend((int(kid), depth + 1) for kid in reversed(_REFERENCE.findall(kids[1])))
            elif b"/Page" in node:
                yield number

    def contents(self, page: int) -> list[int]:
        found = _CONTENTS.search(self._dictionary(page))
        if found is None:
            return []
        if found[1] is not None:
            return [int(one) for one in _REFERENCE.findall(found[1])]
        inner = self._dictionary(int(found[2])).strip()
        return [int(one) for one in _REFERENCE.findall(inner)] if inner.startswith(b"[") else [int(found[2])]

    def is_damaged(self, number: int) -> bool:
        if number not in self._known:
            self._known[number] = self._is_damaged(number)
        return self._known[number]

    def _is_damaged(self, number: int) -> bool:
        place = self._places.get(number, -1)
        head = self._dictionary(number)
        stream = _STREAM.search(self._data, place, place + len(head) + 20) if place >= 0 else None
        if stream is None or _FLATE.search(head) is None or self._room <= 0:
            return False
        end = self._data.find(b"endstream", stream.end())
        packed = self._data[stream.end() : end if end >= 0 else len(self._data)]
        try:
            self._room -= len(zlib.decompressobj().decompress(packed, self._room))
        except zlib.error:
            return True
        return False
