"""Random and mutilated files: a passage or a refusal, never an error, and never for long."""

import io
from functools import cache
from pathlib import Path

import docx
import pytest
import xlsxwriter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.adapters.extraction.paper import read_paper
from core.domain.extraction import Extracted, Refusal
from tests.core.extraction.making import pdf, zipped
from tests.core.extraction.reading import cutter
from tests.core.extraction.test_clinical import CLINICAL, MESSAGES, dicom
from tests.core.extraction.test_mail import mail

# Libraries may warn and log about such files; in the worker nobody hears them.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.logs("")]
SUFFIXES = (
    *("", ".txt", ".md", ".html", ".csv", ".json", ".pdf", ".docx", ".eml", ".mbox", ".msg", ".rtf", ".odt", ".xml"),
    *(".hl7", ".ics", ".vcf", ".dcm", ".zip", ".gz", ".mht"),
)


def survives(data: bytes, name: str) -> None:
    result = read_paper(data, name, cutter())
    assert isinstance(result, (Extracted, Refusal))
    if isinstance(result, Extracted):
        assert result.passages
        for passage in result.passages:
            assert passage.text.strip()
            passage.text.encode("utf-8")
    else:
        assert name in result.sentence


@cache
def samples() -> dict[str, bytes]:
    document, sheet = docx.Document(), io.BytesIO()
    document.add_heading("Prices", 1)
    document.add_table(2, 2).cell(0, 0).text = "Flu"
    word = io.BytesIO()
    document.save(word)
    with xlsxwriter.Workbook(sheet) as book:
        book.add_worksheet("Prices").write_row(0, 0, ["Flu", 40])
    message = mail()
    message.add_attachment(b"a,b\n1,2\n", maintype="text", subtype="csv", filename="list.csv")
    return {
        "a.pdf": pdf("one", "two", annotation="note", field="x", attachment=b"inside"),
        "a.docx": word.getvalue(),
        "a.xlsx": sheet.getvalue(),
        "a.eml": message.as_bytes(),
        "a.zip": zipped({"a.txt": "words", "b.md": "# head"}),
        "a.hl7": "\r".join(MESSAGES).encode(),
        "a.xml": CLINICAL.encode(),
        "a.dcm": dicom("Name", "ISO_IR 100"),
        "a.rtf": rb"{\rtf1\ansi\ansicpg1252 words \'e9{\*\objdata 0102}\u8364?\par}",
        "a.html": b"<html><body><table><tr><td>a<td>b</table><h1>x</h1><p>y",
        "a.json": b'{"resourceType": "Patient", "name": [{"family": "A"}]}',
        "a.ics": b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x\nEND:VEVENT\nEND:VCALENDAR",
    }


@settings(max_examples=150)
@given(st.binary(max_size=600), st.sampled_from(SUFFIXES))
def test_random_bytes(data: bytes, suffix: str) -> None:
    if data:
        survives(data, f"paper{suffix}")


@settings(max_examples=150)
@given(st.text(min_size=1, max_size=300), st.sampled_from(SUFFIXES), st.sampled_from(["utf-8", "utf-16", "cp1252"]))
def test_random_text(words: str, suffix: str, encoding: str) -> None:
    survives(words.encode(encoding, "replace"), f"paper{suffix}")


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_mutilated_files(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(samples())))
    paper = bytearray(samples()[name])
    for _change in range(data.draw(st.integers(1, 8))):
        place = data.draw(st.integers(0, len(paper) - 1))
        match data.draw(st.sampled_from("scid")):
            case "s":
                paper[place] = data.draw(st.integers(0, 255))
            case "c":
                del paper[place:]
            case "i":
                paper[place:place] = data.draw(st.binary(max_size=20))
            case _:
                del paper[place : place + data.draw(st.integers(1, 40))]
        if not paper:
            return
    survives(bytes(paper), name)


def test_every_file_of_the_corpus_has_an_end(corpus: Path) -> None:
    """The quick ones, in this process; benchmarks/papers.py runs all of them in the worker."""
    for path in sorted((corpus / "cases").rglob("*")):
        if path.is_file() and path.stat().st_size < 200_000:
            result = read_paper(path.read_bytes() or b"", path.name, cutter())
            assert isinstance(result, (Extracted, Refusal))
