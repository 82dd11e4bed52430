"""Numbers in a spreadsheet (XLSX) as their cells show them: 45.5 as 45.50, 0.19 as 19%, 1307 as 01307."""

import re
from collections.abc import Iterator

from core.adapters.extraction.markup import Element, attribute, below
from core.adapters.extraction.package import Package

# ECMA-376, 18.8.30: formats that every book has without saying so.
DATE_FORMATS = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
DECIMALS = {2: 2, 4: 2, 7: 2, 8: 2, 39: 2, 40: 2, 44: 2}
PERCENT = {9: 0, 10: 2}
_DATE = re.compile(r"(?i)[ymdhs]")
_LITERAL = re.compile(r'"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|_.|\*.|General', re.IGNORECASE)
_SHAPE = re.compile(r"([0#?,]*)(?:\.([0#?]+))?")
_STYLED_NUMBER = re.compile(
    rb"<(?:\w+:)?c\b([^>]*[^/>])>(?:<(?:\w+:)?f\b[^>]*(?:/>|>[^<]*</(?:\w+:)?f>))?<(?:\w+:)?v>([^<]{1,40})</"
)
_REFERENCE, _STYLE = re.compile(rb"\br=[\"']([A-Z]{1,3})(\d{1,7})[\"']"), re.compile(rb"\bs=[\"'](\d{1,6})[\"']")
_KIND = re.compile(rb"\bt=[\"'](?!n[\"'])")


class Formats:
    """The formats of a book's cells, by their number."""

    def __init__(self, package: Package) -> None:
        parts = package.related(package.main_name, "styles") if hasattr(package, "main_name") else []
        self._formats = [format for part in parts for format in _formats(package.xml(part))]

    def is_date(self, style: int) -> bool:
        """Whether such a cell shows a date or a time."""
        return style < len(self._formats) and self._formats[style] == "date"

    def shown(self, style: int, number: float) -> str | None:
        """The number as such a cell shows it; None where it looks as it is."""
        format = self._formats[style] if style < len(self._formats) else None
        if format is None or isinstance(format, str):
            return None
        return format.shown(number)

    def shown_in(self, sheet: bytes) -> dict[tuple[int, int], str]:
        """(row, column), counted from 0, to what is shown there, for the cells of a sheet's XML that differ."""
        found: dict[tuple[int, int], str] = {}
        if not any(isinstance(format, _Shape) for format in self._formats):
            return found
        for cell in _STYLED_NUMBER.finditer(sheet):
            place, style = _REFERENCE.search(cell[1]), _STYLE.search(cell[1])
            if place is None or style is None or _KIND.search(cell[1]):
                continue
            try:
                shown = self.shown(int(style[1]), float(cell[2]))
            except ValueError:
                continue
            if shown is not None:
                found[int(place[2]) - 1, column_number(place[1].decode()) - 1] = shown
        return found


class _Shape:
    """decimals: digits behind the point. digits: at least so many before it. percent: a hundred times as much."""

    def __init__(self, decimals: int, digits: int = 1, percent: bool = False) -> None:
        self._decimals, self._digits, self._percent = decimals, digits, percent

    def shown(self, number: float) -> str | None:
        if abs(number) >= 1e15 or number != number:
            return None
        if self._percent:
            return f"{number * 100:.{self._decimals}f}%"
        if self._decimals:
            return f"{number:.{self._decimals}f}"
        return f"{int(number):0{self._digits}}" if self._digits > 1 and number.is_integer() and number >= 0 else None


def column_number(letters: str) -> int:
    """1 for A, 27 for AA."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _formats(styles: Element | None) -> Iterator["_Shape | str | None"]:
    """For each format of cells: "date", how it shows numbers, or None."""
    own = {attribute(form, "numFmtId"): attribute(form, "formatCode") or "" for form in below(styles, "numFmt")}
    for formats in below(styles, "cellXfs"):
        for form in formats:
            number = attribute(form, "numFmtId") or "0"
            yield _of_code(own[number]) if number in own else _built_in(int(number) if number.isdigit() else 0)


def _built_in(number: int) -> "_Shape | str | None":
    if number in DATE_FORMATS:
        return "date"
    if number in PERCENT:
        return _Shape(PERCENT[number], percent=True)
    return _Shape(DECIMALS[number]) if number in DECIMALS else None


def _of_code(code: str) -> "_Shape | str | None":
    plain = _LITERAL.sub("", code).split(";")[0]
    if _DATE.search(plain):
        return "date"
    shape = _SHAPE.search(plain.lstrip(" -+$€£"))
    if shape is None or "E" in plain or "/" in plain or not any(mark in plain for mark in "0#?"):
        return None
    decimals = (shape[2] or "").count("0")
    optional = "#" in (shape[2] or "") or "?" in (shape[2] or "")
    if "%" in plain:
        return _Shape(decimals, percent=True)
    digits = shape[1].count("0") if "," not in shape[1] else 1
    return None if optional or (not decimals and digits < 2) else _Shape(decimals, digits)
