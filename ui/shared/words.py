"""How shared entries are spoken of, and their values as people type them."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

from core.domain.history import SharedVersion
from core.domain.memory import Json, SharedEntry, ValueType
from core.errors import InvalidValue
from ui.qt import figures
from ui.qt.line import Line
from ui.qt.wording import actor, from_json, on_day, to_json


class Type(StrEnum):
    """What a value is."""

    TEXT = "Text"
    NUMBER = "Number"
    SWITCH = "Yes or no"
    LIST = "List"
    STRUCTURED = "Structured"


TIPS: dict[Type, str] = {
    Type.TEXT: "One or more lines of text.",
    Type.NUMBER: "A number, whole or with decimals.",
    Type.SWITCH: "Write yes or no.",
    Type.LIST: "Write one entry a line.",
    Type.STRUCTURED: "Values with names, written as JSON.",
}

ICONS: dict[Type, str] = {
    Type.TEXT: "type",
    Type.NUMBER: "hash",
    Type.SWITCH: "circle-check",
    Type.LIST: "list",
    Type.STRUCTURED: "layers",
}

KEPT_AS: dict[Type, ValueType] = {
    Type.TEXT: ValueType.TEXT,
    Type.NUMBER: ValueType.NUMBER,
    Type.SWITCH: ValueType.YES_NO,
    Type.LIST: ValueType.LIST,
    Type.STRUCTURED: ValueType.STRUCTURE,
}
"""What a person chose to the type that is kept with the entry."""

FILTERS: tuple[tuple[str, str], ...] = (
    ("", "All kinds"),
    *((KEPT_AS[type].value, type.value) for type in Type),
    (ValueType.ANYTHING.value, "Anything"),
)

SORTS: tuple[tuple[str, str, bool], ...] = (
    ("", "By name", False),
    ("updated", "Changed last", True),
    ("by", "By who changed it", False),
)

YES = {"yes", "y", "true", "on", "1"}
NO = {"no", "n", "false", "off", "0"}


def type_of(value: Json) -> Type:
    if isinstance(value, bool):
        return Type.SWITCH
    if isinstance(value, int | float):
        return Type.NUMBER
    if isinstance(value, str):
        return Type.TEXT
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return Type.LIST
    return Type.STRUCTURED


def kind_of(entry: SharedEntry) -> Type:
    """What an entry is kept as; where it may be anything, what its value is."""
    kept = {value_type: type for type, value_type in KEPT_AS.items()}
    return kept.get(entry.type, type_of(entry.value))


def shown(value: Json) -> str:
    """A value in one line."""
    match type_of(value):
        case Type.SWITCH:
            return "yes" if value else "no"
        case Type.LIST:
            return ", ".join(value) if isinstance(value, list) else ""
        case Type.TEXT | Type.NUMBER:
            return " ".join(str(value).split())
        case _:
            return _in_line(value)


def _in_line(value: Json) -> str:
    """A structured value in one line, for reading."""
    if isinstance(value, dict):
        return " · ".join(f"{name}: {_in_line(below)}" for name, below in value.items())
    if isinstance(value, list):
        return ", ".join(_in_line(below) for below in value)
    return "nothing" if value is None else shown(value)


def editable(value: Json) -> str:
    """A value as it is typed."""
    if isinstance(value, list) and type_of(value) is Type.LIST:
        return "\n".join(value)
    if type_of(value) is Type.STRUCTURED:
        return to_json(value)
    return shown(value) if not isinstance(value, str) else value


def parsed(type: Type, text: str) -> Json:
    """What was typed as a value. Raises InvalidValue with a sentence."""
    match type:
        case Type.TEXT:
            return text
        case Type.NUMBER:
            return _number(text)
        case Type.SWITCH:
            return _switch(text)
        case Type.LIST:
            return [line.strip() for line in text.splitlines() if line.strip()]
        case Type.STRUCTURED:
            return from_json(text)


def _number(text: str) -> Json:
    plain = text.strip().replace(" ", "")
    if re.fullmatch(r"[+-]?\d+", plain):
        return int(plain)
    if re.fullmatch(r"[+-]?\d*[.,]\d+", plain):
        return float(plain.replace(",", "."))
    raise InvalidValue(f"“{text.strip()}” is not a number. Write it with digits, as 15 or 2.5.")


def _switch(text: str) -> Json:
    word = text.strip().lower()
    if word in YES or word in NO:
        return word in YES
    raise InvalidValue(f"“{text.strip()}” is neither yes nor no.")


def line(entry: SharedEntry) -> Line:
    return Line(
        title=entry.key,
        detail=shown(entry.value),
        kind=kind_of(entry).value,
        icon=ICONS[kind_of(entry)],
        when=figures.short_date(entry.updated_at),
    )


def deleted(entries: Sequence[SharedEntry]) -> str:
    if len(entries) == 1:
        return f"Deleted “{entries[0].key}”."
    return f"Deleted {figures.of_things(len(entries), 'shared entry', 'shared entries')}."


def lines(value: Json) -> Iterator[tuple[str, str]]:
    """A value as (name, text) for reading; single values and the entries of a list have no name."""
    if isinstance(value, dict):
        for name, below in value.items():
            yield str(name), shown(below)
    elif isinstance(value, list):
        for below in value:
            yield "", shown(below)
    else:
        yield "", value if isinstance(value, str) else shown(value)


# ---- its past --------------------------------------------------------------------------------------------------------


def version_line(version: SharedVersion, now: float | None = None) -> str:
    """ "Version 3, by you today, as it is now"."""
    present = ", as it is now" if version.present else ""
    return f"Version {figures.count(version.version)}, by {actor(version.by)} {on_day(version.at, now)}{present}"


def version_text(version: SharedVersion) -> str:
    """A version as text, so that two can be compared word by word."""
    return editable(version.value)
