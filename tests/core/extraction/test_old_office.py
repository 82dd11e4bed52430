"""Word, PowerPoint and Excel files of the old kinds."""

import io
import struct
from datetime import UTC, datetime
from typing import Any

import olefile
import pytest

from core.domain.extraction import RefusalCode
from tests.core.extraction.old_office import doc, ole, ppt
from tests.core.extraction.reading import read, refuse, text

HEADING, ROW_CELL, ROW_END = b"\x02\x00", b"\x00\x00\x16\x24\x01", b"\x00\x00\x16\x24\x01\x17\x24\x01"


def test_the_maker_makes_containers() -> None:
    data = {"Small": b"abc", "Large": bytes(9000), "Folder/Inside": b"x" * 700}
    opened: Any = olefile.OleFileIO(io.BytesIO(ole(data)))
    assert opened.openstream("Small").read() == b"abc"
    assert opened.openstream("Large").read() == bytes(9000)
    assert opened.openstream("Folder/Inside").read() == b"x" * 700


def test_word_text_lies_in_pieces_of_both_widths() -> None:
    result = read(doc("Müller’s visit\rStraße und Čekárna\r"), "visit.doc")
    assert result.format == "doc"
    assert text(result) == "Müller’s visit\n\nStraße und Čekárna"


def test_word_headings_tables_and_fields() -> None:
    words = 'Prices\rFlu\x0740\x07\x07Tetanus\x0735\x07\x07See \x13 HYPERLINK "http://x" \x14our page\x15\x0bnow\r'
    looks = {0: HEADING, **dict.fromkeys((1, 2, 4, 5), ROW_CELL), **dict.fromkeys((3, 6), ROW_END)}
    result = read(doc(words, looks=looks), "prices.doc")
    assert text(result) == "Prices\n\nFlu | 40\nTetanus | 35\n\nSee our page\nnow"
    assert result.passages[0].heading == ("Prices",)


def test_word_leaves_out_what_was_deleted() -> None:
    words = "An offer of many words to fill the first half of it all.\rThe fee is ninety fifty francs.\r"
    start = words.index("ninety")
    assert "The fee is fifty francs." in text(read(doc(words, deleted=(start, start + 7)), "offer.doc"))


def test_word_notes_headers_and_comments_follow() -> None:
    stories = {1: "\x02 See the law.\r", 2: "Letterhead\rLetterhead\r", 4: "\x05Ask Ann.\r"}
    found = text(read(doc("The body.\r", stories=stories), "letter.doc"))
    assert found == "The body.\n\nHeader and footer\n\nLetterhead\n\nFootnotes\n\nSee the law.\n\nComments\n\nAsk Ann."


def test_word_files_packed_into_it_are_parts() -> None:
    path = b"note.txt\0C:\\note.txt\0"
    native = b"\0\0\0\0\x02\0" + path + b"\0\0\x03\0" + b"\x05\0\0\0C:\\x\0" + b"\x06\0\0\0inside"
    result = read(doc("The body.\r", others={"ObjectPool/_1/\x01Ole10Native": native}), "a.doc")
    assert [passage.part for passage in result.passages if passage.text == "inside"] == ["note.txt"]
    assert "Embedded files: note.txt" in text(result)


def test_word_locked_or_damaged() -> None:
    assert refuse(doc("secret\r", encrypted=True), "a.doc").code is RefusalCode.PASSWORD
    assert refuse(doc("words\r")[:700], "b.doc").code is RefusalCode.DAMAGED
    assert refuse(ole({"WordDocument": b"\xec\xa5" + bytes(200)}), "c.doc").code in (
        RefusalCode.DAMAGED,
        RefusalCode.NO_TEXT,
    )


def test_slides_in_order_with_notes_without_what_was_saved_over() -> None:
    slides = ["Opening\nMonday at eight\rTuesday too", "Zürich 今日\nSecond"]
    result = read(ppt(slides, earlier="Old title\nold words", notes="*\nTell them about the ramp"), "talk.ppt")
    found = text(result)
    assert (result.format, result.title, result.pages) == ("ppt", "Opening", 2)
    assert found == "Opening\n\nMonday at eight\nTuesday too\n\nNotes:\nTell them about the ramp\nZürich 今日\n\nSecond"
    assert [passage.page for passage in result.passages] == [1, 2]


@pytest.mark.parametrize("cut", [600, 1500, 2100])
def test_a_presentation_that_breaks_off_is_said(cut: int) -> None:
    assert refuse(ppt(["One\nTwo"])[:cut], "talk.ppt").code is RefusalCode.DAMAGED


def summary(codepage: int, *values: tuple[int, int, bytes]) -> bytes:
    """A property set of these (number, type, bytes)."""
    entries = [(1, 2, struct.pack("<Hxx", codepage)), *values]
    place, table, body = 8 + 8 * len(entries), b"", b""
    for number, kind, value in entries:
        table += struct.pack("<II", number, place + len(body))
        body += struct.pack("<I", kind) + value + bytes(-len(value) % 4)
    section = struct.pack("<II", place + len(body), len(entries)) + table + body
    return bytes(28) + bytes(16) + struct.pack("<I", 48) + section


def test_properties_in_their_code_page() -> None:
    title = "Запись на приём\0".encode("cp1251")
    created = int((datetime(2026, 4, 17, tzinfo=UTC) - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000
    said = summary(1251, (2, 30, struct.pack("<I", len(title)) + title), (12, 64, created.to_bytes(8, "little")))
    result = read(doc("words\r", others={"\x05SummaryInformation": said}), "a.doc")
    assert (result.title, result.written_on) == ("Запись на приём", "2026-04-17T00:00:00+00:00")


def test_properties_that_claim_to_be_endless_end() -> None:
    said = summary(1252, (2, 0x101E, b"\xff\xff\xff\x7f"), (4, 30, b"\xff\xff\xff\x7fAnn\0"), (12, 64, b"\xff" * 8))
    result = read(doc("words\r", others={"\x05SummaryInformation": said}), "a.doc")
    assert (result.title, result.author, result.written_on) == (None, "Ann", None)
