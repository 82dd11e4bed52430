"""Reading YAML as plain data with the line of each value, safely: no objects, no tags, no unbounded growth.

The events of the parser are put together here, so that depth and number of values are bounded before anything is
built, and every scalar stays as it was typed ("1.10" is a version and "no" a word).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import yaml

MOST_VALUES = 20_000
DEEPEST = 40
NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_TAGS = frozenset(f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "seq", "map"))
Path = tuple[str | int, ...]


class UnreadableText(Exception):
    """The text isn't what it should be. line: from 1."""

    def __init__(self, rule: str, line: int | None, where: str = "") -> None:
        super().__init__(rule)
        self.rule = rule
        self.line = line
        self.where = where


class Plain(str):
    """A scalar that was typed without quotes: it may mean a number or yes and no."""

    __slots__ = ()


@dataclass(slots=True)
class Located:
    """Data, and the line (from 1) on which each value begins, by its path."""

    data: Any
    lines: dict[Path, int] = field(default_factory=dict[Path, int])


def read_yaml(text: str) -> Located:
    """One YAML document; None where there is nothing in it. Raises UnreadableText."""
    parse, loader = cast(Any, yaml).parse, getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _Builder(iter(parse(text, Loader=loader))).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise UnreadableText(f"is no valid YAML ({error.problem})", mark.line + 1 if mark else None) from None
    except UnicodeEncodeError:
        raise UnreadableText("holds half a character", None) from None
    except yaml.YAMLError as error:
        raise UnreadableText(f"is no valid YAML ({str(error).splitlines()[0]})", None) from None


def meant(value: Any) -> Any:
    """Free values as JSON has them: what was typed without quotes and looks like a number, yes or no is one."""
    if isinstance(value, Plain):
        if value in ("true", "True", "TRUE", "false", "False", "FALSE"):
            return value.lower() == "true"
        for kind in (int, float):
            try:
                number = kind(value)
            except ValueError:
                continue
            return number if str(number) == str(value) else str(value)
        return str(value)
    if isinstance(value, dict):
        return {str(key): meant(inner) for key, inner in cast(dict[str, Any], value).items()}
    if isinstance(value, list):
        return [meant(inner) for inner in cast(list[Any], value)]
    return value


class _Builder:
    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events
        self._values = 0
        self._anchors: dict[str, Any] = {}
        self._sizes: dict[str, int] = {}
        self._found = Located(None)

    def document(self) -> Located:
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                self._found.data = self._value(next(self._events), ())
                break
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                raise UnreadableText("holds more than one YAML document", _line(event))
        return self._found

    def _value(self, event: Any, path: Path) -> Any:
        line = _line(event)
        self._values += 1
        if self._values > MOST_VALUES:
            raise UnreadableText(f"holds more than {MOST_VALUES:,} values", line)
        if len(path) > DEEPEST:
            raise UnreadableText(f"is nested more than {DEEPEST} deep", line)
        self._found.lines[path] = line
        if isinstance(event, yaml.AliasEvent):
            return self._alias(str(event.anchor), line)
        tag = getattr(event, "tag", None)
        if tag and tag not in _TAGS:
            shown = tag.removeprefix("tag:yaml.org,2002:")
            raise UnreadableText(f"uses the tag “{shown}”; tags such as !include are not allowed", line, _dotted(path))
        before = self._values
        value = self._made(event, path)
        if event.anchor:
            self._anchors[event.anchor] = value
            self._sizes[event.anchor] = self._values - before + 1
        return value

    def _alias(self, anchor: str, line: int) -> Any:
        if anchor not in self._anchors:
            raise UnreadableText(f"refers to “*{anchor}”, which is not there", line)
        self._values += self._sizes[anchor]  # what it stands for counts each time
        if self._values > MOST_VALUES:
            raise UnreadableText(f"holds more than {MOST_VALUES:,} values", line)
        return self._anchors[anchor]

    def _made(self, event: Any, path: Path) -> Any:
        if isinstance(event, yaml.ScalarEvent):
            if not event.implicit[0]:
                return str(event.value)
            return None if event.value in NULLS else Plain(event.value)
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Any] = []
            while not isinstance(inner := next(self._events), yaml.SequenceEndEvent):
                items.append(self._value(inner, (*path, len(items))))
            return items
        return self._mapping(path)

    def _mapping(self, path: Path) -> dict[str, Any]:
        made: dict[str, Any] = {}
        while not isinstance(key := next(self._events), yaml.MappingEndEvent):
            if not isinstance(key, yaml.ScalarEvent):
                raise UnreadableText("has a name that is no text", _line(key), _dotted(path))
            name = str(key.value)
            if name in made:
                raise UnreadableText("stands there twice", _line(key), _dotted((*path, name)))
            if name == "<<":
                raise UnreadableText("is no name of a field (merging with “<<” is not allowed)", _line(key), name)
            made[name] = self._value(next(self._events), (*path, name))
            self._found.lines[(*path, name)] = _line(key)
        return made


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _dotted(path: Path) -> str:
    return ".".join(str(part) for part in path)
