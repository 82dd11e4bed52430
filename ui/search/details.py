"""The details of what was found: why, and the text with what stands before and after it."""

from PySide6.QtWidgets import QLabel

from core.domain.passages import Kind, Passage
from core.domain.query import Hit
from ui.qt import figures
from ui.search import words
from ui.search.presenter import SearchPresenter
from ui.widgets.basics import tag
from ui.widgets.inspector import Inspector
from ui.widgets.passage_text import Part, PassageText, marks_of

GLIMPSE = 180  # characters shown of the passages before and after


class HitDetails(Inspector):
    """Filled by `show_hit`, again when the text around the hit was read."""

    def __init__(self, presenter: SearchPresenter) -> None:
        super().__init__("What was found", "Choose something that was found to read it.")
        self._presenter = presenter

    def show_hit(self, hit: Hit) -> None:
        passage = hit.passage
        self.begin(passage.title or words.KINDS[passage.kind][0], _tags(passage))
        if self._presenter.gone:
            self.add_notice("triangle-alert", "The file of this paper is not there any more. Its text is kept here.")
        said = words.found_because(hit.reason)
        if said:
            self.add_section("Found because", "\n".join(said), tip=words.reason_tip(hit.reason))
        if passage.heading and passage.kind is Kind.PAPER:
            self.add_section("Stands under", " › ".join(passage.heading))
        text = PassageText("The text that was found")
        text.show_parts(_parts(hit, self._presenter.passages))
        self.add_section("Text", text, tip="The passage that was found, with the ones before and after it")
        if hit.more:
            more = figures.of_things(hit.more, "more passage", "more passages")
            self.add_text(f"{more} of it match too.", "secondary")


def _tags(passage: Passage) -> list[QLabel]:
    tags = [tag(words.KINDS[passage.kind][0])]
    if passage.kind is Kind.PAPER and passage.format:
        tags.append(tag(words.format_words(passage.format)))
    if passage.page is not None:
        tags.append(tag(f"Page {figures.count(passage.page)}"))
    if passage.at is not None:
        tags.append(tag(figures.long_date(passage.at)))
    return tags


def _parts(hit: Hit, passages: list[Passage]) -> list[Part]:
    """The passage in full, with what was found marked; its neighbours quieter."""
    found = {hit.snippet[start:end] for start, end in hit.marks} | set(hit.reason.words)
    parts: list[Part] = []
    for passage in passages:
        if passage.id == hit.passage.id:
            parts.append(Part(passage.text, "body", marks_of(passage.text, found), "found"))
        elif passage.ordinal < hit.passage.ordinal:
            parts.append(Part(ending(passage.text), "muted"))
        else:
            parts.append(Part(beginning(passage.text), "muted"))
    return parts


def ending(text: str) -> str:
    """The last words of a text, after "…" where it is longer."""
    if len(text) <= GLIMPSE:
        return text
    return "… " + text[-GLIMPSE:].partition(" ")[2]


def beginning(text: str) -> str:
    """The first words of a text, before "…" where it is longer."""
    if len(text) <= GLIMPSE:
        return text
    return text[:GLIMPSE].rpartition(" ")[0] + " …"
