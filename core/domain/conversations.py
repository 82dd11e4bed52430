"""Conversations as other programs tell them, on their way in: who they are, what they are called, what was left out."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from core.domain.folding import fold
from core.domain.memory import Json, Message, Role, Session
from core.domain.text import clean, one_line

TITLE = 60  # characters of a title that is made from the first words of a conversation
LONGEST_TITLE = 500
LAST_LINE = 160  # characters of the last message that a list shows
OURS = "Muniment"  # the origin of what this program wrote itself; its ids stay as they are
UNTITLED = "Conversation without a title"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message as an export tells it. id: its own id there, "" where it has none. at: UTC seconds."""

    role: Role
    content: str
    at: float | None = None
    id: str = ""
    metadata: dict[str, Json] = field(default_factory=dict[str, Json])


@dataclass(frozen=True, slots=True)
class ToldConversation:
    """A conversation as an export tells it.

    origin: the program that it comes from ("ChatGPT", "Claude"), "JSON" for any other, "Muniment" for our own export.
    id: its own id there, "" where it has none; then its beginning tells it from others. begun_at, ended_at: UTC
    seconds, None where the export gives none that can be read. notes: sentences about what could not be read in it.
    """

    origin: str
    id: str
    title: str
    begun_at: float | None
    ended_at: float | None
    turns: tuple[Turn, ...]
    archived: bool = False
    notes: tuple[str, ...] = ()

    @property
    def shown_title(self) -> str:
        """Its title; where it has none, the first words of the person, else its day."""
        if title := one_line(self.title)[:LONGEST_TITLE]:
            return title
        said = next((turn.content for turn in self.turns if turn.role is Role.USER and turn.content.strip()), "")
        if words := first_words(said):
            return words
        if self.begun_at is not None:
            return f"Conversation of {datetime.fromtimestamp(self.begun_at, UTC):%Y-%m-%d}"
        return UNTITLED


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A conversation, or a file, that could not be taken in. sentence: says which and why."""

    title: str
    sentence: str


class Outcome(StrEnum):
    """What became of a conversation that was taken in."""

    NEW = "new"
    GROWN = "grown"  # it was here; messages that it didn't have were added
    KNOWN = "known"  # it is here already, with all its messages
    BACK = "back"  # it lay in the trash and was taken out again


@dataclass(frozen=True, slots=True)
class TakenIn:
    """added: ids of the messages that are new."""

    session: Session
    outcome: Outcome
    added: tuple[str, ...]


@dataclass(slots=True)
class ImportReport:
    """What became of an export. name: the file's. found: how many conversations it seemed to hold; done: how many were
    looked at when it ended. notes: sentences about what could not be read in those that came."""

    name: str
    found: int = 0
    done: int = 0
    taken: list[TakenIn] = field(default_factory=list[TakenIn])
    left: list[LeftOut] = field(default_factory=list[LeftOut])
    notes: list[str] = field(default_factory=list[str])
    cancelled: bool = False

    def count(self, outcome: Outcome) -> int:
        return sum(taken.outcome is outcome for taken in self.taken)

    @property
    def changed(self) -> bool:
        """Whether anything came into the workspace."""
        return any(taken.outcome is not Outcome.KNOWN for taken in self.taken)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a message: start and end are offsets into its content."""

    message: str
    position: int
    start: int
    end: int


def first_words(text: str, most: int = TITLE) -> str:
    """The first line's first words, cut between two of them."""
    lines = [line for line in (one_line(line) for line in text[:4000].splitlines()) if line]
    line = lines[0] if lines else ""
    if len(line) <= most:
        return line
    cut = line[: most + 1].rsplit(" ", 1)[0]
    return f"{(cut if len(cut) > most // 2 else line[:most]).rstrip(' ,;:.-')}…"


def last_line(content: str) -> str:
    """What a list shows of the last message."""
    return one_line(content[: 4 * LAST_LINE])[:LAST_LINE]


def as_session(told: ToldConversation, now: float) -> tuple[Session, list[Message]]:
    """The session and the messages that a told conversation becomes. Told again, it becomes the same ones: their ids
    are made from the ids that they have in the export, or from what they say."""
    id = _session_id(told)
    seen: dict[str, int] = {}
    messages: list[Message] = []
    for position, turn in enumerate(told.turns):
        name = turn.id or _digest(turn.role, turn.content, str(turn.at))
        seen[name] = seen.get(name, 0) + 1  # the same words twice are two messages
        own = told.origin == OURS and bool(turn.id) and seen[name] == 1
        message = turn.id if own else _digest(id, name, str(seen[name]))
        messages.append(Message(message, id, position, turn.role, clean(turn.content), turn.at, dict(turn.metadata)))
    times = [message.at for message in messages if message.at is not None]
    begun = told.begun_at if told.begun_at is not None else min(times) if times else None
    if told.ended_at is not None:
        times.append(told.ended_at)
    ended = max(times) if times else begun
    session = Session(
        id=id,
        title=told.shown_title,
        created_at=now if begun is None else begun,
        updated_at=now if ended is None else ended,
        messages=len(messages),
        archived_at=(now if ended is None else ended) if told.archived else None,
        last_line=last_line(messages[-1].content) if messages else "",
        origin="" if told.origin == OURS else told.origin,
        dated=begun is not None,
    )
    return session, messages


def spots(text: str, wanted: str) -> list[tuple[int, int]]:
    """Where `wanted` stands in a text, without regard to case and accents: (start, end) offsets into the text."""
    needle = fold(wanted)
    if not needle.strip():
        return []
    folded, places = _folded_with_places(text)
    found: list[tuple[int, int]] = []
    at = folded.find(needle)
    while at >= 0:
        found.append((places[at], places[at + len(needle) - 1] + 1))
        at = folded.find(needle, at + len(needle))
    return found


def _folded_with_places(text: str) -> tuple[str, Sequence[int]]:
    """The folded text, and for each of its characters the offset of the one in `text` that it comes from."""
    if text.isascii():
        return text.lower(), range(len(text))
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        plain = letter.lower() if letter.isascii() else fold(letter)
        letters.append(plain)
        places.extend([place] * len(plain))
    return "".join(letters), places


def _session_id(told: ToldConversation) -> str:
    if told.origin == OURS and told.id:
        return told.id
    if told.id:
        return _digest(told.origin, told.id)
    first = told.turns[0] if told.turns else Turn(Role.USER, "")
    return _digest(told.origin, str(told.begun_at), told.title, first.id, first.content, str(first.at))


def _digest(*parts: str) -> str:
    """32 hexadecimal digits that are the same for the same parts, and for no others."""
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:32]
