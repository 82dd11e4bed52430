"""Mail: headers as readable lines, the body, and each attachment with the reader that fits it."""

import email
import email.policy
import re
from collections.abc import Iterator
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from typing import Any, cast

from core.adapters.extraction import dates, html
from core.adapters.extraction.charset import decode
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Transcript
from core.domain.text import one_line

SHOWN = ("From", "To", "Cc", "Bcc", "Reply-To", "Date", "Subject")
# What is no part of this mail's text, though the library shows it in parts: other mails, and reports of their way.
WHOLE = ("message/rfc822", "message/delivery-status", "message/disposition-notification")
LONGEST_HEADER = 20_000  # characters: the library needs the square of the time for longer ones
MAX_PARTS_DEEP = 20  # multiparts in multiparts; forwarded mails count for the paper's own depth
NOT_FOR_READING = ("text/css", "text/javascript", "application/javascript", "application/x-javascript")
_APPLE_COUNT = re.compile(rb"\A\s*(\d+)[ \t]*\r?\n")
_SEPARATE_WORDS = re.compile(r"(=\?[^?\s]+\?[bBqQ]\?[^?]*\?=)\s+(?==\?)")

Parsed = Message


def read(source: Source) -> None:
    """One mail, an Apple Mail file (.emlx), or a web page saved as mail (MHTML)."""
    data = source.data
    apple = _APPLE_COUNT.match(data)
    if apple is not None:
        data = data[apple.end() : apple.end() + int(apple[1])]
    message = parsed(source, data.lstrip(b"\xef\xbb\xbf"))
    if is_saved_page(message, source.name):
        source.format = "mhtml"
        _read_saved_page(source, message)
    else:
        read_message(source, message)


def parsed(source: Source, data: bytes) -> Parsed:
    """The mail; only its headers when its parts lie in each other by the thousand."""
    try:
        return email.message_from_bytes(data, policy=email.policy.compat32)
    except RecursionError:
        source.transcript.note(
            "nesting_cut", f"The parts of {source.name} lie too deep in each other and were left out."
        )
        message = BytesHeaderParser(policy=email.policy.compat32).parsebytes(data)
        message.set_type("text/plain")
        message.set_payload("")
        return message


def read_message(source: Source, message: Parsed) -> None:
    """Headers, body and attachments of a parsed mail."""
    transcript = source.transcript
    subject = header(message, "Subject")
    written = dates.from_mail(header(message, "Date"))
    transcript.describe(title=subject, author=header(message, "From"), written_on=written)
    shown = {name: header(message, name) for name in SHOWN}
    if written is None:
        shown["Date"] = ""
    transcript.paragraph("\n".join(f"{name}: {value}" for name, value in shown.items() if value))
    attachments: list[tuple[str, Parsed]] = []
    for kind, part in _leaves(message, transcript):
        if kind == "body":
            _read_body(transcript, part)
        else:
            attachments.append((_name(part), part))
    if attachments:
        transcript.paragraph("Attachments: " + ", ".join(name for name, _part in attachments))
    for name, part in attachments:
        _read_attachment(source, name, part)


def header(message: Parsed, name: str) -> str:
    """A header as people read it: encoded words decoded, raw bytes too; "" when there is none."""
    raw = next((value for key, value in message.raw_items() if key.lower() == name.lower()), None)
    return "" if raw is None else decoded_header(str(raw))


def decoded_header(raw: str) -> str:
    """Decode RFC 2047 words and bytes that shouldn't be there (kept by the parser as surrogates)."""
    raw = raw[:LONGEST_HEADER]
    if not raw.isascii():
        raw = decode(raw.encode("utf-8", "surrogateescape"))
    try:
        words = decode_header(_SEPARATE_WORDS.sub(r"\1", raw.replace("\r", "").replace("\n", "")))
    except Exception:  # binascii and email.errors on broken words: shown as they stand
        return one_line(raw)
    return one_line("".join(word if isinstance(word, str) else decode(word, charset) for word, charset in words))


def parsed_headers(text: str) -> dict[str, str]:
    """Headers of a mail that somebody kept as text; the first of each name counts."""
    message = BytesHeaderParser(policy=email.policy.compat32).parsebytes(text.encode("utf-8", "surrogateescape"))
    found: dict[str, str] = {}
    for name in SHOWN:
        if value := header(message, name):
            found[name] = value
    return found


def is_saved_page(message: Parsed, name: str) -> bool:
    """A web page saved by a browser, not a mail."""
    if message.get_content_type() != "multipart/related" or message["To"]:
        return False
    return name.lower().endswith((".mht", ".mhtml")) or "Snapshot-Content-Location" in message


def content(part: Parsed) -> bytes:
    """The decoded bytes of a part that is no multipart."""
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _read_saved_page(source: Source, message: Parsed) -> None:
    for part in message.walk():
        if part.get_content_type() == "text/html":
            html.read_markup(source.transcript, html.page_text(content(part), part.get_content_charset()))
    subject = header(message, "Subject")
    if source.transcript.title != subject:
        source.transcript.paragraph(subject)
    source.transcript.describe(title=subject)


def _leaves(message: Parsed, transcript: Transcript, depth: int = 0) -> Iterator[tuple[str, Parsed]]:
    """The parts that count, as ("body", part) or ("attachment", part), in order."""
    kind = message.get_content_type()
    if depth > MAX_PARTS_DEEP:
        transcript.note("nesting_cut", "Parts of this mail lie too deep inside each other and were left out.")
    elif kind in WHOLE or not message.is_multipart():
        if _is_body(message):
            yield "body", message
        elif not _is_decoration(message):
            yield "attachment", message
    elif kind == "multipart/alternative":
        yield from _best_alternative(message, transcript, depth)
    else:
        if kind == "multipart/encrypted":
            transcript.note("attachment_locked", "This mail is encrypted; only its headers can be read.")
        for part in _children(message):
            yield from _leaves(part, transcript, depth + 1)


def _best_alternative(message: Parsed, transcript: Transcript, depth: int) -> Iterator[tuple[str, Parsed]]:
    """The plain text, and the HTML too where it says clearly more; whatever else is attached in between."""
    leaves = [leaf for part in _children(message) for leaf in _leaves(part, transcript, depth + 1)]
    plain = [part for kind, part in leaves if kind == "body" and part.get_content_type() != "text/html"]
    rich = [part for kind, part in leaves if kind == "body" and part.get_content_type() == "text/html"]
    said = _words("\n".join(map(_body_text, plain)))
    for kind, part in leaves:
        if part in rich:
            more = _words(_body_text(part)) - said
            if said and len(more) <= len(said) // 4:
                continue
        yield kind, part


def _children(message: Parsed) -> list[Parsed]:
    payload = message.get_payload()
    return [part for part in cast(list[Any], payload) if isinstance(part, Message)] if isinstance(payload, list) else []


def _is_body(part: Parsed) -> bool:
    attached = part.get_content_disposition() == "attachment" or part.get_filename() is not None
    kind = part.get_content_type()
    return not attached and part.get_content_maintype() == "text" and kind not in (*NOT_FOR_READING, "text/calendar")


def _is_decoration(part: Parsed) -> bool:
    """Pictures that a mail's HTML shows, style sheets, signatures."""
    kind = part.get_content_type()
    inside = (
        part.get_content_maintype() == "image" and part["Content-ID"] and part.get_content_disposition() != "attachment"
    )
    return bool(inside) or kind in (*NOT_FOR_READING, "application/pgp-signature", "application/pkcs7-signature")


def _body_text(part: Parsed) -> str:
    """Text of a body part; of HTML a rough one, without its tags."""
    if part.get_content_type() == "text/html":
        plain = Transcript(10_000_000)
        html.read_markup(plain, html.page_text(content(part), part.get_content_charset()))
        return "\n\n".join(block for section in plain.sections for block in (section.header, *section.blocks))
    return decode(content(part), part.get_content_charset())


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{3,}", text.lower()))


def _read_body(transcript: Transcript, part: Parsed) -> None:
    if part.get_content_type() == "text/html":
        html.read_markup(transcript, html.page_text(content(part), part.get_content_charset()))
    else:
        transcript.paragraph(decode(content(part), part.get_content_charset()))


def _name(part: Parsed) -> str:
    try:
        name = part.get_filename()
    except Exception:  # broken RFC 2231 parameters
        name = None
    if name:
        return decoded_header(name) or "attachment"
    if part.get_content_type() == "message/rfc822":
        inner = next(iter(_children(part)), None)
        return (header(inner, "Subject") if inner is not None else "") or "Forwarded mail"
    kind = part.get_content_type()
    suffix = {"text/calendar": ".ics", "text/html": ".html", "text/plain": ".txt", "application/pdf": ".pdf"}.get(
        kind, ""
    )
    return f"attachment{suffix}"


def _read_attachment(source: Source, name: str, part: Parsed) -> None:
    if part.get_content_type() == "message/rfc822":
        inner = next(iter(_children(part)), None)
        try:
            data = inner.as_bytes() if inner is not None else content(part)
        except Exception:  # a mail that the library can parse but not write
            source.transcript.note("attachment_named", f"{name}, attached to {source.name}, is damaged.")
            return
        source.part(f"{name}.eml" if not name.lower().endswith(".eml") else name, data)
    elif part.get_content_type() in WHOLE or part.is_multipart():
        for inner in _children(part):
            source.transcript.paragraph(
                "\n".join(f"{key}: {decoded_header(str(value))}" for key, value in inner.raw_items())
            )
    else:
        source.part(name, content(part), part.get_content_charset())
