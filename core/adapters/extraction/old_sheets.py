"""Excel books of the old kind (.xls): their locks, and what stands beside the cells."""

import io
import struct
from collections.abc import Callable, Iterator
from typing import Any, cast

import olefile

from core.adapters.extraction import embedded, locked, summary
from core.adapters.extraction.charset import decode
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable
from core.domain.extraction import RefusalCode

# Records of a book (MS-XLS 2.3.2): what locks it, texts of comments and text boxes, and what continues them.
LOCK, BEGINNING, END, TEXT_BOX, CONTINUED = 0x002F, 0x0809, 0x000A, 0x01B6, 0x003C
MAX_RECORDS = 5_000_000


def read(source: Source, read_cells: Callable[[Source], bool]) -> None:
    """Cells, then comments, text boxes and embedded files. Locked books ask for their password."""
    try:
        container = cast(Any, olefile.OleFileIO(io.BytesIO(source.data)))
    except MemoryError:
        raise
    except Exception:  # olefile raises what it meets in damaged files
        container = None
    if container is None:
        if not read_cells(source):
            raise _damaged(source.name)
        return
    with container:
        book = embedded.stream(container, "Workbook") or embedded.stream(container, "Book")
        if _is_locked(book):
            locked.read(source)
            return
        summary.describe(source.transcript, container)
        if not read_cells(source):
            raise _damaged(source.name)
        source.transcript.page(None)
        source.transcript.paragraph("\n".join(_texts_beside(book)))
        embedded.read_pool(source, container, "MBD")


def _damaged(name: str) -> Unreadable:
    return Unreadable(
        RefusalCode.DAMAGED, f"{name} is a damaged spreadsheet and can't be read. Open and save it in its program."
    )


def _records(book: bytes) -> Iterator[tuple[int, bytes]]:
    place = 0
    for _count in range(MAX_RECORDS):
        if place + 4 > len(book):
            return
        kind, length = struct.unpack_from("<HH", book, place)
        yield kind, book[place + 4 : place + 4 + length]
        place += 4 + length


def _is_locked(book: bytes) -> bool:
    """The lock stands among the first records, before anything that is locked."""
    for kind, content in _records(book[:4096]):
        if kind == LOCK:
            return any(content)
        if kind == END:
            return False
    return False


def _texts_beside(book: bytes) -> Iterator[str]:
    """Comments and text boxes: a record that says how long the text is, and the text in the record behind it."""
    letters = 0
    for kind, content in _records(book):
        if kind == TEXT_BOX and len(content) >= 12:
            letters = struct.unpack_from("<H", content, 10)[0]
        elif kind == CONTINUED and letters and content:
            wide = content[0] & 1
            data = content[1 : 1 + letters * (2 if wide else 1)]
            yield data.decode("utf-16-le", "replace") if wide else decode(data, "cp1252")
            letters = 0
