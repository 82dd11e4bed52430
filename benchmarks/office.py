"""Two thousand invented office papers from one seed, and four kinds of question of which the right paper is known.

The paraphrases are made from pairs of phrases written by hand: one for the paper, one for the question, and `questions`
refuses a pair of texts that share a word (by stem, fillers apart).
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.domain.fillers import FILLERS
from core.domain.writing import stem, tokens

PAPERS = 2_000
QUESTIONS = 200

Pairs = tuple[tuple[str, str], ...]

THINGS: Pairs = (
    ("the lift", "elevator"),
    ("the boiler", "hot water tank"),
    ("the photocopier", "duplicating machine"),
    ("the car park barrier", "gate for vehicles"),
    ("the vaccine fridge", "refrigerator for jabs"),
    ("the website", "internet page"),
    ("the landline", "telephone connection"),
    ("the fire alarm", "smoke detector"),
    ("the toilets", "restrooms"),
    ("the windows", "panes of glass"),
    ("the sofa in the hall", "couch near the entrance"),
    ("the piano", "musical instrument"),
)
THING_EVENTS: Pairs = (
    ("had to be mended", "repaired"),
    ("had to be replaced", "swapped for a new one"),
    ("had to be sold", "disposed of for money"),
    ("had gone missing", "could no longer be found"),
    ("had been stolen", "taken by thieves"),
    ("was moved upstairs", "relocated to a higher floor"),
    ("broke down", "stopped working"),
    ("was insured anew", "covered by another policy"),
    ("was painted", "given a fresh coat of colour"),
    ("was out of bounds for children", "forbidden to kids"),
)
PEOPLE: Pairs = (
    ("the cleaning crew", "janitors"),
    ("the apprentice", "trainee"),
    ("the bookkeeper", "accountant"),
    ("the landlord", "owner of the premises"),
    ("the courier", "parcel delivery man"),
    ("the dentist", "tooth doctor"),
    ("the solicitor", "lawyer"),
    ("the night nurse", "carer on duty after dark"),
    ("the gardener", "man who mows the lawn"),
    ("the taxi driver", "cabbie"),
    ("the interpreter", "translator"),
    ("the carpenter", "woodworker"),
)
PEOPLE_EVENTS: Pairs = (
    ("fell ill", "became sick"),
    ("resigned", "handed in notice"),
    ("asked for a higher fee", "sought more pay"),
    ("came too late", "arrived behind schedule"),
    ("sent a complaint", "wrote an angry grievance"),
    ("granted a discount", "gave a price reduction"),
    ("passed the test", "succeeded in the exam"),
    ("was praised", "got commended"),
    ("went on strike", "refused to work"),
    ("was locked out", "unable to get in"),
)
CIRCUMSTANCES: Pairs = (
    ("after the flood", "following high water"),
    ("because of a power cut", "due to an electricity failure"),
    ("before the summer holidays", "ahead of the July vacation"),
    ("during the trade fair", "while the exhibition was on"),
    ("since the contract had run out", "as the agreement expired"),
    ("because of the noise", "owing to loud sounds"),
    ("in spite of the warning", "despite being cautioned"),
    ("at the request of the council", "when the town authorities wished it"),
    ("thanks to a donation", "through money from a benefactor"),
    ("owing to a wrong address", "because the destination was mistaken"),
    ("in the middle of the refurbishment", "halfway through the renovation"),
    ("on the anniversary", "at the jubilee"),
    ("because the roof leaked", "due to water dripping from above"),
    ("after a quarrel", "following an argument"),
    ("as a mouse had gnawed through the cable", "since a rodent chewed the wire"),
    ("in the heat wave", "when the weather was very hot"),
    ("for want of spare parts", "lacking components"),
    ("after the burglary", "following the break-in"),
    ("because the trains stood still", "due to the rail stoppage"),
    ("once the grant was approved", "when the subsidy got the go-ahead"),
)
_STEMS = (
    "Kowal Nowak Peter Jans Hend Morav Lind Berg Stein Wald Feld Bram Corn Dal Eber Fisch Grab Hart Ing Jab Kram "
    "Lob Mar Nied Ost Pav Quint Rab Sand Tom Ulr Vogel Wint Zab Brand Castel Drag Engel Fried Gold Haber Iwan "
    "Jank Kell Lamp Mold Nord Olsz Pint Roth Schill Teren Urb Vasil Wern Yild Zell Adam Bald Clem Dorn Emmer Falk "
    "Gomb Holm"
)
_ENDINGS = (
    "ski sen son mann berger stein er ova ini etti ez ic escu enko ard well ley ford ton strom owicz aki bach "
    "dottir eau inger kamp lund quist rup shaw thal upp veld wick"
)
LETTER = (
    "Thank you for your letter. As agreed last week, we enclose the papers and ask you to sign both copies.",
    "Please bring your card and the form to the desk; the appointment takes about half an hour.",
    "The amount is payable within thirty days. If you have paid already, take this letter as a receipt.",
    "Our hours are Monday to Thursday from eight to five; on Fridays the desk is open until noon.",
    "We keep a copy with your file. Should anything have changed, let us know in writing.",
    "The enclosed list shows what was delivered. Kindly check it and tell us about any differences.",
)


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper, and what a person may ask for it. paraphrase: the question that shares no word with it."""

    name: str
    text: str
    code: str
    words: tuple[str, str]
    surname: str
    paraphrase: str


@dataclass(frozen=True, slots=True)
class Question:
    """kind: "code", "two rare words", "paraphrase", "misspelt surname". paper: the name of the right one."""

    kind: str
    text: str
    paper: str


def papers(tokenizer: Path, seed: int = 2026) -> list[Paper]:
    """All papers. tokenizer: the model's, whose whole words serve as rare words."""
    random = np.random.default_rng(seed)
    events = _events(random)
    surnames = [start + ending for start in _STEMS.split() for ending in _ENDINGS.split()]
    random.shuffle(surnames)
    rare = _rare_words(tokenizer, random)
    pairs = list(dict.fromkeys((rare[int(a)], rare[int(b)]) for a, b in random.integers(0, 3_000, (2 * PAPERS, 2))))
    made: list[Paper] = []
    for number in range(PAPERS):
        event, question = events[number]
        code = f"{_letters(random)}-{int(random.integers(1000, 9999))}-{_letters(random)[0]}{number:04d}"
        first, second = pairs[number]
        surname = surnames[number]
        lines = [LETTER[n] for n in random.choice(len(LETTER), 3, replace=False)]
        text = "\n\n".join(
            (
                f"Our reference: {code}\nDear Mr {surname},",
                lines[0],
                f"{event[0].upper()}{event[1:]}. {lines[1]}",
                f"The folder stands between “{first}” and “{second}” on the shelf. {lines[2]}",
                "Yours sincerely,\nthe office",
            )
        )
        made.append(Paper(f"letter-{number:04d}.txt", text, code, (first, second), surname, question))
    return made


def questions(made: Sequence[Paper], seed: int = 9) -> list[Question]:
    """QUESTIONS of each kind. Raises ValueError for a paraphrase that shares a word with its paper."""
    random = np.random.default_rng(seed)
    known = {paper.surname.lower() for paper in made}
    asked: list[Question] = []
    for paper in (made[int(n)] for n in random.choice(len(made), QUESTIONS, replace=False)):
        shared = _stems(paper.text) & _stems(paper.paraphrase)
        if shared:
            raise ValueError(f"{paper.paraphrase!r} shares {shared} with its paper")
        asked += [
            Question("code", paper.code, paper.name),
            Question("two rare words", " ".join(paper.words), paper.name),
            Question("paraphrase", paper.paraphrase, paper.name),
            Question("misspelt surname", misspelt(paper.surname, random, known), paper.name),
        ]
    return asked


def misspelt(name: str, random: np.random.Generator, known: set[str]) -> str:
    """One slip: letters exchanged, left out, doubled, a vowel for another, or a spelling that sounds alike."""
    while True:
        place = int(random.integers(1, len(name) - 1))
        slip = int(random.integers(0, 5))
        if slip == 0:
            wrong = name[:place] + name[place + 1] + name[place] + name[place + 2 :]
        elif slip == 1:
            wrong = name[:place] + name[place + 1 :]
        elif slip == 2:
            wrong = name[:place] + name[place] + name[place:]
        elif slip == 3 and name[place] in "aeiou":
            wrong = name[:place] + "aeiou"[int(random.integers(0, 5))] + name[place + 1 :]
        else:
            written, heard = (("k", "ck"), ("w", "v"), ("i", "y"), ("f", "ph"), ("z", "s"))[int(random.integers(0, 5))]
            wrong = name[0] + name[1:].replace(written, heard, 1)
        if wrong.lower() not in known and wrong != name:
            return wrong


def _events(random: np.random.Generator) -> list[tuple[str, str]]:
    made = [
        (f"{who} {what} {why}", f"{who_asked} {what_asked} {why_asked}")
        for several, happened in ((THINGS, THING_EVENTS), (PEOPLE, PEOPLE_EVENTS))
        for who, who_asked in several
        for what, what_asked in happened
        for why, why_asked in CIRCUMSTANCES
    ]
    return [made[int(n)] for n in random.choice(len(made), PAPERS, replace=False)]


def _rare_words(tokenizer: Path, random: np.random.Generator) -> list[str]:
    vocabulary = json.loads(tokenizer.read_text("utf-8"))["model"]["vocab"]
    used = {word for text in _all_phrases() for word in _stems(text)}
    words = sorted(w for w in vocabulary if w.isascii() and w.isalpha() and 6 <= len(w) <= 10 and stem(w) not in used)
    return [words[int(n)] for n in random.choice(len(words), 3_000, replace=False)]


def _all_phrases() -> Iterator[str]:
    yield from LETTER
    for pairs in (THINGS, THING_EVENTS, PEOPLE, PEOPLE_EVENTS, CIRCUMSTANCES):
        for pair in pairs:
            yield from pair


def _letters(random: np.random.Generator) -> str:
    return "".join("ABCDEFGHKLMNPRSTUVWXZ"[int(n)] for n in random.integers(0, 21, 2))


def _stems(text: str) -> set[str]:
    return {stem(token.word) for token in tokens(text) if token.word not in FILLERS}
