"""Web pages whose tags lie in each other by the thousand, read tag by tag without a tree.

A parser that follows the standard looks at every open tag for each new one, opens unclosed formatting again in every
paragraph, and compares every attribute of a tag with all others: 20,000 of them cost it minutes.
"""

import html
import re

from core.adapters.extraction.transcript import Transcript

MAX_OPEN = 2_000  # the deepest real page of the tests has 1,200
SKIPPED = ("script", "style", "template")  # up to their own end
VOID = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"))
# Their end may be left out: the next one ends them, so they don't lie in each other.
ENDED_BY_THEMSELVES = frozenset(
    ("p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "optgroup", "rt", "rp", "colgroup")
)
BLOCKS = frozenset(
    (
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "details",
        "dialog",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "header",
        "hr",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
        "option",
        "title",
    )
)
HEADINGS = {f"h{level}": level for level in range(1, 7)}
_OPENING = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_LONG_TAG = re.compile(r"<[a-zA-Z][^<>]{8000,}")
# A comment, a tag with its attributes (quoted ones may hold ">"), or text.
_PIECE = re.compile(r"<!--.*?(?:-->|\Z)|<(/?)([a-zA-Z][a-zA-Z0-9:-]*)([^<>]*)>|<[!?][^>]*>|[^<]+|<", re.DOTALL)
_ALTERNATIVE = re.compile(r"\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")


def is_too_deep(markup: str) -> bool:
    """Whether more than MAX_OPEN tags are open at one place, or attributes stand in one tag.

    Counts for each name of a tag, so it never counts too few.
    """
    if any(found[0].count("=") > MAX_OPEN for found in _LONG_TAG.finditer(markup)):
        return True
    if markup.count("<") <= MAX_OPEN:
        return False
    opened: dict[str, int] = {}
    total = 0
    for found in _OPENING.finditer(markup):
        name = found[2].lower()
        if name in VOID or name in ENDED_BY_THEMSELVES:
            continue
        if not found[1]:
            opened[name] = opened.get(name, 0) + 1
            total += 1
            if total > MAX_OPEN:
                return True
        elif opened.get(name):
            opened[name] -= 1
            total -= 1
    return False


def read_flat(transcript: Transcript, markup: str) -> None:
    """Title, headings and paragraphs; cells of tables as paragraphs of their own."""
    walk = _Walk(transcript)
    for piece in _PIECE.finditer(markup):
        walk.take(piece[0], (piece[2] or "").lower(), bool(piece[1]), piece[3] or "")
    walk.end_block("", False)


class _Walk:
    """Goes from piece to piece: words are held until a block begins or ends."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._words: list[str] = []
        self._level = 0  # of the heading that is open
        self._skipped = ""

    def take(self, piece: str, name: str, closes: bool, attributes: str) -> None:
        if self._skipped:
            if closes and name == self._skipped:
                self._skipped = ""
        elif name in SKIPPED and not closes:
            self._skipped = name
        elif name in BLOCKS or name in HEADINGS:
            self.end_block(name, closes)
        elif name == "br":
            self._words.append("\n")
        elif name == "img" and (said := _ALTERNATIVE.search(attributes)):
            self._words.append(f" {(said[1] or said[2] or '')[:300]} ")
        elif not name and not piece.startswith(("<!", "<?")):
            self._words.append(html.unescape(piece))

    def end_block(self, name: str, closes: bool) -> None:
        lines = (" ".join(line.split()) for line in "".join(self._words).split("\n"))
        text = "\n".join(filter(None, lines))
        self._words.clear()
        if name == "title" and closes:
            self._transcript.describe(title=text)
            self._transcript.heading(text, 0)
        elif self._level:
            self._transcript.heading(text, self._level)
        else:
            self._transcript.paragraph(text)
        self._level = HEADINGS.get(name, 0) if not closes else 0
