"""What stands in drawings of office files (DrawingML): shapes, charts, SmartArt, and texts that describe pictures."""

from collections.abc import Iterator

from core.adapters.extraction.markup import Element, attribute, below, local
from core.adapters.extraction.package import Package

DRAWN = ("chart", "chartEx", "diagramData")  # kinds of relations to parts of their own
LONGEST_DESCRIPTION = 2_000


def lines(element: Element) -> list[str]:
    """Text of each paragraph below the element that has any."""
    found: list[str] = []
    for paragraph in element.iter("{*}p"):
        words = [
            "\n" if local(run) == "br" else run.text or ""
            for run in paragraph.iter("{*}t", "{*}br")
            if run.text or local(run) == "br"
        ]
        if line := "".join(words).strip():
            found.append(line)
    return found


def description(properties: Element) -> str:
    """What somebody wrote for those who can't see the picture; "" where that is no more than a file's name."""
    said = (attribute(properties, "descr") or attribute(properties, "title") or "").strip()[:LONGEST_DESCRIPTION]
    return "" if " " not in said and said.lower().endswith((".png", ".jpg", ".jpeg", ".gif", ".emf", ".wmf")) else said


def drawn(package: Package, part: str) -> Iterator[str]:
    """Words of the charts and SmartArt that the part shows: titles, then names of series and categories."""
    for kind in DRAWN:
        for name in package.related(part, kind):
            root = package.xml(name)
            if root is not None:
                cached = (value.text or "" for cache in below(root, "strCache") for value in below(cache, "v"))
                names = ", ".join(filter(None, dict.fromkeys(cached)))
                yield "\n".join(filter(None, [*lines(root), names]))
