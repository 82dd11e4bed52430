"""OpenDocument texts and presentations (ODT, ODP, flat FODT)."""

from collections.abc import Iterator

from core.adapters.extraction import dates, opendocument_lock
from core.adapters.extraction.markup import Element, attribute, first, local, parse, text_of
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Transcript, Unreadable
from core.adapters.extraction.unpacking import Container
from core.domain.extraction import RefusalCode

UNSEEN = frozenset(
    (
        "tracked-changes",
        "script",
        "scripts",
        "event-listeners",
        "binary-data",
        "sequence-decls",
        "settings",
        "styles",
        "automatic-styles",
        "font-face-decls",
        "meta",
        "ruby-text",
    )
)


def read(source: Source) -> None:
    """Body, notes, tables; then headers and footers. Slides are pages."""
    if source.data[:2] == b"PK":
        opendocument_lock.unlock(source)
        container = Container(source.data, source.name)
        body, styles, meta = (_root(container, name) for name in ("content.xml", "styles.xml", "meta.xml"))
    else:
        body = styles = meta = parse(source.data)
    if body is None:
        raise Unreadable(RefusalCode.DAMAGED, f"{source.name} is damaged: its text can't be found. Ask for it again.")
    if meta is not None:
        _describe(source, meta)
    content = first(body, "body")
    if content is not None:
        _Walk(source.transcript).over(content)
    _read_edges(source.transcript, styles)


def _root(container: Container, name: str) -> Element | None:
    data = container.read_if_there(name)
    return None if not data else parse(data)


def _describe(source: Source, meta: Element) -> None:
    written = dates.from_digits(text_of(first(meta, "creation-date")) or text_of(first(meta, "date")))
    author = text_of(first(meta, "initial-creator")) or text_of(first(meta, "creator"))
    source.transcript.describe(title=text_of(first(meta, "title")), author=author, written_on=written)


def _read_edges(transcript: Transcript, styles: Element | None) -> None:
    masters = None if styles is None else first(styles, "master-styles")
    if masters is None:
        return
    for edge in ("header", "footer"):
        lines = [line_of(paragraph) for found in masters.iter("{*}" + edge) for paragraph in found.iter("{*}p", "{*}h")]
        if any(lines):
            transcript.heading(edge.capitalize(), 1)
            transcript.paragraph("\n".join(dict.fromkeys(filter(None, lines))))


class _Walk:
    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._slides = 0

    def over(self, element: Element) -> None:
        for child in element:
            name = local(child)
            if name in UNSEEN or attribute(child, "display") == "none":
                continue
            if name == "h":
                level = attribute(child, "outline-level") or "1"
                self._transcript.heading(line_of(child), int(level) if level.isdigit() else 1)
                self._beside(child)
            elif name == "p":
                self._transcript.paragraph(line_of(child))
                self._beside(child)
            elif name == "table":
                self._table(child)
            elif name == "forms":
                self._transcript.paragraph("\n".join(_filled_in(child)))
            elif name == "page":
                self._slides += 1
                self._transcript.pages = self._slides
                self._transcript.page(self._slides)
                self.over(child)
            else:
                self.over(child)

    def _beside(self, paragraph: Element) -> None:
        """Text boxes, notes, comments and descriptions of pictures that are anchored in a paragraph."""
        for found in paragraph.iter("{*}text-box", "{*}note-body", "{*}annotation", "{*}title", "{*}desc"):
            if local(found) in ("title", "desc"):
                self._transcript.paragraph(text_of(found))
            elif not any(local(above) in ("text-box", "note-body") for above in found.iterancestors()):
                self.over(found)

    def _table(self, table: Element) -> None:
        rows: list[str] = []
        header = ""
        for row in _own_rows(table):
            cells = [_cell(cell) for cell in row if local(cell) == "table-cell"]
            line = " | ".join(cells).rstrip(" |")
            if line:
                above = row.getparent()
                if not rows and not header and above is not None and local(above) == "table-header-rows":
                    header = line
                else:
                    rows.append(line)
        if name := attribute(table, "name"):
            self._transcript.paragraph(name if not name.startswith("Table") else "")
        self._transcript.table(header, rows)


def _own_rows(table: Element) -> Iterator[Element]:
    """Its rows, in groups and headers too, but not those of tables in its cells."""
    for child in table:
        if local(child) == "table-row":
            yield child
        elif local(child) in ("table-header-rows", "table-rows", "table-row-group"):
            yield from _own_rows(child)


def _filled_in(forms: Element) -> Iterator[str]:
    """What the fields of a form are called and hold."""
    for element in forms.iter():
        label = attribute(element, "label") or attribute(element, "title") or attribute(element, "name") or ""
        value = attribute(element, "current-value") or attribute(element, "value") or ""
        if local(element) != "form" and (value or attribute(element, "label")):
            yield f"{label}: {value}" if label and value else label or value


def _cell(cell: Element) -> str:
    return " ".join(filter(None, (line_of(paragraph) for paragraph in cell.iter("{*}p", "{*}h"))))


def line_of(paragraph: Element) -> str:
    """Text of a paragraph, with its spaces, tabs and line breaks, without what is only anchored in it."""
    words: list[str] = [paragraph.text or ""]
    for child in paragraph:
        name = local(child)
        if name == "s":
            count = attribute(child, "c") or "1"
            words.append(" " * min(int(count) if count.isdigit() else 1, 100))
        elif name == "tab":
            words.append("\t")
        elif name == "line-break":
            words.append("\n")
        elif name not in ("note", "annotation", "frame", "text-box", "ruby-text", "custom-shape"):
            words.append(line_of(child))
        elif name in ("frame", "custom-shape") and first(child, "text-box") is None:
            words.append(" ".join(line_of(inner) for inner in child.iter("{*}p")))
        words.append(child.tail or "")
    return "".join(words)
