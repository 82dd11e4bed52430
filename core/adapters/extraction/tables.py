"""Comma, semicolon, tab and bar separated tables: every record as it was written, under the names of its columns."""

import re
from collections.abc import Iterator

from core.adapters.extraction.source import Source

DELIMITERS = (",", ";", "\t", "|")
MOST_LINES_OF_A_RECORD = 50
_SEPARATOR = re.compile(r"\"?sep=.\"?\s*$")
_NUMBER = re.compile(r"[\s\"']*[-+]?[\d.,:/ -]*\d[\d.,:/ %€$-]*[\s\"']*$")


def read(source: Source) -> None:
    """One table; its first record names the columns if it looks like names."""
    records = list(_records(source.text().replace("\r\n", "\n").replace("\r", "\n").split("\n")))
    if records and _SEPARATOR.match(records[0]):  # a line for Excel alone
        records = records[1:]
    if not records:
        return
    header = records[0] if len(records) > 1 and _names_columns(records) else ""
    source.transcript.table(header, records[1:] if header else records)


def _records(lines: list[str]) -> Iterator[str]:
    """Records in the letters they were written in. A quote that never closes doesn't swallow the rows behind it."""
    number = 0
    while number < len(lines):
        taken, quotes = 1, lines[number].count('"')
        while quotes % 2 and number + taken < len(lines) and taken < MOST_LINES_OF_A_RECORD:
            quotes += lines[number + taken].count('"')
            taken += 1
        if quotes % 2:
            taken = 1
        record = " ".join(lines[number : number + taken])
        if record.strip():
            yield record
        number += taken


def _names_columns(records: list[str]) -> bool:
    delimiter = max(DELIMITERS, key=lambda mark: (min(row.count(mark) for row in records[:20]), records[0].count(mark)))
    cells = [cell.strip(" \"'") for cell in records[0].split(delimiter)]
    filled = [cell for cell in cells if cell]
    return (
        len(filled) >= len(cells) * 0.6
        and len(set(filled)) == len(filled)
        and not any(len(cell) > 80 or _NUMBER.match(cell) for cell in filled)
    )
