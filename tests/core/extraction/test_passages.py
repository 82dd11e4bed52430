"""Cutting: short enough for the model, true offsets, nothing lost, nothing mixed."""

import itertools
import time
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from semantic_text_splitter import TextSplitter

from core.adapters.extraction.passages import CutText
from core.adapters.extraction.tokens import TokenCounter
from core.adapters.extraction.transcript import Full, Transcript
from core.domain.text import clean, tidy
from tests.core.extraction.reading import TOKENIZER, attempt, cutter, read

MODEL_TOKENS = 240


def sound(cut: CutText) -> CutText:
    """Every promise about passages that can be checked without knowing the text."""
    passages = cut.passages
    assert all(cut.text[p.start : p.end] == p.text and p.text.strip() for p in passages)
    assert all(one.end <= other.start for one, other in itertools.pairwise(passages))
    assert max(cutter().tokens([p.text for p in passages]), default=0) <= MODEL_TOKENS
    assert max((len(p.text) for p in passages), default=0) <= 1600
    kept = "".join("".join(p.text.split()) for p in passages)
    assert kept == "".join(cut.text.split())
    return cut


def test_prose_fills_passages_well() -> None:
    sentence = (
        "The receptionist opens the door at eight and checks the answering machine before the first patient comes. "
    )
    transcript = Transcript(10**9)
    transcript.paragraph(sentence * 300)
    counts = cutter().tokens([p.text for p in sound(cutter().cut_transcript(transcript)).passages])
    assert sum(150 <= count <= 220 for count in counts) >= 0.9 * len(counts)


def test_pages_parts_and_groups_are_never_mixed() -> None:
    transcript = Transcript(10**9)
    for page in (1, 2):
        transcript.page(page)
        transcript.paragraph(f"page {page}")
    transcript.page(None)
    with transcript.part("a.txt"):
        transcript.paragraph("part a")
        with transcript.part("b.txt"):
            transcript.paragraph("part b")
    transcript.boundary()
    transcript.paragraph("first message")
    transcript.boundary()
    transcript.paragraph("second message")
    passages = sound(cutter().cut_transcript(transcript)).passages
    assert [(p.page, p.part, p.text) for p in passages] == [
        (1, "", "page 1"),
        (2, "", "page 2"),
        (None, "a.txt", "part a"),
        (None, "a.txt > b.txt", "part b"),
        (None, "", "first message"),
        (None, "", "second message"),
    ]


def test_small_sections_share_a_passage_and_large_ones_keep_their_heading() -> None:
    transcript = Transcript(10**9)
    transcript.heading("Prices", 1)
    for name in ("Flu", "Travel", "Tetanus"):
        transcript.heading(name, 2)
        transcript.paragraph("Forty euros.")
    transcript.heading("Rules", 1)
    transcript.paragraph("Nobody pays twice for the same visit. " * 60)
    passages = sound(cutter().cut_transcript(transcript)).passages
    assert passages[0].heading == ("Prices",)
    assert "Tetanus\n\nForty euros." in passages[0].text
    assert {p.heading for p in passages[1:]} == {("Rules",)}
    assert passages[1].text.startswith("Rules")


def test_long_tables_repeat_their_name_and_header() -> None:
    transcript = Transcript(10**9)
    transcript.heading("Price list", 1)
    transcript.table("Kind | Price", [f"service number {number} | {number}" for number in range(200)])
    passages = sound(cutter().cut_transcript(transcript)).passages
    assert len(passages) > 4
    assert all(p.text.startswith("Price list\nKind | Price\n") for p in passages)


@pytest.mark.parametrize(
    "text", ["steady words without a break " * 180_000, "x" * 3_000_000, "คลินิก" * 100_000, "诊所" * 200_000]
)
def test_one_endless_line_is_cut_fast(text: str) -> None:
    begun = time.process_time()
    pieces = cutter().split(text)
    assert time.process_time() - begun < 20
    assert "".join("".join(piece.text.split()) for piece in pieces) == "".join(text.split())
    assert max(len(piece.text) for piece in pieces) <= 1600


def test_text_beyond_the_limit_is_cut_and_said() -> None:
    result = attempt(b"word " * 10_000, "long.txt", characters=1_000)
    assert sum(len(p.text) for p in read(b"word " * 10_000, "long.txt").passages) > 40_000
    assert sum(len(p.text) for p in result.passages) <= 1_000  # type: ignore[union-attr]
    assert [note.code for note in result.notes] == ["text_cut"]  # type: ignore[union-attr]
    transcript = Transcript(5)
    with pytest.raises(Full):
        transcript.paragraph("123456")


def test_plain_cutting_for_messages() -> None:
    text = "A short message.\n\nWith two paragraphs."
    (passage,) = cutter().cut(text)
    assert text[passage.start : passage.end] == passage.text == text
    assert cutter().cut(" \n ") == []


@given(st.lists(st.tuples(st.sampled_from("hptgb"), st.text(max_size=400)), max_size=12))
def test_any_transcript_is_cut_soundly(steps: list[tuple[str, str]]) -> None:
    transcript = Transcript(10**9)
    for kind, words in steps:
        match kind:
            case "h":
                transcript.heading(words, 1 + len(words) % 3)
            case "p":
                transcript.paragraph(words * 3)
            case "t":
                transcript.table(words[:20], words.split("a") * 5)
            case "g":
                transcript.page(len(words))
            case _:
                transcript.boundary()
    cut = sound(cutter().cut_transcript(transcript))
    assert tidy(cut.text) == cut.text.strip() or not cut.text


@cache
def words_counted() -> TokenCounter:
    return TokenCounter(TOKENIZER)


@given(st.lists(st.text(max_size=60), max_size=6))
def test_words_together_have_as_many_tokens_as_the_whole(texts: list[str]) -> None:
    counter = words_counted()
    cleaned = [tidy(" ".join([text, "Größe 日本 co-op’s ΣΑΣ", text])) for text in texts]
    whole = [len(counter.tokenizer.encode(text, add_special_tokens=False).ids) for text in cleaned]
    assert counter.count(cleaned) == whole
    assert counter.count(cleaned) == whole  # out of what is known now


@cache
def splitter() -> TextSplitter:
    return TextSplitter.from_huggingface_tokenizer(TokenCounter(TOKENIZER).tokenizer, (150, 220))


@given(st.text(max_size=400), st.integers(1, 3))
def test_a_short_text_is_cut_as_the_splitter_cuts_it(text: str, times: int) -> None:
    text = clean("\n\n".join([text] * times))
    found = [(piece.start, piece.text) for piece in cutter().split(text)]
    assert found == [(start, piece) for start, piece in splitter().chunk_indices(text)]
