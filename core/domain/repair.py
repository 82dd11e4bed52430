"""Repairing a misspelt word from the workspace's own vocabulary."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain.likeness import likeness, may_be_meant
from core.domain.query import Repair
from core.domain.terms import Term
from core.domain.writing import plain

EQUAL = 0.06  # words that are this close to the likest one are looked for as well
MOST = 3


@dataclass(frozen=True, slots=True)
class Replacement:
    """What is looked for instead. passages: how many hold it. said: for the person."""

    term: Term
    passages: int
    said: Repair


def repaired(term: Term, similar: Sequence[tuple[str, int]], sentence: bool) -> Replacement | None:
    """The closest of the `similar` words (with their passages) if they are close enough; several where they are equally
    close, since "Jabsn" may be Jabsen or Jabson."""
    typed = plain(term.forms[0][0])
    meant = [(word, passages) for word, passages in similar if may_be_meant(typed, word, wary=sentence)]
    if not meant:
        return None
    likes = [(likeness(typed, word), word, passages) for word, passages in meant]
    best = max(like for like, _word, _passages in likes)
    close = [(word, passages) for like, word, passages in likes if like >= best - EQUAL][:MOST]
    shown = ", ".join(_in_case_of(term.typed, word) for word, _passages in close)
    found = replace(term, typed=shown, forms=tuple((word,) for word, _passages in close), prefix=False)
    return Replacement(found, sum(passages for _word, passages in close), Repair(term.typed, shown))


def _in_case_of(typed: str, word: str) -> str:
    return word.upper() if typed.isupper() else word.capitalize() if typed[:1].isupper() else word
