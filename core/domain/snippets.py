"""The piece of a passage that is shown for a hit, and where in it the words of the question stand."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.domain.spellings import Form, spellings
from core.domain.terms import Shape, Term
from core.domain.writing import flat, plain, stem, tokens

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


@dataclass(frozen=True, slots=True)
class _Sought:
    """A form of a term, ready to be compared. start: what its first word begins with, whatever its ending."""

    term: int
    words: Form
    stems: Form
    prefix: bool
    start: str


class Marker:
    """Finds the terms of one question in many texts: in any form, stems and other spellings included."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self._terms = terms
        self._sought = [_sought(number, form, term.prefix) for number, term in enumerate(terms) for form in term.forms]
        starts = sorted({re.escape(sought.start) for sought in self._sought}, key=len, reverse=True)
        self._word = re.compile(rf"(?<![^\W_])(?:{'|'.join(starts)})[^\W_]*") if starts else None

    def marks(self, text: str, *, thorough: bool = False) -> list[Mark]:
        """Where the terms stand, in order. thorough: the text is known to hold all terms, so look for those that don't
        stand there as words in their other spellings too (for codes and dates that is always done)."""
        if self._word is None:
            return []
        smooth = flat(text)
        found = list(self._in_text(text) if smooth is None else self._in_flat(smooth, self._word))
        missing = set(range(len(self._terms))) - {mark.term for mark in found}
        if any(thorough or self._terms[number].shape is Shape.CODE for number in missing):
            found += _of_spellings(text, self._terms)
        return _apart(found)

    def snippet(self, text: str, length: int = LENGTH, *, thorough: bool = False) -> Snippet:
        """The piece of about `length` characters that holds most of the terms; the beginning where there are none."""
        found = self.marks(text, thorough=thorough)
        start, end = _window(text, found, length)
        piece = text[start:end].replace("\n", " ").replace("\t", " ")
        head, tail = ("…" if start else ""), ("…" if end < len(text) else "")
        shift = len(head) - start
        shown = tuple((m.start + shift, m.end + shift) for m in found if start <= m.start and m.end <= end)
        return Snippet(f"{head}{piece}{tail}", shown, tuple(sorted({mark.term for mark in found})))

    def _in_flat(self, text: str, word: re.Pattern[str]) -> Iterator[Mark]:
        """In a text that has the same length as the one shown: only words that begin like a term are looked at."""
        for found in word.finditer(text):
            for sought in self._sought:
                end = _end_of(sought, text, found)
                if end is not None:
                    yield Mark(found.start(), end, sought.term)

    def _in_text(self, text: str) -> Iterator[Mark]:
        held = list(tokens(text))
        for sought in self._sought:
            last = len(sought.words) - 1
            for place in range(len(held) - last):
                if all(_same(sought, step, held[place + step].word) for step in range(last + 1)):
                    yield Mark(held[place].start, held[place + last].end, sought.term)


def _sought(number: int, form: Form, prefix: bool) -> _Sought:
    words = tuple(plain(word) for word in form)
    stems = tuple(stem(word) for word in words)
    same = next((n for n, (a, b) in enumerate(zip(words[0], stems[0], strict=False)) if a != b), len(stems[0]))
    return _Sought(number, words, stems, prefix, words[0][: max(1, same)])


def _same(sought: _Sought, step: int, word: str) -> bool:
    if stem(word) == sought.stems[step]:
        return True
    return sought.prefix and step == len(sought.words) - 1 and word.startswith(sought.words[step])


_NEXT = re.compile(r"[\W_]+([^\W_]+)")


def _end_of(sought: _Sought, text: str, found: re.Match[str]) -> int | None:
    """Where the form ends that begins with the word found; None where it isn't the form."""
    if not found[0].startswith(sought.start) or not _same(sought, 0, found[0]):
        return None
    end = found.end()
    for step in range(1, len(sought.words)):
        following = _NEXT.match(text, end)
        if following is None or not _same(sought, step, following[1]):
            return None
        end = following.end()
    return end


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
