"""PDF: the text of every page under its true number, form fields, annotations, attachments."""

import ctypes
from collections.abc import Iterator
from typing import Any

import pypdfium2  # pyright: ignore[reportMissingTypeStubs]
import pypdfium2.raw  # pyright: ignore[reportMissingTypeStubs]

from core.adapters.extraction import dates, pdf_attachments, pdf_scan, scans
from core.adapters.extraction.hyphens import LineEnds
from core.adapters.extraction.pdf_damage import damaged_pages
from core.adapters.extraction.pdf_form import dynamic_form
from core.adapters.extraction.pdf_repair import repaired
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable, password_needed
from core.domain.extraction import RefusalCode
from core.domain.text import tidy

pdfium: Any = pypdfium2.raw  # made by ctypesgen, without types

MAX_PAGES = 20_000
MAX_BAD_PAGES = 300  # in a row: a document that lies about its pages
MAX_ANNOTATIONS = 2_000  # a page
TEXT_ANNOTATIONS = (
    pdfium.FPDF_ANNOT_TEXT,
    pdfium.FPDF_ANNOT_FREETEXT,
    pdfium.FPDF_ANNOT_STAMP,
    pdfium.FPDF_ANNOT_HIGHLIGHT,
    pdfium.FPDF_ANNOT_UNDERLINE,
    pdfium.FPDF_ANNOT_STRIKEOUT,
    pdfium.FPDF_ANNOT_SQUIGGLY,
    pdfium.FPDF_ANNOT_INK,
    pdfium.FPDF_ANNOT_LINE,
    pdfium.FPDF_ANNOT_SQUARE,
    pdfium.FPDF_ANNOT_CIRCLE,
    pdfium.FPDF_ANNOT_POLYGON,
    pdfium.FPDF_ANNOT_CARET,
    pdfium.FPDF_ANNOT_FILEATTACHMENT,
)


def read(source: Source) -> None:
    """Refuses with PASSWORD, DAMAGED, or NO_TEXT when no page, field or attachment has text."""
    document = _opened(source)
    try:
        _describe(source, document)
        pages = len(document)
        source.transcript.pages = min(pages, MAX_PAGES)
        attached = pdf_attachments.in_document(source, document)
        form = dynamic_form(document)
        reader = _Pages(source, document)
        reader.read(pages, bool(form or attached))
        for number in damaged_pages(source.data, pages)[:50]:
            sentence = f"Page {number} of {source.name} is damaged: some of its text is missing or wrong."
            source.transcript.note("page_unreadable", sentence, number)
        source.transcript.page(None)
        source.transcript.paragraph("\n".join(form))
        pdf_attachments.read(source, attached + reader.attached)
    finally:
        document.close()


def _opened(source: Source) -> Any:
    try:
        return pypdfium2.PdfDocument(source.data, password=source.password)
    except pypdfium2.PdfiumError as error:
        if (mended := _mended(source)) is not None:
            sentence = f"{source.name} is damaged or breaks off. What could be read is kept; ask for it again."
            source.transcript.note("damaged", sentence)
            return mended
        if getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD:
            raise password_needed(source.name, source.password) from None
        raise Unreadable(
            RefusalCode.DAMAGED, f"{source.name} is damaged and can't be opened. Ask for it again, or scan it anew."
        ) from None


def _mended(source: Source) -> Any | None:
    data = None if b"/Encrypt" in source.data else repaired(source.data)
    try:
        return None if data is None else pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError:
        return None


def _describe(source: Source, document: Any) -> None:
    data = document.get_metadata_dict()
    written = dates.from_digits(data.get("CreationDate") or data.get("ModDate") or "")
    source.transcript.describe(title=data.get("Title"), author=data.get("Author"), written_on=written)


class _Pages:
    """Reads page after page and keeps account of those that fail or have no text."""

    def __init__(self, source: Source, document: Any) -> None:
        self._source = source
        self._document = document
        self._ends = LineEnds(source.tokens)
        self._failed: list[int] = []
        self._without_text: list[int] = []
        self._pages = 0
        self.attached: list[Any] = []  # to pages, by a mark on them

    def read(self, pages: int, more: bool) -> None:
        """Read all pages. more: text may stand beside them. Refuses where there is none at all."""
        transcript = self._source.transcript
        before = len(transcript.sections)
        bad = 0
        self._pages = pages
        for number in range(1, min(pages, MAX_PAGES) + 1):
            transcript.page(number)
            try:
                page = self._document[number - 1]
            except pypdfium2.PdfiumError:
                self._failed.append(number)
                bad += 1
                if bad >= MAX_BAD_PAGES:
                    break
                continue
            bad = 0
            try:
                self._page(page, number)
            finally:
                page.close()
        if pages > MAX_PAGES:
            sentence = f"{self._source.name} says it has {pages} pages. Only the first {MAX_PAGES} were read."
            transcript.note("text_cut", sentence)
        self._account(len(transcript.sections) > before, more or bool(self.attached))

    def _page(self, page: Any, number: int) -> None:
        transcript = self._source.transcript
        text = self._ends.mended(_text_of(page))
        marks = list(_annotations(self._document, page, self.attached))
        transcript.paragraph(text)
        for mark in marks:
            transcript.paragraph(mark)
        if pdf_scan.is_scan(page, tidy(text)):
            self._scan(page, number, bool(tidy(text) or marks))
        elif not tidy(text) and not marks:
            self._without_text.append(number)

    def _scan(self, page: Any, number: int, has_text: bool) -> None:
        """Recognise the page's picture; in a first reading, count it."""
        source, transcript, where = self._source, self._source.transcript, f"page {number} of {self._source.name}"
        if source.recognition is None:
            scans.count(source)
            return
        try:
            picture = pdf_scan.drawn(page)
        except pypdfium2.PdfiumError:
            self._failed.append(number)
            return
        if picture is None:
            sentence = f"A picture on {where} claims to be larger than any scan and was left out."
            transcript.note("picture_too_large", sentence, number)
        elif not scans.recognise(source, picture, number, self._pages, where) and not has_text:
            self._without_text.append(number)

    def _account(self, found_text: bool, more: bool) -> None:
        transcript, name = self._source.transcript, self._source.name
        for number in self._failed[:50]:
            transcript.note("page_unreadable", f"Page {number} of {name} is damaged and can't be read.", number)
        if found_text:
            for number in self._without_text[:50]:
                transcript.note("page_without_text", f"Page {number} of {name} has no text.", number)
        elif self._failed and not self._without_text and not more and not transcript.scans:
            raise Unreadable(RefusalCode.DAMAGED, f"No page of {name} can be read; it is damaged. Ask for it again.")
        elif not more and not transcript.scans:
            raise scans.no_text(self._source, f"the pages of {name}")


def _text_of(page: Any) -> str:
    try:
        text_page = page.get_textpage()
    except pypdfium2.PdfiumError:
        return ""
    try:
        return text_page.get_text_range(errors="surrogatepass") if text_page.count_chars() else ""
    finally:
        text_page.close()


def _annotations(document: Any, page: Any, attached: list[Any]) -> Iterator[str]:
    """What stands in form fields, comments and stamps, as "name: value" or as it is; files go to `attached`."""
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            kind = pdfium.FPDFAnnot_GetSubtype(annotation)
            if kind == pdfium.FPDF_ANNOT_FILEATTACHMENT:
                attached.extend(pdf_attachments.of_annotation(document, annotation))
            if kind == pdfium.FPDF_ANNOT_WIDGET:
                if text := _field(annotation):
                    yield text
            elif kind in TEXT_ANNOTATIONS and (text := _entry(annotation, b"Contents").strip()):
                writer = _entry(annotation, b"T").strip()
                yield f"{writer}: {text}" if writer else text
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)


def _field(annotation: Any) -> str:
    name = (_entry(annotation, b"TU") or _entry(annotation, b"T")).strip()
    value = _entry(annotation, b"V").strip()
    return f"{name}: {value}" if name and value else name or value


def _entry(annotation: Any, key: bytes) -> str:
    """A string of the annotation's dictionary; "" when there is none."""
    length = pdfium.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    pdfium.FPDFAnnot_GetStringValue(annotation, key, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), length)
    return buffer.raw[: length - 2].decode("utf-16-le", "replace")
