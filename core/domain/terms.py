"""Words as the index holds them, and what a person's question becomes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for. `typed`: as the person wrote it.

    forms: ways of writing it that all count as the same; each is a run of index words that must stand side by side.
    prefix: the last word of each form may go on (the person is still typing).
    """

    typed: str
    forms: tuple[tuple[str, ...], ...]
    prefix: bool = False
