"""A conversation to read: who said what, when."""

from collections.abc import Sequence

from PySide6.QtCore import QTimer

from core.domain.memory import Message, Session
from ui.conversations import words
from ui.conversations.presenter import ConversationsPresenter
from ui.qt import figures
from ui.widgets.basics import Button
from ui.widgets.inspector import Inspector
from ui.widgets.passage_text import Part, PassageText


class ConversationDetails(Inspector):
    """Filled by `show_one` and `show_many`; the messages follow as they are read."""

    def __init__(self, presenter: ConversationsPresenter) -> None:
        super().__init__("Conversation", "Choose a conversation to read it.")
        self._presenter = presenter
        self._text: PassageText | None = None
        self._earlier: Button | None = None
        presenter.messages_changed.connect(self._fill)

    def show_one(self, session: Session) -> None:
        self.begin(words.title(session), ["Archived"] if session.archived_at is not None else [])
        self.add_text(words.about(session), "secondary")
        self._earlier = Button("Show earlier messages", self._presenter.read_earlier, kind="link")
        self._text = PassageText(f"Messages of {words.title(session)}")
        self.add(self._earlier, gap=8)
        self.add(self._text, gap=8)
        self._fill()

    def show_many(self, sessions: Sequence[Session], count: int) -> None:
        self._text = self._earlier = None
        self.begin(figures.of_things(count, "conversation", "conversations"))
        if count == len(sessions):
            total = sum(session.messages for session in sessions)
            self.add_text(figures.of_things(total, "message", "messages"), "muted")

    def _fill(self) -> None:
        if self._text is None or self._earlier is None:
            return
        pointed = self._presenter.pointed
        self._text.show_parts(_parts(self._presenter.messages, pointed))
        self._earlier.setVisible(self._presenter.earlier)
        text = self._text
        if pointed is not None and (top := text.top_of(pointed)) is not None:
            self._presenter.pointed = None
            QTimer.singleShot(0, text, lambda: self.show_at(text, top))


def _parts(messages: Sequence[Message], pointed: str | None) -> list[Part]:
    """A caption with who and when, then what was said; the day stands where it is another one."""
    parts: list[Part] = []
    day = ""
    for message in messages:
        who = words.ROLES[message.role][0]
        said = who
        if message.at is not None:
            here = figures.long_date(message.at)
            said = (
                f"{who}, {figures.clock(message.at)}" if here == day else f"{who}, {here}, {figures.clock(message.at)}"
            )
            day = here
        parts.append(Part(said, "caption"))
        parts.append(Part(message.content, "found" if message.id == pointed else "body", name=message.id))
    return parts
