"""Sheets of an XLSX read cell by cell, however far apart their cells lie.

calamine lays a sheet out from its first to its last cell: one forgotten character at XFD1048576 asks it for 17 thousand
million cells. Such books are read here, in about twice the time for a cell.
"""

import datetime
import io
import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from core.adapters.extraction.markup import SAFELY, Element, attribute, below, local
from core.adapters.extraction.number_formats import Formats, column_number
from core.adapters.extraction.package import Package

MAX_LAID_OUT = 4_000_000  # cells; a full sheet of 100,000 rows has fewer
_FAR_COLUMN = re.compile(rb"r=[\"']([A-Z]{2,3})\d")
_FAR_ROW = re.compile(rb"r=[\"'][A-Z]*(\d{5,7})[\"']")


def is_far_apart(sheet: bytes) -> bool:
    """Whether the rectangle around the cells of a sheet (its XML) is too large to lay out."""
    last = max((int(found[1]) for found in _FAR_ROW.finditer(sheet)), default=10_000)
    widest = max((column_number(letters.decode()) for letters in set(_FAR_COLUMN.findall(sheet))), default=26)
    return last * widest > MAX_LAID_OUT


def rows(package: Package, part: str, look: "Look") -> Iterator[list[Any]]:
    """The rows that hold something, each a list of its cells without the empty ones between them."""
    data = package.bytes_of(part) or b""
    parsing = etree.iterparse(io.BytesIO(data), tag="{*}row", **SAFELY)
    try:
        for _event, row in parsing:
            cells = [value for cell in row if (value := look.value(cell)) not in (None, "")]
            if cells:
                yield cells
            row.clear()
            while row.getprevious() is not None:
                del row.getparent()[0]
    except etree.XMLSyntaxError:  # what was read before the damage counts
        return


class Look:
    """What the cells of a book refer to: shared texts, and formats that make a number a date."""

    def __init__(self, package: Package) -> None:
        self._texts = [
            "".join(text.text or "" for text in below(item, "t") if local(text.getparent()) != "rPh")
            for part in package.related(package.main_name, "sharedStrings")
            for item in below(package.xml(part), "si")
        ]
        self._formats = Formats(package)
        book = next(below(package.xml(package.main_name), "workbookPr"), None)
        since_1904 = book is not None and attribute(book, "date1904") in ("1", "true")
        self._epoch = datetime.datetime(1904, 1, 1) if since_1904 else datetime.datetime(1899, 12, 30)

    def value(self, cell: Element) -> Any:
        """Text, number, date or truth of a cell; None for an empty one."""
        kind = cell.get("t") or "n"
        if kind == "inlineStr":
            return "".join(text.text or "" for text in below(cell, "t") if local(text.getparent()) != "rPh")
        written = next((child.text for child in cell if local(child) == "v"), None)
        if written is None:
            return None
        if kind == "s":
            return self._texts[int(written)] if written.isdigit() and int(written) < len(self._texts) else None
        if kind == "b":
            return written == "1"
        return written if kind in ("str", "e", "d") else self._number(written, cell.get("s") or "")

    def _number(self, written: str, style: str) -> Any:
        try:
            number, format = float(written), int(style or 0)
            if self._formats.is_date(format):
                return self._epoch + datetime.timedelta(days=number)
        except (ValueError, OverflowError):
            return written
        shown = self._formats.shown(format, number)
        return number if shown is None else shown


def sheet_parts(package: Package) -> list[tuple[str, str]]:
    """Names of the sheets and of their parts, in the order of the book."""
    book = package.main_part("officeDocument", "xl/workbook.xml")
    relations = package.relations(package.main_name)
    found: list[tuple[str, str]] = []
    for sheet in below(book, "sheet"):
        _kind, part = relations.get(attribute(sheet, "id") or "", ("", ""))
        if part:
            found.append((attribute(sheet, "name") or part, part))
    return found
