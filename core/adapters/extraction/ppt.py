"""PowerPoint files of the old kind (.ppt): slide by slide, with notes and comments."""

import io
from itertools import islice
from typing import Any, cast

import olefile

from core.adapters.extraction import embedded, locked, summary
from core.adapters.extraction.slide_file import Slide, SlideFile
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable
from core.domain.extraction import RefusalCode

_SIGNS = str.maketrans({"\r": "\n", "\x0b": "\n"})
_PLACES = ("*", "Click to edit Master title style")  # numbers and dates that the program fills in; empty layouts


def read(source: Source) -> None:
    """Slides in the order of the show; slide numbers are pages."""
    try:
        container = cast(Any, olefile.OleFileIO(io.BytesIO(source.data)))
    except MemoryError:
        raise
    except Exception:  # olefile raises what it meets in damaged files
        raise _damaged(source.name) from None
    with container:
        main = embedded.stream(container, "PowerPoint Document")
        paper = SlideFile(main, embedded.stream(container, "Current User"))
        if paper.encrypted:
            locked.read(source)
            return
        summary.describe(source.transcript, container)
    slides = paper.slides()
    if not slides:
        raise _damaged(source.name)
    source.transcript.pages = len(slides)
    for number, slide in enumerate(slides, 1):
        source.transcript.page(number)
        _read_slide(source, slide, number)
    source.transcript.page(None)
    for data in islice(paper.objects(), embedded.MAX_EMBEDDED):
        embedded.read_object(source, data)


def _damaged(name: str) -> Unreadable:
    return Unreadable(
        RefusalCode.DAMAGED, f"{name} is a damaged presentation and can't be read. Open and save it in PowerPoint."
    )


def _read_slide(source: Source, slide: Slide, number: int) -> None:
    transcript = source.transcript
    if slide.damaged:
        transcript.note("page_unreadable", f"Slide {number} of {source.name} is damaged and can't be read.", number)
    texts = [(is_title, _shown(text)) for is_title, text in slide.texts]
    title = next((text for is_title, text in texts if is_title and text), "")
    if title:
        transcript.heading(title, 1)
        transcript.describe(title=title)
    for _is_title, text in texts:
        if text != title:
            transcript.paragraph(text)
    for name, lines in (("Notes", slide.notes), ("Comments", slide.comments)):
        said = [line for text in lines if (line := _shown(text))]
        transcript.paragraph("\n".join([f"{name}:", *said]) if said else "")


def _shown(text: str) -> str:
    text = text.translate(_SIGNS).strip()
    return "" if text in _PLACES else text
