"""The short form of benchmarks/kills.py: the program is killed three times while it takes papers in."""

import random
from pathlib import Path

import pytest

from benchmarks import kills
from tests.core.extraction.making import pdf

pytestmark = pytest.mark.timeout(150)


def test_nothing_that_was_reported_is_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    papers, folder = tmp_path / "papers", tmp_path / "work"
    papers.mkdir()
    folder.mkdir()
    for number in range(120):
        text = f"Paper {number} about the boiler and the lift.\n\n" * (20 + 10 * (number % 9))
        (papers / f"{number:02}.txt").write_text(text, encoding="utf-8")
        if number % 6 == 0:
            (papers / f"{number:02}.pdf").write_bytes(pdf(f"Page one of {number}", "Page two"))
    (papers / "damaged.pdf").write_bytes(pdf("x")[:150])
    faults = kills.run(folder, papers, 3, random.Random(7))
    printed = capsys.readouterr().out
    assert faults == 0, printed
    assert printed.startswith("3 kills over ")
    assert printed.endswith("; 0 faults\n")
