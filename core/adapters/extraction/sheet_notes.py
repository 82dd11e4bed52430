"""What stands beside the cells of a sheet (XLSX): comments, text boxes, charts, header and footer, embedded files."""

import re

from core.adapters.extraction.drawing import drawn, lines
from core.adapters.extraction.embedded import read_embedded
from core.adapters.extraction.markup import below, children, local, parse
from core.adapters.extraction.package import Package
from core.adapters.extraction.source import Source

_EDGES = re.compile(rb"<(?:\w+:)?headerFooter\b.*?</(?:\w+:)?headerFooter>", re.DOTALL)
EDGES_WITHIN = 64 * 1024  # bytes from the end of the sheet's XML
# Places, fonts, sizes, colours, page numbers and dates in a header (ECMA-376, 18.3.1.46).
_EDGE_CODE = re.compile(r'&"[^"]*"|&K[0-9A-F]{6}|&\d+|&[A-Z]')


def read(source: Source, package: Package, part: str, number: int) -> None:
    """Read what belongs to the sheet in `part`; its number is the page."""
    transcript = source.transcript
    transcript.page(number)
    for name in package.related(part, "comments"):
        transcript.paragraph("\n".join(_comments(package, name)))
    for name in package.related(part, "threadedComment"):
        transcript.paragraph("\n".join(text.text or "" for text in below(package.xml(name), "text")))
    for name in package.related(part, "drawing"):
        root = package.xml(name)
        transcript.paragraph("\n".join(lines(root)) if root is not None else "")
        for words in drawn(package, name):
            transcript.paragraph(words)
    transcript.paragraph("\n".join(_edges((package.bytes_of(part) or b"")[-EDGES_WITHIN:])))
    read_embedded(source, package, part)


def _comments(package: Package, part: str) -> list[str]:
    root = package.xml(part)
    authors = [author.text or "" for author in below(root, "author")]
    found: list[str] = []
    for comment in below(root, "comment"):
        said = "".join(text.text or "" for text in below(comment, "t")).strip()
        number = comment.get("authorId") or ""
        author = authors[int(number)].strip() if number.isdigit() and int(number) < len(authors) else ""
        named = author and not said.startswith(author)
        if said:
            found.append(f"{author}: {said}" if named else said)
    return found


def _edges(end: bytes) -> list[str]:
    found = _EDGES.search(end)
    root = parse(b"<x>" + found[0] + b"</x>") if found else None
    texts = [
        _EDGE_CODE.sub(" ", edge.text or "")
        for edge in children(next(below(root, "headerFooter"), None))
        if local(edge)
    ]
    return list(dict.fromkeys(" ".join(text.split()) for text in texts))
