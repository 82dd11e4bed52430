"""Calendars (ICS) and address cards (VCF): one readable block for every entry."""

import quopri
import re
from collections.abc import Iterator

from core.adapters.extraction import dates
from core.adapters.extraction.charset import decode
from core.adapters.extraction.source import Source

ENTRIES = ("VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VCARD")
LABELS = {
    "SUMMARY": "Subject",
    "DTSTART": "Starts",
    "DTEND": "Ends",
    "DUE": "Due",
    "DURATION": "Lasts",
    "LOCATION": "Place",
    "DESCRIPTION": "Description",
    "ORGANIZER": "Organiser",
    "ATTENDEE": "Attendee",
    "STATUS": "Status",
    "RRULE": "Repeats",
    "CATEGORIES": "Categories",
    "COMMENT": "Comment",
    "FN": "Name",
    "N": "Full name",
    "ORG": "Organisation",
    "TITLE": "Position",
    "TEL": "Telephone",
    "EMAIL": "Mail",
    "ADR": "Address",
    "BDAY": "Born",
    "NOTE": "Note",
    "URL": "Page",
    "NICKNAME": "Also called",
    "ROLE": "Role",
}
DATED = ("DTSTART", "DTEND", "DUE", "BDAY")
_LINE = re.compile(r"(?:[\w-]+\.)?([\w-]+)((?:;[^:\"]*(?:\"[^\"]*\"[^:\"]*)*)?):(.*)", re.DOTALL)


def read(source: Source) -> None:
    """One block for each event, task or person; blocks of different people are never mixed."""
    lines: list[str] = []
    for name, parameters, value in _properties(source.text()):
        if name == "BEGIN" and value.upper() in ENTRIES:
            lines = []
        elif name == "END" and value.upper() in ENTRIES:
            source.transcript.boundary()
            source.transcript.paragraph("\n".join(lines))
            lines = []
        elif name in LABELS and (shown := _shown(name, parameters, value)):
            lines.append(f"{LABELS[name]}: {shown}")
            if name in ("SUMMARY", "FN"):
                source.transcript.describe(title=shown)
            if name == "DTSTART":
                source.transcript.describe(written_on=dates.from_digits(value))
    source.transcript.boundary()
    source.transcript.paragraph("\n".join(lines))  # an entry that breaks off


def _properties(text: str) -> Iterator[tuple[str, str, str]]:
    """Unfolded lines as (NAME, ;PARAMETERS, value)."""
    text = re.sub(r"=\r?\n", "=0A", text) if "QUOTED-PRINTABLE" in text.upper() else text
    for line in re.sub(r"\r?\n[ \t]", "", text.replace("\r\r\n", "\r\n")).splitlines():
        if (found := _LINE.match(line.strip())) is not None:
            yield found[1].upper(), found[2].upper(), found[3].strip()


def _shown(name: str, parameters: str, value: str) -> str:
    if "QUOTED-PRINTABLE" in parameters:
        value = decode(quopri.decodestring(value.replace("=0A=", "=").encode("utf-8", "replace")))
    if name in DATED and (date := dates.from_digits(value)) is not None:
        return date.replace("T", " ")
    if name in ("N", "ADR", "ORG"):
        parts = re.split(r"(?<!\\);", value)
        value = " ".join(parts[1:] + parts[:1]) if name == "N" else ", ".join(filter(None, parts))
    value = re.sub(r"(?i)^mailto:", "", value)
    if (common := re.search(r";CN=\"?([^;:\"]+)", parameters)) is not None:
        value = f"{common[1].title()} {value}"
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] in "nN" else found[1], value).strip()
