"""Clinical documents (C-CDA, HL7 v3 XML): patient, authors, and the narrative of each section."""

from collections.abc import Iterator

from core.adapters.extraction import dates
from core.adapters.extraction.markup import Element, first, local, parse, text_of
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Transcript


def read(source: Source) -> None:
    """The narrative is what a clinician signed: it is kept; the coded entries beside it repeat it."""
    root = parse(source.data)
    if root is None:
        source.transcript.paragraph(source.text())
        return
    transcript = source.transcript
    title = next((child for child in root if local(child) == "title"), None)
    written = next((child.get("value") for child in root if local(child) == "effectiveTime"), None)
    transcript.describe(title=text_of(title), written_on=dates.from_digits(str(written or "")))
    transcript.heading(text_of(title), 1)
    transcript.paragraph("\n".join(_people(root)))
    sections = list(root.iter("{*}section"))
    for section in sections:
        _read_section(transcript, section)
    if not sections:
        transcript.paragraph("\n".join(_entry_words(root)))


def _people(root: Element) -> Iterator[str]:
    for role, label in (("recordTarget", "Patient"), ("author", "Author"), ("custodian", "Custodian")):
        for found in root.iter("{*}" + role):
            name = first(found, "name")
            words = [text_of(name)]
            for element, said in (("birthTime", "born"), ("administrativeGenderCode", "sex")):
                value = first(found, element) if role == "recordTarget" else None
                shown = (
                    ""
                    if value is None
                    else str(value.get("displayName") or value.get("value") or value.get("code") or "")
                )
                if element == "birthTime":
                    shown = dates.from_digits(shown) or shown
                words.append(f"{said} {shown}" if shown else "")
            identity = first(found, "id") if role == "recordTarget" else None
            words.append(
                f"id {identity.get('extension')}" if identity is not None and identity.get("extension") else ""
            )
            if line := ", ".join(filter(None, words)):
                yield f"{label}: {line}"


def _read_section(transcript: Transcript, section: Element) -> None:
    depth = sum(1 for above in section.iterancestors() if local(above) == "section")
    title = next((child for child in section if local(child) == "title"), None)
    transcript.heading(text_of(title), 2 + depth)
    narrative = next((child for child in section if local(child) == "text"), None)
    if narrative is None or not text_of(narrative):
        transcript.paragraph("\n".join(_entry_words(section)))
        return
    _read_narrative(transcript, narrative)


def _read_narrative(transcript: Transcript, element: Element) -> None:
    words = [element.text or ""]
    for child in element:
        name = local(child)
        if name == "table":
            transcript.paragraph(" ".join("".join(words).split()))
            words = []
            _read_table(transcript, child)
        elif name in ("list", "paragraph", "item"):
            transcript.paragraph(" ".join("".join(words).split()))
            words = []
            _read_narrative(transcript, child)
        else:
            words.append(f" {text_of(child)} ")
        words.append(child.tail or "")
    transcript.paragraph(" ".join("".join(words).split()))


def _read_table(transcript: Transcript, table: Element) -> None:
    rows: list[str] = []
    header = ""
    for row in table.iter("{*}tr"):
        cells = [cell for cell in row if local(cell) in ("td", "th")]
        line = " | ".join(text_of(cell) for cell in cells)
        if cells and not rows and not header and all(local(cell) == "th" for cell in cells):
            header = line
        elif line.strip(" |"):
            rows.append(line)
    transcript.table(header, rows)


def _entry_words(section: Element) -> Iterator[str]:
    """For a section without a narrative: what its codes are called, with negations said first."""
    for element in section.iter():
        negated = "No: " if element.get("negationInd") == "true" else ""
        if negated:
            yield "Negated:"
        if shown := element.get("displayName"):
            code = element.get("code")
            yield f"{shown} ({code})" if code else str(shown)
        elif local(element) in ("originalText", "title", "text") and text_of(element):
            yield text_of(element)
