"""The piece of a passage that is shown for a hit, and where in it the words of the question stand."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.spellings import Form, spellings
from core.domain.terms import Shape, Term
from core.domain.writing import Token, plain, stem, tokens

LENGTH = 240  # characters


@dataclass(frozen=True, slots=True)
class Mark:
    """[start, end) in a text, and the number of the term that stands there."""

    start: int
    end: int
    term: int


@dataclass(frozen=True, slots=True)
class Snippet:
    """text: with "…" where something was left out. marks: [start, end) in it. terms: numbers of those found."""

    text: str
    marks: tuple[tuple[int, int], ...]
    terms: tuple[int, ...]


def marks(text: str, terms: Sequence[Term]) -> list[Mark]:
    """Where the terms stand in a text, in any of their forms, stems and other spellings included; in order."""
    found: list[Mark] = []
    words = list(tokens(text))
    stems = [stem(token.word) for token in words]
    for number, term in enumerate(terms):
        for form in term.forms:
            found += _of_form(form, number, words, stems, term.prefix)
    missing = set(range(len(terms))) - {mark.term for mark in found}
    if missing or any(term.shape is Shape.CODE for term in terms):
        found += _of_spellings(text, terms)
    return _apart(found)


def _of_form(form: Form, number: int, words: list[Token], stems: list[str], prefix: bool) -> list[Mark]:
    asked = [plain(word) for word in form]
    asked_stems = [stem(word) for word in asked]
    size, last = len(form), len(form) - 1
    found: list[Mark] = []
    places = range(len(words) - last)
    if not prefix or last:  # most words differ in their first letters already
        places = [place for place, other in enumerate(stems[: len(words) - last]) if other == asked_stems[0]]
    for place in places:
        for step in range(size):
            word = words[place + step].word
            if stems[place + step] == asked_stems[step]:
                continue
            if prefix and step == last and word.startswith(asked[step]):
                continue
            break
        else:
            found.append(Mark(words[place].start, words[place + last].end, number))
    return found


def _of_spellings(text: str, terms: Sequence[Term]) -> list[Mark]:
    found: list[Mark] = []
    for spelling in spellings(text):
        for number, term in enumerate(terms):
            if any(_within(form, other, term.prefix) for form in term.forms for other in spelling.forms):
                found.append(Mark(spelling.start, spelling.end, number))
    return found


def _within(form: Form, other: Form, prefix: bool) -> bool:
    """Whether `form` stands inside `other`, word by word."""
    asked = tuple(plain(word) for word in form)
    for place in range(len(other) - len(asked) + 1):
        piece = other[place : place + len(asked)]
        if piece == asked or (prefix and piece[:-1] == asked[:-1] and piece[-1].startswith(asked[-1])):
            return True
    return False


def _apart(found: list[Mark]) -> list[Mark]:
    """In order; of marks that overlap, the one that starts first and is longest stays."""
    kept: list[Mark] = []
    for mark in sorted(found, key=lambda mark: (mark.start, -mark.end)):
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
    return kept


def snippet(text: str, terms: Sequence[Term], length: int = LENGTH) -> Snippet:
    """The piece of about `length` characters that holds most of the terms; the beginning where there are none."""
    found = marks(text, terms)
    start, end = _window(text, found, length)
    piece = text[start:end].replace("\n", " ").replace("\t", " ")
    head, tail = ("…" if start else ""), ("…" if end < len(text) else "")
    shift = len(head) - start
    shown = tuple((mark.start + shift, mark.end + shift) for mark in found if start <= mark.start and mark.end <= end)
    return Snippet(f"{head}{piece}{tail}", shown, tuple(sorted({mark.term for mark in found})))


def _window(text: str, found: Sequence[Mark], length: int) -> tuple[int, int]:
    if len(text) <= length:
        return 0, len(text)
    best, most = 0, (0, 0)
    for first, mark in enumerate(found):
        inside = [other for other in found[first:] if other.end <= mark.start + length]
        worth = (len({other.term for other in inside}), len(inside))
        if worth > most:
            last = inside[-1].end
            best, most = max(0, mark.start - (length - (last - mark.start)) // 3), worth
    start = min(best, len(text) - length)
    return _at_words(text, start, start + length)


def _at_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Move both ends to a blank nearby, so that no word is cut, where there is one."""
    if start > 0 and (blank := _blank(text, start, min(start + 24, end))) >= 0:
        start = blank + 1
    if end < len(text):
        blank = max(text.rfind(" ", end - 24, end), text.rfind("\n", end - 24, end))
        end = blank if blank > start else end
    return start, end


def _blank(text: str, start: int, end: int) -> int:
    places = [place for place in (text.find(" ", start, end), text.find("\n", start, end)) if place >= 0]
    return min(places, default=-1)
