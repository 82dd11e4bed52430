"""Web pages: what a reader sees, nothing that runs, nothing that would have to be fetched."""

import re
from dataclasses import dataclass, field
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from core.adapters.extraction import flat_html
from core.adapters.extraction.charset import decode
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Transcript

UNSEEN = ["script", "style", "template", "svg", "object", "embed", "iframe", "rt", "rp"]
TYPED_IN = ("text", "search", "tel", "email", "url", "date", "number")  # kinds of fields whose value is to be seen
BLOCKS, HEADINGS = flat_html.BLOCKS, flat_html.HEADINGS
CELL_LETTERS = 400  # longer cells hold text laid out by a table, not data
NOT_SHOWN = "Not shown on the page:"
_HIDING = re.compile(r"(?i)(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all)\b")
_MAY_HIDE = re.compile(r"(?i)\shidden\b|display\s*:\s*none|visibility\s*:\s*hidden|mso-hide")
_CHARSET = re.compile(
    rb"(?i)<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)|<\?xml[^>]{0,200}?encoding=[\"']([\w.:-]+)"
)


def read(source: Source) -> None:
    """Title, headings, paragraphs and tables."""
    read_markup(source.transcript, page_text(source.data, source.declared))


def page_text(data: bytes, declared: str | None) -> str:
    """The page's characters. What stands in the page counts before what was said about it; both may be wrong."""
    named = _CHARSET.search(data)
    inside = next((group for group in named.groups() if group), b"") if named else b""
    return decode(data, inside.decode("ascii") or declared)


def read_markup(transcript: Transcript, markup: str) -> None:
    """Read HTML, or a fragment of it, into the transcript."""
    markup = markup.replace("\0", "")
    if flat_html.is_too_deep(markup):
        flat_html.read_flat(transcript, markup)
        return
    parser = LexborHTMLParser(markup)
    title = parser.css_first("head > title")
    parser.strip_tags(UNSEEN, recursive=True)
    if title is not None and (text := title.text(deep=True).strip()):
        transcript.describe(title=text)
        transcript.heading(text, 0)
    if parser.body is not None:
        _read_body(transcript, parser.body, markup)
    for frames in parser.css("noframes"):  # a page of frames; what it says to browsers without them
        _Walk(transcript).over(LexborHTMLParser(frames.text()).root)


def _read_body(transcript: Transcript, body: Any, markup: str) -> None:
    """What a browser shows; behind it what the page holds and doesn't show (lines for previews of mail programs, data
    for machines), which is said of it."""
    walk = _Walk(transcript, hiding=_MAY_HIDE.search(markup) is not None)
    walk.over(body)
    if not walk.said:  # a page that shows itself by its script
        for node in walk.hidden:
            _Walk(transcript).over(node)
    elif any(node.text(deep=True).strip() for node in walk.hidden):
        transcript.boundary()
        transcript.paragraph(NOT_SHOWN)
        for node in walk.hidden:
            _Walk(transcript).over(node)


def _is_hidden(node: Any) -> bool:
    attributes = node.attributes
    return "hidden" in attributes or _HIDING.search(attributes.get("style") or "") is not None


@dataclass(slots=True)
class _Walk:
    """Goes over the tree without recursion: 1,200 tags deep is not rare."""

    transcript: Transcript
    hiding: bool = False  # something may be hidden, and is kept apart
    hidden: list[Any] = field(default_factory=list[Any])
    said: bool = False  # there was text to read
    words: list[str] = field(default_factory=list[str])
    kept_lines: int = 0  # open <pre> elements

    def over(self, root: Any) -> None:
        depth = 0  # counted, because comparing nodes compares their whole markup
        node = root
        while True:
            if self._enter(node) and node.child is not None:
                node, depth = node.child, depth + 1
                continue
            while depth and node.next is None:
                self._leave(node)
                node, depth = node.parent, depth - 1
            if not depth:
                break
            self._leave(node)
            node = node.next
        self._end_paragraph()

    def _enter(self, node: Any) -> bool:
        """Take in what the node says; False when its children were taken with it or don't count."""
        tag = node.tag
        if self.hiding and tag[:1].isalpha() and tag != "body" and _is_hidden(node):
            self.hidden.append(node)
            return False
        if tag == "-text":
            text = node.text_content or ""
            self.words.append(text if self.kept_lines else " ".join(f"|{text}|".split())[1:-1])
        elif tag == "br":
            self.words.append("\n")
        elif tag == "img":
            self.words.append(f" {(node.attributes.get('alt') or '')[:300]} ")
        elif tag == "input":
            attributes = node.attributes
            if (attributes.get("type") or "text").lower() in TYPED_IN:
                self.words.append(f" {(attributes.get('value') or '')[:2000]} ")
        elif tag in HEADINGS:
            self._end_paragraph()
            self.said = True
            self.transcript.heading(node.text(deep=True, separator=" "), HEADINGS[tag])
            return False
        elif tag == "table":
            self._end_paragraph()
            return not self._data_table(node)
        elif tag in BLOCKS:
            self._end_paragraph()
            self.kept_lines += tag == "pre"
        return not tag.startswith("_")

    def _leave(self, node: Any) -> None:
        if node.tag in BLOCKS:
            self._end_paragraph()
            self.kept_lines = max(0, self.kept_lines - (node.tag == "pre"))  # a hidden one was never entered

    def _end_paragraph(self) -> None:
        text = "".join(self.words)
        self.words.clear()
        if not self.kept_lines:
            lines = (" ".join(line.split()) for line in text.split("\n"))
            text = "\n".join(line for line in lines if line)
        self.said = self.said or bool(text.strip())
        self.transcript.paragraph(text)

    def _data_table(self, table: Any) -> bool:
        """Take a table of short cells row by row; False for tables that only lay out a page."""
        if len(table.css("table")) > 1 or table.css_first("h1,h2,h3,pre,ul,ol") is not None:  # it finds itself too
            return False
        rows: list[str] = []
        for row in table.css("tr"):
            cells = [" ".join(cell.text(deep=True, separator=" ").split()) for cell in row.css("td,th")]
            if any(len(cell) > CELL_LETTERS for cell in cells):
                return False
            if any(cells):
                rows.append(" | ".join(cells).strip(" |"))
        if not any(" | " in row for row in rows):
            return False
        caption = table.css_first("caption")
        if caption is not None:
            self.transcript.paragraph(caption.text(deep=True, separator=" "))
        first = table.css_first("tr")
        named = first is not None and first.css_first("th") is not None and first.css_first("td") is None
        self.said = True
        self.transcript.table(rows[0] if named else "", rows[1:] if named else rows)
        return True
