"""Mailboxes (mbox): many mails in one file, each a part of its own."""

import re

from core.adapters.extraction import mail
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable
from core.domain.extraction import RefusalCode

# A mail begins with a "From " line: at the start of the file, or with a header below it and a blank line above it. Some
# programs leave the blank line out; then the line must end in a time.
_BEGINNING = re.compile(
    rb"\A\s*From [^\n]*\n|(?:(?<=\n\n)|(?<=\n\r\n))From [^\n]*\n(?=>?[A-Za-z][\w-]*[ \t]*:)"
    rb"|(?<=\n)From \S+ +[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{5,8} [^\n]{0,20}\d{4}\r?\n(?=[A-Za-z][\w-]*:)"
)
_QUOTED = re.compile(rb"(?m)^>(>*From )")
MAX_MAILS = 20_000


def read(source: Source) -> None:
    """Every mail, its number and subject as the part's name; a file with one mail is that mail."""
    mails = source.data if b"\n" in source.data else source.data.replace(b"\r", b"\n")
    beginnings = list(_BEGINNING.finditer(mails))
    ends = [found.start() for found in beginnings[1:]] + [len(mails)][: len(beginnings)]
    if not beginnings:
        raise Unreadable(RefusalCode.DAMAGED, f"No mail can be found in {source.name}. Save the mailbox again.")
    for number, (found, end) in enumerate(zip(beginnings, ends, strict=True), 1):
        if number > MAX_MAILS:
            source.transcript.note("parts_cut", f"Only the first {MAX_MAILS} mails of {source.name} were read.")
            break
        data = _QUOTED.sub(rb"\1", mails[found.end() : end])
        message = mail.parsed(source, data)
        if len(beginnings) == 1:
            source.format = "eml" if source.name.lower().endswith(".eml") else source.format
            mail.read_message(source, message)
            return
        subject = mail.header(message, "Subject") or "without a subject"
        with source.transcript.part(f"Mail {number}: {subject}"):
            mail.read_message(source, message)
