"""Outlook mails (MSG): a storage of properties in an OLE container (MS-OXMSG).

Read here because python-oxmsg fails on the code pages of East Asia and doesn't open mails inside mails.
"""

import io
import struct
import uuid
from collections.abc import Iterator
from datetime import datetime
from typing import Any, cast

import olefile

from core.adapters.extraction import dates, html, mapi, rtf
from core.adapters.extraction.charset import decode
from core.adapters.extraction.codepages import charset
from core.adapters.extraction.compressed_rtf import unpacked_rtf
from core.adapters.extraction.mail import decoded_header, parsed_headers
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable
from core.domain.extraction import RefusalCode

TOP_HEADER, EMBEDDED_HEADER = 32, 24  # bytes before the first entry of a property stream
NAMES = "__nameid_version1.0"
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
        _read_message(source, _Storage(container, ()), 0, _named_tags(container))


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
        self.body_charset = charset(self.number(mapi.BODY_CODEPAGE))
        self._codepage = charset(self.number(mapi.CODEPAGE)) or self.body_charset or codepage

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
        value = self._fixed.get(tag)
        return dates.from_ticks(int.from_bytes(value, "little")) if value else None

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


def _named_tags(container: Any) -> dict[int, str]:
    """Tags of this file's own, by the labels of `mapi.NAMED` (MS-OXMSG 2.2.3)."""

    def stream(number: int) -> bytes:
        try:
            return container.openstream([NAMES, f"__substg1.0_{number:04X}0102"]).read()
        except MemoryError:
            raise
        except Exception:  # olefile raises what it meets in damaged files
            return b""

    sets, entries = stream(2), stream(3)
    found: dict[int, str] = {}
    for place in range(0, len(entries) - 7, 8):
        number, kind, index = struct.unpack_from("<IHH", entries, place)
        place_of_set = ((kind >> 1) - 3) * 16
        if kind & 1 or not 0 <= place_of_set <= len(sets) - 16:
            continue
        label = mapi.NAMED.get((str(uuid.UUID(bytes_le=sets[place_of_set : place_of_set + 16])), number))
        if label:
            found[0x8000 + index] = label
    return found


def _read_message(source: Source, message: _Storage, depth: int, named: dict[int, str]) -> None:
    if not message.is_message():
        raise _damaged(source.name)
    transcript = source.transcript
    headers = parsed_headers(message.text(mapi.HEADERS))
    subject, sender = decoded_header(message.text(mapi.SUBJECT)) or headers.get("Subject", ""), _sender(message)
    sender = sender or headers.get("From", "")
    behalf = _person(message, mapi.REPRESENTED_NAME, mapi.REPRESENTED_ADDRESS, mapi.REPRESENTED_SMTP)
    sent = message.time(mapi.SENT) or message.time(mapi.DELIVERED)
    written = sent.isoformat(timespec="seconds") if sent else dates.from_mail(headers.get("Date", ""))
    transcript.describe(title=subject, author=behalf or sender, written_on=written)
    lines = [
        ("From", sender),
        ("On behalf of", "" if behalf == sender else behalf),
        ("Reply to", message.text(mapi.REPLY_TO)),
        ("To", message.text(mapi.TO) or headers.get("To", "")),
        ("Cc", message.text(mapi.CC) or headers.get("Cc", "")),
        ("Bcc", message.text(mapi.BCC)),
        ("Recipients", ", ".join(_recipients(message))),
        ("Date", f"{sent:%Y-%m-%d %H:%M} UTC" if sent else headers.get("Date", "") if written else ""),
        ("Subject", subject),
        *_details(message, named),
    ]
    transcript.paragraph("\n".join(f"{name}: {' '.join(value.split())}" for name, value in lines if value.strip()))
    _read_body(source, message)
    _read_attachments(source, message, depth, named)


def _details(message: _Storage, named: dict[int, str]) -> Iterator[tuple[str, str]]:
    """What contacts, appointments and tasks hold beside a subject and a text."""
    kind = message.text(mapi.MESSAGE_CLASS).lower()
    if kind.startswith(("ipm.contact", "ipm.distlist")):
        yield from ((label, message.text(tag)) for tag, label in mapi.PERSON.items())
        for tag, label in ((mapi.BORN, "Born"), (mapi.WEDDING, "Wedding day")):
            when = message.time(tag)
            yield label, f"{when:%Y-%m-%d}" if when else ""
    for tag, label in named.items():
        label, _slash, look = label.partition("/")
        when = message.time(tag) if look else None
        yield label, (f"{when:%Y-%m-%d %H:%M} UTC" if when else "") if look else message.text(tag)


def _sender(message: _Storage) -> str:
    return _person(message, mapi.SENDER_NAME, mapi.SENDER_ADDRESS, mapi.SENDER_SMTP)


def _person(message: _Storage, name_tag: int, address_tag: int, smtp_tag: int) -> str:
    name = decoded_header(message.text(name_tag))
    address = message.text(address_tag)
    if "@" not in address:  # Exchange has a path there
        address = message.text(smtp_tag) or ("" if address.startswith("/") else address)
    if not address or "@" not in address or address in name:
        return name or address
    return f"{name} <{address}>" if name else address


def _recipients(message: _Storage) -> list[str]:
    found: list[str] = []
    for recipient in message.storages("__recip_version1.0_"):
        name, address = recipient.text(mapi.NAME), recipient.text(mapi.SMTP_ADDRESS) or recipient.text(mapi.ADDRESS)
        found.append(f"{name} <{address}>" if address and "@" in address and address != name else name or address)
    return list(dict.fromkeys(filter(None, map(decoded_header, found))))


def _read_body(source: Source, message: _Storage) -> None:
    if plain := message.text(mapi.BODY).strip():
        source.transcript.paragraph(plain)
    elif page := message.binary(mapi.HTML):
        html.read_markup(source.transcript, html.page_text(page, message.body_charset))
    elif page := message.text(mapi.HTML):
        html.read_markup(source.transcript, page)
    elif packed := message.binary(mapi.RTF):
        rtf.read_rtf(source, unpacked_rtf(packed))


def _read_attachments(source: Source, message: _Storage, depth: int, named: dict[int, str]) -> None:
    attachments = message.storages("__attach_version1.0_")
    names: list[str] = []
    for number, attachment in enumerate(attachments[:MAX_ATTACHMENTS], 1):
        name = attachment.text(mapi.LONG_FILE_NAME) or attachment.text(mapi.FILE_NAME)
        inner = attachment.inside("__substg1.0_3701000D")
        data = attachment.binary(mapi.ATTACHED)
        if inner.is_message():
            name = name or inner.text(mapi.SUBJECT) or "Forwarded mail"
            if depth < MAX_NESTED:
                with source.transcript.part(name):
                    _read_message(source, inner, depth + 1, named)
            else:
                source.transcript.note("nesting_cut", f"{name} lies too deep inside other mails and was left out.")
        else:
            name = name or attachment.text(mapi.NAME) or f"attachment {number}"
            if "encrypted" in attachment.text(mapi.MIME_TYPE):
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
