"""Words that hold a question together and say nothing of what it is about.

They are left out of the words that are looked for, unless a question has nothing else. Languages in which offices write
most; the lists are short on purpose, since a word left in does little harm and a word left out can't be found.
"""

from collections.abc import Iterable

_ENGLISH = (
    "a about after again all also am an and any are as at be because been before being between both but by can "
    "could did do does doing done down during each few for from further get got had has have having he her here "
    "hers him his how i if in into is it its just let like me more most my no nor not now of off on once only or "
    "other our ours out over own same shall she should so some such than that the their theirs them then there "
    "these they this those through to too under until up upon us very was we were what when where which while who "
    "whom whose why will with would you your yours"
)
_GERMAN = (
    "aber als am an auch auf aus bei beim bin bis bist da damit das dass dem den der des die doch durch ein eine "
    "einem einen einer eines er es für gibt hat haben ich ihr im ist kann können mein mit muss nach nicht noch "
    "nur oder sich sie sind so über um und uns unser von vom vor wann war waren warum was welche welcher welches "
    "wenn wer werden wie wieviel wir wird wo zu zum zur"
)
_FRENCH = (
    "au aux avec ce ces cette comment combien dans de des du elle en est et il ils je la le les leur mais ne nos "
    "notre nous on ou où par pas pour pourquoi qu quand que quel quelle quelles quels qui quoi sa se ses son sont "
    "sur un une vos votre vous y à"
)
_SPANISH = (
    "al como con cual cuales cuando cuanto de del donde el ella en es esta este estos la las lo los mas mi no nos "
    "o para pero por porque que quien se sin son su sus un una unos y ya"
)
_ITALIAN = (
    "ai al alla anche che chi ci come con cosa da dal dalla dei del della delle di dove e ed gli ha il in io la "
    "le lo ma nel nella non per perché quale quali quando quanto se si sono su sul sulla un una uno è"
)
_DUTCH = (
    "aan als bij dat de die dit door een en er het hoe ik in is kan met naar niet of om ons onze op te tot uit "
    "van voor waar waarom wanneer wat we welke wie wij zijn"
)

FILLERS = frozenset(f"{_ENGLISH} {_GERMAN} {_FRENCH} {_SPANISH} {_ITALIAN} {_DUTCH}".split())
CONTRACTED = frozenset({"s", "t", "re", "ve", "ll", "d", "m"})
"""What stands behind the apostrophe of a shortened English word: it's, don't, we'll."""


def telling(words: Iterable[str]) -> tuple[str, ...]:
    """The distinct words of a question (in lower case) that say what it is about; all of them where none does."""
    distinct = tuple(dict.fromkeys(words))
    return tuple(word for word in distinct if word not in FILLERS and word not in CONTRACTED) or distinct
