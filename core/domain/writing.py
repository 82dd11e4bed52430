"""How text is written in the index: one spelling for what readers take for the same, and words where there are no gaps.

The full-text index folds case and Latin accents by itself (unicode61, remove_diacritics 2). What it can't do is done
here, to the text when it is stored and to the question when it is asked: compatibility letters (ﬁ, ｆ, m²), Arabic
and Hebrew vowel marks, Greek accents, soft hyphens, and scripts without spaces. Those are cut into single written
characters, so that any run of them is found as a phrase and no dictionary decides what can be found.
"""

import re
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

# Scripts that are written without spaces, and Korean, whose particles stick to the word.
_UNSPACED = (
    "\u0e00-\u0e7f\u0e80-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Burmese, Khmer
    "\u3005-\u3007\u3040-\u30fa\u30fc-\u312f\u31a0-\u31bf\u31f0-\u31ff"  # kana (not the middle dot), bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"  # Han
    "\uac00-\ud7a3"  # Hangul
)


def _marks() -> str:
    """Character class of all marks (Mn, Mc) of the basic plane, which Python's \\w leaves out."""
    ranges: list[str] = []
    start: int | None = None
    for code in range(0x300, 0x10000):
        mark = unicodedata.category(chr(code)) in {"Mn", "Mc"}
        if mark and start is None:
            start = code
        elif not mark and start is not None:
            ranges.append(f"\\u{start:04x}-\\u{code - 1:04x}")
            start = None
    return "".join(ranges)


MARKS = _marks()
WORD = re.compile(f"[^\\W_](?:[^\\W_]|[{MARKS}])*")
UNSPACED_CHARACTER = re.compile(f"[{_UNSPACED}][{MARKS}]*")
UNSPACED_RUN = re.compile(f"(?:[{_UNSPACED}][{MARKS}]*)+")

_COMPATIBLE = re.compile(
    "[\u00aa\u00b2\u00b3\u00b9\u00ba\u2070-\u209c\u2100-\u214f\u2160-\u217f\u2460-\u24ff\u3131-\u318e"
    "\u3300-\u33ff\ufb00-\ufb4f\ufb50-\ufdff\ufe70-\ufefc\uff10-\uffdc\U0001d400-\U0001d7ff]+"
)
# Soft hyphen, zero-width joiners and marks of direction inside words; Hebrew points, Arabic vowel marks and tatweel.
_DROPPED = re.compile(
    "[\u00ad\u200c-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]+"
)


def _same_letters() -> dict[int, str]:
    """Letters that people write for each other: Arabic forms, digits of other scripts, Greek accents, Cyrillic yo."""
    same = {
        "آ": "ا",
        "أ": "ا",
        "إ": "ا",
        "ٱ": "ا",
        "ى": "ي",
        "ی": "ي",
        "ئ": "ي",
        "ؤ": "و",
        "ة": "ه",
        "ک": "ك",
        "ё": "е",
        "Ё": "Е",
    }
    table = {ord(a): b for a, b in same.items()}
    for zero in (0x0660, 0x06F0, 0x0966, 0x0E50):
        table |= {zero + digit: str(digit) for digit in range(10)}
    for code in (*range(0x0386, 0x03CF), *range(0x1F00, 0x2000)):
        plain = unicodedata.normalize("NFD", chr(code))
        if len(plain) > 1 and plain[0].isalpha():
            table[code] = plain[0]
    return table


_SAME = _same_letters()
_OTHER_LATIN = {
    "ß": "ss",
    "ẞ": "ss",
    "ł": "l",
    "ø": "o",
    "đ": "d",
    "ð": "d",
    "þ": "th",
    "æ": "ae",
    "œ": "oe",
    "ı": "i",
    "ħ": "h",
}
_OTHER_LATIN_TABLE = str.maketrans(_OTHER_LATIN)
OTHER_LATIN = re.compile(f"[{''.join(_OTHER_LATIN)}]")


def index_form(text: str) -> str:
    """`text` as the full-text index gets it; case and Latin accents stay (the index folds them). Idempotent."""
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFC", text)
    plain = _COMPATIBLE.sub(lambda found: unicodedata.normalize("NFKC", found[0]), plain)
    plain = _DROPPED.sub("", plain).translate(_SAME)
    return UNSPACED_RUN.sub(lambda run: f" {' '.join(UNSPACED_CHARACTER.findall(run[0]))} ", plain)


def words(text: str) -> list[str]:
    """The words of a text in index form, lower case, in order; accents stay."""
    return WORD.findall(index_form(text).lower())


def plain(word: str) -> str:
    """A word without Latin accents, as the index holds it before stemming: "Café" becomes "cafe"."""
    lower = word.lower()
    if lower.isascii():
        return lower
    parts = unicodedata.normalize("NFD", lower)
    return unicodedata.normalize("NFC", "".join(c for c in parts if not "\u0300" <= c <= "\u036f"))


def without_other_letters(word: str) -> str:
    """Put the usual stand-in for letters that have no accent to take off: "Straße" becomes "strasse", "Łódź" "lódź"."""
    return word.lower().translate(_OTHER_LATIN_TABLE)


def flat(text: str) -> str | None:
    """The text in lower case without accents, character for character; None where that takes more than a table (marks,
    joiners, compatibility letters, other scripts than the Latin one): then `tokens` says what the words are."""
    lower = text.lower()
    if lower.isascii():
        return lower
    if len(lower) != len(text) or _NOT_FLAT.search(lower):
        return None
    return lower.translate(_PLAIN_LETTERS)


_NOT_FLAT = re.compile(
    "[\u00aa\u00ad\u00b2\u00b3\u00b9\u00ba\u0250-\u1dff\u1f00-\u1fff\u200b-\u200f\u202a-\u202e\u2060-\u209f\u20d0-\u214f"
    "\u2160-\u218f\u2460-\u24ff\u2c00-\U0010ffff]"
)
_PLAIN_LETTERS = {
    code: plain(chr(code)) for code in (*range(0xE0, 0x250), *range(0x1E00, 0x1F00)) if len(plain(chr(code))) == 1
}


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text: `word` as `plain` gives it, at [start, end) in the text as it was passed."""

    start: int
    end: int
    word: str


def tokens(text: str) -> Iterator[Token]:
    """The words of a text with their places, one for each word that the index holds for it."""
    for run in _RUN.finditer(text):
        if run[0].isascii():
            yield Token(run.start(), run.end(), run[0].lower())
        else:
            yield from _tokens_of_run(run[0], run.start())


# A run may hold marks and joiners at which the index doesn't break a word.
_RUN = re.compile(f"[^\\W_](?:[^\\W_]|[{MARKS}\u00ad\u200c-\u200f\u2060-\u2069\ufeff])*")
_PIECE = re.compile(f"[{_UNSPACED}\uff66-\uff9f][{MARKS}\uff9e\uff9f]*|[^{_UNSPACED}\uff66-\uff9f]+")


def _tokens_of_run(run: str, offset: int) -> Iterator[Token]:
    for piece in _PIECE.finditer(run):
        for word in words(piece[0]):
            yield Token(offset + piece.start(), offset + piece.end(), plain(word))


_OWN = threading.local()


def _stemmer() -> Any:
    """One for each thread, because it keeps the word in itself while it works. Made when first needed: the library
    loads every language that it knows, which the start needn't wait for."""
    if not hasattr(_OWN, "stemmer"):
        import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]

        _OWN.stemmer = cast(Any, snowballstemmer).stemmer("porter")
    return _OWN.stemmer


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem that the index holds for a word as `plain` gives it (Porter 1980, over bytes of UTF-8 as in FTS5)."""
    written = word.encode("utf-8", "replace")
    if not 3 <= len(written) <= 64:
        return word
    letters = "".join(chr(byte) if byte < 0x80 else "x" for byte in written)  # each such byte counts as a consonant
    stemmed = str(_stemmer().stemWord(letters))
    same = next((n for n, (a, b) in enumerate(zip(letters, stemmed, strict=False)) if a != b), len(stemmed))
    return (written[:same] + stemmed[same:].encode()).decode("utf-8", "ignore")
