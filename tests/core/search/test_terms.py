"""What a person's question becomes."""

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.terms import LONGEST_QUESTION, MOST_TERMS, Shape, Term, parse, tidy


def shapes(text: str) -> list[tuple[str, Shape]]:
    return [(term.typed, term.shape) for term in parse(text).terms]


def forms(text: str) -> list[tuple[tuple[str, ...], ...]]:
    return [term.forms for term in parse(text).terms]


def test_words_stand_in_order_and_once() -> None:
    assert forms("form of a form ") == [(("form",),), (("of",),), (("a",),)]


def test_quotes_ask_for_a_phrase_and_a_single_quote_does_not() -> None:
    assert shapes('"sick leave" rules') == [("sick leave", Shape.PHRASE), ("rules", Shape.WORD)]
    assert shapes("“sick leave” rules")[0] == ("sick leave", Shape.PHRASE)
    assert shapes('open "quote') == [("open", Shape.WORD), ("quote", Shape.WORD)]
    assert shapes('""') == []


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("RX-208", {("rx", "208"), ("rx208",)}),
        ("RX208", {("rx208",), ("rx", "208")}),
        ("2026-04-17", {("2026", "04", "17"), ("20260417",)}),
        ("4/5/2026", {("4", "5", "2026"), ("20260504",), ("20260405",)}),
        ("17 April", {("17", "april"), ("md0417",)}),
        ("April 2026", {("april", "2026"), ("ym202604",)}),
        ("31.2.2026", {("31", "2", "2026"), ("3122026",)}),
        ("O’Brien", {("o", "brien"), ("obrien",)}),
        ("b.i.d.", {("b", "i", "d"), ("bid",)}),
        ("Kowalski's", {("kowalski",)}),
        ("Straße", {("straße",), ("strasse",)}),
        ("诊所", {("诊", "所")}),
    ],
)
def test_one_thing_has_several_spellings(typed: str, expected: set[tuple[str, ...]]) -> None:
    (found,) = forms(typed)
    assert expected <= set(found)


def test_scripts_are_told_apart_where_they_touch() -> None:
    assert forms("旧版ITGC报告") == [(("旧", "版"),), (("itgc",),), (("报", "告"),)]
    assert [term.typed for term in parse("受付は午後五時に").content] == ["受付", "午後五時"]
    assert [term.typed for term in parse("蓝色文件夹子").terms] == ["蓝色", "色文", "文件", "件夹", "夹子"]


def test_fillers_are_left_out_unless_there_is_nothing_else() -> None:
    assert [term.typed for term in parse("What is the price of a crown?").content] == ["price", "crown"]
    assert [term.typed for term in parse("the who").content] == ["the", "who"]
    assert [term.typed for term in parse("the IT budget").content] == ["IT", "budget"]
    assert [term.typed for term in parse("why don't we pay").content] == ["pay"]


def test_the_last_word_may_still_be_typed() -> None:
    assert [term.prefix for term in parse("sick lea").terms] == [False, True]
    assert not parse("sick leave ").terms[-1].prefix
    assert not parse("sick leave?").terms[-1].prefix
    assert not parse("due 2026-04-17").terms[-1].prefix
    assert not parse('"sick lea"').terms[-1].prefix
    assert not parse("k").terms[-1].prefix


@pytest.mark.parametrize(
    ("text", "frequencies", "lookup"),
    [
        ("RX-208 ", [3], True),
        ("invoice RX-208 ", [900, 3], True),
        ("Anna Kowalski ", [300, 200], True),
        ("kestrel ledger ", [2, 5], True),
        ("kestrel invoice ", [2, 900], False),
        ("insurance ", [900], True),
        ('the "sick leave" of last year in our office at the sea ', [4, 9, 900, 900, 1], True),
        ("where is the kestrel ledger?", [2, 5], False),
        ("kestrel elephant ", [2, 0], False),
        ("what did we agree with the insurer about the lease from 17 April?", [400, 300, 20, 10], True),
        ("what did we agree with the insurer about the lease of a car from 17 April?", [400, 300, 20, 9, 10], False),
    ],
)
def test_look_ups_are_told_from_questions(text: str, frequencies: list[int], lookup: bool) -> None:
    question = parse(text)
    assert len(question.content) == len(frequencies)
    assert question.is_lookup(frequencies, 1_000) is lookup


def test_common_words_that_seldom_stand_together_are_a_look_up() -> None:
    assert parse("officer maynard ").is_rare_together(1, 2_000)
    assert not parse("officer maynard ").is_rare_together(0, 2_000)
    assert not parse("officer maynard ").is_rare_together(300, 2_000)
    assert not parse("officer ").is_rare_together(1, 2_000)
    assert not parse("what does the officer say of maynard?").is_rare_together(1, 2_000)


def test_long_questions_are_cut() -> None:
    assert len(tidy("word " * 10_000)) <= LONGEST_QUESTION
    assert len(parse(" ".join(f"word{n}" for n in range(500))).terms) == MOST_TERMS
    assert len(parse("word " * 500).terms) == 1


def test_what_cannot_be_stored_is_dropped() -> None:
    assert tidy("a\x00b\x07c \ud83d d") == "a b c d"
    assert tidy("Cafe\u0301") == "Café"


def test_every_query_of_the_corpus_is_understood(corpus: Path) -> None:
    for text in json.loads((corpus / "cases" / "queries.json").read_text("utf-8")):
        question = parse(text)
        assert all(term.forms for term in question.terms)
        has_word = any(c.isalnum() for c in text)
        assert bool(question.terms) is has_word, text


@given(st.text())
def test_any_text_is_understood(text: str) -> None:
    question = parse(text)
    for term in question.terms:
        assert isinstance(term, Term)
        assert term.forms
        for form in term.forms:
            assert form
            assert all(word and not any(c.isspace() or c in '"*^(){}:' for c in word) for word in form)
    assert question.is_lookup([1] * len(question.content), 10) in (True, False)


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=80))
def test_case_and_composition_do_not_matter(text: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert forms(composed) == forms(decomposed)
