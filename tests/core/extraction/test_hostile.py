"""Random and mutilated files: a passage or a refusal, never an error, and never for long."""

import io
import zipfile
from pathlib import Path
from typing import Any, cast

import olefile
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.adapters.extraction.paper import read_paper
from core.domain.extraction import Extracted, Refusal
from tests.core.extraction.making import zipped
from tests.core.extraction.old_office import ole
from tests.core.extraction.reading import cutter
from tests.core.extraction.samples import samples

# Libraries may warn and log about such files; in the worker nobody hears them.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.logs("")]
SUFFIXES = (
    *("", ".txt", ".md", ".html", ".csv", ".json", ".pdf", ".docx", ".eml", ".mbox", ".msg", ".rtf", ".odt", ".xml"),
    *(".hl7", ".ics", ".vcf", ".dcm", ".zip", ".gz", ".mht", ".doc", ".ppt", ".xls", ".dat", ".ndjson", ".ods"),
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


@settings(max_examples=150)
@given(st.binary(max_size=600), st.sampled_from(SUFFIXES))
def test_random_bytes(data: bytes, suffix: str) -> None:
    if data:
        survives(data, f"paper{suffix}")


@settings(max_examples=150)
@given(st.text(min_size=1, max_size=300), st.sampled_from(SUFFIXES), st.sampled_from(["utf-8", "utf-16", "cp1252"]))
def test_random_text(words: str, suffix: str, encoding: str) -> None:
    survives(words.encode(encoding, "replace"), f"paper{suffix}")


def mutilated(data: st.DataObject, whole: bytes) -> bytes:
    paper = bytearray(whole)
    for _change in range(data.draw(st.integers(1, 8))):
        if not paper:
            break
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
    return bytes(paper)


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_mutilated_files(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(samples())))
    if paper := mutilated(data, samples()[name]):
        survives(paper, name)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_containers_that_are_mutilated_inside(data: st.DataObject) -> None:
    """Their readers come to see it; where the container itself is damaged they don't."""
    name = data.draw(st.sampled_from(["a.doc", "a.ppt", "a.msg", "a.docx", "a.pptx", "a.xlsx", "a.odt", "a.ods"]))
    members = unpacked(samples()[name])
    inside = data.draw(st.sampled_from(sorted(members)))
    members[inside] = mutilated(data, members[inside])
    packed = zipped(dict(members)) if samples()[name].startswith(b"PK") else ole(members)
    survives(packed, name)


def unpacked(container: bytes) -> dict[str, bytes]:
    if container.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(container)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    with cast(Any, olefile.OleFileIO(io.BytesIO(container))) as opened:
        return {"/".join(path): opened.openstream(path).read() for path in opened.listdir()}


def test_every_file_of_the_corpus_has_an_end(corpus: Path) -> None:
    """The quick ones, in this process; benchmarks/papers.py runs all of them in the worker."""
    for path in sorted((corpus / "cases").rglob("*")):
        if path.is_file() and path.stat().st_size < 200_000:
            result = read_paper(path.read_bytes() or b"", path.name, cutter())
            assert isinstance(result, (Extracted, Refusal))
