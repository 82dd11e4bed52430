"""The details of a paper, or of many: what it is, where it came from, what could not be read, its text by page."""

from collections.abc import Callable, Sequence
from pathlib import PurePath

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel

from core.domain.papers import Paper, PaperState
from ui.papers import words
from ui.papers.page_view import PageCard
from ui.papers.presenter import PapersPresenter
from ui.qt import figures
from ui.widgets.basics import Button, label, progress, tag
from ui.widgets.inspector import Inspector
from ui.widgets.passage_text import Part, PassageText

TONES = {PaperState.ATTENTION: "warn"}
MOST_NOTES = 8
MOST_PLACES = 20
GONE = "Its file is not there any more. Its text can still be found; it opens again when the file is back."


class PaperDetails(Inspector):
    """Filled by `show_one` and `show_many`; the text and the picture follow as they are read and drawn.

    enlarge: shows the picture large.
    """

    def __init__(self, presenter: PapersPresenter, enlarge: Callable[[], object]) -> None:
        super().__init__("Paper", "Choose a paper to see what it is and to read its text.")
        self._presenter = presenter
        self._enlarge = enlarge
        self._text: PassageText | None = None
        self._more: Button | None = None
        self._pointed: tuple[str, int] | None = None
        self._go_there = False
        self._places: QLabel | None = None
        presenter.text_changed.connect(self._fill_text)
        presenter.places_changed.connect(self._fill_places)

    def show_one(self, paper: Paper) -> None:
        gone = paper.gone_at is not None
        said = words.state(paper) if paper.scan or gone else words.STATES[paper.state][0]
        state = tag(said, "warn" if gone else TONES.get(paper.state, ""), words.state_tip(paper))
        self.begin(paper.name, [words.kind(paper), tag(words.kept(paper), tip=words.kept_tip(paper)), state])
        if gone:
            self.add_notice("triangle-alert", GONE)
        if paper.state is PaperState.ATTENTION and paper.reason:
            self.add_notice("triangle-alert", paper.reason)
        if self._presenter.pages.draws(paper):
            self._presenter.pages.show(paper)
            self.add(PageCard(self._presenter.pages, paper.name, self._enlarge))
        self.add_facts(_facts(paper))
        self._places = label("", wrap=True, selectable=True)
        self.add_section("Taken from", self._places, tip="Every place where this file was found")
        self._fill_places()
        self._add_notes(paper)
        if paper.state is PaperState.SEARCHABLE and paper.meaning_done < paper.passages:
            self._add_meaning(paper)
        self._text = self._more = None
        if paper.passages:
            self._text = PassageText(f"Text of {paper.name}")
            self._more = Button("Show more of the text", self._presenter.read_on, kind="link")
            self.add_section("Text", self._text, tip="What was read out of the paper (passages)")
            self.add(self._more)
            self._fill_text()

    def show_many(self, papers: Sequence[Paper], count: int) -> None:
        self._text = self._more = self._places = None
        self.begin(words.selection(papers, count))
        if count == len(papers):
            self.add_text(words.states_of(papers), "muted")

    def point_at(self, id: str, ordinal: int) -> None:
        """Mark a passage in the text of this paper whenever it is shown, and bring it into view once."""
        self._pointed, self._go_there = (id, ordinal), True
        self._fill_text()

    @property
    def _mark(self) -> int | None:
        """The passage to mark in the paper that is shown."""
        paper = self._presenter.one
        return self._pointed[1] if self._pointed and paper is not None and paper.id == self._pointed[0] else None

    def _add_notes(self, paper: Paper) -> None:
        if not paper.notes:
            return
        self.add_section("To know about this paper")
        for note in paper.notes[:MOST_NOTES]:
            self.add_notice("info", note.sentence, "muted")
        if len(paper.notes) > MOST_NOTES:
            self.add_text(f"and {figures.count(len(paper.notes) - MOST_NOTES)} more of these.", "muted")

    def _add_meaning(self, paper: Paper) -> None:
        bar = progress("Prepared for search by meaning")
        bar.setRange(0, paper.passages)
        bar.setValue(paper.meaning_done)
        done = f"{figures.count(paper.meaning_done)} of {figures.of_things(paper.passages, 'passage', 'passages')}"
        self.add_section("Search by meaning", f"Being prepared: {done}. Words are found already.", tip="Embedding")
        self.add(bar)

    def _fill_places(self) -> None:
        if self._places is not None:
            self._places.setText("\n".join(words.place(place) for place in self._presenter.places[:MOST_PLACES]))

    def _fill_text(self) -> None:
        if self._text is None or self._more is None:
            return
        presenter, mark, text = self._presenter, self._mark, self._text
        if mark is not None and mark >= len(presenter.passages) and presenter.more_text:
            presenter.read_on(mark)
            return
        text.show_parts(_parts(presenter, mark))
        self._more.setVisible(presenter.more_text)
        if self._go_there and mark is not None and (top := text.top_of(str(mark))) is not None:
            self._go_there = False
            found = presenter.passages[mark]
            presenter.pages.point_at(found.page or 1, found.text.splitlines())
            # The layout has to give the text its height first.
            QTimer.singleShot(0, text, lambda: self.show_at(text, top))


def _facts(paper: Paper) -> list[tuple[str, str]]:
    measures = " · ".join(part for part in (words.pages(paper), figures.size(paper.byte_length)) if part)
    facts = [
        ("Title", "" if paper.title in (paper.name, PurePath(paper.name).stem) else paper.title),
        ("Size", measures),
        ("Dated", figures.written_date(paper.written_on) if paper.written_on else ""),
        ("Added", figures.moment(paper.added_at)),
    ]
    return [(name, value) for name, value in facts if value]


def _parts(presenter: PapersPresenter, pointed: int | None) -> list[Part]:
    """The text with a caption where a page, or an attachment, begins."""
    parts: list[Part] = []
    place: tuple[int | None, str] = (None, "")
    for index, passage in enumerate(presenter.passages):
        here = (passage.page, passage.part)
        if here != place:
            place = here
            parts.append(Part(_caption(*here), "caption"))
        parts.append(Part(passage.text, "found" if index == pointed else "body", name=str(index)))
    return parts


def _caption(page: int | None, part: str) -> str:
    said = [part] if part else []
    if page is not None:
        said.append(f"Page {figures.count(page)}")
    return ", ".join(said) or "Beginning"
