"""Values of FHIR resources in words: names, codes, amounts, periods, addresses, of any version from DSTU2 on."""

import re
from collections.abc import Callable, Iterator
from typing import Any, cast

from core.adapters.extraction.loose import items, mapping, word

MAX_DEPTH = 30
UNSEEN = ("resourceType", "contained", "meta", "system", "data", "div", "implicitRules", "versionId")
# What a value is, told by what it holds; the first that fits counts.
_ADDRESS = ("line", "city", "district", "state", "postalCode", "country")
_TIMES = {"h": "hours", "d": "days", "wk": "weeks", "mo": "months", "min": "minutes", "a": "years"}

Named = Callable[[str], str]  # what the resource behind a reference is called; "" when it isn't in the paper


def said(value: Any, named: Named) -> str:
    """A value of a known kind in one line; "" for anything else."""
    if isinstance(value, list):
        return ", ".join(filter(None, (said(one, named) for one in cast(list[Any], value))))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (str, int, float)):
        return str(value)
    held = mapping(value)  # pyright: ignore[reportUnknownArgumentType]
    for kind, show in _KINDS:
        if kind(held):
            return show(held, named)
    return ""


def lines(value: Any, label: str, named: Named, depth: int = 0) -> Iterator[str]:
    """Everything that a value holds as "label: value", names of what is inside something behind its name."""
    if depth > MAX_DEPTH or value in (None, "", [], {}):
        return
    if isinstance(value, list):
        for inner in items(value):  # pyright: ignore[reportUnknownArgumentType]
            yield from lines(inner, label, named, depth + 1)
        return
    shown = said(value, named) if label or not isinstance(value, dict) else ""
    if shown:
        yield f"{label}: {shown}" if label else shown
        return
    held = mapping(cast(Any, value))
    if (url := word(held.get("url"))) and any(key.startswith(("value", "extension")) for key in held):
        label = (
            f"{label.removesuffix('extension').removesuffix('Extension')} {words(url.rstrip('/').rpartition('/')[2])}"
        )
        held = {key[5:] if key.startswith("value") else key: inner for key, inner in held.items() if key != "url"}
        for inner in held.values():
            yield from lines(inner, label.strip(), named, depth + 1)
        return
    for key, inner in held.items():
        if key not in UNSEEN and not key.startswith("_") and not _is_read_elsewhere(key, inner):
            yield from lines(inner, f"{label} {words(key).lower() if label else words(key)}".strip(), named, depth + 1)


def _is_read_elsewhere(key: str, inner: Any) -> bool:
    """Narratives, and the resources inside bundles."""
    first = mapping(next(iter(items(inner)), None))
    return (key == "text" and "div" in first) or (key == "entry" and "resource" in first)


def words(name: str) -> str:
    """birthDate becomes "Birth date"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[-_]", " ", name).capitalize()


def person(held: dict[str, Any]) -> str:
    """A name: one text in DSTU2 and later, or its pieces in their order."""
    pieces = (str(name) for key in ("prefix", "given", "family", "suffix") for name in items(held.get(key)) if name)
    return " ".join(pieces) or word(held.get("text"))


def _concept(held: dict[str, Any], _named: Named) -> str:
    codings = [_coding(mapping(coding)) for coding in items(held.get("coding"))]
    text = word(held.get("text"))
    if text and any(coding.startswith(f"{text} (") or coding == text for coding in codings):
        text = ""
    return ", ".join(dict.fromkeys(filter(None, (text, *codings))))


def _coding(held: dict[str, Any]) -> str:
    code, display = str(held.get("code") or ""), word(held.get("display"))
    return f"{display} ({code})" if display and code and code != display else display or code


def _quantity(held: dict[str, Any], _named: Named) -> str:
    unit = held.get("unit") or held.get("units") or held.get("code") or ""
    return f"{held.get('comparator') or ''}{held['value']} {unit}".strip()


def _period(held: dict[str, Any], _named: Named) -> str:
    return " to ".join(filter(None, (str(held.get("start") or ""), str(held.get("end") or "")))) if held else ""


def _range(held: dict[str, Any], named: Named) -> str:
    ends = " to ".join(filter(None, (said(held.get("low"), named), said(held.get("high"), named))))
    return " ".join(filter(None, (ends, word(held.get("text")))))


def _ratio(held: dict[str, Any], named: Named) -> str:
    return " per ".join(filter(None, (said(held.get("numerator"), named), said(held.get("denominator"), named))))


def _reference(held: dict[str, Any], named: Named) -> str:
    reference = str(held["reference"])
    display = word(held.get("display")) or named(reference)
    return (
        f"{display} ({reference})" if display and not reference.startswith(("#", "urn:uuid:")) else display or reference
    )


def _contact(held: dict[str, Any], _named: Named) -> str:
    return f"{held['value']} ({held['use']})" if held.get("use") else str(held["value"])


def _identifier(held: dict[str, Any], named: Named) -> str:
    kind = said(held.get("type"), named)
    shown = f"{held['value']} ({kind})" if kind else str(held["value"])
    beside = (said(held.get("period"), named), said(held.get("assigner"), named))
    return ", ".join(filter(None, (shown, *beside)))


def _place(held: dict[str, Any], _named: Named) -> str:
    return ", ".join(str(piece) for key in _ADDRESS for piece in items(held.get(key)) if piece) or word(
        held.get("text")
    )


def _annotation(held: dict[str, Any], _named: Named) -> str:
    when = word(held.get("time"))
    return f"{held['text']} ({when})" if when else str(held["text"])


def _timing(held: dict[str, Any], named: Named) -> str:
    repeat = mapping(held.get("repeat"))
    text = said(held.get("code"), named)
    if repeat.get("frequency") and repeat.get("period"):
        unit = str(repeat.get("periodUnit") or repeat.get("periodUnits") or "")
        text = text or f"{repeat['frequency']} times every {repeat['period']} {_TIMES.get(unit, unit)}"
    bounds = said(repeat.get("boundsPeriod"), named)
    return ", ".join(filter(None, (text, said(held.get("event"), named), bounds)))


def _dosage(held: dict[str, Any], named: Named) -> str:
    doses = [mapping(dose) for dose in items(held.get("doseAndRate"))] or [held]
    amounts = (said(dose.get(key), named) for dose in doses for key in ("doseQuantity", "doseRange", "quantity"))
    other = (said(held.get(key), named) for key in ("timing", "route", "method", "site", "asNeededCodeableConcept"))
    return ", ".join(dict.fromkeys(filter(None, (word(held.get("text")), *amounts, *other))))


def _only(*keys: str) -> Callable[[dict[str, Any]], bool]:
    return lambda held: bool(held) and set(held) <= {*keys, "id", "extension"}


_KINDS: tuple[tuple[Callable[[dict[str, Any]], bool], Callable[[dict[str, Any], Named], str]], ...] = (
    (lambda held: "family" in held or "given" in held, lambda held, _named: person(held)),
    (lambda held: "coding" in held, _concept),
    (
        lambda held: "concept" in held or isinstance(held.get("reference"), dict),
        lambda held, named: said(held.get("concept") or mapping(held.get("reference")), named),
    ),
    (lambda held: "reference" in held and isinstance(held["reference"], str), _reference),
    (lambda held: "value" in held and isinstance(held["value"], (int, float)) and "factor" not in held, _quantity),
    (lambda held: "value" in held and ("unit" in held or "comparator" in held), _quantity),
    (_only("start", "end"), _period),
    (_only("low", "high", "text"), _range),
    (_only("numerator", "denominator"), _ratio),
    (
        lambda held: (
            "value" in held and held.get("system") in ("phone", "fax", "email", "pager", "url", "sms", "other")
        ),
        _contact,
    ),
    (
        _only("use", "type", "system", "value", "period", "assigner", "rank"),
        lambda held, named: _identifier(held, named) if "value" in held else "",
    ),
    (lambda held: any(key in held for key in ("line", "city", "postalCode")), _place),
    (lambda held: "repeat" in held, _timing),
    (lambda held: any(key in held for key in ("doseAndRate", "doseQuantity", "asNeededBoolean")), _dosage),
    (_only("text", "time", "authorString", "authorReference"), _annotation),
    (_only("system", "version", "code", "display", "userSelected"), lambda held, _named: _coding(held)),
    (_only("use", "text", "period"), lambda held, _named: word(held.get("text"))),
)
