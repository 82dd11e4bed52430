"""How conversations are spoken of."""

from collections.abc import Sequence

from core.domain.conversation_files import FileFormat
from core.domain.conversations import UNTITLED, ImportReport, Outcome
from core.domain.memory import Message, Role, Session
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

FORMATS: tuple[tuple[FileFormat, str], ...] = (
    (FileFormat.MARKDOWN, "To read (Markdown)"),
    (FileFormat.CSV, "As a table (CSV)"),
    (FileFormat.JSON, "For programs (JSON)"),
)


def line(session: Session) -> Line:
    return Line(
        title=title(session),
        detail=session.last_line or "No message yet",
        kind="Conversation",
        icon="archive" if session.archived_at is not None else "message-circle",
        when=figures.short_date(session.updated_at) if session.dated else "",
        status="Archived" if session.archived_at is not None else "",
        tags=(session.origin,) if session.origin else (),
    )


def title(session: Session) -> str:
    return session.title.strip() or UNTITLED


def about(session: Session) -> str:
    """ "7 messages, begun on 3 November 2026, archived"."""
    parts = [figures.of_things(session.messages, "message", "messages")]
    if session.dated:
        parts.append(f"begun {on_day(session.created_at)}")
    else:
        parts.append(f"date not known, taken over {on_day(session.created_at)}")
    if session.origin:
        parts.append(f"from {origin(session)}")
    if session.archived_at is not None:
        parts.append(f"archived {on_day(session.archived_at)}")
    return ", ".join(parts)


def origin(session: Session) -> str:
    return "a file" if session.origin == "JSON" else session.origin


def who(message: Message) -> str:
    """Who said it, as the caption above a message begins."""
    if message.metadata.get("author_unknown"):
        return "Writer not named"
    said = ROLES[message.role][0]
    return f"{said} (another attempt)" if message.metadata.get("aside") else said


def renamed(session: Session) -> str:
    return f"Renamed to “{title(session)}”."


def removed(sessions: Sequence[Session]) -> str:
    if len(sessions) == 1:
        return f"Removed “{title(sessions[0])}”."
    return f"Removed {figures.of_things(len(sessions), 'conversation', 'conversations')}."


def archived(sessions: Sequence[Session], archived: bool) -> str:
    done = "Archived" if archived else "Took out of the archive"
    if len(sessions) == 1:
        return f"{done}: “{title(sessions[0])}”."
    return f"{done}: {figures.of_things(len(sessions), 'conversation', 'conversations')}."


# ---- taking over ----------------------------------------------------------------------------------------------------


def taken_over(reports: Sequence[ImportReport]) -> str:
    """For the undo: "Took over 12 conversations."."""
    count = sum(taken.outcome is not Outcome.KNOWN for report in reports for taken in report.taken)
    return f"Took over {figures.of_things(count, 'conversation', 'conversations')}."


def outcome(reports: Sequence[ImportReport]) -> str:
    """What became of exports: "12 conversations are new, 3 got new messages, 40 were here already. 2 were left
    out.".
    """
    counts = {outcome: sum(report.count(outcome) for report in reports) for outcome in Outcome}
    left = sum(len(report.left) for report in reports)
    said: list[str] = []
    for kind, one, many in (
        (Outcome.NEW, "is new", "are new"),
        (Outcome.GROWN, "got new messages", "got new messages"),
        (Outcome.BACK, "came back from the trash", "came back from the trash"),
        (Outcome.KNOWN, "was here already", "were here already"),
    ):
        if (count := counts[kind]) > 0:
            things = figures.count(count) if said else figures.of_things(count, "conversation", "conversations")
            said.append(f"{things} {one if count == 1 else many}")
    sentence = f"{', '.join(said)}." if said else "Nothing was taken over."
    if left:
        sentence += f" {figures.count(left)} {'was' if left == 1 else 'were'} left out."
    if any(report.cancelled for report in reports):
        sentence += " You stopped it; import the file again to go on."
    return sentence


def reasons(reports: Sequence[ImportReport]) -> list[tuple[str, str]]:
    """What was left out or came incompletely: (name, reason)."""
    left = [(each.title, each.sentence) for report in reports for each in report.left]
    return left + [(report.name, note) for report in reports for note in report.notes]
