"""RTF: the text, and what is embedded in it."""

import re

from striprtf.striprtf import rtf_to_text  # pyright: ignore[reportUnknownVariableType]

from core.adapters.extraction import dates
from core.adapters.extraction.source import Source

MAX_OBJECTS = 100
_TITLE = re.compile(r"\{\\title ([^{}\\]{1,300})\}")
_AUTHOR = re.compile(r"\{\\author ([^{}\\]{1,300})\}")
_CREATED = re.compile(r"\{\\creatim\\yr(\d{4})\\mo(\d{1,2})\\dy(\d{1,2})")
_OBJECT = re.compile(r"\{\\\*\\objdata\b[^{}]*?([0-9a-fA-F\s]{40,})")
_PICTURE = re.compile(r"\{(?:\\\*\\shppict\s*\{)?\\pict\b[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\{\\\*\\objdata\b[^{}]*\}")
# A file packed by Windows' "Package": a label, the path it came from, markers, its length and bytes (MS-OLEDS).
_PACKAGE = re.compile(rb"\x02\x00([^\0]{1,260})\x00[^\0]{0,260}\x00\x00\x00\x03\x00.{4}[^\0]{0,260}\x00", re.DOTALL)


def read(source: Source) -> None:
    """Paragraphs in reading order. Embedded files are named, and read where they are plain packages."""
    text = source.data.decode("latin-1")
    read_rtf(source, text)
    for found in list(_OBJECT.finditer(text))[:MAX_OBJECTS]:
        _read_object(source, bytes.fromhex("".join(found[1].split())[: len("".join(found[1].split())) // 2 * 2]))


def read_rtf(source: Source, text: str) -> None:
    """The text of RTF source (each character a byte)."""
    title, author, created = _TITLE.search(text), _AUTHOR.search(text), _CREATED.search(text)
    date = f"{created[1]}-{int(created[2]):02}-{int(created[3]):02}" if created else ""
    source.transcript.describe(
        title=title and title[1], author=author and author[1], written_on=dates.from_digits(date) if date else None
    )
    plain = str(rtf_to_text(_PICTURE.sub("", text), errors="replace"))  # pyright: ignore[reportUnknownArgumentType]
    lines_are_paragraphs = plain.count("\n\n") < plain.count("\n") / 10
    source.transcript.paragraph(re.sub(r"\n(?=\S)", "\n\n", plain) if lines_are_paragraphs else plain)


def _read_object(source: Source, data: bytes) -> None:
    packed = _PACKAGE.search(data)
    if packed is None:
        source.transcript.note("attachment_named", f"{source.name} holds an embedded object that can't be read.")
        return
    name = packed[1].decode("cp1252", "replace")
    length = int.from_bytes(data[packed.end() : packed.end() + 4], "little")
    source.transcript.paragraph(f"Embedded file: {name}")
    source.part(name, data[packed.end() + 4 : packed.end() + 4 + length])
