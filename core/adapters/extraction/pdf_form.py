"""Forms that only a form program draws (XFA): on their pages stands nothing but "Please wait"."""

import ctypes
from collections.abc import Iterator
from typing import Any

import pypdfium2.raw  # pyright: ignore[reportMissingTypeStubs]

from core.adapters.extraction.markup import Element, below, local, parse, text_of

pdfium: Any = pypdfium2.raw  # made by ctypesgen, without types

MAX_PACKETS = 100
MAX_PACKET_BYTES = 50 * 1024 * 1024
MAX_LINES = 20_000


def dynamic_form(document: Any) -> list[str]:
    """The form's words, then what was filled in as "name: value"; [] for a PDF whose pages say it all."""
    if pdfium.FPDF_GetFormType(document) != pdfium.FORMTYPE_XFA_FULL:
        return []
    # The packets are pieces of one XML text, or each is one by itself.
    packets = dict(_packets(document))
    template, data = (_root(packets, name) for name in ("template", "datasets"))
    return [*dict.fromkeys(_labels(template)), *_values(data)][:MAX_LINES]


def _packets(document: Any) -> Iterator[tuple[str, bytes]]:
    for index in range(min(pdfium.FPDF_GetXFAPacketCount(document), MAX_PACKETS)):
        length = pdfium.FPDF_GetXFAPacketName(document, index, None, 0)
        name = ctypes.create_string_buffer(max(1, length))
        pdfium.FPDF_GetXFAPacketName(document, index, name, length)
        size = ctypes.c_ulong(0)
        pdfium.FPDF_GetXFAPacketContent(document, index, None, 0, size)
        if 0 < size.value <= MAX_PACKET_BYTES:
            content = ctypes.create_string_buffer(size.value)
            pdfium.FPDF_GetXFAPacketContent(document, index, content, size.value, size)
            yield name.value.decode("utf-8", "replace"), content.raw


def _root(packets: dict[str, bytes], name: str) -> Element | None:
    if name in packets:
        return parse(packets[name])
    whole = parse(b"".join(packets.values()))
    return next(below(whole, name), None)


def _labels(template: Element | None) -> Iterator[str]:
    for element in below(template, "text", "exData"):
        if words := text_of(element):
            yield words


def _values(data: Element | None) -> Iterator[str]:
    for element in () if data is None else data.iter():
        if len(element) == 0 and (value := text_of(element)):
            yield f"{local(element)}: {value}"
