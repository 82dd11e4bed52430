"""Differences between two texts, word by word."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.qt.difference import Part, Piece, difference, shortened, spoken


def sides(pieces: list[Piece]) -> tuple[str, str]:
    old = "".join(piece.text for piece in pieces if piece.part is not Part.NEW)
    new = "".join(piece.text for piece in pieces if piece.part is not Part.GONE)
    return old, new


TEXTS = st.text(alphabet="ab é.\n😀-", max_size=60)


@given(TEXTS, TEXTS)
def test_both_texts_can_be_read_out_of_it(old: str, new: str) -> None:
    assert sides(difference(old, new)) == (old, new)


def test_words_are_compared_and_not_letters() -> None:
    pieces = difference("Ring twice at the north door.", "Ring once at the north door.")
    assert [piece.text.strip() for piece in pieces if piece.part is Part.GONE] == ["twice"]
    assert spoken(pieces) == "Taken out: “twice”. Put in: “once”."
    assert spoken(difference("a", "a")) == "Nothing differs."


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("word " * 20_000, "word " * 19_999 + "other "),
        ("line\n" * 20_000, "line\n" * 10_000 + "other\n" + "line\n" * 10_000),
        ("a b " * 1_000, "b a " * 1_000),
        ("x" * 100_000, "y" * 100_000),
        ("\n".join(f"line {n}" for n in range(1_400)), "\n".join(f"line {n * 2}" for n in range(1_400))),
    ],
)
def test_long_texts_are_compared_soon(old: str, new: str) -> None:
    begun = time.process_time()
    pieces = difference(old, new)
    assert time.process_time() - begun < 2.0
    assert sides(pieces) == (old, new)


def test_what_is_the_same_far_from_a_change_is_left_out() -> None:
    old = "begin " * 100 + "old " + "end " * 100
    pieces = shortened(difference(old, old.replace("old", "new")))
    assert sum(len(piece.text) for piece in pieces) < 300
    assert [piece.part for piece in pieces] == [Part.SAME, Part.GONE, Part.NEW, Part.SAME]
    assert "…" in pieces[0].text
    assert "…" in pieces[-1].text
