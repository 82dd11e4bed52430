"""Spreadsheets (XLSX, XLS, XLSB, ODS): the cells that hold something, row by row, under the names of their columns."""

import datetime
import io
from typing import Any

from python_calamine import CalamineWorkbook, PasswordError

from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable
from core.adapters.extraction.unpacking import Container
from core.domain.extraction import RefusalCode

MAX_ROWS = 1_048_576
MAX_COLUMNS = 2_000


def read(source: Source) -> None:
    """Every sheet is a page under its name."""
    if source.format != "xls":
        Container(source.data, source.name)  # refuses what expands too far
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(source.data))
    except PasswordError:
        raise Unreadable(
            RefusalCode.PASSWORD,
            f"{source.name} is locked with a password. Save it without the password and add it again.",
        ) from None
    except BaseException as error:
        _pass_on(error)
        raise _damaged(source.name) from None
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
        _read_sheet(source, name, sheet, number)
    if names and len(failed) == len(names):
        raise _damaged(source.name)


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


def _read_sheet(source: Source, name: str, sheet: Any, number: int) -> None:
    rows: list[str] = []
    first: list[Any] = []
    for count, cells in enumerate(sheet.iter_rows()):
        if count >= MAX_ROWS:
            source.transcript.note("text_cut", f"The end of the sheet {name} was left out.", number)
            break
        shown = [_shown(cell) for cell in cells[:MAX_COLUMNS]]
        while shown and not shown[-1]:
            shown.pop()
        if not any(shown):
            continue
        first = first or cells
        rows.append(" | ".join(shown))
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
