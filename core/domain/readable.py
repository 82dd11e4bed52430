"""Values as people read them: the words of a JSON value without its punctuation."""

import re
from collections.abc import Iterator
from typing import cast

from core.domain.memory import Json, Record
from core.domain.text import clean

_WORD_ENDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\-.:]+")
DEPTH = 50


def key_words(key: str) -> str:
    """The words of a key: "patientRecall_intervalDays" becomes "patient Recall interval Days"."""
    return " ".join(_WORD_ENDS.sub(" ", key).split())


def readable(value: Json) -> str:
    """The value as lines of text: names and values, nested ones below their name; nothing for null."""
    return clean("\n".join(_lines(value, 0)))


def record_label(record: Record) -> tuple[str, ...]:
    """What names a record besides its title: key with its words, and tags. Searched above the value."""
    return _some(record.key, key_words(record.key), *record.tags)


def record_text(record: Record) -> str:
    """The value of a record as text; its title where the value says nothing."""
    return clean(readable(record.value)).strip() or clean(record.title)


def entry_label(key: str) -> tuple[str, ...]:
    """The words of a shared entry's key."""
    return _some(key_words(key))


def entry_text(key: str, value: Json) -> str:
    """The value of a shared entry as text; its key where the value says nothing."""
    return clean(readable(value)).strip() or clean(key)


def _some(*parts: str) -> tuple[str, ...]:
    return tuple(clean(part) for part in dict.fromkeys(parts) if part.strip())


def _lines(value: object, depth: int) -> Iterator[str]:
    if value is None or depth > DEPTH:
        return
    if isinstance(value, bool):
        yield "yes" if value else "no"
    elif isinstance(value, dict):
        for name, inner in cast(dict[object, object], value).items():
            yield from _named(key_words(str(name)), list(_lines(inner, depth + 1)))
    elif isinstance(value, list | tuple):
        for inner in cast(list[object], value):
            yield from _lines(inner, depth + 1)
    else:
        yield str(value)


def _named(name: str, lines: list[str]) -> Iterator[str]:
    if len(lines) == 1:
        yield f"{name}: {lines[0]}"
    elif lines:
        yield f"{name}:"
        yield from lines
