"""OpenDocument texts, sheets and presentations beyond the usual."""

import time

import pytest

from core.domain.extraction import RefusalCode
from tests.core.extraction.making import zipped
from tests.core.extraction.reading import read, refuse, text

NAMES = ["office", "text", "table", "draw", "presentation", "dc", "svg", "xlink", "form"]
SPACES = " ".join(f'xmlns:{name}="urn:{name}"' for name in NAMES)


def opendocument(kind: str, body: str) -> bytes:
    content = f'<?xml version="1.0"?><office:document-content {SPACES}><office:body>{body}</office:body>'
    mimetype = f"application/vnd.oasis.opendocument.{kind}"
    return zipped({"mimetype": mimetype, "content.xml": content + "</office:document-content>"})


def sheet(rows: str, more: str = "") -> bytes:
    return opendocument("spreadsheet", f'<table:table table:name="Prices">{more}{rows}</table:table>')


def row(*cells: str, repeated: int = 1) -> str:
    inner = "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in cells)
    return f'<table:table-row table:number-rows-repeated="{repeated}">{inner}</table:table-row>'


def test_what_is_deleted_or_hidden_is_left_out_and_what_is_anchored_is_read() -> None:
    body = """<text:tracked-changes><text:deletion><text:p>deleted</text:p></text:deletion></text:tracked-changes>
    <text:h text:outline-level="1">Head
    <text:note><text:note-body><text:p>note</text:p></text:note-body></text:note></text:h>
    <text:p>Body<text:s text:c="2"/>x<draw:frame><draw:image xlink:href="http://example.org/x.png"/>
    <svg:title>A map</svg:title></draw:frame>
    <draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame></text:p>
    <text:section text:display="none"><text:p>unseen</text:p></text:section>
    <office:forms><form:form form:name="f">
    <form:text form:label="Name" form:current-value="Ann"/></form:form></office:forms>"""
    found = text(read(opendocument("text", body), "a.odt"))
    assert [line.strip() for line in found.split("\n\n")] == ["Head", "note", "Body  x", "A map", "boxed", "Name: Ann"]


def test_a_table_in_a_cell_is_read_once() -> None:
    def table(cell: str) -> str:
        cells = f"<table:table-cell>{cell}</table:table-cell>"
        return f"<table:table><table:table-row>{cells}</table:table-row></table:table>"

    body = table(f"<text:p>out</text:p>{table('<text:p>in</text:p>')}")
    assert text(read(opendocument("text", body), "a.odt")) == "out in"


def test_sheets_show_what_their_cells_show() -> None:
    comment = "<office:annotation><text:p>ask first</text:p></office:annotation>"
    rows = row("Name", "Seen", "Fee") + (
        "<table:table-row><table:table-cell><text:p>Ann</text:p></table:table-cell>"
        '<table:table-cell office:date-value="2026-04-17"><text:p>17.04.26</text:p></table:table-cell>'
        f'<table:table-cell office:value="40"><text:p>CHF 40.00</text:p>{comment}</table:table-cell></table:table-row>'
    )
    shapes = (
        "<table:shapes><draw:frame><draw:text-box><text:p>floating</text:p></draw:text-box></draw:frame></table:shapes>"
    )
    result = read(sheet(rows, shapes), "a.ods")
    assert (result.format, result.pages) == ("ods", 1)
    assert text(result) == "Prices\n\nName | Seen | Fee\nAnn | 2026-04-17 | CHF 40.00\n\nfloating\nask first"


def test_cells_and_rows_that_are_repeated_by_the_million_end() -> None:
    begun = time.process_time()
    empty = '<table:table-row table:number-rows-repeated="1048000">'
    empty += '<table:table-cell table:number-columns-repeated="16384"/>'
    wide = '<table:table-cell table:number-columns-repeated="16384"><text:p>same</text:p></table:table-cell>'
    rows = f"{empty}</table:table-row><table:table-row>{wide}</table:table-row>" + row("needle", repeated=1_000_000)
    assert text(read(sheet(rows), "a.ods")).split() == ["Prices", "same", "|", "same", "needle"]
    assert time.process_time() - begun < 5


def test_a_long_sheet_is_read_as_a_stream() -> None:
    rows = "".join(row(f"Name {number}", str(number), "x") for number in range(20_000))
    result = read(sheet(rows), "long.ods")
    assert "Name 19999 | 19999 | x" in result.passages[-1].text


@pytest.mark.parametrize("kind", ["graphics", "text-master", "text-template", "presentation"])
def test_other_kinds(kind: str) -> None:
    page = "<draw:page><draw:frame><draw:text-box><text:p>needle</text:p></draw:text-box></draw:frame></draw:page>"
    assert "needle" in text(read(opendocument(kind, page), "a.odg"))


def test_damaged_sheets_are_said() -> None:
    assert refuse(opendocument("spreadsheet", "nothing"), "a.ods").code is RefusalCode.DAMAGED
