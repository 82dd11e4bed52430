"""Clinical documents (C-CDA, HL7 v3 XML): patient, authors, the narrative of each section, and the codes behind it."""

from collections.abc import Iterator

from core.adapters.extraction import base64_text, ccda_entries, dates
from core.adapters.extraction.markup import Element, child_of, children, damaged_xml, first, local, parse, text_of
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Transcript

PEOPLE = (
    ("recordTarget", "Patient"),
    ("author", "Author"),
    ("informant", "Told by"),
    ("legalAuthenticator", "Signed by"),
    ("custodian", "Custodian"),
)
LONGEST_NAME = 500  # characters of a text in the narrative that a code refers to


def read(source: Source) -> None:
    """The narrative is what a clinician signed: it comes first; the codes and dates of the entries follow it."""
    root = parse(source.data, on_fault=lambda: damaged_xml(source))
    if root is None:
        source.transcript.paragraph(source.text())
        return
    transcript = source.transcript
    title = text_of(child_of(root, "title"))
    written = next((child.get("value") for child in root if local(child) == "effectiveTime"), None)
    transcript.describe(title=title, written_on=dates.from_digits(str(written or "")))
    transcript.heading(title, 1)
    people = dict.fromkeys(_people(root))
    transcript.paragraph("\n".join([*people, *_occasions(root)]))
    patient = next((line.removeprefix("Patient: ") for line in people if line.startswith("Patient: ")), "")
    transcript.heading(", ".join(patient.split(", ")[:2]), 2, shown="")
    names = {str(element.get("ID")): text_of(element)[:LONGEST_NAME] for element in root.iter() if element.get("ID")}
    sections = list(_sections(root))
    for section, depth in sections:
        _read_section(transcript, section, depth, names)
    _read_enclosed(source, root)
    if not sections:
        transcript.paragraph("\n".join(_entry_words(root)))


def _people(root: Element) -> Iterator[str]:
    for role, label in PEOPLE:
        for found in root.iter("{*}" + role):
            words = [text_of(first(found, "name"))]
            if role == "recordTarget":
                words += _patient(found)
            if line := ", ".join(filter(None, words)):
                yield f"{label}: {line}"


def _patient(found: Element) -> Iterator[str]:
    for name, said in (("birthTime", "born"), ("administrativeGenderCode", "sex"), ("deceasedTime", "died")):
        value = first(found, name)
        if value is not None:
            shown = str(value.get("displayName") or value.get("value") or value.get("code") or "")
            shown = (dates.from_digits(shown) or shown) if name.endswith("Time") else shown
            yield f"{said} {shown}" if shown else ""
    role = first(found, "patientRole")
    for child in children(role):
        if local(child) == "id" and child.get("extension"):
            yield f"id {child.get('extension')}"
        elif local(child) == "addr":
            yield ", ".join(filter(None, (text_of(piece) for piece in child))) or text_of(child)
        elif local(child) == "telecom" and child.get("value"):
            yield str(child.get("value")).removeprefix("tel:").removeprefix("mailto:")
    for name in ("languageCode", "maritalStatusCode", "raceCode", "ethnicGroupCode", "religiousAffiliationCode"):
        value = first(found, name)
        if value is not None and (
            shown := value.get("displayName") or (value.get("code") if name == "languageCode" else "")
        ):
            yield str(shown)


def _occasions(root: Element) -> Iterator[str]:
    """When the care took place that the document is about."""
    for name, label in (("serviceEvent", "Care"), ("encompassingEncounter", "Visit")):
        for found in root.iter("{*}" + name):
            when = ccda_entries.period(child_of(found, "effectiveTime"))
            code = child_of(found, "code")
            what = "" if code is None else ccda_entries.concept(code, {})
            if when or what:
                yield f"{label}: {', '.join(filter(None, (what, when)))}"


def _read_enclosed(source: Source, root: Element) -> None:
    """A document whose body is a file (a PDF or a scan, mostly)."""
    for body in root.iter("{*}nonXMLBody"):
        text = child_of(body, "text")
        if text is None:
            continue
        content = "".join(text.itertext())
        if text.get("representation") != "B64":
            source.transcript.paragraph(content)
            continue
        data = base64_text.unpacked(content)
        if data is None:
            source.transcript.note(
                "attachment_named", f"The document inside {source.name} is damaged and can't be read."
            )
            continue
        kind = str(text.get("mediaType") or "").rpartition("/")[2]
        source.part(f"document.{kind}" if kind.isalnum() else "document", data)


def _sections(root: Element) -> Iterator[tuple[Element, int]]:
    """Every section in order, with the number of sections around it."""
    stack: list[tuple[Element, int]] = [(root, 0)]
    while stack:
        element, depth = stack.pop()
        if local(element) == "section":
            yield element, depth
            depth += 1
        stack.extend((child, depth) for child in reversed(children(element)))


def _read_section(transcript: Transcript, section: Element, depth: int, names: dict[str, str]) -> None:
    transcript.heading(text_of(child_of(section, "title")), 3 + depth)
    narrative = child_of(section, "text")
    if narrative is None or not text_of(narrative):
        transcript.paragraph("\n".join(_entry_words(section)))
        return
    _read_narrative(transcript, narrative)
    coded = ccda_entries.lines(section, names)
    transcript.paragraph("\n".join(["Codes and dates:", *coded]) if coded else "")


def _read_narrative(transcript: Transcript, element: Element) -> None:
    words = [" ".join(f"|{element.text or ''}|".split())[1:-1]]
    for child in element:
        name = local(child)
        if name in ("table", "list", "paragraph", "item", "caption"):
            transcript.paragraph(_tidied(words))
            words = []
            if name == "table":
                _read_table(transcript, child)
            else:
                _read_narrative(transcript, child)
        elif name == "br":
            words.append("\n")
        elif any(local(inner) in ("table", "list", "paragraph") for inner in child.iter()):
            transcript.paragraph(_tidied(words))
            words = []
            _read_narrative(transcript, child)
        else:
            words.append(f" {_lines_of(child)} ")
        words.append(" ".join(f"|{child.tail or ''}|".split())[1:-1])
    transcript.paragraph(_tidied(words))


def _lines_of(element: Element) -> str:
    """All text below the element; a line ends where the narrative ends one."""
    words = [" ".join((element.text or "").split())]
    for child in element:
        words.append("\n" if local(child) == "br" else _lines_of(child))
        words.append(" ".join((child.tail or "").split()))
    return " ".join(filter(None, words))


def _tidied(words: list[str]) -> str:
    lines = (" ".join(line.split()) for line in "".join(words).split("\n"))
    return "\n".join(line for line in lines if line)


def _read_table(transcript: Transcript, table: Element) -> None:
    rows: list[str] = []
    header = ""
    transcript.paragraph(text_of(child_of(table, "caption")))
    for row in table.iter("{*}tr"):
        cells = [cell for cell in row if local(cell) in ("td", "th")]
        line = " | ".join(text_of(cell) for cell in cells)
        if cells and not rows and not header and all(local(cell) == "th" for cell in cells):
            header = line
        elif line.strip(" |"):
            rows.append(line)
    transcript.table(header, rows)


def _outside_sections(section: Element) -> Iterator[Element]:
    """What lies below it, but not in sections inside of it, which speak for themselves."""
    stack = list(reversed(children(section)))
    while stack:
        element = stack.pop()
        if local(element) != "section":
            yield element
            stack.extend(reversed(children(element)))


def _entry_words(section: Element) -> Iterator[str]:
    """For a section without a narrative: what its codes are called, with negations said first."""
    for element in _outside_sections(section):
        if element.get("negationInd") == "true":
            yield "Negated:"
        if shown := element.get("displayName"):
            code = element.get("code")
            yield f"{shown} ({code})" if code else str(shown)
        elif local(element) in ("originalText", "title", "text") and text_of(element):
            yield text_of(element)
