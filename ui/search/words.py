"""How search speaks: why a hit was found, what was searched, what to loosen when nothing was found."""

from datetime import datetime, timedelta

from core.domain.formats import GROUPS
from core.domain.passages import Kind
from core.domain.query import Hit, Mode, Reason, SearchResult
from ui.qt import figures, formats
from ui.qt.line import Line

KINDS: dict[Kind, tuple[str, str, str]] = {
    Kind.PAPER: ("Paper", "Papers", "paperclip"),
    Kind.RECORD: ("Long-term memory", "Long-term", "database"),
    Kind.MESSAGE: ("Conversation", "Conversations", "message-circle"),
    Kind.SHARED: ("Shared", "Shared", "globe"),
}
"""Kind to its words for one, for all, and its icon."""

PLACES: dict[Kind, str] = {
    Kind.PAPER: "papers",
    Kind.RECORD: "longterm",
    Kind.MESSAGE: "conversations",
    Kind.SHARED: "shared",
}

MODES: dict[Mode, tuple[str, str]] = {
    Mode.BOTH: ("Words and meaning", "Exact words first, then what is close in meaning (hybrid search)"),
    Mode.WORDS: ("Words", "Only where these words stand (full-text search)"),
    Mode.MEANING: ("Meaning", "What is close in meaning, whatever its words are (vector search)"),
}

WHERE: dict[str, tuple[str, frozenset[Kind]]] = {
    "": ("Everywhere", frozenset()),
    "papers": ("Papers", frozenset({Kind.PAPER})),
    "longterm": ("Long-term memory", frozenset({Kind.RECORD})),
    "conversations": ("Conversations", frozenset({Kind.MESSAGE})),
    "shared": ("Shared", frozenset({Kind.SHARED})),
}
"""Choices of the chip that says where is searched."""

TYPES: dict[str, tuple[str, frozenset[str]]] = {
    "": ("Any type", frozenset()),
    **{group: (formats.GROUPS[group], frozenset(names)) for group, names in GROUPS.items()},
}

DATES: dict[str, tuple[str, int]] = {
    "": ("Any date", 0),
    "week": ("Last week", 7),
    "month": ("Last month", 31),
    "year": ("Last year", 366),
    "custom": ("From … to …", 0),
}
"""Choices of the date chip, with the days that they reach back."""


def format_words(format: str) -> str:
    known = formats.FORMATS.get(format)
    return known[0] if known else format.upper()


def since(choice: str, now: float) -> float | None:
    """UTC seconds at the start of the day that a choice of the date chip reaches back to; None for no limit."""
    days = DATES[choice][1]
    if not days:
        return None
    start = datetime.fromtimestamp(now).replace(hour=0, minute=0, second=0, microsecond=0)
    return (start - timedelta(days=days)).timestamp()


def title(hit: Hit) -> str:
    """A passage's title with its page: "Access report 2025.pdf, page 4"."""
    passage = hit.passage
    name = passage.title or KINDS[passage.kind][0]
    return f"{name}, page {figures.count(passage.page)}" if passage.page is not None else name


def line(hit: Hit) -> Line:
    passage = hit.passage
    return Line(
        title=title(hit),
        detail=hit.snippet.replace("\n", " "),  # one for one, so that the marks stay where they are
        kind=KINDS[passage.kind][0],
        icon=KINDS[passage.kind][2],
        when="" if passage.at is None else figures.short_date(passage.at),
        status=KINDS[passage.kind][0],
        detail_marks=hit.marks,
    )


def ordinal(rank: int) -> str:
    """1 as "1st", 12 as "12th"."""
    if rank % 100 in (11, 12, 13):
        return f"{rank}th"
    return f"{rank}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(rank % 10, 'th') }"


def found_because(reason: Reason) -> list[str]:
    """Sentences for the inspector, the strongest reason first."""
    said: list[str] = []
    words = ", ".join(f"“{word}”" for word in reason.words)
    if reason.lookup:
        said.append(
            f"It holds exactly what you asked for: {words}." if words else "It holds exactly what you asked for."
        )
    elif reason.words_rank is not None:
        which = f"It holds {words}" if words else "It holds words of your question"
        said.append(f"{which} ({ordinal(reason.words_rank)} by words).")
    if reason.meaning_rank is not None:
        said.append(
            f"It is {closeness(reason.similarity)} to your question ({ordinal(reason.meaning_rank)} by meaning)."
        )
    return said


def closeness(similarity: float | None) -> str:
    """Cosine similarity in words. The bounds are where questions about the sample papers were answered, or weren't."""
    if similarity is None:
        return "close in meaning"
    if similarity >= 0.55:
        return "very close in meaning"
    return "close in meaning" if similarity >= 0.35 else "loosely related in meaning"


def reason_tip(reason: Reason) -> str:
    """The technical side of a reason, for the tooltip."""
    parts = []
    if reason.words_rank is not None:
        parts.append(f"full-text rank {reason.words_rank}")
    if reason.meaning_rank is not None:
        parts.append(f"vector rank {reason.meaning_rank}")
    if reason.similarity is not None:
        parts.append(f"cosine {reason.similarity:.2f}")
    return ", ".join(parts)


def repaired(result: SearchResult) -> str:
    """ "Showing “Kowalski” for “Kowalsky”."; empty where nothing was repaired."""
    if not result.repairs:
        return ""
    pairs = ", ".join(f"“{repair.used}” for “{repair.typed}”" for repair in result.repairs)
    return f"Showing {pairs}."


def heading(result: SearchResult) -> str:
    """How many were found: "7 found", "more than 50 found"."""
    if result.total_is_lower_bound:
        return f"more than {figures.count(result.total)}"
    return figures.count(result.total)


def narrowed(where: str, type: str, date: str) -> list[str]:
    """The chips that narrow, in words; empty where none does."""
    own_dates = "these dates" if date == "custom" else DATES[date][0].lower()
    chosen = ((where, WHERE[where][0]), (type, TYPES[type][0]), (date, own_dates))
    return [words for choice, words in chosen if choice]


def nothing_found(result: SearchResult, narrowed: list[str]) -> str:
    """What was searched, what may help, and that meaning is still being prepared where it is."""
    said = [f"Nothing matches “{result.request.text.strip()}”"]
    said.append(f" in {', '.join(narrowed)}." if narrowed else f" in {passages(result)}.")
    if narrowed:
        said.append(" Search everything, or try other words.")
    elif result.request.mode is Mode.WORDS:
        said.append(" Try fewer words, or search by meaning too.")
    else:
        said.append(" Try fewer or other words.")
    return "".join(said)


def passages(result: SearchResult) -> str:
    return figures.of_things(result.passages, "passage", "passages") + " of this workspace"


def meaning_waits(result: SearchResult) -> str:
    """A sentence while not everything can be found by meaning; empty otherwise."""
    if result.meaning_note:
        return result.meaning_note
    if result.request.mode is Mode.WORDS or result.meaning_ready >= result.passages:
        return ""
    share = figures.percent(int(result.meaning_ready / result.passages * 100) / 100)
    return f"Meaning is still being prepared: {share} of the passages are ready."


def without_words(result: SearchResult) -> str:
    """A sentence where nothing of what was found holds the words that were typed; empty otherwise."""
    if result.request.mode is not Mode.BOTH or not result.hits:
        return ""
    if any(hit.reason.words_rank is not None or hit.reason.lookup for hit in result.hits):
        return ""
    return "Nothing holds these words. This is near in meaning:"
