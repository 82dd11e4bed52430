"""HL7 v2 messages: what was said of whom, in readable sections; codes and dates are kept."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.adapters.extraction import base64_text, dates
from core.adapters.extraction.charset import usable
from core.adapters.extraction.hl7_names import CHARSETS, FIELDS, MESSAGES, SEGMENTS
from core.adapters.extraction.source import Source

HEADERS = ("MSH", "FHS", "BHS")
PARTS_OF_A_NAME = 5  # family, given, middle names, what stands behind and in front; then come kinds and dates
_SEGMENT = re.compile(r"[A-Z][A-Z0-9]{2}(?=[^\w\s]|$)")
_CHARSET = re.compile(rb"\A[\s\x0b\xef\xbb\xbf]*MSH([^\w\s])(?:[^\r\n]*?\1){16}([^\r\n]*)")
_BASE64 = re.compile(r"[A-Za-z0-9+/\s]{1000,}={0,2}")


@dataclass(frozen=True, slots=True)
class _Marks:
    """The signs between the pieces of a message, as its first segment says them."""

    field: str = "|"
    component: str = "^"
    repetition: str = "~"
    escape: str = "\\"
    subcomponent: str = "&"


def read(source: Source) -> None:
    """One group for each message, and in it for each patient, so that no passage mixes two. Lines may end in CR, LF or
    both; a line that begins no segment goes on with the one above."""
    named = _CHARSET.match(source.data)
    if named is not None:
        said = named[2].split(named[1])[0].split(b"~")[0].decode("ascii", "replace").strip().upper()
        source.declared = usable(CHARSETS.get(said)) or source.declared
    reader = _Messages(source)
    for line in _segments(source.text()):
        reader.segment(line)
    reader.end()


def _segments(text: str) -> Iterator[str]:
    held = ""
    for line in re.split(r"[\r\n]+", text.lstrip("\ufeff")):
        line = line.strip("\x0b\x1c \t\ufeff")
        if _SEGMENT.match(line):
            if held:
                yield held
            held = line
        elif line:
            held = f"{held}\n{line}" if held else line
    if held:
        yield held


class _Messages:
    """Writes segments into sections of the transcript; what a section holds is held back until it is whole."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._transcript = source.transcript
        self._marks = _Marks()
        self._section = ""
        self._about = ""  # whom the message speaks of
        self._lines: list[str] = []

    def segment(self, line: str) -> None:
        kind = line[:3] if _SEGMENT.match(line) else ""
        if kind in HEADERS:
            self._begin_message(line, kind)
            return
        fields = line.split(self._marks.field)
        if kind == "PID":
            self._begin_patient(fields)
        section, called = SEGMENTS.get(kind, (self._section or "More", "" if kind == "NTE" else f"Segment {kind}"))
        if section != self._section:
            self._flush()
            self._section = section
            self._transcript.heading(section, 3 if self._about else 2)
        if kind == "OBX":
            self._result(fields)
        elif kind == "NTE":
            self._lines.append("Note: " + self._value(_at(fields, 3)))
        elif not kind:
            self._lines.append(self._unescaped(line))
        else:
            label = f"{called}:" if called not in ("", section) else ""
            self._lines += ["", *filter(None, [label, *self._named(kind, fields)]), ""]

    def end(self) -> None:
        self._flush()
        self._transcript.boundary()

    def _begin_message(self, line: str, kind: str) -> None:
        self._flush()
        self._section, self._about = "", ""
        self._transcript.boundary()
        marks = line[4:8].split(line[3:4])[0] if len(line) > 3 else ""
        self._marks = _Marks(
            line[3:4] or "|", *(marks[place : place + 1] or usual for place, usual in enumerate("^~\\&"))
        )
        # The first field of a header is the sign between its fields.
        fields = [kind, self._marks.field, *line[4:].split(self._marks.field)]
        event = " ".join(_at(fields, 9).split(self._marks.component)[:2]) if kind == "MSH" else ""
        called = MESSAGES.get(event[:3], "Message") if kind == "MSH" else "Batch of messages"
        title = f"{called} ({event})" if event else called
        self._transcript.describe(written_on=dates.from_digits(_at(fields, 7)), title=f"HL7 {title}")
        self._transcript.heading(title, 1)
        self._lines.append("\n".join(self._named(kind, fields)))
        self._section = "Message"

    def _begin_patient(self, fields: list[str]) -> None:
        self._flush()
        self._section = ""
        if self._about:  # another patient in the same message
            self._transcript.boundary()
        name = self._marks.component.join(_at(fields, 5).split(self._marks.component)[:PARTS_OF_A_NAME])
        name = self._value(name.split(self._marks.repetition)[0])
        born = dates.from_digits(_at(fields, 7).split(self._marks.component)[0]) or ""
        self._about = ", ".join(filter(None, (name, born[:10]))) or "Patient without a name"
        self._transcript.heading(self._about, 2)

    def _flush(self) -> None:
        self._transcript.paragraph("\n".join(self._lines))
        self._lines = []

    def _named(self, kind: str, fields: list[str]) -> Iterator[str]:
        names = FIELDS.get(kind, {})
        others: list[str] = []
        found: dict[str, list[str]] = {}
        for number, field in enumerate(fields[1:], 1):
            name, _slash, look = names.get(number, "").partition("/")
            if number <= 2 and kind in HEADERS:
                continue
            value = self._value(field, {"d": self._date, "c": self._code}.get(look, self._words))
            if not value or (number == 1 and not name and value.isdigit()):  # the number of the segment
                continue
            if name:
                found.setdefault(name, []).append(value)
            else:
                others.append(value)
        yield from (f"{name}: {', '.join(dict.fromkeys(values))}" for name, values in found.items())
        if others:
            yield f"Also: {'; '.join(others)}"

    def _result(self, fields: list[str]) -> None:
        """One line: what was found, with its code, value, unit, usual range, mark, status and time."""
        name = self._value(_at(fields, 3), self._code)
        kind = _at(fields, 2)
        look = {
            **dict.fromkeys(("DT", "TS", "DTM"), self._date),
            **dict.fromkeys(("CE", "CWE", "CF", "CNE"), self._code),
        }
        if kind == "ED" or _BASE64.search(_at(fields, 5)):
            value = self._enclosed(name, _at(fields, 5))
        else:
            value = self._value(
                _at(fields, 5), look.get(kind, self._words), between="\n" if kind in ("TX", "FT") else ", "
            )
        said = " ".join(filter(None, (value, self._value(_at(fields, 6), self._unit))))
        beside = [
            f"usual {usual}" if (usual := self._value(_at(fields, 7))) else "",
            f"marked {mark}" if (mark := self._value(_at(fields, 8))) else "",
            f"status {status}" if (status := _at(fields, 11)) else "",
            self._value(_at(fields, 14), self._date) or self._value(_at(fields, 19), self._date),
        ]
        also = ", ".join(filter(None, beside))
        self._lines.append(" ".join(filter(None, (f"{name or 'Result'}:", said, f"({also})" if also else ""))))

    def _enclosed(self, name: str, field: str) -> str:
        """A file inside the message (a PDF, mostly) becomes a part."""
        components = field.split(self._marks.component)
        data = base64_text.unpacked(re.sub(r"\\\.br\\|\\X0[AD]\\", "", components[-1]))
        if data is None:
            self._source.transcript.note(
                "attachment_named", f"A file inside {self._source.name} can't be read: {name}."
            )
            return " ".join(filter(None, map(self._words, components[:-1])))
        kind = components[2].lower() if len(components) > 2 and components[2].isalnum() else ""
        file = f"{name or 'Document'}.{kind}" if kind else name or "Document"
        self._flush()
        self._source.part(file, data)
        return f"see the part {file}"

    def _value(self, field: str, shown: Callable[[str], str] | None = None, between: str = ", ") -> str:
        if not field or field == '""':
            return ""
        values = shown or self._words
        repeated = [values(one) for one in field.split(self._marks.repetition)]
        return between.join(filter(None, repeated))

    def _words(self, value: str) -> str:
        """The components of a value in their order."""
        pieces = re.split(f"[{re.escape(self._marks.component + self._marks.subcomponent)}]", value)
        return " ".join(filter(None, (self._unescaped(piece).strip() for piece in pieces if piece != '""')))

    def _code(self, value: str) -> str:
        """ "718-7^Hemoglobin^LN" becomes "Hemoglobin (718-7 LN)"; a second coding follows."""
        components = [self._unescaped(one).strip() for one in value.split(self._marks.component)]
        components += [""] * (6 - len(components))
        shown: list[str] = []
        for code, words, system in (components[:3], components[3:6]):
            origin = " ".join(filter(None, (code, system)))
            if words:
                shown.append(f"{words} ({origin})" if code and code != words else words)
            elif code:
                shown.append(code)
        return ", ".join([*dict.fromkeys(shown), *filter(None, components[8:])])

    def _unit(self, value: str) -> str:
        return self._unescaped(value.split(self._marks.component)[0])

    def _date(self, value: str) -> str:
        value = value.split(self._marks.component)[0]
        return (dates.from_digits(value) or self._unescaped(value)).replace("T", " ")

    def _unescaped(self, text: str) -> str:
        if self._marks.escape not in text:
            return text
        mark = re.escape(self._marks.escape)
        return re.sub(f"{mark}([^{mark}\n]{{0,200}}){mark}", self._escaped, text)

    def _escaped(self, found: re.Match[str]) -> str:
        """HL7 v2.5.1, 2.7: signs, line ends, bytes; what changes the look of letters means nothing here."""
        said = found[1]
        marks = self._marks
        signs = {
            "F": marks.field,
            "S": marks.component,
            "T": marks.subcomponent,
            "R": marks.repetition,
            "E": marks.escape,
        }
        if said in signs:
            return signs[said]
        if said.startswith("X"):
            try:
                return bytes.fromhex(said[1:]).decode("utf-8", "replace")
            except ValueError:
                return found[0]
        if said.startswith((".br", ".sp", ".ce")):
            return "\n"
        return "" if said.startswith((".", "H", "N", "C", "M")) and len(said) < 12 else found[0]


def _at(fields: list[str], number: int) -> str:
    return fields[number] if number < len(fields) else ""
