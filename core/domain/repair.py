"""Repairing a misspelt word from the workspace's own vocabulary."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain.likeness import likeness
from core.domain.query import Repair
from core.domain.terms import Term
from core.domain.writing import plain

LIKE = 0.62  # likeness from which a word is taken for what was meant
LIKE_IN_SENTENCE = 0.78  # in a sentence an unknown word is more often a word that the workspace doesn't use


@dataclass(frozen=True, slots=True)
class Replacement:
    """What is looked for instead. passages: how many hold it. said: for the person."""

    term: Term
    passages: int
    said: Repair


def repaired(term: Term, similar: Sequence[tuple[str, int]], sentence: bool) -> Replacement | None:
    """The best of the `similar` words (with their passages, closest first) if it is close enough."""
    if not similar:
        return None
    word, passages = similar[0]
    typed = term.forms[0][0]
    if likeness(plain(typed), word) < (LIKE_IN_SENTENCE if sentence else LIKE):
        return None
    shown = word.upper() if term.typed.isupper() else word.capitalize() if term.typed[:1].isupper() else word
    return Replacement(replace(term, typed=shown, forms=((word,),), prefix=False), passages, Repair(term.typed, shown))
