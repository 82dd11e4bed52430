"""Papers that are small and would take minutes: deep pages, endless lines, tags with thousands of attributes."""

import time

import pytest

from core.adapters.extraction.flat_html import is_too_deep
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
