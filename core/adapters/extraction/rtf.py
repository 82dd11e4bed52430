"""RTF: what a person would see, in the charset of each font, without what was deleted; and what is embedded in it."""

import re
from dataclasses import dataclass, field, replace

from core.adapters.extraction import dates, embedded
from core.adapters.extraction.charset import decode
from core.adapters.extraction.codepages import charset
from core.adapters.extraction.rtf_words import (
    BESIDE,
    FONT_CHARSETS,
    LETTERS,
    PARAGRAPH_ENDS,
    SEEN_IN_SPITE,
    SIGNS,
    SYMBOLS,
    UNSEEN,
)
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Transcript

_OPENING = frozenset((*UNSEEN, *SEEN_IN_SPITE, *BESIDE, "upr"))  # words that say what their group is
MAX_OBJECTS = 100
MAX_GROUPS = 50_000  # in each other
_TITLE = re.compile(rb"\{\\title ([^{}]{1,600})\}")
_AUTHOR = re.compile(rb"\{\\author ([^{}]{1,600})\}")
_CREATED = re.compile(rb"\{\\creatim\\yr(\d{4})\\mo(\d{1,2})\\dy(\d{1,2})")
_OBJECT = re.compile(rb"\{\\\*\\objdata\b[^{}]*?([0-9a-fA-F\s]{40,})")
# A file packed by Windows' "Package": a label, the path it came from, markers, its length and bytes (MS-OLEDS).
_PACKAGE = re.compile(rb"\x02\x00([^\0]{1,260})\x00[^\0]{0,260}\x00\x00\x00\x03\x00.{4}[^\0]{0,260}\x00", re.DOTALL)
_CONTAINER = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_TOKEN = re.compile(
    r"\\([A-Za-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^A-Za-z'])|([{}])|[\r\n]+|([^\\{}\r\n]+)|\\'?",
    re.DOTALL,
)
_HEADING = re.compile(r"(?i)(?:heading|überschrift|titre|título|titolo|заголовок|标题|見出し)\s*([1-6])\b")
_BLOCK_TAG = re.compile(r"(?i)</?(?:p|div|br|tr|li|h[1-6]|table)\b")


def read(source: Source) -> None:
    """Paragraphs, tables and headings in order, then what stands beside them. Embedded files are parts."""
    read_rtf(source, source.data)
    for found in list(_OBJECT.finditer(source.data))[:MAX_OBJECTS]:
        digits = b"".join(found[1].split())
        _read_object(source, bytes.fromhex(digits[: len(digits) // 2 * 2].decode("ascii")))


def read_rtf(source: Source, data: bytes) -> None:
    """The text of RTF source."""
    reader = _Reader(source.transcript)
    title, author, created = _TITLE.search(data), _AUTHOR.search(data), _CREATED.search(data)
    date = f"{int(created[1])}-{int(created[2]):02}-{int(created[3]):02}" if created else ""
    reader.read(data.decode("latin-1"))
    source.transcript.describe(
        title=_plain(title and title[1], reader.charset),
        author=_plain(author and author[1], reader.charset),
        written_on=dates.from_digits(date) if date else None,
    )


def _plain(piece: bytes | None, named: str) -> str:
    """A value of the document's properties, which is RTF by itself."""
    if piece is None:
        return ""
    inner = Transcript(1_000)
    reader = _Reader(inner)
    reader.charset = named
    reader.read(piece.decode("latin-1"))
    return " ".join(block for section in inner.sections for block in section.blocks)


def _read_object(source: Source, data: bytes) -> None:
    packed = _PACKAGE.search(data)
    if packed is None and (place := data.find(_CONTAINER)) >= 0:
        embedded.read_object(source, data[place:])
        return
    if packed is None:
        source.transcript.note("attachment_named", f"{source.name} holds an embedded object that can't be read.")
        return
    name = decode(packed[1])
    length = int.from_bytes(data[packed.end() : packed.end() + 4], "little")
    source.transcript.paragraph(f"Embedded file: {name}")
    source.part(name, data[packed.end() + 4 : packed.end() + 4 + length])


@dataclass(frozen=True, slots=True)
class _State:
    """What holds inside a group, and ends with it.

    story: "" for the text itself, or where its words stand beside it. hidden: of a group that isn't seen. unseen: text
    that is deleted or formatted as hidden. letters: numbers of letters that stand for one in Unicode and are skipped.
    """

    story: str = ""
    hidden: bool = False
    unseen: frozenset[str] = frozenset()
    letters: int = 1
    font: int | None = None
    wide_font: int | None = None
    wide: bool = False
    group: str = ""


@dataclass(slots=True)
class _Story:
    """Paragraphs and tables that are being read."""

    words: list[str] = field(default_factory=list[str])
    cells: list[str] = field(default_factory=list[str])
    rows: list[str] = field(default_factory=list[str])
    lines: list[str] = field(default_factory=list[str])
    in_table: bool = False
    level: int = 0


class _Reader:
    """Goes through the tokens once. charset: of text whose font says nothing else."""

    def __init__(self, transcript: Transcript) -> None:
        self.charset = "cp1252"
        self._transcript = transcript
        self._state = _State()
        self._stack: list[_State] = []
        self._stories: dict[str, _Story] = {"": _Story()}
        self._bytes = bytearray()  # letters of a charset that are not read yet: some take two
        self._to_skip = 0
        self._fonts: dict[int, int | str] = {}
        self._styles: dict[int, int] = {}
        self._style = self._default_font = 0
        self._name = ""  # of a style
        self._optional = False  # behind \*

    def read(self, text: str) -> None:
        place = 0
        while place < len(text) and (found := _TOKEN.match(text, place)) is not None:
            place = found.end()
            word, number, hexadecimal, sign, brace, plain = found.groups()
            if word == "bin":
                place += max(0, int(number or 0))
            elif word:
                self._word(word, None if number is None else int(number))
            elif brace:
                self._brace(brace)
            elif hexadecimal:
                self._letter(bytes.fromhex(hexadecimal))
            elif plain:
                self._plain_text(plain)
            elif sign == "*":
                self._optional = True
            elif sign:
                self._say(SIGNS.get(sign, ""))
        self._flush()
        self._end_paragraph(self._stories[""], last=True)
        self._finish()

    def _brace(self, brace: str) -> None:
        self._flush()
        self._to_skip = 0
        self._optional = False
        if brace == "{":
            if len(self._stack) < MAX_GROUPS:
                self._stack.append(self._state)
                self._state = replace(self._state, group="")
        elif self._stack:
            ended, self._state = self._state, self._stack.pop()
            if ended.story != self._state.story and not ended.hidden:
                self._end_paragraph(self._stories[ended.story], last=True)
            if self._state.group == "stylesheet" and (heading := _HEADING.search(self._name)) is not None:
                self._styles[self._style] = int(heading[1])
            self._name = ""

    def _word(self, word: str, number: int | None) -> None:
        if self._to_skip and word != "u":
            self._to_skip -= 1
        if (not self._state.group and word in _OPENING) or self._optional:
            self._open_group(word)
            return
        if word in ("f", "af", "plain", "loch", "hich", "dbch", "u", "cpg"):
            self._flush()
        if word == "u" and number is not None:
            self._say(chr(number & 0xFFFF))
            self._to_skip = self._state.letters
        elif word in PARAGRAPH_ENDS:
            self._end()
        elif word in ("cell", "row", "trowd", "intbl", "pard"):
            self._layout(word)
        elif word in LETTERS:
            self._say(LETTERS[word])
        elif word in ("deleted", "v", "htmlrtf"):
            kept = self._state.unseen - {word}
            self._state = replace(self._state, unseen=kept if number == 0 else kept | {word})
        elif word in ("s", "outlinelevel") and number is not None:
            self._style_of_paragraph(word, number)
        else:
            self._look(word, number)

    def _look(self, word: str, number: int | None) -> None:
        """Fonts and charsets."""
        value = number or 0
        if self._state.group == "fonttbl" or (self._stack and self._stack[-1].group == "fonttbl"):
            if word == "f":
                self._state = replace(self._state, font=value)
            elif word == "fcharset" and self._state.font is not None:
                self._fonts.setdefault(self._state.font, value)
            elif word == "cpg" and self._state.font is not None and (named := charset(value)):
                self._fonts[self._state.font] = named
        elif word == "f":
            self._state = replace(self._state, font=value)
        elif word == "af":
            self._state = replace(self._state, wide_font=value if self._state.wide else self._state.wide_font)
        elif word in ("dbch", "loch", "hich"):
            self._state = replace(self._state, wide=word == "dbch")
        elif word == "plain":
            self._state = replace(self._state, font=None, unseen=self._state.unseen & {"htmlrtf"})
        elif word == "uc":
            self._state = replace(self._state, letters=min(value, 16))
        elif word == "deff":
            self._default_font = value
        elif word == "ansicpg":
            self.charset = charset(value) or self.charset
        elif word in ("mac", "pc", "pca") and self.charset == "cp1252":
            self.charset = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}[word]

    def _open_group(self, word: str) -> None:
        seen = word in SEEN_IN_SPITE or word in BESIDE or (not self._optional and word not in UNSEEN)
        self._optional = False
        story = BESIDE.get(word, self._state.story)
        if word == "upr":  # the same in the old letters; what follows says it in Unicode
            story, seen = self._state.story, False
        elif word == "ud":
            self._state = replace(self._state, hidden=False)
        if word == "result":
            self._state = replace(self._state, hidden=False)
        self._stories.setdefault(story, _Story())
        self._state = replace(self._state, story=story, hidden=self._state.hidden or not seen, group=word)

    def _layout(self, word: str) -> None:
        if self._state.hidden:
            return
        self._flush()
        story = self._stories[self._state.story]
        if word == "pard":
            story.in_table, story.level = False, 0
        elif word == "cell":
            story.cells.append(" ".join("".join(story.words).split()))
            story.words = []
            story.in_table = True
        elif word == "row":
            story.rows.append(" | ".join(story.cells).rstrip(" |"))
            story.cells = []
            story.in_table = True
        else:
            story.in_table = True

    def _style_of_paragraph(self, word: str, number: int) -> None:
        if self._state.group == "stylesheet" or (self._stack and self._stack[-1].group == "stylesheet"):
            self._style = number if word == "s" else self._style
            self._name = "" if word == "s" else self._name
        elif not self._state.hidden:
            level = self._styles.get(number, 0) if word == "s" else number + 1 if number < 6 else 0
            story = self._stories[self._state.story]
            story.level = level or story.level

    def _plain_text(self, text: str) -> None:
        if self._to_skip:
            skipped = min(self._to_skip, len(text))
            self._to_skip -= skipped
            text = text[skipped:]
        if self._state.group == "htmltag":
            if _BLOCK_TAG.search(text) and not self._state.unseen:
                self._stories[self._state.story].words.append("\n")
        elif self._state.hidden:
            self._name += text[:100] if len(self._name) < 200 else ""
        elif not self._state.unseen:
            self._bytes += text.encode("latin-1")

    def _letter(self, byte: bytes) -> None:
        if self._to_skip:
            self._to_skip -= 1
        elif not self._state.hidden and not self._state.unseen:
            self._bytes += byte

    def _say(self, text: str) -> None:
        self._flush()
        if not self._state.hidden and not self._state.unseen:
            self._stories[self._state.story].words.append(text)

    def _flush(self) -> None:
        if not self._bytes:
            return
        data, self._bytes = bytes(self._bytes), bytearray()
        if data.isascii():
            text = data.decode("ascii")
        else:
            named = self._named_charset()
            text = "\u2022" if named == SYMBOLS else _decoded(data, str(named))
        self._stories[self._state.story].words.append(text)

    def _named_charset(self) -> str | int:
        font = self._state.font if self._state.font is not None else self._default_font
        if self._state.wide and self._state.wide_font is not None:
            font = self._state.wide_font
        said = self._fonts.get(font)
        if isinstance(said, str) or said == SYMBOLS:
            return said
        return self.charset if said is None else FONT_CHARSETS.get(said, self.charset)

    def _end(self) -> None:
        if not self._state.hidden and not self._state.unseen:
            self._flush()
            self._end_paragraph(self._stories[self._state.story])

    def _end_paragraph(self, story: _Story, *, last: bool = False) -> None:
        text = "".join(story.words)
        if story.in_table and (story.cells or not story.rows) and not last:
            story.words.append("\n")  # a paragraph inside a cell
            return
        story.words = []
        if story.cells and last:
            story.rows.append(" | ".join(story.cells).rstrip(" |"))
            story.cells = []
        is_text = story is self._stories[""]
        if story.rows and is_text:
            self._transcript.table("", story.rows)
        elif story.rows:
            story.lines += story.rows
        story.rows = []
        if not is_text:
            story.lines += [text] if text.strip() else []
        elif story.level and text.strip():
            self._transcript.heading(text, story.level)
        else:
            self._transcript.paragraph(text)

    def _finish(self) -> None:
        for title, story in self._stories.items():
            lines = list(dict.fromkeys(line.strip() for line in story.lines)) if title else []
            if any(lines):
                self._transcript.heading(title, 1)
                self._transcript.paragraph("\n".join(filter(None, lines)))


def _decoded(data: bytes, named: str) -> str:
    try:
        return data.decode(named)
    except (UnicodeError, LookupError):
        return decode(data, named)
