"""Plurals that stemming leaves apart: Greek and Latin nouns, of which clinical language is full.

Porter's stemmer makes "diagnosi" of "diagnosis" and "diagnos" of "diagnoses", so a question with one form would not
find a text with the other. The pairs of endings are those of the standard plurals (The Chicago Manual of Style, 7.6).
"""

_PAIRS = (
    ("sis", "ses"),  # diagnosis, prosthesis
    ("xis", "xes"),  # prophylaxis
    ("trix", "trices"),  # matrix, cicatrix
    ("dix", "dices"),  # appendix
    ("dex", "dices"),  # index
    ("tex", "tices"),  # cortex
    ("pex", "pices"),  # apex
    ("ynx", "ynges"),  # larynx
    ("itis", "itides"),  # arthritis
    ("oma", "omata"),  # haematoma
    ("terium", "teria"),  # bacterium
    ("terion", "teria"),  # criterion
    ("nomenon", "nomena"),  # phenomenon
    ("ebra", "ebrae"),  # vertebra
    ("ula", "ulae"),  # fistula
    ("ursa", "ursae"),  # bursa
    ("mulus", "muli"),  # stimulus
    ("onchus", "onchi"),  # bronchus
    ("mbus", "mbi"),  # thrombus
    ("culus", "culi"),  # calculus
    ("lum", "la"),  # frenulum
)
SHORTEST = 4  # letters of a word that has other forms; "axis" is one


def other_forms(word: str) -> tuple[str, ...]:
    """The same noun in the other number, for a word in lower case without accents; nothing for most words."""
    if len(word) < SHORTEST:
        return ()
    found: dict[str, None] = {}
    for one, many in _PAIRS:
        for ending, other in ((one, many), (many, one)):
            if word.endswith(ending):
                found[word[: -len(ending)] + other] = None
    return tuple(found)
