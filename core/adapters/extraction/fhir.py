"""FHIR resources and bundles in JSON, any version: each resource a readable section, patients never mixed."""

import json
import re
from collections.abc import Iterator
from typing import Any

from core.adapters.extraction import dates, html
from core.adapters.extraction.loose import items, mapping, word
from core.adapters.extraction.source import Source

UNSEEN = ("resourceType", "contained", "text", "meta", "entry", "system", "data", "div")
DATES = ("effectiveDateTime", "date", "issued", "authoredOn", "recordedDate", "created", "birthDate")
MAX_RESOURCES = 100_000
MAX_DEPTH = 30


def read(source: Source) -> None:
    """Narrative and values of every resource, codes kept behind their words."""
    for number, resource in enumerate(_resources(json.loads(source.text()))):
        if number >= MAX_RESOURCES:
            source.transcript.note("text_cut", f"Only the first {MAX_RESOURCES} records of {source.name} were read.")
            break
        source.transcript.boundary()
        title = f"{_words(word(resource.get('resourceType')) or 'Record')} {_name(resource)}".strip()
        source.transcript.describe(title=title, written_on=_date(resource))
        source.transcript.heading(title, 1)
        if narrative := word(mapping(resource.get("text")).get("div")):
            html.read_markup(source.transcript, narrative)
        source.transcript.paragraph("\n".join(_lines(resource, "", 0)))


def _resources(content: object) -> Iterator[dict[str, Any]]:
    """The resource, those inside a bundle, and those that a resource contains."""
    stack: list[object] = [content]
    while stack:
        resource = mapping(stack.pop())
        entries = [mapping(entry).get("resource") for entry in items(resource.get("entry"))]
        if resource and (resource.get("resourceType") != "Bundle" or not entries):
            yield resource
        stack.extend(reversed([*entries, *items(resource.get("contained"))]))


def _date(resource: dict[str, Any]) -> str | None:
    return next((dates.from_digits(str(resource[key])) for key in DATES if resource.get(key)), None)


def _name(resource: dict[str, Any]) -> str:
    for key in ("name", "code", "title"):
        value = next(iter(items(resource.get(key))), None)
        if said := word(value) or _said(mapping(value)):
            return said
    return ""


def _said(value: dict[str, Any]) -> str:
    """What a name, a coded concept, a quantity or a reference says; "" for anything else."""
    if "family" in value or "given" in value:
        return " ".join(str(name) for key in ("prefix", "given", "family") for name in items(value.get(key)) if name)
    if "coding" in value or set(value) == {"text"}:
        codings = (_said(mapping(coding)) for coding in items(value.get("coding")))
        return ", ".join(filter(None, [str(value.get("text") or ""), *codings]))
    if "code" in value and "display" in value:
        return f"{value['display']} ({value['code']})"
    if "value" in value and "unit" in value:
        return f"{value.get('comparator') or ''}{value['value']} {value['unit']}"
    if "reference" in value:
        return " ".join(filter(None, (str(value.get("display") or ""), str(value["reference"]))))
    return ""


def _lines(value: Any, label: str, depth: int) -> Iterator[str]:
    if depth > MAX_DEPTH or value is None or value == "":
        return
    if isinstance(value, dict):
        named = mapping(value)  # pyright: ignore[reportUnknownArgumentType]
        if label and (said := _said(named)):
            yield f"{label}: {said}"
            return
        for key, inner in named.items():
            if key not in UNSEEN:
                yield from _lines(inner, f"{label} {_words(key)}".strip(), depth + 1)
    elif isinstance(value, list):
        for inner in items(value):  # pyright: ignore[reportUnknownArgumentType]
            yield from _lines(inner, label, depth + 1)
    else:
        yield f"{label}: {str(value).lower() if isinstance(value, bool) else value}"


def _words(name: str) -> str:
    """birthDate becomes "Birth date"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).capitalize()
