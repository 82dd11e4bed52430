"""Mailboxes (mbox): many mails in one file, each a part of its own."""

import re

from core.adapters.extraction import mail
from core.adapters.extraction.source import Source

# A mail begins with a "From " line: at the start of the file, or after a blank line and with a header below it.
_BEGINNING = re.compile(rb"\A\s*From [^\n]*\n|(?:(?<=\n\n)|(?<=\n\r\n))From [^\n]*\n(?=>?[A-Za-z][\w-]*[ \t]*:)")
_QUOTED = re.compile(rb"(?m)^>(>*From )")
MAX_MAILS = 20_000


def read(source: Source) -> None:
    """Every mail, its number and subject as the part's name; a file with one mail is that mail."""
    beginnings = list(_BEGINNING.finditer(source.data))
    ends = [found.start() for found in beginnings[1:]] + [len(source.data)]
    for number, (found, end) in enumerate(zip(beginnings, ends, strict=True), 1):
        if number > MAX_MAILS:
            source.transcript.note("parts_cut", f"Only the first {MAX_MAILS} mails of {source.name} were read.")
            break
        data = _QUOTED.sub(rb"\1", source.data[found.end() : end])
        message = mail.parsed(source, data)
        if len(beginnings) == 1:
            source.format = "eml" if source.name.lower().endswith(".eml") else source.format
            mail.read_message(source, message)
            return
        subject = mail.header(message, "Subject") or "without a subject"
        with source.transcript.part(f"Mail {number}: {subject}"):
            mail.read_message(source, message)
