"""PowerPoint presentations (PPTX): slide by slide, with tables, SmartArt, notes and comments."""

from collections.abc import Iterator

from core.adapters.extraction.drawing import description, drawn, lines
from core.adapters.extraction.embedded import read_embedded
from core.adapters.extraction.markup import Element, attribute, below, local
from core.adapters.extraction.package import Package
from core.adapters.extraction.source import Source

UNSEEN = ("Fallback", "fld")


def read(source: Source) -> None:
    """Slides in the order of the presentation; slide numbers are pages."""
    package = Package(source)
    root = package.main_part("officeDocument", "ppt/presentation.xml")
    package.describe(source)
    relations = package.relations(package.main_name)
    slides = [
        relations[identity][1]
        for entry in root.iter("{*}sldId")
        if (identity := _relation_id(entry)) in relations and relations[identity][0] == "slide"
    ]
    source.transcript.pages = len(slides)
    for number, slide in enumerate(slides, 1):
        source.transcript.page(number)
        _read_slide(source, package, slide, number)
    source.transcript.page(None)
    source.transcript.paragraph("\n".join(_behind(package, slides)))
    for slide in slides:
        read_embedded(source, package, slide)


def _relation_id(entry: Element) -> str:
    """The relation's id; the entry has another attribute of the same local name."""
    return next((str(value) for key, value in entry.attrib.items() if key.startswith("{") and key.endswith("}id")), "")


def _read_slide(source: Source, package: Package, slide: str, number: int) -> None:
    transcript = source.transcript
    root = package.xml(slide)
    if root is None:
        transcript.note("page_unreadable", f"Slide {number} of {source.name} is damaged and can't be read.", number)
        return
    title = next((text for shape in root.iter("{*}sp") if _is_title(shape) and (text := "\n".join(lines(shape)))), "")
    if title:
        transcript.heading(title, 1)
        transcript.describe(title=title)
    for text, rows in _shapes(root):
        if rows:
            transcript.table("", rows)
        elif text != title:
            transcript.paragraph(text)
    for words in drawn(package, slide):
        transcript.paragraph(words)
    for part in package.related(slide, "notesSlide"):
        notes = package.xml(part)
        if notes is not None:
            said = [line for shape in notes.iter("{*}sp") if _is_notes(shape) for line in lines(shape)]
            transcript.paragraph("\n".join(["Notes:", *said]) if said else "")
    for part in package.related(slide, "comments") + package.related(slide, "comment"):
        comments = package.xml(part)
        texts = [] if comments is None else [*lines(comments), *(text.text or "" for text in comments.iter("{*}text"))]
        transcript.paragraph("\n".join(["Comments:", *texts]) if any(texts) else "")


def _shapes(element: Element) -> Iterator[tuple[str, list[str]]]:
    """Texts and tables of the slide in order, groups looked into."""
    stack = list(reversed(element))
    while stack:
        child = stack.pop()
        name = local(child)
        if name == "tbl":
            rows = [" | ".join(" ".join(lines(cell)) for cell in row.iter("{*}tc")) for row in child.iter("{*}tr")]
            yield "", [row for row in rows if row.strip(" |")]
        elif name == "txBody":
            yield "\n".join(lines(child)), []
        elif name == "cNvPr":
            yield description(child), []
        elif name not in UNSEEN:
            stack.extend(reversed(child))


def _behind(package: Package, slides: list[str]) -> list[str]:
    """What stands on every slide because their layouts and masters show it: shapes that are no place for a text."""
    layouts = dict.fromkeys(part for slide in slides for part in package.related(slide, "slideLayout"))
    masters = dict.fromkeys(part for layout in layouts for part in package.related(layout, "slideMaster"))
    found: list[str] = []
    for part in (*masters, *layouts):
        root = package.xml(part)
        for shape in below(root, "sp"):
            if _placeholder(shape) is None:
                found.extend(lines(shape))
    return list(dict.fromkeys(found))


def _placeholder(shape: Element) -> str | None:
    holder = next(iter(shape.iter("{*}ph")), None)
    return None if holder is None else attribute(holder, "type") or "obj"


def _is_title(shape: Element) -> bool:
    return _placeholder(shape) in ("title", "ctrTitle")


def _is_notes(shape: Element) -> bool:
    return _placeholder(shape) == "body"
