"""FHIR written as XML, turned into the same shapes as its JSON."""

from typing import Any

from lxml import etree

from core.adapters.extraction.markup import Element, children, local

NAMESPACE = "http://hl7.org/fhir"
XHTML = "{http://www.w3.org/1999/xhtml}"
HOLDERS = ("resource", "contained")  # elements around a resource
MAX_DEPTH = 100


def resource_of(element: Element) -> dict[str, Any]:
    """The resource of this element. What comes once is a value by itself: readers take lists and values alike."""
    return {"resourceType": local(element), **_object(element, 0)}


def _object(element: Element, depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {key: str(value) for key, value in element.attrib.items() if key in ("id", "url")}
    for child in children(element) if depth < MAX_DEPTH else ():
        name = local(child)
        if name:
            _put(found, name, _value(child, depth))
    return found


def _put(found: dict[str, Any], name: str, value: Any) -> None:
    if value in ("", {}):
        return
    if name not in found:
        found[name] = value
    elif isinstance(found[name], list):
        found[name].append(value)
    else:
        found[name] = [found[name], value]


def _value(element: Element, depth: int) -> Any:
    if str(element.tag).startswith(XHTML):
        return etree.tostring(element, encoding="unicode", with_tail=False)
    inner = children(element)
    if local(element) in HOLDERS and len(inner) == 1 and local(inner[0])[:1].isupper():
        return resource_of(inner[0])
    held = _object(element, depth + 1)
    value = element.get("value")
    return held if value is None else str(value)
