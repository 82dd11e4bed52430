"""The piece that is shown for a hit, and its marks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.snippets import LENGTH, Marker
from core.domain.terms import parse

TEXT = (
    "Ref RX-208 of 17.4.2026, tel +49 (0)30 1234-567. Kowalski's vaccinations in der Straße, Cafe\u0301. "
    "这家诊所周末不开门。 旧版ITGC报告。 คลินิกเปิด مَرَّاكُش"
)


@pytest.mark.parametrize(
    ("asked", "marked"),
    [
        ("RX208", ["RX-208"]),
        ("208", ["208"]),
        ("April 17", ["17.4.2026"]),
        ("2026-04-17", ["17.4.2026"]),
        ("030 1234567", ["+49 (0)30 1234-567"]),
        ("vaccination ", ["vaccinations"]),
        ("vaccinat", ["vaccinations"]),
        ("KOWALSKI", ["Kowalski"]),
        ("strasse", ["Straße"]),
        ("café", ["Cafe\u0301"]),
        ("诊所", ["诊所"]),
        ("itgc", ["ITGC"]),
        ("报告", ["报告"]),
        ("คลินิก", ["คลินิก"]),
        ("مراكش", ["مَرَّاكُش"]),
        ('"vaccinations in"', ["vaccinations in"]),
        ("in vaccinations ", ["vaccinations", "in"]),
        ("elephant", []),
        ("", []),
    ],
)
def test_marks_lie_on_what_was_asked_for(asked: str, marked: list[str]) -> None:
    assert [TEXT[mark.start : mark.end] for mark in Marker(parse(asked).terms).marks(TEXT, thorough=True)] == marked


def test_the_piece_with_most_terms_is_shown() -> None:
    text = "alpha " + "filler " * 100 + "alpha beta gamma " + "filler " * 100 + "beta"
    piece = Marker(parse("alpha beta gamma ").terms).snippet(text)
    assert [piece.text[a:b] for a, b in piece.marks] == ["alpha", "beta", "gamma"]
    assert piece.text.startswith("…")
    assert piece.text.endswith("…")
    assert piece.terms == (0, 1, 2)
    assert not piece.text.strip("…").startswith("iller")


def test_without_terms_the_beginning_is_shown() -> None:
    piece = Marker(()).snippet("first words " + "filler\n" * 100)
    assert piece.text.startswith("first words filler filler")
    assert piece.marks == ()


@given(st.text(max_size=900), st.text(max_size=40))
def test_a_snippet_is_part_of_the_text(text: str, asked: str) -> None:
    piece = Marker(parse(asked).terms).snippet(text, thorough=True)
    inner = piece.text.removeprefix("…").removesuffix("…")
    assert len(inner) <= LENGTH
    assert inner in text.replace("\n", " ").replace("\t", " ") or text.startswith("…") or text.endswith("…")
    end = 0
    for start, stop in piece.marks:
        assert end <= start < stop <= len(piece.text)
        end = stop
