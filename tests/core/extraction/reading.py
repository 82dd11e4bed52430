"""Reads bytes with the real readers, in this process, for the tests of readers."""

from functools import cache
from pathlib import Path

from core.adapters.extraction.paper import read_paper
from core.adapters.extraction.passages import PassageCutter
from core.domain.extraction import Extracted, Refusal

TOKENIZER = Path(__file__).parents[3] / "resources" / "model" / "tokenizer.json"


@cache
def cutter() -> PassageCutter:
    return PassageCutter(TOKENIZER)


def attempt(
    data: bytes, name: str, *, password: str | None = None, characters: int = 32_000_000
) -> Extracted | Refusal:
    """Read; an error that no reader foresaw fails the test."""
    defects: list[Exception] = []
    result = read_paper(data, name, cutter(), password=password, characters=characters, on_defect=defects.append)
    if defects:
        raise AssertionError("a reader met an error that it didn't foresee") from defects[0]
    return result


def read(data: bytes, name: str, *, password: str | None = None) -> Extracted:
    result = attempt(data, name, password=password)
    assert isinstance(result, Extracted), result
    return result


def refuse(data: bytes, name: str, *, password: str | None = None) -> Refusal:
    result = attempt(data, name, password=password)
    assert isinstance(result, Refusal), result
    assert name in result.sentence
    return result


def text(result: Extracted) -> str:
    return "\n".join(passage.text for passage in result.passages)
