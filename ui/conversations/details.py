"""A conversation to read: who said what, when; with words to find in it."""

from collections.abc import Sequence

from PySide6.QtCore import QTimer

from core.domain.conversations import Spot
from core.domain.memory import Message, Session
from ui.conversations import words
from ui.conversations.presenter import ConversationsPresenter
from ui.qt import figures
from ui.widgets.basics import Button
from ui.widgets.find_bar import FindBar
from ui.widgets.inspector import Inspector
from ui.widgets.passage_text import Part, PassageText


class ConversationDetails(Inspector):
    """Filled by `show_one` and `show_many`; the messages follow as they are read."""

    def __init__(self, presenter: ConversationsPresenter) -> None:
        super().__init__("Conversation", "Choose a conversation to read it.")
        self._presenter = presenter
        self._text: PassageText | None = None
        self._earlier: Button | None = None
        self._shown = ""
        self.find_bar = FindBar("Find in this conversation")
        self.find_bar.wanted.connect(presenter.find)
        self.find_bar.step.connect(presenter.step)
        self.find_bar.left.connect(self.area.setFocus)
        self.put_on_top(self.find_bar)
        self.find_bar.hide()
        presenter.messages_changed.connect(self._fill)
        presenter.found_changed.connect(self._fill)

    def show_one(self, session: Session) -> None:
        self.begin(words.title(session), ["Archived"] if session.archived_at is not None else [])
        if session.id != self._shown:
            self._shown = session.id
            self.find_bar.line.clear()
        self.find_bar.setVisible(session.messages > 0)
        self.add_text(words.about(session), "secondary")
        self._earlier = Button("Show earlier messages", self._presenter.read_earlier, kind="link")
        self._text = PassageText(f"Messages of {words.title(session)}")
        self.add(self._earlier, gap=8)
        self.add(self._text, gap=8)
        self._fill()

    def show_many(self, sessions: Sequence[Session], count: int) -> None:
        self._leave_text()
        self.begin(figures.of_things(count, "conversation", "conversations"))
        if count == len(sessions):
            total = sum(session.messages for session in sessions)
            self.add_text(figures.of_things(total, "message", "messages"), "muted")

    def clear(self) -> None:
        if hasattr(self, "find_bar"):  # the inspector clears itself before it has one
            self._leave_text()
        super().clear()

    def _leave_text(self) -> None:
        self._text = self._earlier = None
        self._shown = ""
        self.find_bar.hide()

    def _fill(self) -> None:
        if self._text is None or self._earlier is None:
            return
        presenter, text = self._presenter, self._text
        self.find_bar.show_place(presenter.at + 1 if presenter.spots else 0, len(presenter.spots))
        pointed, spot = presenter.pointed, presenter.spot
        marked = pointed or (spot.message if spot is not None else None)
        text.show_parts(_parts(presenter.messages, marked, presenter.spots))
        self._earlier.setVisible(presenter.earlier)
        if pointed is None:
            return
        offset = spot.start if spot is not None and spot.message == pointed else 0
        if text.top_of(pointed, offset) is not None:
            presenter.pointed = None
            QTimer.singleShot(0, text, lambda: self.show_at(text, text.top_of(pointed, offset) or 0))


def _parts(messages: Sequence[Message], pointed: str | None, spots: Sequence[Spot]) -> list[Part]:
    """A caption with who and when, then what was said; the day stands where it is another one."""
    marks: dict[str, list[tuple[int, int]]] = {}
    for spot in spots:
        marks.setdefault(spot.message, []).append((spot.start, spot.end))
    parts: list[Part] = []
    day = ""
    for message in messages:
        said = words.who(message)
        if message.at is not None:
            here = figures.long_date(message.at)
            clock = figures.clock(message.at)
            said = f"{said}, {clock}" if here == day else f"{said}, {here}, {clock}"
            day = here
        parts.append(Part(said, "caption"))
        role = "found" if message.id == pointed else "body"
        parts.append(Part(message.content, role, tuple(marks.get(message.id, ())), name=message.id))
    return parts
