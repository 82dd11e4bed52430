"""How conversations are spoken of."""

from collections.abc import Sequence

from core.domain.memory import Role, Session
from ui.qt import figures
from ui.qt.line import Line
from ui.qt.wording import on_day

ROLES: dict[Role, tuple[str, str]] = {
    Role.USER: ("You", "user"),
    Role.ASSISTANT: ("Assistant", "bot"),
    Role.SYSTEM: ("Instructions", "settings"),
    Role.TOOL: ("Tool", "terminal"),
}

SORTS: tuple[tuple[str, str, bool], ...] = (
    ("", "Newest first", False),
    ("title", "By title", False),
    ("messages", "Longest first", True),
)


def line(session: Session) -> Line:
    return Line(
        title=title(session),
        detail=session.last_line or "No message yet",
        kind="Conversation",
        icon="archive" if session.archived_at is not None else "message-circle",
        when=figures.short_date(session.updated_at),
        status="Archived" if session.archived_at is not None else "",
    )


def title(session: Session) -> str:
    return session.title.strip() or "Conversation without a title"


def about(session: Session) -> str:
    """ "7 messages, begun on 3 November 2026, archived"."""
    parts = [figures.of_things(session.messages, "message", "messages"), f"begun {on_day(session.created_at)}"]
    if session.archived_at is not None:
        parts.append(f"archived {on_day(session.archived_at)}")
    return ", ".join(parts)


def removed(sessions: Sequence[Session]) -> str:
    if len(sessions) == 1:
        return f"Removed “{title(sessions[0])}”."
    return f"Removed {figures.of_things(len(sessions), 'conversation', 'conversations')}."


def archived(sessions: Sequence[Session], archived: bool) -> str:
    done = "Archived" if archived else "Took out of the archive"
    if len(sessions) == 1:
        return f"{done}: “{title(sessions[0])}”."
    return f"{done}: {figures.of_things(len(sessions), 'conversation', 'conversations')}."
