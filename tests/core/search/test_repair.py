"""Misspelt words and what they were meant to be."""

import pytest

from core.domain.likeness import likeness, most_edits, sounds
from core.domain.repair import repaired
from core.domain.terms import parse


@pytest.mark.parametrize(
    ("typed", "meant", "other"),
    [
        ("kowalsky", "kowalski", "kowalewski"),
        ("meyer", "meier", "mayor"),
        ("shmidt", "schmidt", "smith"),
        ("recieve", "receive", "relieve"),
        ("gonzales", "gonzalez", "gonzalo"),
        ("brwon", "brown", "brow"),
        ("stephens", "stevens", "stephanie"),
    ],
)
def test_what_was_meant_is_liker_than_others(typed: str, meant: str, other: str) -> None:
    assert likeness(typed, meant) > likeness(typed, other)


def test_sounds_ignore_spelling() -> None:
    assert sounds("Schmidt") == sounds("schmitt") == sounds("Schmid")
    assert sounds("Meyer") == sounds("maier") == sounds("Meier")
    assert sounds("Philipp") == sounds("filip")
    assert sounds("Kowalski") != sounds("Kovacs")
    assert sounds("") == ""


def test_short_words_are_not_guessed() -> None:
    assert [most_edits(length) for length in (3, 4, 5, 8, 9)] == [0, 1, 2, 2, 3]


def test_a_repair_is_said_in_the_case_that_was_typed() -> None:
    similar = [("kowalski", 12), ("kowalewski", 2)]
    for typed, shown in (("Kowalzki", "Kowalski"), ("kowalzki", "kowalski"), ("KOWALZKI", "KOWALSKI")):
        found = repaired(parse(typed).terms[0], similar, sentence=False)
        assert found is not None
        assert (found.said.typed, found.said.used, found.passages) == (typed, shown, 12)
        assert found.term.forms == (("kowalski",),)


def test_equally_close_words_are_all_looked_for() -> None:
    found = repaired(parse("Jabsn").terms[0], [("jabsen", 2), ("jabson", 1), ("jabsheim", 9)], sentence=False)
    assert found is not None
    assert found.said.used == "Jabsen, Jabson"
    assert (found.term.forms, found.passages) == ((("jabsen",), ("jabson",)), 3)


def test_a_word_of_a_sentence_is_repaired_more_warily() -> None:
    term = parse("reimburse ").terms[0]
    similar = [("reimbruser", 3)]
    assert repaired(term, similar, sentence=False) is not None
    assert repaired(term, similar, sentence=True) is None
    assert repaired(term, [], sentence=False) is None
