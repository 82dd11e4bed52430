"""Conversations as files: Markdown to read, JSON to take elsewhere (and back), CSV for tables."""

import csv
import io
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum

from core.domain.conversations import UNTITLED
from core.domain.memory import Message, Role, Session

SPEAKERS = {Role.USER: "Person", Role.ASSISTANT: "Assistant", Role.SYSTEM: "Instructions", Role.TOOL: "Tool"}
COLUMNS = ("conversation", "id", "number", "role", "at", "text")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a table program would run what begins so


class FileFormat(StrEnum):
    MARKDOWN = "md"
    JSON = "json"
    CSV = "csv"


def beginning(format: FileFormat, columns: Sequence[str] = COLUMNS) -> str:
    """What stands before the first conversation, or the first thing of a table with other columns."""
    return {FileFormat.MARKDOWN: "", FileFormat.JSON: "[\n", FileFormat.CSV: csv_row(columns)}[format]


def between(format: FileFormat) -> str:
    """What stands between two of them."""
    return {FileFormat.MARKDOWN: "\n", FileFormat.JSON: ",\n", FileFormat.CSV: ""}[format]


def ending(format: FileFormat) -> str:
    """What stands behind the last one."""
    return "\n]\n" if format is FileFormat.JSON else ""


def conversation_text(session: Session, messages: Sequence[Message], format: FileFormat) -> str:
    """One conversation in a format; without `beginning`, `between` and `ending` it is no whole file of JSON or CSV."""
    match format:
        case FileFormat.MARKDOWN:
            return _markdown(session, messages)
        case FileFormat.JSON:
            return json.dumps(_object(session, messages), ensure_ascii=False, indent=1)
        case FileFormat.CSV:
            return "".join(_table_row(session, message) for message in messages)


def iso(at: float | None) -> str:
    """ISO 8601 in UTC to the second; "" where it is not known."""
    return "" if at is None else datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _markdown(session: Session, messages: Sequence[Message]) -> str:
    lines = [f"# {session.title or UNTITLED}", ""]
    about = [f"Begun {iso(session.created_at)}" if session.dated else "Date not known"]
    about += [f"from {session.origin}"] if session.origin else []
    about += ["archived"] if session.archived_at is not None else []
    lines += [f"{', '.join(about)}.", ""]
    for message in messages:
        when = f", {iso(message.at)}" if message.at is not None else ""
        lines += [f"## {SPEAKERS[message.role]}{when}", "", message.content, ""]
    return "\n".join(lines)


def _object(session: Session, messages: Sequence[Message]) -> dict[str, object]:
    """As `core.adapters.extraction.chat_exports` reads it back."""
    return {
        "origin_program": "Muniment",
        "id": session.id,
        "title": session.title,
        "created_at": iso(session.created_at) if session.dated else None,
        "updated_at": iso(session.updated_at),
        "archived": session.archived_at is not None,
        "from": session.origin,
        "messages": [
            {
                "id": message.id,
                "role": message.role.value,
                "at": message.at,
                "content": message.content,
                "metadata": message.metadata,
            }
            for message in messages
        ],
    }


def _table_row(session: Session, message: Message) -> str:
    title = session.title or UNTITLED
    return csv_row((title, session.id, message.position + 1, message.role.value, iso(message.at), message.content))


def csv_row(values: Sequence[object]) -> str:
    """One line of a CSV file (RFC 4180) that no table program takes for a formula."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow([_cell(value) for value in values])
    return line.getvalue()


def _cell(value: object) -> object:
    """A text that a table program would take for a formula gets an apostrophe in front."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
