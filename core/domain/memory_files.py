"""Records and shared entries as files: Markdown to read, JSON to take elsewhere, CSV for tables."""

import json
import re

from core.domain.conversation_files import FileFormat, csv_row, iso
from core.domain.memory import Json, Record, SharedEntry
from core.domain.text import one_line

RECORD_COLUMNS = ("title", "kind", "tags", "text", "pinned", "created", "changed", "changed by", "area", "key")
ENTRY_COLUMNS = ("name", "value", "type", "changed", "changed by")


def record_file_text(record: Record, format: FileFormat) -> str:
    """One record in a format; without `beginning`, `between` and `ending` it is no whole file of JSON or CSV."""
    match format:
        case FileFormat.MARKDOWN:
            about = [record.tier.value, *(one_line(tag) for tag in record.tags), *(["pinned"] if record.pinned else [])]
            changed = f"Changed {iso(record.updated_at)} by {one_line(record.updated_by)}"
            return _markdown(record.title, f"{', '.join(about)}. {changed}.", record.value)
        case FileFormat.JSON:
            return _json(
                {
                    "namespace": record.namespace,
                    "key": record.key,
                    "value": record.value,
                    "tier": record.tier.value,
                    "metadata": record.metadata,
                    "pinned": record.pinned,
                    "salience": record.salience,
                    "access_count": record.access_count,
                    "created_at": iso(record.created_at),
                    "created_by": record.created_by,
                    "updated_at": iso(record.updated_at),
                    "updated_by": record.updated_by,
                    "last_accessed_at": iso(record.last_accessed_at),
                    "version": record.version,
                    "source": None
                    if record.source is None
                    else {"kind": record.source.kind, "id": record.source.id, "said": record.source.said},
                }
            )
        case FileFormat.CSV:
            return csv_row(
                (
                    record.title, record.tier.value, ", ".join(record.tags), value_text(record.value),
                    "yes" if record.pinned else "no", iso(record.created_at), iso(record.updated_at),
                    record.updated_by, record.namespace, record.key,
                )
            )  # fmt: skip


def entry_file_text(entry: SharedEntry, format: FileFormat) -> str:
    """One shared entry, as `record_file_text`."""
    match format:
        case FileFormat.MARKDOWN:
            changed = f"Changed {iso(entry.updated_at)} by {one_line(entry.updated_by)}."
            return _markdown(entry.key, changed, entry.value)
        case FileFormat.JSON:
            return _json(
                {
                    "key": entry.key,
                    "value": entry.value,
                    "type": entry.type.value,
                    "metadata": entry.metadata,
                    "updated_at": iso(entry.updated_at),
                    "updated_by": entry.updated_by,
                    "version": entry.version,
                }
            )
        case FileFormat.CSV:
            return csv_row(
                (entry.key, value_text(entry.value), entry.type.value, iso(entry.updated_at), entry.updated_by)
            )


def value_text(value: Json) -> str:
    """A value as text: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _json(held: dict[str, object]) -> str:
    return json.dumps(held, ensure_ascii=False, indent=1)


def _markdown(title: str, about: str, value: Json) -> str:
    if isinstance(value, str):
        body = value
    else:
        body = _fenced(json.dumps(value, ensure_ascii=False, indent=2))
    return f"# {one_line(title)}\n\n{about}\n\n{body}\n"


def _fenced(text: str) -> str:
    """A code block whose fence is longer than any row of backticks in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}json\n{text}\n{fence}"
