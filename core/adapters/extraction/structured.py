"""Structured text of no special kind: JSON and XML as readable lines."""

import json
import re
from collections.abc import Iterator
from typing import Any

from core.adapters.extraction.loose import items, mapping
from core.adapters.extraction.markup import Element, attribute, damaged_xml, local, parse
from core.adapters.extraction.source import Source

MAX_DEPTH = 200


def read(source: Source) -> None:
    """Names and values, one a line. What breaks the rules of its format is kept as plain text."""
    if source.format == "json":
        source.transcript.paragraph("\n".join(json_lines(json.loads(source.text()))))
        return
    data = source.data if b"\0" not in source.data[:200] else _as_utf8(source.text())
    root = parse(data, on_fault=lambda: damaged_xml(source))
    if root is None:
        source.transcript.paragraph(source.text())
    elif local(root) == "Workbook":
        _read_workbook(source, root)
    else:
        source.transcript.paragraph("\n".join(_xml_lines(root)))


def json_lines(value: Any, name: str = "", depth: int = 0) -> Iterator[str]:
    """Values of a JSON text as "name: value"; names of what is inside something stand behind its name."""
    if depth > MAX_DEPTH:
        return
    if isinstance(value, dict):
        for key, inner in mapping(value).items():  # pyright: ignore[reportUnknownArgumentType]
            yield from json_lines(inner, f"{name} {key}".strip(), depth + 1)
    elif isinstance(value, list):
        for inner in items(value):  # pyright: ignore[reportUnknownArgumentType]
            yield from json_lines(inner, name, depth + 1)
    elif value is not None and value != "":
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        yield f"{name}: {shown}" if name else shown


def _as_utf8(text: str) -> bytes:
    return re.sub(r"<\?xml[^>]*\?>", "", text, count=1).encode()


def _xml_lines(root: Element) -> Iterator[str]:
    for element in root.iter():
        words = " ".join(f"{key.rpartition('}')[2]}={value}" for key, value in element.attrib.items() if value.strip())
        text = " ".join((element.text or "").split())
        if text or words:
            yield f"{local(element)}: {' '.join(filter(None, (text, words)))}"
        if tail := " ".join((element.tail or "").split()):
            yield tail


def _read_workbook(source: Source, root: Element) -> None:
    """Excel's XML of 2003: sheets as pages, rows as lines."""
    for properties in root.iter("{*}DocumentProperties"):
        source.transcript.paragraph("\n".join(f"{local(child)}: {child.text}" for child in properties if child.text))
    for number, sheet in enumerate(root.iter("{*}Worksheet"), 1):
        source.transcript.page(number)
        source.transcript.pages = number
        source.transcript.heading(attribute(sheet, "Name") or f"Sheet {number}", 1)
        rows = [
            " | ".join(" ".join("".join(data.itertext()).split()) for data in row.iter("{*}Data"))
            for row in sheet.iter("{*}Row")
        ]
        source.transcript.table("", rows)
