"""Calendars (ICS, VCS) and address cards (VCF): one readable block for every entry (RFC 5545, RFC 6350 and before)."""

import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.adapters.extraction import base64_text, dates
from core.adapters.extraction.charset import decode
from core.adapters.extraction.source import Source

ENTRIES = ("VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VCARD")
LABELS = {
    "SUMMARY": "Subject",
    "DTSTART": "Starts",
    "DTEND": "Ends",
    "DUE": "Due",
    "DURATION": "Lasts",
    "COMPLETED": "Done on",
    "LOCATION": "Place",
    "DESCRIPTION": "Description",
    "ORGANIZER": "Organiser",
    "ATTENDEE": "Attendee",
    "CONTACT": "Contact",
    "STATUS": "Status",
    "RRULE": "Repeats",
    "RDATE": "Also on",
    "EXDATE": "Not on",
    "RECURRENCE-ID": "Instead of",
    "FREEBUSY": "Taken",
    "RESOURCES": "Needs",
    "PERCENT-COMPLETE": "Percent done",
    "CATEGORIES": "Categories",
    "COMMENT": "Comment",
    "FN": "Name",
    "N": "Full name",
    "ORG": "Organisation",
    "TITLE": "Position",
    "TEL": "Telephone",
    "EMAIL": "Mail",
    "IMPP": "Chat",
    "ADR": "Address",
    "LABEL": "Address as written",
    "BDAY": "Born",
    "ANNIVERSARY": "Anniversary",
    "NOTE": "Note",
    "URL": "Page",
    "NICKNAME": "Also called",
    "ROLE": "Role",
    "LANG": "Language",
    "RELATED": "Related to",
    "X-ABLABEL": "Labelled",
}
DATED = ("DTSTART", "DTEND", "DUE", "COMPLETED", "RDATE", "EXDATE", "RECURRENCE-ID", "FREEBUSY", "BDAY", "ANNIVERSARY")
KINDS_SHOWN = ("work", "home", "cell", "mobile", "fax", "pager", "other", "main")
EVERY = {
    "SECONDLY": "second",
    "MINUTELY": "minute",
    "HOURLY": "hour",
    "DAILY": "day",
    "WEEKLY": "week",
    "MONTHLY": "month",
    "YEARLY": "year",
}
DAYS = {
    "MO": "Monday",
    "TU": "Tuesday",
    "WE": "Wednesday",
    "TH": "Thursday",
    "FR": "Friday",
    "SA": "Saturday",
    "SU": "Sunday",
}
_LINE = re.compile(r"(?:[\w-]+\.)?([\w-]+)((?:;[^:\"]*(?:\"[^\"]*\"[^:\"]*)*)?):(.*)", re.DOTALL)
_FOLD = re.compile(r"\n[ \t]")
LONGEST_HEAD = 2_000  # characters of a name with its parameters


@dataclass(frozen=True, slots=True)
class _Property:
    """parameters: as they stand, each with a semicolon in front."""

    name: str
    parameters: str
    value: str

    def parameter(self, name: str) -> str:
        found = re.search(rf"(?i);{name}=(\"[^\"]*\"|[^;:\"]*)", self.parameters)
        return found[1].strip('"') if found else ""

    @property
    def is_quoted(self) -> bool:
        return "QUOTED-PRINTABLE" in self.parameters.upper()

    def text(self) -> str:
        if not self.is_quoted:
            return self.value
        return decode(quopri.decodestring(self.value.encode("utf-8", "replace")), self.parameter("CHARSET") or None)


def read(source: Source) -> None:
    """One block for each event, task or person; blocks of different people are never mixed."""
    open_ones: list[str] = []
    lines: list[str] = []
    for found in _properties(source.text()):
        kind = found.value.strip().upper()
        inside = open_ones[-1] if open_ones else ""
        if found.name == "BEGIN":
            if kind in ENTRIES:
                _end_entry(source, lines)
            open_ones.append(kind)
        elif found.name == "END":
            if kind in ENTRIES:
                _end_entry(source, lines)
            open_ones = (
                open_ones[: len(open_ones) - 1 - open_ones[::-1].index(kind)] if kind in open_ones else open_ones
            )
        elif inside in ENTRIES:
            _read_property(source, found, lines)
        elif found.name == "X-WR-CALNAME" and inside == "VCALENDAR":
            source.transcript.describe(title=found.text())
    _end_entry(source, lines)  # one that breaks off


def _end_entry(source: Source, lines: list[str]) -> None:
    source.transcript.boundary()
    source.transcript.paragraph("\n".join(lines))
    lines.clear()


def _read_property(source: Source, found: _Property, lines: list[str]) -> None:
    if found.name == "ATTACH":
        _read_attached(source, found)
    elif found.name in LABELS and (shown := _shown(found)):
        lines.append(f"{LABELS[found.name]}: {shown}")
        if found.name in ("SUMMARY", "FN"):
            source.transcript.describe(title=shown)
        if found.name == "DTSTART":
            source.transcript.describe(written_on=dates.from_digits(found.value))


def _read_attached(source: Source, found: _Property) -> None:
    """A file inside the entry; what lies elsewhere is never fetched."""
    if "BASE64" not in found.parameters.upper():
        source.transcript.paragraph(f"Attached: {found.value}"[:LONGEST_HEAD])
        return
    name = found.parameter("X-FILENAME") or found.parameter("FILENAME") or "attachment"
    data = base64_text.unpacked(found.value)
    if data is None:
        source.transcript.note("attachment_named", f"{name}, attached to {source.name}, is damaged.")
    else:
        source.part(name, data)


def _properties(text: str) -> Iterator[_Property]:
    """Unfolded lines; those in quoted-printable go on where they end in "="."""
    text = text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace("\r", "\n")
    lines = iter(_FOLD.sub("", _soft_breaks(text)).split("\n"))
    for line in lines:
        found = _LINE.match(line.strip()) if ":" in line[:LONGEST_HEAD] else None
        if found is not None:
            yield _Property(found[1].upper(), found[2], found[3].strip())


def _soft_breaks(text: str) -> str:
    if "QUOTED-PRINTABLE" not in text.upper():
        return text
    out: list[str] = []
    goes_on = False
    for line in text.split("\n"):
        if goes_on:
            out[-1] = out[-1][:-1] + line.removeprefix(" ").removeprefix("\t")
        else:
            out.append(line)
        quoted = goes_on or "QUOTED-PRINTABLE" in line[:LONGEST_HEAD].upper()
        goes_on = quoted and line.endswith("=")
    return "\n".join(out)


def _shown(found: _Property) -> str:
    value, name = found.text(), found.name
    if name in DATED:
        return ", ".join(filter(None, (_moment(one, found.parameter("TZID")) for one in value.split(","))))
    if name == "RRULE":
        return _rule(value)
    if name in ("N", "ADR", "ORG"):
        parts = [part.strip() for part in re.split(r"(?<!\\);", value)]
        value = " ".join(filter(None, parts[1:] + parts[:1])) if name == "N" else ", ".join(filter(None, parts))
    value = re.sub(r"(?i)^(mailto|tel|xmpp|sip):", "", value)
    if (common := found.parameter("CN")) and common != value:
        value = f"{common} {value}"
    if name in ("TEL", "EMAIL", "ADR", "IMPP") and (kinds := _kinds(found.parameters)):
        value = f"{value} ({kinds})" if value.strip() else ""
    return re.sub(r"\\(.)", lambda escaped: "\n" if escaped[1] in "nN" else escaped[1], value).strip()


def _kinds(parameters: str) -> str:
    said = re.findall(r"[a-z]+", parameters.lower())
    return ", ".join(kind for kind in KINDS_SHOWN if kind in said)


def _moment(value: str, zone: str) -> str:
    """A day or a time with its zone, as it is meant; "" for nothing."""
    begins, _slash, lasts = value.strip().partition("/")
    date = dates.from_digits(begins)
    shown = date.replace("T", " ") if date else begins
    if zone and date and "T" in date and "+" not in date:
        shown = f"{shown} ({zone})"
    return f"{shown} {lasts}".strip()


def _rule(value: str) -> str:
    """FREQ=WEEKLY;INTERVAL=2;BYDAY=MO becomes "every 2 weeks on Monday"; what has no words stands as it is."""
    said = dict(part.upper().split("=", 1) for part in value.split(";") if "=" in part)
    unit, often = EVERY.get(said.pop("FREQ", ""), ""), said.pop("INTERVAL", "1")
    if not unit:
        return value
    words = [f"every {unit}" if often == "1" else f"every {often} {unit}s"]
    if "BYDAY" in said:
        days = said.pop("BYDAY").split(",")
        words.append("on " + ", ".join(" ".join(filter(None, (day[:-2], DAYS.get(day[-2:], day)))) for day in days))
    if "COUNT" in said:
        words.append(f"{said.pop('COUNT')} times")
    if "UNTIL" in said:
        words.append(f"until {(dates.from_digits(said['UNTIL']) or said['UNTIL'])[:10]}")
        said.pop("UNTIL")
    said.pop("WKST", "")
    rest = "; ".join(f"{name}={held}" for name, held in said.items())
    return " ".join(filter(None, (*words, f"({rest})" if rest else "")))
