"""PowerPoint presentations (PPTX): slide by slide, with tables, SmartArt, notes and comments."""

from collections.abc import Iterator

from core.adapters.extraction.markup import Element, attribute, local
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


def _relation_id(entry: Element) -> str:
    """The relation's id; the entry has another attribute of the same local name."""
    return next((str(value) for key, value in entry.attrib.items() if key.startswith("{") and key.endswith("}id")), "")


def _read_slide(source: Source, package: Package, slide: str, number: int) -> None:
    transcript = source.transcript
    root = package.xml(slide)
    if root is None:
        transcript.note("page_unreadable", f"Slide {number} of {source.name} is damaged and can't be read.", number)
        return
    title = next((text for shape in root.iter("{*}sp") if _is_title(shape) and (text := "\n".join(_lines(shape)))), "")
    if title:
        transcript.heading(title, 1)
        transcript.describe(title=title)
    for text, rows in _shapes(root):
        if rows:
            transcript.table("", rows)
        elif text != title:
            transcript.paragraph(text)
    for kind in ("diagramData", "chart"):
        for part in package.related(slide, kind):
            drawn = package.xml(part)
            if drawn is not None:
                transcript.paragraph("\n".join(_lines(drawn)) or _chart_words(drawn))
    for part in package.related(slide, "notesSlide"):
        notes = package.xml(part)
        if notes is not None:
            said = [line for shape in notes.iter("{*}sp") if _is_notes(shape) for line in _lines(shape)]
            transcript.paragraph("\n".join(["Notes:", *said]) if said else "")
    for part in package.related(slide, "comments") + package.related(slide, "comment"):
        comments = package.xml(part)
        texts = [] if comments is None else [*_lines(comments), *(text.text or "" for text in comments.iter("{*}text"))]
        transcript.paragraph("\n".join(["Comments:", *texts]) if any(texts) else "")


def _shapes(element: Element) -> Iterator[tuple[str, list[str]]]:
    """Texts and tables of the slide in order, groups looked into."""
    for child in element:
        name = local(child)
        if name == "tbl":
            rows = [" | ".join(" ".join(_lines(cell)) for cell in row.iter("{*}tc")) for row in child.iter("{*}tr")]
            yield "", [row for row in rows if row.strip(" |")]
        elif name == "txBody":
            yield "\n".join(_lines(child)), []
        elif name not in UNSEEN:
            yield from _shapes(child)


def _lines(element: Element) -> list[str]:
    """Text of each paragraph below the element that has any."""
    lines: list[str] = []
    for paragraph in element.iter("{*}p"):
        words = [
            "\n" if local(run) == "br" else run.text or ""
            for run in paragraph.iter("{*}t", "{*}br")
            if run.text or local(run) == "br"
        ]
        if line := "".join(words).strip():
            lines.append(line)
    return lines


def _chart_words(chart: Element) -> str:
    """Names of series and categories."""
    words = dict.fromkeys(value.text or "" for cache in chart.iter("{*}strCache") for value in cache.iter("{*}v"))
    return ", ".join(filter(None, words))


def _placeholder(shape: Element) -> str | None:
    holder = next(iter(shape.iter("{*}ph")), None)
    return None if holder is None else attribute(holder, "type") or "obj"


def _is_title(shape: Element) -> bool:
    return _placeholder(shape) in ("title", "ctrTitle")


def _is_notes(shape: Element) -> bool:
    return _placeholder(shape) == "body"
