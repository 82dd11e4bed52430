"""How text is written in the index."""

import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.adapters.sqlite import driver
from core.adapters.sqlite.schema.v002_passages import TOKENIZER
from core.domain.writing import index_form, plain, stem, tokens, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Plain ASCII, don't", ["plain", "ascii", "don", "t"]),
        ("Cafe\u0301 naïve", ["café", "naïve"]),
        ("so\u00adft zero\u200dwidth", ["soft", "zerowidth"]),
        ("ﬁne ｆｕｌｌ m² ٤٢", ["fine", "full", "m2", "42"]),
        ("مَرَّاكُش آسفي", ["مراكش", "اسفي"]),
        ("שָׁלוֹם", ["שלום"]),
        ("απόδειξη ёлка", ["αποδειξη", "елка"]),
        ("诊所ITGC报告", ["诊", "所", "itgc", "报", "告"]),
        ("คลินิก", ["ค", "ลิ", "นิ", "ก"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("", []),
        ("😀 — …", []),
    ],
)
def test_words_of_many_scripts(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text())
def test_the_index_form_of_an_index_form_has_the_same_words(text: str) -> None:
    assert words(index_form(text)) == words(text)


@given(st.text())
def test_tokens_lie_in_the_text_in_order(text: str) -> None:
    end = 0
    for token in tokens(text):
        assert end <= token.start < token.end <= len(text) or (token.start < end <= token.end <= len(text))
        assert token.word == plain(token.word)
        end = token.end


@given(st.text(alphabet=st.characters(codec="utf-8", categories=("L", "N", "P", "Zs", "Mn")), max_size=40))
def test_tokens_are_the_words(text: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    assert [token.word for token in tokens(composed)] == [plain(word) for word in words(composed)]


SAMPLES = (
    "The vaccinations of Mr Müller's patients were re-scheduled; see RX-208, 17.4.2026 (café, naïve, O’Brien).",
    "Überweisung über 40 € à l’hôpital de Besançon — n° 12, straße, Łódź",
    "这家诊所周末不开门 คลินิกเปิด مراكش απόδειξη договор हिन्दी",
)


@pytest.mark.parametrize("text", SAMPLES)
def test_words_and_stems_are_those_of_the_full_text_index(text: str) -> None:
    connection, _trouble = driver.connect(":memory:", None)  # pyright: ignore[reportArgumentType]
    connection.execute(f'CREATE VIRTUAL TABLE held USING fts5(text, tokenize="{TOKENIZER}")')
    connection.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(held, 'row')")
    connection.execute("INSERT INTO held VALUES (?)", (index_form(text),))
    indexed = {str(row[0]) for row in connection.execute("SELECT term FROM terms").fetchall()}
    connection.close()
    assert indexed == {stem(token.word) for token in tokens(text)}


ENDINGS = ("ional", "ation", "izing", "ousness", "ed", "ing", "iveness", "ability", "ators", "alli")


def test_stems_are_the_same_on_many_threads_at_once() -> None:
    words = [f"{letters}{ending}" for letters in ("relat", "condit", "oper", "digit", "hop") for ending in ENDINGS]
    alone = [stem.__wrapped__(word) for word in words]
    switching = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            made = list(threads.map(lambda _: [stem.__wrapped__(word) for word in words], range(24)))
    finally:
        sys.setswitchinterval(switching)
    assert made == [alone] * 24


@given(st.text(min_size=1, max_size=20))
def test_a_stem_begins_as_its_word_does(text: str) -> None:
    for token in tokens(text):
        assert stem(token.word)[:1] == token.word[:1]


@given(st.text("aeiousyedlnt", min_size=3, max_size=9))
def test_a_stem_of_letters_begins_as_its_word_does(word: str) -> None:
    assert stem(word)[:1] == word[:1]
