"""Random and mutilated files: a passage or a refusal, never an error, and never for long."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.adapters.extraction.paper import read_paper
from core.domain.extraction import Extracted, Refusal
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
