"""How much a misspelt word looks and sounds like one that is known."""

from functools import lru_cache

from rapidfuzz.distance import OSA

from core.domain.writing import plain


def most_edits(length: int) -> int:
    """How many slips of the finger are forgiven in a word of so many letters."""
    return 0 if length < 4 else 1 if length < 5 else 2 if length < 9 else 3


def trigrams(word: str) -> frozenset[str]:
    """Runs of three letters, with blanks at the ends (Zamora, Pollock and Zamora 1981)."""
    padded = f"  {word} "
    return frozenset(padded[n : n + 3] for n in range(len(padded) - 2))


def shared_trigrams(typed: str, other: str) -> float:
    """Share of trigrams that two words have in common (Dice 1945)."""
    ours, theirs = trigrams(typed), trigrams(other)
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))


def likeness(typed: str, other: str, commonness: float = 0.0) -> float:
    """From 0 to about 1. Edit distance and trigrams count most, then the same first letter, the same sound, and a
    little how common the other word is (0 to 1)."""
    edits = 1 - OSA.distance(typed, other) / max(len(typed), len(other), 1)
    first = typed[:1] == other[:1]
    sound = sounds(typed) == sounds(other)
    return 0.6 * edits + 0.2 * shared_trigrams(typed, other) + 0.1 * first + 0.05 * sound + 0.05 * commonness


def may_be_meant(typed: str, other: str, *, wary: bool = False) -> bool:
    """Whether `other` is close enough to be looked for instead: one slip; two in a longer word that sounds the same or
    shares much; three in a long word that sounds the same. wary: in a sentence, where an unknown word is more often one
    that the workspace doesn't use than one that is misspelt."""
    edits = OSA.distance(typed, other)
    length = max(len(typed), len(other))
    alike = sounds(typed) == sounds(other)
    if edits <= 1:
        return length >= (6 if wary else 4)
    if edits == 2:
        return length >= 6 and (alike or (not wary and length >= 8 and shared_trigrams(typed, other) >= 0.45))
    return edits == 3 and length >= 9 and alike and not wary


_SOUNDS = (
    ("tsch", "C"), ("sch", "S"), ("tch", "C"), ("cz", "C"), ("sz", "S"), ("ch", "C"), ("sh", "S"), ("ck", "k"),
    ("ph", "f"), ("pf", "f"), ("th", "t"), ("dt", "t"), ("gh", "g"), ("wh", "w"), ("qu", "kw"), ("ks", "x"),
    ("rh", "r"), ("tz", "z"), ("ts", "z"),
)  # fmt: skip
_SAME = str.maketrans({"c": "k", "q": "k", "v": "f", "w": "f", "z": "s", "j": "i", "y": "i", "d": "t", "b": "p"})


@lru_cache(maxsize=4096)
def sounds(word: str) -> str:
    """A key that words which sound alike in European languages share: consonants by kind, no doubles, vowels after the
    first left out. In the manner of Postel's Kölner Phonetik (1969), coarser."""
    key = plain(word)
    for written, sound in _SOUNDS:
        key = key.replace(written, sound)
    key = key.translate(_SAME)
    kept: list[str] = []
    for place, letter in enumerate(key):
        if letter in "aeiou" or letter == "h":
            letter = "" if place else "a"
        if letter and (not kept or kept[-1] != letter):
            kept.append(letter)
    return "".join(kept)
