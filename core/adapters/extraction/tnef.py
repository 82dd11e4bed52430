"""winmail.dat (TNEF, MS-OXTNEF): what Outlook wraps around the text and the attachments of a mail."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.adapters.extraction import html, mapi, rtf
from core.adapters.extraction.charset import decode
from core.adapters.extraction.codepages import charset
from core.adapters.extraction.compressed_rtf import unpacked_rtf
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable
from core.domain.extraction import RefusalCode

SIGNATURE = b"\x78\x9f\x3e\x22"
ATTACHMENT_LEVEL = 2
# Attributes: kind in the upper half, number in the lower.
SUBJECT, BODY, FROM, CODEPAGE, PROPERTIES = 0x8004, 0x800C, 0x8000, 0x9007, 0x9003
BEGIN_ATTACHMENT, TITLE, DATA, ATTACHMENT_PROPERTIES = 0x9002, 0x8010, 0x800F, 0x9005
# Types of properties (MS-OXCDATA 2.11.1): bytes of those of a fixed size, padded to four.
FIXED = {0x02: 4, 0x03: 4, 0x04: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x0A: 4, 0x0B: 4, 0x14: 8, 0x40: 8, 0x48: 16}
STRING_8, UNICODE, OBJECT, BINARY, SEVERAL = 0x1E, 0x1F, 0x0D, 0x102, 0x1000
OWN_TAGS = 0x8000
MAX_ATTRIBUTES = 10_000
MAX_PROPERTIES = 5_000


@dataclass(slots=True)
class _Attachment:
    name: str = ""
    data: bytes = b""


@dataclass(slots=True)
class _Mail:
    texts: dict[int, str] = field(default_factory=dict[int, str])
    binaries: dict[int, bytes] = field(default_factory=dict[int, bytes])
    attachments: list[_Attachment] = field(default_factory=list[_Attachment])
    charset: str | None = None


def read(source: Source) -> None:
    """Subject and body, then each attachment as a part."""
    mail = _parsed(source.data)
    transcript = source.transcript
    subject = mail.texts.get(mapi.SUBJECT, "")
    transcript.describe(title=subject, author=mail.texts.get(mapi.SENDER_NAME))
    lines = [("From", mail.texts.get(mapi.SENDER_NAME, "")), ("To", mail.texts.get(mapi.TO, "")), ("Subject", subject)]
    transcript.paragraph("\n".join(f"{name}: {value}" for name, value in lines if value.strip()))
    if plain := mail.texts.get(mapi.BODY, "").strip():
        transcript.paragraph(plain)
    elif page := mail.binaries.get(mapi.HTML):
        html.read_markup(transcript, html.page_text(page, mail.charset))
    elif packed := mail.binaries.get(mapi.RTF):
        rtf.read_rtf(source, unpacked_rtf(packed))
    names = [attachment.name or f"attachment {number}" for number, attachment in enumerate(mail.attachments, 1)]
    if names:
        transcript.paragraph("Attachments: " + ", ".join(names))
    for name, attachment in zip(names, mail.attachments, strict=True):
        if attachment.data:
            source.part(name, attachment.data)
        else:
            transcript.note("attachment_named", f"{name}, inside {source.name}, can't be read.")
    if not (mail.texts or mail.binaries or names):
        raise Unreadable(
            RefusalCode.DAMAGED,
            f"{source.name} is a damaged winmail.dat and can't be read. Ask the sender to send the mail again as HTML.",
        )


def _parsed(data: bytes) -> _Mail:
    mail = _Mail()
    for level, number, value in _attributes(data):
        if level == ATTACHMENT_LEVEL:
            if number == BEGIN_ATTACHMENT:
                mail.attachments.append(_Attachment())
            if mail.attachments:
                _fill(mail.attachments[-1], number, value, mail.charset)
        elif number == CODEPAGE and len(value) >= 4:
            mail.charset = charset(int.from_bytes(value[:4], "little"))
        elif number == SUBJECT:
            mail.texts.setdefault(mapi.SUBJECT, _narrow(value, mail.charset))
        elif number == BODY:
            mail.texts.setdefault(mapi.BODY, _narrow(value, mail.charset))
        elif number == PROPERTIES:
            for tag, text, binary in _properties(value, mail.charset):
                if text:
                    mail.texts[tag] = text
                elif binary:
                    mail.binaries[tag] = binary
    return mail


def _fill(attachment: _Attachment, number: int, value: bytes, named: str | None) -> None:
    if number == TITLE:
        attachment.name = attachment.name or _narrow(value, named)
    elif number == DATA:
        attachment.data = attachment.data or value
    elif number == ATTACHMENT_PROPERTIES:
        for tag, text, binary in _properties(value, named):
            if tag == mapi.LONG_FILE_NAME or (tag in (mapi.FILE_NAME, mapi.NAME) and not attachment.name):
                attachment.name = text or attachment.name
            elif tag == mapi.ATTACHED and binary:  # an object has the number of its interface in front
                attachment.data = binary[16:] if binary[16:20] == SIGNATURE else binary


def _attributes(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """(level, number, bytes) of each; what breaks off is left out."""
    place = 6
    for _count in range(MAX_ATTRIBUTES):
        if place + 9 > len(data):
            return
        level, number, length = struct.unpack_from("<BH2xI", data, place)
        yield level, number, data[place + 9 : place + 9 + length]
        place += 9 + length + 2


def _properties(data: bytes, named: str | None) -> Iterator[tuple[int, str, bytes]]:
    """(tag, text, binary) of the properties that hold either (MS-OXTNEF 2.1.3.4)."""
    place = 4
    for _count in range(min(MAX_PROPERTIES, int.from_bytes(data[:4], "little"))):
        if place + 4 > len(data):
            return
        kind, tag = struct.unpack_from("<HH", data, place)
        place += 4
        if tag >= OWN_TAGS:
            place = _behind_name(data, place)
        several, kind = bool(kind & SEVERAL), kind & ~SEVERAL
        count = 1
        if several or kind not in FIXED:
            count = int.from_bytes(data[place : place + 4], "little")
            place += 4
        if kind in FIXED:
            place += FIXED[kind] * count
        elif kind in (STRING_8, UNICODE, OBJECT, BINARY):
            for _value in range(count):
                if place + 4 > len(data):
                    return
                length = int.from_bytes(data[place : place + 4], "little")
                value = data[place + 4 : place + 4 + length]
                place += 4 + -(-length // 4) * 4
                if kind == UNICODE:
                    yield tag, value.decode("utf-16-le", "replace").rstrip("\0"), b""
                elif kind == STRING_8:
                    yield tag, _narrow(value, named), b""
                else:
                    yield tag, "", value
        else:
            return


def _behind_name(data: bytes, place: int) -> int:
    """Where a property goes on behind its set and its number or name."""
    if int.from_bytes(data[place + 16 : place + 20], "little") == 0:
        return place + 24
    length = int.from_bytes(data[place + 20 : place + 24], "little")
    return place + 24 + -(-length // 4) * 4


def _narrow(value: bytes, named: str | None) -> str:
    return decode(value.rstrip(b"\0"), named)
