"""Word documents (DOCX), strict ones too: body, tables, text boxes, notes, comments, headers and footers.

Read from the XML itself in one pass: python-docx leaves out text boxes, notes and comments, and raises on strict files.
"""

import re

from core.adapters.extraction.drawing import description, drawn
from core.adapters.extraction.embedded import read_embedded
from core.adapters.extraction.markup import Element, attribute, below, child_of, children, local
from core.adapters.extraction.package import Package
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Transcript

# What is not shown on the page: deletions, field codes, the second copy of a drawing, properties.
UNSEEN = frozenset(
    (
        "del",
        "moveFrom",
        "instrText",
        "delText",
        "Fallback",
        "rPr",
        "pPr",
        "sectPr",
        "tblPr",
        "tcPr",
        "trPr",
        "sdtPr",
        "rt",
        "delInstrText",
    )
)
NOTES = (
    ("footnotes", "footnote", "Footnotes"),
    ("endnotes", "endnote", "Endnotes"),
    ("comments", "comment", "Comments"),
)
SPECIAL_NOTES = ("separator", "continuationSeparator", "continuationNotice")
_STYLE = re.compile(r"(?i)^(?:heading|überschrift|titre|título|titolo|заголовок|标题|見出し)?\s*([1-6])$")


def read(source: Source) -> None:
    """Everything that a person would see in Word, deletions left out, insertions kept."""
    package = Package(source)
    root = package.main_part("officeDocument", "word/document.xml")
    package.describe(source)
    document = _Document(source, package, _heading_styles(package))
    document.read(root)
    for kind in ("header", "footer"):
        for part in sorted(set(package.related(package.main_name, kind))):
            document.read_beside(part, kind.capitalize())
    for kind, element, title in NOTES:
        for part in package.related(package.main_name, kind):
            document.read_notes(part, element, title)
    read_embedded(source, package, package.main_name)


class _Document:
    """Walks the XML of one document."""

    def __init__(self, source: Source, package: Package, levels: dict[str, int]) -> None:
        self._source = source
        self._transcript: Transcript = source.transcript
        self._package = package
        self._levels = levels
        self._said: set[str] = set()

    def read(self, root: Element) -> None:
        body = next((child for child in root if local(child) == "body"), root)
        self._blocks(body)
        for words in drawn(self._package, self._package.main_name):
            self._transcript.paragraph(words)

    def read_beside(self, part: str, title: str) -> None:
        """A header or footer; each text once, however many sections repeat it."""
        root = self._package.xml(part)
        texts = [] if root is None else [text for _level, text in self._paragraphs(root) if text not in self._said]
        if texts:
            self._said.update(texts)
            self._transcript.heading(title, 1)
            self._transcript.paragraph("\n".join(texts))

    def read_notes(self, part: str, element: str, title: str) -> None:
        root = self._package.xml(part)
        lines: list[str] = []
        for note in below(root, element):
            if attribute(note, "type") not in SPECIAL_NOTES:
                text = "\n".join(text for _level, text in self._paragraphs(note))
                writer = attribute(note, "author")
                if text:
                    lines.append(f"{writer}: {text}" if writer else text)
        if lines:
            self._transcript.heading(title, 1)
            for line in lines:
                self._transcript.paragraph(line)

    def _blocks(self, parent: Element) -> None:
        stack = list(reversed(parent))
        while stack:
            child = stack.pop()
            name = local(child)
            if name == "p":
                self._block(child)
            elif name == "tbl":
                self._table(child)
            elif name == "altChunk":
                self._chunk(child)
            elif name not in UNSEEN:  # content controls, insertions, custom XML around paragraphs
                stack.extend(reversed(child))

    def _block(self, paragraph: Element) -> None:
        for level, text in self._paragraphs(paragraph):
            if level:
                self._transcript.heading(text, level)
            else:
                self._transcript.paragraph(text)

    def _paragraphs(self, root: Element) -> list[tuple[int, str]]:
        """The paragraph (or those below the element) and the text boxes in it, as (heading level, text)."""
        found: list[tuple[int, str]] = []
        for paragraph in root.iter("{*}p") if local(root) != "p" else [root]:
            if self._is_unseen(paragraph, root):
                continue
            text, boxes, beside = _runs(paragraph)
            if text.strip():
                found.append((self._level(paragraph), text))
            found.extend((0, words) for words in beside)
            if local(root) == "p":
                for box in boxes:
                    found.extend((0, text) for _level, text in self._paragraphs(box))
        return found

    @staticmethod
    def _is_unseen(paragraph: Element, root: Element) -> bool:
        return (
            any(local(above) in ("Fallback", "del", "moveFrom") for above in paragraph.iterancestors())
            and paragraph is not root
        )

    def _level(self, paragraph: Element) -> int:
        properties = child_of(paragraph, "pPr")
        if properties is None:
            return 0
        for child in properties:
            value = attribute(child, "val") or ""
            if local(child) == "outlineLvl" and value.isdigit() and int(value) < 6:
                return int(value) + 1
            if local(child) == "pStyle" and value in self._levels:
                return self._levels[value]
        return 0

    def _table(self, table: Element) -> None:
        """Rows as lines; a cell that spans others is said once; tables in cells follow as lines of the cell."""
        rows: list[str] = []
        header = ""
        for row in _own(table, "tr"):
            cells = [self._cell(cell) for cell in _own(row, "tc")]
            line = " | ".join(cell for cell in cells if cell is not None)
            if not line.strip(" |"):
                continue
            if not rows and not header and _is_header(row):
                header = line
            else:
                rows.append(line)
        self._transcript.table(header, rows)

    def _cell(self, cell: Element) -> str | None:
        """Text of a cell; None for one that only goes on with the cell above or beside it."""
        properties = child_of(cell, "tcPr")
        for child in children(properties):
            if local(child) in ("vMerge", "hMerge") and (attribute(child, "val") or "continue") == "continue":
                return None
        return " ".join(" ".join(text.split()) for _level, text in self._paragraphs(cell))

    def _chunk(self, chunk: Element) -> None:
        """Another document (HTML, mostly) that Word would merge in when it opens the file."""
        relation = self._package.relations(self._package.main_name).get(attribute(chunk, "id") or "")
        data = self._package.bytes_of(relation[1]) if relation else None
        if relation and data:
            self._source.part(relation[1].rpartition("/")[2], data)


def _runs(paragraph: Element) -> tuple[str, list[Element], list[str]]:
    """Text of a paragraph without what is not seen; the text boxes, and the words of pictures, anchored in it."""
    words: list[str] = []
    boxes: list[Element] = []
    beside: list[str] = []
    stack = list(reversed(paragraph))
    while stack:
        element = stack.pop()
        name = local(element)
        if name in UNSEEN or (name == "r" and _is_hidden(element)):
            continue
        if name == "txbxContent":
            boxes.append(element)
        elif name == "t":
            words.append(element.text or "")
        elif name in ("tab", "ptab"):
            words.append("\t")
        elif name in ("br", "cr"):
            words.append("\n")
        elif name == "noBreakHyphen":
            words.append("-")
        elif name == "sym":
            words.append(_symbol(element))
        else:
            if name == "docPr":
                beside.append(description(element))
            elif name in ("shape", "textpath"):  # of VML: a picture's description, letters drawn as a picture
                beside.append(element.get("alt") or element.get("string") or "")
            stack.extend(reversed(element))
    return "".join(words), boxes, [said for said in beside if said.strip()]


def _is_hidden(run: Element) -> bool:
    """Formatted as hidden text."""
    properties = child_of(run, "rPr")
    return any(
        local(child) == "vanish" and attribute(child, "val") not in ("0", "false", "off")
        for child in children(properties)
    )


def _symbol(element: Element) -> str:
    code = attribute(element, "char") or ""
    try:
        letter = chr(int(code, 16))
    except (ValueError, OverflowError):
        return ""
    return "" if "\ue000" <= letter <= "\uf8ff" else letter  # a place in a symbol font means nothing outside of it


def _own(parent: Element, name: str) -> list[Element]:
    """Children of this name, those inside content controls and insertions too, but not those of inner tables."""
    found: list[Element] = []
    stack = list(reversed(parent))
    while stack:
        child = stack.pop()
        if local(child) == name:
            found.append(child)
        elif local(child) in ("sdt", "sdtContent", "ins", "customXml", "smartTag"):
            stack.extend(reversed(child))
    return found


def _is_header(row: Element) -> bool:
    properties = child_of(row, "trPr")
    return properties is not None and any(local(child) == "tblHeader" for child in properties)


def _heading_styles(package: Package) -> dict[str, int]:
    """Style ids that are headings, with their levels: by outline level, or by a name in any of the usual languages."""
    levels: dict[str, int] = {}
    for part in package.related(package.main_name, "styles") or ["word/styles.xml"]:
        root = package.xml(part)
        for style in below(root, "style"):
            identity = attribute(style, "styleId") or ""
            name = next((attribute(child, "val") or "" for child in style if local(child) == "name"), "")
            outline = next((attribute(child, "val") for child in below(style, "outlineLvl")), None)
            if (named := _STYLE.match(name)) is not None and len(name) > 1:
                levels[identity] = int(named[1])
            elif name.lower() == "title":
                levels[identity] = 1
            elif outline and outline.isdigit() and int(outline) < 6:
                levels[identity] = int(outline) + 1
    return levels
