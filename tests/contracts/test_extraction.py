"""What every ExtractionPort promises, whatever stands behind it."""

import os
import sys
import unicodedata
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.adapters.extraction.process import ProcessExtraction
from core.domain.extraction import Extracted, Refusal, RefusalCode
from core.ports.extraction import ExtractionPort
from tests.fakes.extraction import MemoryExtraction

TOKENIZER = Path(__file__).parents[2] / "resources" / "model" / "tokenizer.json"


@pytest.fixture(params=["process", "memory"])
async def extraction(request: pytest.FixtureRequest) -> AsyncIterator[ExtractionPort]:
    port: ExtractionPort
    if request.param == "process":
        port = ProcessExtraction([sys.executable, "-m", "core.adapters.workers", "extraction"], TOKENIZER)
    else:
        port = MemoryExtraction()
    yield port
    await port.close()
    await port.close()


def paper(folder: Path, data: bytes, name: str = "paper.txt") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


async def read(extraction: ExtractionPort, path: Path, name: str | None = None) -> Extracted:
    result = await extraction.read(path, name or path.name)
    assert isinstance(result, Extracted), result
    return result


async def refuse(extraction: ExtractionPort, path: Path, name: str | None = None) -> Refusal:
    result = await extraction.read(path, name or path.name)
    assert isinstance(result, Refusal), result
    return result


async def test_a_text_becomes_passages_in_reading_order(extraction: ExtractionPort, tmp_path: Path) -> None:
    text = "\n\n".join(f"Paragraph {number} " + "with some words " * 60 for number in range(8))
    result = await read(extraction, paper(tmp_path, text.encode()))
    assert result.format == "txt"
    assert result.media_type == "text/plain"
    starts = [passage.start for passage in result.passages]
    assert starts == sorted(starts)
    assert len(starts) >= 8
    found = " ".join(passage.text for passage in result.passages)
    assert found.split() == text.split()


async def test_passages_are_clean_and_never_empty(extraction: ExtractionPort, tmp_path: Path) -> None:
    data = "Cafe\u0301 \x07bell\x00 and soft\u00adhyphen\r\n\r\n\r\n\r\nend\ufeff".encode()
    result = await read(extraction, paper(tmp_path, data))
    for passage in result.passages:
        assert passage.text.strip()
        assert unicodedata.is_normalized("NFC", passage.text)
        assert not set(passage.text) & set("\x00\x07\r\u00ad\ufeff")
        assert passage.end - passage.start == len(passage.text)
    text = " ".join(passage.text for passage in result.passages)
    assert "Café" in text
    assert "softhyphen" in text
    assert "end" in text


async def test_an_empty_file_is_told_from_one_without_text(extraction: ExtractionPort, tmp_path: Path) -> None:
    empty = await refuse(extraction, paper(tmp_path, b"", "empty.txt"))
    assert empty.code is RefusalCode.EMPTY
    blank = await refuse(extraction, paper(tmp_path, b" \n\t\r\n", "blank.txt"))
    assert blank.code is RefusalCode.NO_TEXT
    assert "empty.txt" in empty.sentence
    assert "blank.txt" in blank.sentence


async def test_a_file_that_is_gone_is_a_refusal(extraction: ExtractionPort, tmp_path: Path) -> None:
    assert (await refuse(extraction, tmp_path / "gone.txt")).code is RefusalCode.MISSING


async def test_the_name_that_people_know_is_used_in_sentences(extraction: ExtractionPort, tmp_path: Path) -> None:
    stored = paper(tmp_path, b"", "3f2a")
    assert "Zürich – letter.txt" in (await refuse(extraction, stored, "Zürich – letter.txt")).sentence


async def test_many_papers_one_after_the_other(extraction: ExtractionPort, tmp_path: Path) -> None:
    for number in range(12):
        result = await read(extraction, paper(tmp_path, f"paper number {number}".encode(), f"{number}.txt"))
        assert result.passages[0].text == f"paper number {number}"


@pytest.mark.parametrize(
    "name",
    [
        *(
            "📄 plan 😀.txt",
            "\u202eטקסט.txt",
            "CON.txt",
            "aux",
            "ends with dots...",
            " spaces .txt ",
            "a" * 200 + ".txt",
        ),
        *("quote\"'`$(x).txt", "semi;colon&amp.txt", "new\nline.txt", "tab\t.txt", "café decomposed e\u0301.txt"),
        os.fsdecode(b"caf\xe9 latin.txt"),
    ],
)
async def test_papers_of_every_name_are_read(extraction: ExtractionPort, tmp_path: Path, name: str) -> None:
    result = await read(extraction, paper(tmp_path, b"words of the paper", name), name)
    assert result.passages[0].text == "words of the paper"
    refusal = await refuse(extraction, paper(tmp_path, b"", name), name)
    refusal.sentence.encode("utf-8")
