"""Spreadsheets of OpenDocument (ODS), row by row: what the cells show, dates as ISO, comments beside them.

Read as a stream: a table of a million rows needs no more memory than one row, and a repeated cell is said once or a few
times however often it is repeated.
"""

import io
from collections.abc import Callable, Iterator, Sequence

from lxml import etree

from core.adapters.extraction.markup import SAFELY, Element, attribute, below, local
from core.adapters.extraction.opendocument import line_of
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable
from core.adapters.extraction.unpacking import Container
from core.domain.extraction import RefusalCode

MOST_REPEATED = 50  # empty cells between two that hold something; of cells that hold something two are enough
SHEETS, CELLS = ("table",), ("table-cell", "covered-table-cell")

ReadRows = Callable[[Source, str, Iterator[Sequence[str]], int], None]


def read(source: Source, read_rows: ReadRows) -> None:
    """Every sheet is a page under its name; read_rows takes its rows."""
    content = Container(source.data, source.name).read_if_there("content.xml")
    if not content:
        raise _damaged(source.name)
    sheets = _Sheets(content)
    number = 0
    for number, name in enumerate(sheets, 1):
        source.transcript.page(number)
        read_rows(source, name or f"Sheet {number}", sheets.rows(), number)
        source.transcript.paragraph("\n".join(sheets.beside))
    if not number:
        raise _damaged(source.name)
    source.transcript.pages = number


def _damaged(name: str) -> Unreadable:
    return Unreadable(
        RefusalCode.DAMAGED, f"{name} is a damaged spreadsheet and can't be read. Open and save it in its program."
    )


class _Sheets:
    """Goes through the XML once: iterating moves to the next sheet, `rows` through its rows."""

    def __init__(self, content: bytes) -> None:
        self._events = etree.iterparse(
            io.BytesIO(content),
            events=("start", "end"),
            tag=("{*}table", "{*}table-row", "{*}shapes"),
            **SAFELY,
        )
        self._inside = 0
        self.beside: list[str] = []  # comments, and texts of boxes that float over the sheet

    def __iter__(self) -> Iterator[str]:
        while (found := self._next()) is not None:
            event, element = found
            if event == "start" and local(element) == "table":
                self._inside, self.beside = 1, []
                yield attribute(element, "name") or ""
                for _row in self.rows():  # what nobody asked for
                    pass

    def rows(self) -> Iterator[Sequence[str]]:
        while self._inside and (found := self._next()) is not None:
            event, element = found
            name = local(element)
            if name == "table":  # also one inside a cell
                self._inside += 1 if event == "start" else -1
            elif event == "end" and self._inside == 1:
                if name == "shapes":
                    self.beside += filter(None, (line_of(one) for one in below(element, "p", "h")))
                elif cells := self._cells(element):
                    yield cells
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]

    def _next(self) -> tuple[str, Element] | None:
        try:
            return next(self._events, None)
        except etree.XMLSyntaxError:  # what was read before the damage counts
            return None

    def _cells(self, row: Element) -> list[str]:
        cells: list[str] = []
        for cell in row:
            if local(cell) not in CELLS:
                continue
            shown = _shown(cell)
            times = attribute(cell, "number-columns-repeated") or "1"
            most = 2 if shown else MOST_REPEATED
            cells += [shown] * min(most, int(times) if times.isdigit() else 1)
            for comment in below(cell, "annotation"):
                self.beside += filter(None, (line_of(one) for one in below(comment, "p")))
        while cells and not cells[-1]:
            cells.pop()
        return cells


def _shown(cell: Element) -> str:
    date = attribute(cell, "date-value")
    if date:
        return date.removesuffix("T00:00:00").replace("T", " ")
    lines = [line_of(child) for child in cell if local(child) in ("p", "h")]
    return " ".join(" ".join(lines).split()) or attribute(cell, "value") or ""
