"""Files attached to a PDF, to the whole of it or to a place on a page."""

from typing import Any

import pypdfium2  # pyright: ignore[reportMissingTypeStubs]
import pypdfium2.raw  # pyright: ignore[reportMissingTypeStubs]

from core.adapters.extraction.detect import detect
from core.adapters.extraction.source import Source

pdfium: Any = pypdfium2.raw  # made by ctypesgen, without types

MAX_ATTACHMENTS = 200
MAX_ATTACHMENT_BYTES = 100 * 1024 * 1024


def in_document(source: Source, document: Any) -> list[Any]:
    """The files attached to the whole document."""
    count = document.count_attachments()
    found: list[Any] = []
    for index in range(min(count, MAX_ATTACHMENTS)):
        try:
            found.append(document.get_attachment(index))
        except pypdfium2.PdfiumError:
            source.transcript.note("attachment_named", f"Attachment {index + 1} of {source.name} can't be opened.")
    if count > MAX_ATTACHMENTS:
        source.transcript.note("parts_cut", f"{source.name} has {count} attachments; {MAX_ATTACHMENTS} were read.")
    return found


def of_annotation(document: Any, annotation: Any) -> list[Any]:
    """The file behind a paper clip on a page; none where there is none."""
    raw = pdfium.FPDFAnnot_GetFileAttachment(annotation)
    return [pypdfium2.PdfAttachment(raw, document)] if raw else []


def read(source: Source, attachments: list[Any]) -> None:
    """Each as a part; what is locked, damaged or too large is named."""
    names: list[str] = []
    for number, attachment in enumerate(attachments[:MAX_ATTACHMENTS], 1):
        name, data = _opened(attachment)
        name = name or f"attachment {number}"
        names.append(name)
        if data is None or (b"/Encrypt" in source.data and detect(data, name) == "binary"):
            source.transcript.note("attachment_locked", f"{name}, attached to {source.name}, is locked or damaged.")
        elif len(data) > MAX_ATTACHMENT_BYTES:
            source.transcript.note("attachment_named", f"{name}, attached to {source.name}, is too large to read.")
        else:
            source.part(name, data)
    if names:
        source.transcript.paragraph("Attachments: " + ", ".join(names))


def _opened(attachment: Any) -> tuple[str, bytes | None]:
    name = ""
    try:
        name = attachment.get_name()
        return name, bytes(attachment.get_data())
    except pypdfium2.PdfiumError:
        return name, None
