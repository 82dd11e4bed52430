"""The coded entries of a clinical document (HL7 v3): what was found, given or done, with codes and dates, in words."""

from collections.abc import Iterator

from core.adapters.extraction import dates
from core.adapters.extraction.markup import Element, below, child_of, children, local, text_of

STATEMENTS = ("observation", "act", "substanceAdministration", "supply", "procedure", "encounter")
# Codes that only say what kind of statement it is.
STRUCTURAL = ("ASSERTION", "CONC", "SEV", "75326-9", "33999-4", "64572001", "55607006", "48765-2", "11450-4")
MAX_LINES = 2_000  # a section


def lines(section: Element, names: dict[str, str]) -> list[str]:
    """One line for each statement in the section's own entries. names: texts of the narrative by their ids."""
    found: list[str] = []
    for entry in children(section):
        if local(entry) == "entry":
            found += [line for statement in below(entry, *STATEMENTS) if (line := _line(statement, names))]
        if len(found) > MAX_LINES:
            break
    return list(dict.fromkeys(found))[:MAX_LINES]


def period(element: Element | None) -> str:
    """A time, or from when to when, as ISO dates; "" where it is unknown."""
    if element is None:
        return ""
    at = _date(element.get("value"))
    ends = {local(child): _date(child.get("value")) for child in element}
    low, high = ends.get("low", ""), ends.get("high", "")
    return at or (
        f"from {low} to {high}" if low and high else f"since {low}" if low else f"until {high}" if high else ""
    )


def concept(element: Element, names: dict[str, str]) -> str:
    """What a code is called, the code behind it, its translations after it."""
    said = element.get("displayName") or _original(element, names)
    code = " ".join(filter(None, (element.get("code"), element.get("codeSystemName"))))
    shown = [f"{said} ({code})" if said and code else said or code]
    for translation in children(element):
        if local(translation) == "translation" and translation.get("code"):
            shown.append(concept(translation, names))
    return ", ".join(dict.fromkeys(filter(None, shown)))


def _line(statement: Element, names: dict[str, str]) -> str:
    about: list[str] = []
    stated: list[str] = []
    times: list[str] = []
    for child in children(statement):
        name = local(child)
        if name == "code" and child.get("code") not in STRUCTURAL:
            about.append(concept(child, names))
        elif name == "value":
            stated.append(_value(child, names))
        elif name == "effectiveTime":
            times.append(period(child))
        elif name in ("doseQuantity", "rateQuantity", "routeCode", "interpretationCode", "targetSiteCode", "quantity"):
            stated.append(_value(child, names))
        elif name in ("consumable", "product", "participant"):
            about += [concept(code, names) for code in _things(child)]
    words = [*dict.fromkeys(filter(None, about)), *dict.fromkeys(filter(None, stated))]
    if not words or not (stated or times or len(about) > 1):
        return ""
    negated = "Not: " if statement.get("negationInd") == "true" else ""
    return negated + ", ".join([*words, *filter(None, times)])


def _things(element: Element) -> Iterator[Element]:
    """Codes of medicines, vaccines and what somebody is allergic to; not of the people who take part."""
    for thing in below(element, "manufacturedMaterial", "playingEntity"):
        yield from (child for child in thing if local(child) == "code")


def _value(element: Element, names: dict[str, str]) -> str:
    kind = next((str(value) for key, value in element.attrib.items() if key.endswith("}type")), "")
    if element.get("value") is not None:
        value = _date(element.get("value")) if kind.endswith("TS") else str(element.get("value"))
        unit = element.get("unit") or ""
        return f"{value} {'' if unit == '1' else unit}".strip()
    ends = [
        f"{end.get('value')} {end.get('unit') or ''}".strip()
        for end in below(element, "low", "high")
        if end.get("value")
    ]
    return concept(element, names) or " to ".join(ends) or text_of(element)


def _original(element: Element, names: dict[str, str]) -> str:
    original = child_of(element, "originalText")
    if original is None:
        return ""
    reference = next(below(original, "reference"), None)
    return text_of(original) or names.get(
        str(reference.get("value") if reference is not None else "").removeprefix("#"), ""
    )


def _date(value: str | None) -> str:
    return (dates.from_digits(value or "") or "").replace("T", " ")
