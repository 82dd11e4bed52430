"""Words as the index holds them, and what a person's question becomes."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from core.domain.fillers import CONTRACTED, FILLERS
from core.domain.spellings import Form, code_spellings, typed_spellings
from core.domain.writing import UNSPACED_CHARACTER, UNSPACED_RUN, index_form, plain, words

LONGEST_QUESTION = 2_000  # characters; a model reads about as much, and nobody types more
MOST_TERMS = 32
WHOLE_RUN = 4  # characters of an unspaced script that are taken as one word
WHOLE_RUN_ALPHABETIC = 8  # the same for Thai and its kin, whose characters are letters
LONGEST_RUN = 16  # words that are looked for as they were typed
FEWEST_PREFIX = 2  # letters that a word needs before its other endings are looked for


class Shape(StrEnum):
    """What a term looks like: that decides whether a question is a look-up, and what may be repaired."""

    WORD = "word"
    NAME = "name"  # a capital where no sentence begins
    CODE = "code"  # holds a digit: a reference, a number, a date, a telephone number
    PHRASE = "phrase"  # in double quotes
    FILLER = "filler"  # holds the question together: "what", "the"


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for. `typed`: as the person wrote it.

    forms: ways of writing it that all count as the same; each is a run of index words that must stand side by side.
    prefix: the last word of each form may go on (the person is still typing).
    """

    typed: str
    forms: tuple[tuple[str, ...], ...]
    prefix: bool = False
    shape: Shape = Shape.WORD

    @property
    def repairable(self) -> bool:
        """Whether it is a word that may be misspelt: letters only, and enough of them."""
        word = self.forms[0]
        return self.shape in {Shape.WORD, Shape.NAME} and len(word) == 1 and len(word[0]) >= 4 and word[0].isalpha()


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked. text: tidied, for a model to read. terms: each once, in order. asked: reads as a sentence."""

    text: str
    terms: tuple[Term, ...]
    asked: bool = False

    @property
    def content(self) -> tuple[Term, ...]:
        """The terms without fillers, or all of them where there is nothing else."""
        return tuple(term for term in self.terms if term.shape is not Shape.FILLER) or self.terms

    @property
    def literal(self) -> bool:
        """Whether codes, numbers, dates and quoted phrases are all that was typed."""
        return bool(self.content) and all(term.shape in {Shape.CODE, Shape.PHRASE} for term in self.content)

    def is_lookup(self, frequencies: Sequence[int], passages: int) -> bool:
        """True where one thing is meant and its exact spelling matters: a code, a phrase, names, rare words.

        frequencies: in how many of all `passages` each term of `content` stands.
        """
        content = self.content
        if not content or not all(frequencies):
            return False
        if any(term.shape is Shape.PHRASE for term in content):
            return True
        if any(term.shape is Shape.CODE for term in content) and len(content) <= 4:
            return True
        if self.asked or len(content) > 4:
            return False
        rare = max(RARE_PASSAGES, passages * RARE_SHARE)
        return len(content) == 1 or all(
            term.shape is Shape.NAME or frequency <= rare for term, frequency in zip(content, frequencies, strict=True)
        )

    def is_rare_together(self, found: int, passages: int) -> bool:
        """True where a few words, rare or not, stand together in few passages only: then those are meant."""
        few = max(RARE_PASSAGES, passages * RARE_SHARE)
        return not self.asked and 2 <= len(self.content) <= 4 and 0 < found <= few


RARE_PASSAGES = 20
RARE_SHARE = 0.005


def parse(text: str) -> Question:
    """The question in `text`. Never raises; every character is literal but pairs of double quotes."""
    tidied = tidy(text)
    terms: dict[tuple[Form, ...], Term] = {}
    for piece, quoted in _pieces(tidied):
        for term in _phrases(piece) if quoted else _terms(piece, opens=piece.lstrip() == tidied.lstrip()):
            terms.setdefault(term.forms, term)
    found = list(terms.values())
    if found and _still_typing(text):
        found[-1] = _open_ended(found[-1])
    fillers = sum(term.shape is Shape.FILLER for term in found)
    asked = tidied.endswith("?") or (fillers >= 2 and len(found) >= 4)
    kept = _most_telling(_all_names(found, tidied), MOST_TERMS)
    return Question(tidied, tuple(kept), asked)


def as_typed(text: str, question: Question) -> Term | None:
    """All words of `text` side by side, fillers too: who types a piece of a text means the text that has it.

    None where that says nothing new: a single word, a code, a phrase that was quoted, or more than anybody would
    remember. The last word may go on where the question's last term may.
    """
    form = tuple(words(text))
    alone = len(question.content) < 2 and len(form) < 3
    if alone or len(form) > LONGEST_RUN or any(term.shape is Shape.PHRASE for term in question.terms):
        return None
    return Term(text, (form,), prefix=question.terms[-1].prefix, shape=Shape.PHRASE)


def tidy(text: str) -> str:
    """NFC, single blanks, no control characters, no half characters, at most LONGEST_QUESTION characters."""
    some = text[:LONGEST_QUESTION].encode("utf-8", "ignore").decode("utf-8")
    some = "".join(c if unicodedata.category(c) != "Cc" else " " for c in unicodedata.normalize("NFC", some))
    return " ".join(some.split())


_QUOTED = re.compile(r'"([^"]+)"|“([^“”"]+)”|„([^„“”"]+)[“”]|«([^«»]+)»')


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """The text in order, with True for what stands in double quotes."""
    end = 0
    for found in _QUOTED.finditer(text):
        yield text[end : found.start()], False
        yield next(group for group in found.groups() if group), True
        end = found.end()
    yield text[end:], False


def _phrases(text: str) -> Iterator[Term]:
    form = tuple(words(text))
    if form:
        yield Term(text.strip(), (form,), shape=Shape.PHRASE)


def _terms(text: str, *, opens: bool) -> Iterator[Term]:
    """Dates, telephone and account numbers first, since they may hold blanks; then what stands between them."""
    end = 0
    for found in typed_spellings(text):
        yield from _chunks(text[end : found.start], opens and end == 0)
        typed = text[found.start : found.end]
        yield Term(typed, _distinct(tuple(words(typed)), *found.forms), shape=Shape.CODE)
        end = found.end
    yield from _chunks(text[end:], opens and end == 0)


def _chunks(text: str, opens: bool) -> Iterator[Term]:
    for number, chunk in enumerate(text.split()):
        end = 0
        for run in UNSPACED_RUN.finditer(chunk):
            yield from _spaced(chunk[end : run.start()], opens and number == 0)
            yield from _unspaced(run[0])
            end = run.end()
        yield from _spaced(chunk[end:], opens and number == 0)


def _spaced(chunk: str, opens: bool) -> Iterator[Term]:
    own = words(chunk)
    if not own:
        return
    shortened = len(own) == 2 and own[1] in CONTRACTED and re.search(r"\w['’]\w", chunk) is not None
    if shortened and (own[0] in FILLERS or own[1] != "s"):
        yield Term(chunk, (tuple(own),), shape=Shape.FILLER)
        return
    form = (own[0],) if shortened else tuple(own)  # Kowalski's is about Kowalski
    typed = _trimmed(chunk)
    if any(c.isdecimal() for c in chunk):
        shape = Shape.CODE if len(typed) > 2 else Shape.WORD
    elif len(form) == 1 and form[0] in FILLERS and not _meant(typed, opens):
        shape = Shape.FILLER
    else:
        shape = Shape.NAME if typed[:1].isupper() and not opens else Shape.WORD
    others = [
        other
        for spelling in code_spellings(typed)
        if spelling.end - spelling.start >= len(typed)
        for other in spelling.forms
    ]
    yield Term(typed, _distinct(form, *others), shape=shape)


def _meant(typed: str, opens: bool) -> bool:
    """Capitals make a filler a word that is meant: the IT budget, hepatitis A."""
    return typed.isupper() and (len(typed) > 1 or not opens)


def _trimmed(chunk: str) -> str:
    """Without punctuation around it; dots of initials stay."""
    inner = re.sub(r"^[^\w]+|[^\w]+$", "", chunk)
    return inner + "." if re.fullmatch(r"(?:[^\W\d_]\.)+[^\W\d_]", inner) and f"{inner}." in chunk else inner


def _unspaced(run: str) -> Iterator[Term]:
    """A short run is a word. A longer one is taken apart where the script changes, and what is still long becomes
    overlapping pairs (of letters: triples), which stand for its words without a dictionary.
    Source: Nie, Gao, Zhang and Zhou 2000, on bigrams beside words in Chinese retrieval."""
    characters = UNSPACED_CHARACTER.findall(index_form(run))
    if len(characters) <= WHOLE_RUN:
        yield Term(run, (tuple(characters),))
        return
    for script, group in groupby(characters, _script):
        part = list(group)
        if len(part) <= _WHOLE[script]:
            particle = script == "hiragana" and len(part) == 1
            yield Term("".join(part), (tuple(part),), shape=Shape.FILLER if particle else Shape.WORD)
            continue
        size = 3 if script == "letters" else 2
        for first in range(len(part) - size + 1):
            form = tuple(part[first : first + size])
            yield Term("".join(form), (form,))


_WHOLE = {"letters": WHOLE_RUN_ALPHABETIC, "hiragana": WHOLE_RUN, "katakana": 12, "other": WHOLE_RUN}


def _script(character: str) -> str:
    first = character[0]
    if "\u0e00" <= first <= "\u17ff":
        return "letters"
    if "\u3041" <= first <= "\u309f":
        return "hiragana"
    return "katakana" if "\u30a0" <= first <= "\u30ff" or "\u31f0" <= first <= "\u31ff" else "other"


def _distinct(*forms: Form) -> tuple[Form, ...]:
    return tuple(dict.fromkeys(form for form in forms if form))


def _still_typing(text: str) -> bool:
    return text[-1:].isalnum() or text.endswith("*")


def _open_ended(term: Term) -> Term:
    long_enough = all(len(form[-1]) >= FEWEST_PREFIX for form in term.forms)
    whole = term.shape is Shape.PHRASE or bool(typed_spellings(term.typed))
    closed = whole or UNSPACED_CHARACTER.search(term.forms[0][-1]) is not None
    return replace(term, prefix=long_enough and not closed)


def _all_names(terms: list[Term], text: str) -> list[Term]:
    """In "Anna Kowalski" the first word is a name as well: a sentence doesn't begin with two capitals."""
    named = len(terms) > 1 and all(term.shape in {Shape.NAME, Shape.CODE} for term in terms[1:])
    if named and terms[0].shape is Shape.WORD and terms[0].typed[:1].isupper() and not text.isupper():
        return [replace(terms[0], shape=Shape.NAME), *terms[1:]]
    return terms


def _most_telling(terms: list[Term], most: int) -> list[Term]:
    if len(terms) <= most:
        return terms
    telling = [term for term in terms if term.shape is not Shape.FILLER][:most]
    return telling or terms[:most]


def matches(term: Term, word: str) -> bool:
    """Whether a single word of a text, as `plain` gives it, is one of the term's single-word forms (stems apart)."""
    return any(
        len(form) == 1 and (word.startswith(plain(form[0])) if term.prefix else word == plain(form[0]))
        for form in term.forms
    )
