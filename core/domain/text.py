"""Cleaning text before it is kept: what no index, screen or database should meet."""

import re
import unicodedata

# Colour and cursor commands of terminals; without the escape character the rest would stay as rubbish.
_TERMINAL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_LINE_ENDS = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
# PDFium marks a hyphen at a line's end with U+FFFE (older ones with U+0002): the word goes on in the next line.
_BROKEN_WORD = re.compile("(?<=\\w)[\u00ad\ufffe\x02][ \t]*\n[ \t]*(?=\\w)")
_SURROGATE = re.compile("[\ud800-\udfff]")
# Controls but tab and newline, soft hyphens, byte order marks, object replacements, code points that are no characters.
_UNWANTED = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\ufeff\ufffc\ufdd0-\ufdef\ufffe\uffff"
    + "".join(chr(plane * 0x10000 + last) for plane in range(1, 17) for last in (0xFFFE, 0xFFFF))
    + "]"
)
_BLANK_LINES = re.compile(r"\n{3,}")


def clean(text: str) -> str:
    """The text in NFC, lines ended by a newline, without control characters, soft hyphens and half characters.

    Characters that mean something stay: tabs, joiners, direction marks. A lone surrogate becomes U+FFFD.
    """
    if text.isascii() and text.isprintable():
        return text
    if "\x1b" in text:
        text = _TERMINAL.sub("", text)
    text = _LINE_ENDS.sub("\n", text.replace("\0", " "))  # a NUL stands between words
    text = _BROKEN_WORD.sub("", text)
    text = _SURROGATE.sub("\ufffd", _joined(text))
    return unicodedata.normalize("NFC", _UNWANTED.sub("", text))


def tidy(text: str) -> str:
    """`clean`, without spaces at line ends, runs of blank lines, and blanks around the whole."""
    lines = (line.rstrip(" \t") for line in clean(text).split("\n"))
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()


def one_line(text: str) -> str:
    """`clean`, with every run of white space as one space: for names, titles and headings."""
    return " ".join(clean(text).split())


def _joined(text: str) -> str:
    """Pairs of surrogates that stand as two characters (from JSON or RTF) become the one that they mean."""
    if _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
