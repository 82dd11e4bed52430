"""How papers are spoken of: their kinds, their states, their lines in a list."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path, PurePath

from core.domain.papers import Paper, PaperState, Taken
from core.domain.watching import Place
from ui.qt import figures, formats
from ui.qt.line import Line

STATES: dict[PaperState, tuple[str, str, str]] = {
    PaperState.WAITING: ("Waiting", "clock", "muted"),
    PaperState.READING: ("Reading", "loader", "accent"),
    PaperState.SEARCHABLE: ("Searchable", "circle-check", "muted"),
    PaperState.ATTENTION: ("Needs attention", "triangle-alert", "warn"),
    PaperState.CANCELLED: ("Stopped", "ban", "muted"),
}
"""State to words, icon and tone."""

STATE_TIPS: dict[PaperState, str] = {
    PaperState.WAITING: "It is read when its turn comes",
    PaperState.READING: "Its text is being read out of it now (extraction)",
    PaperState.SEARCHABLE: "Its text is found by search (indexed)",
    PaperState.ATTENTION: "It is kept, but its text could not be read",
    PaperState.CANCELLED: "It is kept, but not read, because somebody stopped it",
}

SCAN_STATES: dict[PaperState, tuple[str, str]] = {
    PaperState.WAITING: ("Waiting, scan", "The text in its pictures is read after papers that can be read at once"),
    PaperState.READING: ("Reading scan", "The text in its pictures is being read now (text recognition, OCR)"),
}
"""The same while the text in its pictures is to be recognised: words and tip."""

SORTS: tuple[tuple[str, str, bool], ...] = (
    ("", "Newest first", False),
    ("name", "By name", False),
    ("size", "Largest first", True),
    ("written", "By the paper's date", True),
    ("format", "By type", False),
)
"""The list's order, its words, and whether it runs downwards."""


def kind(paper: Paper) -> str:
    """What it is, in words: "PDF", "E-mail", "File (dcm)"."""
    return _kind(paper)[0]


def icon(paper: Paper) -> str:
    return _kind(paper)[1]


def _kind(paper: Paper) -> tuple[str, str]:
    ending = PurePath(paper.name).suffix.lstrip(".")
    known = formats.FORMATS.get(paper.format) or formats.of_name(ending)
    return known or (f"File ({ending.lower()})" if ending else "File", "file")


def state(paper: Paper) -> str:
    """The state in words; while it isn't found by meaning yet, that it is found by words."""
    if paper.gone_at is not None:
        return "File is gone"
    if paper.state is PaperState.SEARCHABLE and paper.meaning_done < paper.passages:
        return "Searchable by words"
    if paper.scan and paper.state in SCAN_STATES:
        return SCAN_STATES[paper.state][0]
    return STATES[paper.state][0]


def state_tip(paper: Paper) -> str:
    if paper.gone_at is not None:
        return "Its text is still found; it can be opened when its file is back"
    if paper.scan and paper.state in SCAN_STATES:
        return SCAN_STATES[paper.state][1]
    return STATE_TIPS[paper.state]


def place(place: Place) -> str:
    """A place that a paper was taken from; the person's own folder is written as ~, as file programs do."""
    home = str(Path.home())
    inside = place.path.startswith((home + "/", home + "\\"))
    shown = f"~{place.path[len(home) :]}" if inside else place.path
    if place.gone:
        return f"{shown} (not there any more)"
    return f"{shown} (watched)" if place.watched else shown


def kept(paper: Paper) -> str:
    return "Linked in place" if paper.linked else "Copied in"


def kept_tip(paper: Paper) -> str:
    if paper.linked:
        return "Its file stays where it lies, in a watched folder; the workspace keeps its text alone"
    return "The workspace keeps its own copy of the file"


def pages(paper: Paper) -> str:
    return "" if paper.pages is None else figures.of_things(paper.pages, "page", "pages")


def line(paper: Paper) -> Line:
    """A paper's row. What needs attention says why in place of the measures."""
    _, state_icon, tone = STATES[paper.state]
    measures = " · ".join(part for part in (kind(paper), pages(paper), figures.size(paper.byte_length)) if part)
    ready = paper.state is PaperState.SEARCHABLE
    return Line(
        title=paper.name,
        detail=paper.reason if paper.state is PaperState.ATTENTION and paper.reason else measures,
        kind=kind(paper),
        icon=icon(paper) if ready else state_icon,
        when=figures.short_date(paper.added_at),
        status=state(paper),
        tone=tone if paper.gone_at is None else "warn",
    )


def intake(answers: Sequence[Taken]) -> str:
    """The summary of an intake: "48 taken, 3 here already, 1 can't be read."."""
    outcomes = Counter(answer.outcome for answer in answers)
    said = [
        f"{figures.count(outcomes[outcome])} {words}"
        for outcome, words in (("queued", "taken"), ("known", "here already"), ("refused", "can't be taken"))
        if outcomes[outcome]
    ]
    if not said:
        return "There were no papers in what was given."
    return ", ".join(said) + "."


def selection(papers: Sequence[Paper], count: int) -> str:
    """What many chosen papers are together: "5 papers, 3.2 MB"; no size where not all of them were read."""
    said = figures.of_things(count, "paper", "papers")
    if count > len(papers):
        return said
    return f"{said}, {figures.size(sum(paper.byte_length for paper in papers))}"


def states_of(papers: Sequence[Paper]) -> str:
    """The states of many papers: "3 searchable, 1 needs attention"."""
    counted = Counter(paper.state for paper in papers)
    return ", ".join(
        f"{figures.count(counted[state])} {STATES[state][0].lower()}" for state in STATES if counted[state]
    )


def added(papers: Sequence[Paper]) -> str:
    if len(papers) == 1:
        return f"Added “{papers[0].name}”."
    return f"Added {figures.of_things(len(papers), 'paper', 'papers')}."


def removed(papers: Sequence[Paper]) -> str:
    if len(papers) == 1:
        return f"Removed “{papers[0].name}”."
    return f"Removed {figures.of_things(len(papers), 'paper', 'papers')}."
