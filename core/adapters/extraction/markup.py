"""XML, read so that it can do no harm: no entities, nothing fetched, damage survived where it can be."""

from collections.abc import Callable, Iterator
from typing import Any

from lxml import etree

from core.adapters.extraction.source import Source

# What is no damage: an entity that isn't expanded, a character that XML doesn't know and that is left out.
HARMLESS = ("ERR_UNDECLARED_ENTITY", "ERR_INVALID_CHAR", "WAR_UNDECLARED_ENTITY", "NS_ERR_UNDEFINED_NAMESPACE")

Element = Any  # lxml's elements have no complete types

# For every parser of lxml: damage is survived, entities stay unexpanded, nothing is loaded from elsewhere. huge_tree:
# without it the recovering parser drops long texts and deep elements without a word; the worker's limits on time and
# memory hold instead.
SAFELY: dict[str, Any] = {
    "recover": True,
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "huge_tree": True,
}


def parse(data: bytes, *, on_fault: Callable[[], None] = lambda: None) -> Element | None:
    """The root element; None when there is none. Entities stay unexpanded, external ones are never loaded.

    on_fault: called when the text breaks the rules of XML, so that some of it may be missing.
    """
    parser = etree.XMLParser(remove_comments=True, remove_pis=True, **SAFELY)
    try:
        root = etree.fromstring(data, parser)
        if any(
            entry.level == etree.ErrorLevels.FATAL and entry.type_name not in HARMLESS for entry in parser.error_log
        ):
            on_fault()
        return root
    except etree.XMLSyntaxError:
        return None
    except ValueError:  # an encoding declaration on text that is none
        return None


def damaged_xml(source: Source) -> None:
    """Say that a paper's XML is damaged."""
    sentence = f"{source.name} is damaged: a part of it may be missing. What could be read is kept."
    source.transcript.note("damaged", sentence)


def local(element: Element) -> str:
    """The element's name without its name space: strict and transitional office files differ in that only."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element, name: str) -> str | None:
    """An attribute by its name without name space."""
    return next((str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name), None)


def children(element: Element | None) -> list[Element]:
    """Its child elements; none of nothing."""
    return [] if element is None else list(element)


def child_of(element: Element | None, name: str) -> Element | None:
    """Its first child of this local name; none of nothing."""
    return None if element is None else next((child for child in element if local(child) == name), None)


def below(element: Element | None, *names: str) -> Iterator[Element]:
    """Its descendants of these local names, in order; none of nothing."""
    if element is not None:
        yield from element.iter(*("{*}" + name for name in names))


def text_of(element: Element | None) -> str:
    """All text below the element, in one line."""
    return "" if element is None else " ".join(" ".join(element.itertext()).split())


def first(element: Element, name: str) -> Element | None:
    """The first descendant of this local name."""
    return next((found for found in element.iter("{*}" + name)), None)
