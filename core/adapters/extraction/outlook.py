"""Outlook mails (MSG): a storage of properties in an OLE container (MS-OXMSG).

Read here because python-oxmsg fails on the code pages of East Asia and doesn't open mails inside mails.
"""

import io
import struct
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import olefile

from core.adapters.extraction import html, rtf
from core.adapters.extraction.charset import decode
from core.adapters.extraction.mail import decoded_header
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable
from core.domain.extraction import RefusalCode

# Property tags of MS-OXPROPS.
SUBJECT, BODY, HTML, RTF, HEADERS = 0x0037, 0x1000, 0x1013, 0x1009, 0x007D
SENDER_NAME, SENDER_ADDRESS, SENDER_SMTP = 0x0C1A, 0x0C1F, 0x5D01
TO, CC, BCC = 0x0E04, 0x0E03, 0x0E02
SENT, DELIVERED = 0x0039, 0x0E06
CODEPAGE, BODY_CODEPAGE = 0x3FFD, 0x3FDE
NAME, ADDRESS, SMTP_ADDRESS = 0x3001, 0x3003, 0x39FE
LONG_FILE_NAME, FILE_NAME, ATTACHED, MIME_TYPE = 0x3707, 0x3704, 0x3701, 0x370E
TOP_HEADER, EMBEDDED_HEADER = 32, 24  # bytes before the first entry of a property stream
CODEPAGES = {65001: "utf-8", 20127: "ascii", 28591: "cp1252", 1200: "utf-16-le", 10000: "mac_roman"}
MAX_ATTACHMENTS = 500
MAX_NESTED = 5


def read(source: Source) -> None:
    """Headers as readable lines, body, attachments; mails in mails as parts."""
    try:
        container = cast(Any, olefile.OleFileIO(io.BytesIO(source.data)))
    except MemoryError:
        raise
    except Exception:  # olefile raises what it meets in damaged files
        raise _damaged(source.name) from None
    with container:
        _read_message(source, _Storage(container, ()), 0)


def _damaged(name: str) -> Unreadable:
    return Unreadable(RefusalCode.DAMAGED, f"{name} is a damaged mail and can't be read. Save it from Outlook again.")


class _Storage:
    """The properties of one message, recipient or attachment."""

    def __init__(self, container: Any, path: tuple[str, ...], codepage: str | None = None) -> None:
        self._container = container
        self.path = path
        fixed = self._stream("__properties_version1.0") or b""
        header = TOP_HEADER if not path else EMBEDDED_HEADER if path[-1].endswith("000D") else 8
        entries = [fixed[start : start + 16] for start in range(header, len(fixed) - 15, 16)]
        self._fixed = {int.from_bytes(entry[2:4], "little"): entry[8:16] for entry in entries}
        number = self.number(CODEPAGE) or self.number(BODY_CODEPAGE)
        self._codepage = CODEPAGES.get(number, f"cp{number}") if number else codepage

    def _stream(self, name: str) -> bytes | None:
        try:
            return self._container.openstream([*self.path, name]).read()
        except MemoryError:
            raise
        except Exception:
            return None

    def number(self, tag: int) -> int:
        value = self._fixed.get(tag)
        return int.from_bytes(value[:4], "little") if value else 0

    def time(self, tag: int) -> datetime | None:
        """Intervals of 100 ns since 1601."""
        value = self._fixed.get(tag)
        ticks = int.from_bytes(value, "little") if value else 0
        try:
            return datetime(1601, 1, 1, tzinfo=UTC) + timedelta(microseconds=ticks // 10) if ticks else None
        except OverflowError:
            return None

    def text(self, tag: int) -> str:
        """A text property, Unicode or in the mail's code page."""
        wide = self._stream(f"__substg1.0_{tag:04X}001F")
        if wide is not None:
            return wide.decode("utf-16-le", "replace").rstrip("\0")
        narrow = self._stream(f"__substg1.0_{tag:04X}001E")
        return "" if narrow is None else decode(narrow.rstrip(b"\0"), self._codepage)

    def binary(self, tag: int) -> bytes | None:
        return self._stream(f"__substg1.0_{tag:04X}0102")

    def inside(self, name: str) -> "_Storage":
        return _Storage(self._container, (*self.path, name), self._codepage)

    def storages(self, prefix: str) -> list["_Storage"]:
        """Storages directly below this one whose names begin so."""
        depth = len(self.path)
        names = {
            entry[depth]
            for entry in self._container.listdir(streams=True, storages=True)
            if len(entry) > depth and tuple(entry[:depth]) == self.path and entry[depth].startswith(prefix)
        }
        return [self.inside(name) for name in sorted(names)]

    def is_message(self) -> bool:
        return self._stream("__properties_version1.0") is not None


def _read_message(source: Source, message: _Storage, depth: int) -> None:
    if not message.is_message():
        raise _damaged(source.name)
    transcript = source.transcript
    subject, sender = decoded_header(message.text(SUBJECT)), _sender(message)
    sent = message.time(SENT) or message.time(DELIVERED)
    transcript.describe(title=subject, author=sender, written_on=sent.isoformat(timespec="seconds") if sent else None)
    lines = [("From", sender), ("To", message.text(TO)), ("Cc", message.text(CC)), ("Bcc", message.text(BCC))]
    lines += [("Recipients", ", ".join(_recipients(message))), ("Date", f"{sent:%Y-%m-%d %H:%M} UTC" if sent else "")]
    lines += [("Subject", subject)]
    transcript.paragraph("\n".join(f"{name}: {value}" for name, value in lines if value))
    _read_body(source, message)
    _read_attachments(source, message, depth)


def _sender(message: _Storage) -> str:
    name = decoded_header(message.text(SENDER_NAME))
    address = message.text(SENDER_ADDRESS)
    address = address if "@" in address else message.text(SENDER_SMTP) or address  # Exchange has a path there
    return f"{name} <{address}>" if address and "@" in address and address != name else name or address


def _recipients(message: _Storage) -> list[str]:
    found: list[str] = []
    for recipient in message.storages("__recip_version1.0_"):
        name, address = recipient.text(NAME), recipient.text(SMTP_ADDRESS) or recipient.text(ADDRESS)
        found.append(f"{name} <{address}>" if address and "@" in address and address != name else name or address)
    return list(dict.fromkeys(filter(None, map(decoded_header, found))))


def _read_body(source: Source, message: _Storage) -> None:
    if plain := message.text(BODY).strip():
        source.transcript.paragraph(plain)
    elif page := message.binary(HTML):
        html.read_markup(source.transcript, html.page_text(page, None))
    elif page := message.text(HTML):
        html.read_markup(source.transcript, page)
    elif packed := message.binary(RTF):
        rtf.read_rtf(source, unpacked_rtf(packed).decode("latin-1"))


def _read_attachments(source: Source, message: _Storage, depth: int) -> None:
    attachments = message.storages("__attach_version1.0_")
    names: list[str] = []
    for number, attachment in enumerate(attachments[:MAX_ATTACHMENTS], 1):
        name = attachment.text(LONG_FILE_NAME) or attachment.text(FILE_NAME)
        inner = attachment.inside("__substg1.0_3701000D")
        data = attachment.binary(ATTACHED)
        if inner.is_message():
            name = name or inner.text(SUBJECT) or "Forwarded mail"
            if depth < MAX_NESTED:
                with source.transcript.part(name):
                    _read_message(source, inner, depth + 1)
            else:
                source.transcript.note("nesting_cut", f"{name} lies too deep inside other mails and was left out.")
        else:
            name = name or attachment.text(NAME) or f"attachment {number}"
            if "encrypted" in attachment.text(MIME_TYPE):
                source.transcript.note(
                    "attachment_locked", f"{source.name} is encrypted; only its headers can be read."
                )
            elif data is None:
                source.transcript.note("attachment_named", f"{name}, attached to {source.name}, can't be read.")
            else:
                source.part(name, data)
        names.append(name)
    if names:
        source.transcript.paragraph("Attachments: " + ", ".join(names))


# The start of the dictionary that compressed RTF is packed against (MS-OXRTFCP, 2.1.2.1).
RTF_DICTIONARY = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n"
    b"\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
MAX_RTF_BYTES = 50 * 1024 * 1024


def unpacked_rtf(data: bytes) -> bytes:
    """Unpack compressed RTF (LZFu, MS-OXRTFCP 3.1.3); what breaks off is returned as far as it goes."""
    if len(data) < 16:
        return b""
    _size, _raw_size, kind, _check = struct.unpack("<IIII", data[:16])
    if kind == 0x414C454D:  # MELA: stored as it is
        return data[16:]
    window = bytearray(RTF_DICTIONARY.ljust(4096, b"\0"))
    write, read, out = len(RTF_DICTIONARY), 16, bytearray()
    while read < len(data) and len(out) < MAX_RTF_BYTES:
        control = data[read]
        read += 1
        for bit in range(8):
            if control >> bit & 1:
                if read + 1 >= len(data):
                    return bytes(out)
                token = data[read] << 8 | data[read + 1]
                read += 2
                start, length = token >> 4, (token & 0xF) + 2
                if start == write:
                    return bytes(out)
                for step in range(length):
                    byte = window[(start + step) % 4096]
                    out.append(byte)
                    window[write] = byte
                    write = (write + 1) % 4096
            elif read < len(data):
                out.append(data[read])
                window[write] = data[read]
                write, read = (write + 1) % 4096, read + 1
    return bytes(out)
