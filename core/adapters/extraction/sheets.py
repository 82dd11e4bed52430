"""Spreadsheets (XLSX, XLS, XLSB, ODS): the cells that hold something, row by row, under the names of their columns."""

import datetime
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from python_calamine import CalamineWorkbook

from core.adapters.extraction import cells, ods, old_sheets, opendocument_lock, sheet_notes
from core.adapters.extraction.number_formats import Formats
from core.adapters.extraction.package import Package
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable
from core.adapters.extraction.unpacking import Container
from core.domain.extraction import RefusalCode

MAX_ROWS = 1_048_576
_EMPTY_CELLS = re.compile(r"(?: \| ?){30,}")  # between two that hold something


def read(source: Source) -> None:
    """Every sheet is a page under its name."""
    if source.format == "xlsx":
        _read_package(source)
    elif source.format == "xls":
        old_sheets.read(source, _read_laid_out)
    elif source.format == "ods":
        opendocument_lock.unlock(source)
        ods.read(source, _read_rows)
    else:
        Container(source.data, source.name)  # refuses what expands too far
        if not _read_laid_out(source):
            raise _damaged(source.name)


def _read_package(source: Source) -> None:
    package = Package(source)
    parts = cells.sheet_parts(package)
    formats = Formats(package)
    far = any(cells.is_far_apart(package.bytes_of(part) or b"") for _name, part in parts)
    shown = [] if far else [formats.shown_in(package.bytes_of(part) or b"") for _name, part in parts]
    if far or not _read_laid_out(source, shown):
        _read_one_by_one(source, package, parts)
    for number, (_name, part) in enumerate(parts, 1):
        sheet_notes.read(source, package, part, number)


def _read_one_by_one(source: Source, package: Package, parts: list[tuple[str, str]]) -> None:
    """Cell by cell: what calamine can't lay out, or doesn't open (sheets of old macros, parts that are missing)."""
    if not parts:
        raise _damaged(source.name)
    look = cells.Look(package)
    source.transcript.pages = len(parts)
    for number, (name, part) in enumerate(parts, 1):
        source.transcript.page(number)
        _read_rows(source, name, cells.rows(package, part, look), number)


def _read_laid_out(source: Source, shown: Sequence[dict[tuple[int, int], str]] = ()) -> bool:
    """False for a book that calamine doesn't open. shown: what is shown at (row, column) of each sheet where that
    differs from what is stored."""
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(source.data))
    except BaseException as error:
        _pass_on(error)
        return False
    names = list(book.sheet_names)
    source.transcript.pages = len(names)
    failed: list[str] = []
    for number, name in enumerate(names, 1):
        source.transcript.page(number)
        try:
            sheet = book.get_sheet_by_name(name)
        except BaseException as error:
            _pass_on(error)
            failed.append(name)
            source.transcript.note("page_unreadable", f"The sheet {name} of {source.name} can't be read.", number)
            continue
        rows: Iterable[Sequence[Any]] = sheet.iter_rows()
        if len(shown) == len(names) and shown[number - 1] and sheet.start is not None:
            rows = _as_shown(rows, shown[number - 1], sheet.start[1])
        _read_rows(source, name, rows, number)
    if names and len(failed) == len(names):
        raise _damaged(source.name)
    return True


def _as_shown(rows: Iterable[Sequence[Any]], shown: dict[tuple[int, int], str], left: int) -> Iterator[Sequence[Any]]:
    """Rows with what their cells show. The library counts rows from the top of the sheet, but columns from `left`."""
    for number, row in enumerate(rows):
        yield [
            shown.get((number, column), cell) if isinstance(cell, float) else cell
            for column, cell in enumerate(row, left)
        ]


def _pass_on(error: BaseException) -> None:
    """Let pass what is not the library's: its panics (of Rust code) are no Exception either."""
    if isinstance(error, MemoryError) or not (isinstance(error, Exception) or type(error).__name__ == "PanicException"):
        raise error


def _damaged(name: str) -> Unreadable:
    if name.lower().endswith(".xlsb"):
        sentence = f"{name} is a binary Excel workbook that can't be read here. Open it in Excel and save it as XLSX."
        return Unreadable(RefusalCode.UNSUPPORTED, sentence)
    return Unreadable(
        RefusalCode.DAMAGED, f"{name} is a damaged spreadsheet and can't be read. Open and save it in its program."
    )


def _read_rows(source: Source, name: str, sheet: Iterable[Sequence[Any]], number: int) -> None:
    rows: list[str] = []
    first: Sequence[Any] = []
    for count, row in enumerate(sheet):
        if count >= MAX_ROWS:
            source.transcript.note("text_cut", f"The end of the sheet {name} was left out.", number)
            break
        shown = _EMPTY_CELLS.sub(" | ", " | ".join(map(_shown, row)).rstrip(" |"))
        if not shown:
            continue
        first = first or row
        rows.append(shown)
    if not rows:
        return
    source.transcript.heading(name, 1)
    named = len(rows) > 1 and all(isinstance(cell, str) for cell in first if cell != "") and rows[0].count(" | ") > 0
    source.transcript.table(rows[0] if named else "", rows[1:] if named else rows)


def _shown(cell: object) -> str:
    """The cell as people write it: whole numbers without a point and without an exponent, dates as ISO."""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e16 else repr(cell)
    if isinstance(cell, datetime.datetime):
        return cell.date().isoformat() if cell.time() == datetime.time() else cell.isoformat(" ", "minutes")
    if isinstance(cell, (datetime.date, datetime.time)):
        return cell.isoformat()
    return " ".join(str(cell).split())
