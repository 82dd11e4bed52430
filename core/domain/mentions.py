"""Whether a text holds a name: literally, in every spelling that search takes for the same."""

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from core.domain.memory import Json
from core.domain.spellings import OTHER_LATIN, Form, extra_words
from core.domain.terms import Shape, parse
from core.domain.writing import plain, without_other_letters, words
from core.errors import InvalidValue

SHORTEST = 2  # letters and digits
_BETWEEN = str.maketrans("", "", "-.'\n")


class Mention:
    """A name as it is looked for. Case, accents, hyphens and kinds of blanks don't matter; codes, dates and telephone
    numbers count in all their ways of writing; two names count in either order ("Kowalski, Anna")."""

    def __init__(self, name: str) -> None:
        """Raises InvalidValue for what is too short to be told from other words."""
        own = tuple(_same(word) for word in words(name))
        if sum(map(len, own)) < SHORTEST:
            raise InvalidValue("Type at least two letters or digits of the name.")
        forms: set[Form] = {own}
        if len(own) == 2 and "-" not in name and all(word.isalpha() for word in own):
            forms.add((own[1], own[0]))
        terms = parse(name).terms
        if len(terms) == 1 and terms[0].shape is Shape.CODE:
            forms |= {tuple(_same(word) for word in form) for form in terms[0].forms}
        joined = "".join(own)
        if len(own) > 1 and len(joined) <= 48 and "-" in name:
            forms.add((joined,))
        self._forms = tuple(forms)
        self._coded = any(c.isdecimal() for c in name)
        self._marks = tuple({max(form, key=len) for form in forms})  # one of them stands in any text that holds it

    def within(self, text: str) -> bool:
        """Whether the name stands in `text`."""
        if not text or not self._may(text):
            return False
        if self._found([_same(word) for word in words(text)]):
            return True
        extra = extra_words(text)
        return bool(extra) and self._found([_same(word) for word in extra.split()])

    def within_json(self, value: Json) -> bool:
        """Whether it stands in any text, key or number of a JSON value."""
        return any(self.within(text) for text in texts_of(value))

    def may_be_in(self, text: str) -> bool:
        """A quick look at text as it is stored (also JSON): False where the name can't be in it."""
        return bool(text) and self._may(text)

    def _may(self, text: str) -> bool:
        if self._coded:
            return any(c.isdecimal() for c in text)
        if not text.isascii():  # joined and other letters: the words decide
            return True
        lower = text.lower()
        joined = lower.translate(_BETWEEN)  # as words with a hyphen, initials and names with an apostrophe count too
        return any(mark in lower or mark in joined for mark in self._marks)

    def _found(self, held: Sequence[str]) -> bool:
        for form in self._forms:
            first, size = form[0], len(form)
            start = -1
            while True:
                try:
                    start = held.index(first, start + 1)
                except ValueError:
                    break
                if tuple(held[start : start + size]) == form:
                    return True
        return False


def texts_of(value: Json) -> Iterator[str]:
    """Every text, key and number in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in cast(dict[object, object], value).items():
            yield str(key)
            yield from texts_of(inner)
    elif isinstance(value, list | tuple):
        yield from _all(cast(list[object], value))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)


def _all(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        yield from texts_of(value)


def _same(word: str) -> str:
    """A word without accents and with the usual stand-ins: "Łódź" becomes "lodz", "Straße" becomes "strasse"."""
    lower = word.lower()
    return plain(without_other_letters(lower) if OTHER_LATIN.search(lower) else lower)
