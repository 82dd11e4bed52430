"""FHIR resources and bundles in JSON, any version: each resource a readable section, patients never mixed."""

import json
import re
from collections.abc import Iterator
from typing import Any

from core.adapters.extraction import dates, html
from core.adapters.extraction.source import Source

UNSEEN = ("resourceType", "contained", "text", "meta", "entry", "system", "data", "div")
DATES = ("effectiveDateTime", "date", "issued", "authoredOn", "recordedDate", "created", "birthDate")
MAX_RESOURCES = 100_000
MAX_DEPTH = 30


def read(source: Source) -> None:
    """Narrative and values of every resource, codes kept behind their words."""
    content = json.loads(source.text())
    for number, resource in enumerate(_resources(content)):
        if number >= MAX_RESOURCES:
            source.transcript.note("text_cut", f"Only the first {MAX_RESOURCES} records of {source.name} were read.")
            break
        source.transcript.boundary()
        kind = str(resource.get("resourceType") or "Record")
        title = f"{_words(kind)} {_name(resource)}".strip()
        source.transcript.describe(title=title, written_on=_date(resource))
        source.transcript.heading(title, 1)
        narrative = resource.get("text")
        if isinstance(narrative, dict) and isinstance(div := narrative.get("div"), str):  # pyright: ignore[reportUnknownMemberType]
            html.read_markup(source.transcript, div)
        source.transcript.paragraph("\n".join(_lines(resource, "", 0)))


def _resources(content: Any) -> Iterator[dict[str, Any]]:
    """The resource, those inside a bundle, and those that a resource contains."""
    stack = [content]
    while stack:
        resource = stack.pop()
        if not isinstance(resource, dict):
            continue
        entries = [entry.get("resource") for entry in _listed(resource.get("entry")) if isinstance(entry, dict)]
        if resource.get("resourceType") != "Bundle" or not entries:
            yield resource
        stack.extend(reversed([*entries, *_listed(resource.get("contained"))]))


def _date(resource: dict[str, Any]) -> str | None:
    return next((dates.from_digits(str(resource[key])) for key in DATES if resource.get(key)), None)


def _name(resource: dict[str, Any]) -> str:
    for key in ("name", "code", "title"):
        value = resource.get(key)
        value = value[0] if isinstance(value, list) and value else value
        if isinstance(value, str):
            return value
        if isinstance(value, dict) and (said := _said(value)):
            return said
    return ""


def _said(value: dict[str, Any]) -> str:
    """What a name, a coded concept, a quantity or a reference says; "" for anything else."""
    if "family" in value or "given" in value:
        return " ".join(str(word) for key in ("prefix", "given", "family") for word in _listed(value.get(key)) if word)
    if "coding" in value or set(value) <= {"text"}:
        codings = [coding for coding in _listed(value.get("coding")) if isinstance(coding, dict)]
        return ", ".join(filter(None, [str(value.get("text") or ""), *map(_said, codings)]))
    if "code" in value and "display" in value:
        return f"{value['display']} ({value['code']})"
    if "value" in value and "unit" in value:
        return f"{value.get('comparator') or ''}{value['value']} {value['unit']}"
    if "reference" in value:
        return " ".join(filter(None, (str(value.get("display") or ""), str(value["reference"]))))
    return ""


def _listed(value: Any) -> list[Any]:
    """What should be a list, whatever it is (older versions of FHIR have single values in some places)."""
    return value if isinstance(value, list) else [] if value is None else [value]


def _lines(value: Any, label: str, depth: int) -> Iterator[str]:
    if depth > MAX_DEPTH:
        return
    if isinstance(value, dict):
        if label and (said := _said(value)):  # pyright: ignore[reportUnknownArgumentType]
            yield f"{label}: {said}"
            return
        for key, inner in value.items():  # pyright: ignore[reportUnknownVariableType]
            if key not in UNSEEN:
                yield from _lines(inner, f"{label} {_words(str(key))}".strip(), depth + 1)  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(value, list):
        for inner in value:  # pyright: ignore[reportUnknownVariableType]
            yield from _lines(inner, label, depth + 1)
    elif value is not None and value != "":
        yield f"{label}: {str(value).lower() if isinstance(value, bool) else value}"


def _words(name: str) -> str:
    """birthDate becomes "Birth date"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).capitalize()
