"""Papers that are small and would take minutes: deep pages, endless lines, tags with thousands of attributes."""

import struct
import time

import pytest

from core.adapters.extraction.flat_html import is_too_deep
from core.domain.extraction import PART_PASSWORD
from tests.core.extraction.making import zipped
from tests.core.extraction.old_office import ole
from tests.core.extraction.reading import read, text

SECONDS = 15  # each takes about one; the limit leaves room for a busy machine

DEEP = {
    "blocks": "<div>" * 60_000 + "needle",
    "tables": "<table><tr><td>" * 20_000 + "needle",
    "formatting": "".join(f"<p><font color=red id={number}><b>word {number} " for number in range(8_000)) + "needle",
    "attributes": "<div " + " ".join(f"a{number}=x" for number in range(50_000)) + ">needle</div>",
    "comments": "<!-- " * 100_000 + "--> needle",
}
LINES = {
    "spaces.md": "".join("  " * number + "- item\n" for number in range(1500)) + "needle",
    "heading.md": "# a" + " " * 100_000 + "x\n\nneedle",
    "header.md": "---\na" + " " * 100_000 + "\n---\nneedle",
    "number.csv": "a,b\n" + "1" * 100_000 + "x,needle\n",
    "sections.xml": '<ClinicalDocument xmlns="urn:hl7-org:v3">'
    + "<component><section><title>t</title>" * 600
    + "<text>needle",
    "values.hl7": "MSH|^~\\&|LAB\rOBX|1|ST|a^b||" + "x~" * 100_000 + "needle",
    "cards.vcf": "BEGIN:VCARD\nNOTE;ENCODING=QUOTED-PRINTABLE:" + "=\n" * 200_000 + "needle\nEND:VCARD",
    "events.ics": "BEGIN:VCALENDAR\n" + "BEGIN:VEVENT\n" * 20_000 + "SUMMARY:needle",
    "subject.eml": "From: a@b\nTo: c@d\nSubject: " + "=?utf-8?q?a?= " * 50_000 + "\n\nneedle",
    "groups.rtf": "{\\rtf1 " + "{\\b " * 50_000 + "needle" + "}" * 50_000,
    "ascii.txt": "word " * 400_000 + "\nneedle é\n",
}


@pytest.mark.parametrize("kind", DEEP)
def test_deep_pages_end(kind: str) -> None:
    begun = time.perf_counter()
    assert "needle" in text(read(DEEP[kind].encode(), "deep.html"))
    assert time.perf_counter() - begun < SECONDS


@pytest.mark.parametrize("name", LINES)
def test_long_lines_end(name: str) -> None:
    begun = time.perf_counter()
    assert "needle" in text(read(LINES[name].encode("latin-1"), name))
    assert time.perf_counter() - begun < SECONDS


def test_a_long_text_is_cut_within_seconds() -> None:
    begun = time.perf_counter()
    assert "needle" in text(read(b"The nurse calls at nine. " * 200_000 + b"needle", "long.txt"))
    assert time.perf_counter() - begun < SECONDS


def test_a_page_read_without_a_tree_keeps_its_order_title_and_headings() -> None:
    page = (
        "<html><head><title>Rates</title><style>.noise{}</style></head><body><h1>May</h1><p>M&uuml;ller &amp; Co"
        "<br>next<script>noise()</script><table><tr><td>Flu<td>40</table><img alt='Map' src=x><!-- noise -->"
        + "<div>"
        * 3000
    )
    assert is_too_deep(page)
    result = read(page.encode() + b"end", "rates.html")
    assert result.title == "Rates"
    assert result.passages[-1].heading[0] == "Rates"
    assert text(result).split() == ["Rates", "May", "Müller", "&", "Co", "next", "Flu", "40", "Map", "end"]


def test_long_but_flat_pages_keep_their_tree() -> None:
    assert not is_too_deep("<p>one<br><img src=x><li>two" * 20_000)
    assert not is_too_deep("<div><b>one</b></div>" * 20_000)


def test_a_word_file_whose_pieces_say_the_same_bytes_again_ends() -> None:
    """100,000 pieces, each of which claims to be the whole text."""
    table = (
        struct.pack("<I", 0) + struct.pack("<I", 500_000) * 100_000 + struct.pack("<HIH", 0, 0x40000800, 0) * 100_000
    )
    main = bytearray(b"\xec\xa5\xc1\0".ljust(1024, b"\0") + b"word " * 100_000)
    struct.pack_into("<i", main, 0x4C, 500_000)
    clx = b"\x02" + struct.pack("<I", len(table)) + table
    struct.pack_into("<II", main, 0x01A2, 0, len(clx))
    begun = time.perf_counter()
    assert text(read(ole({"WordDocument": bytes(main), "0Table": clx}), "a.doc")).count("word") == 100_000
    assert time.perf_counter() - begun < SECONDS


def test_a_wrong_password_for_an_archive_of_thousands_ends() -> None:
    locked = bytearray(zipped({f"{number}.txt": "words" for number in range(3_000)}, stored=True))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = locked.find(mark)
        while at >= 0:
            locked[at + place] |= 1
            at = locked.find(mark, at + 4)
    begun = time.perf_counter()
    result = read(bytes(locked), "many.zip", password="falsch")
    assert [note.code for note in result.notes] == [PART_PASSWORD]
    assert time.perf_counter() - begun < SECONDS
