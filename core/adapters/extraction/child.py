"""The worker's side of reading papers."""

import logging
import os
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from core.adapters.extraction.paper import read_paper
from core.adapters.extraction.passages import PassageCutter
from core.adapters.extraction.recognition import Recognition, page_reader
from core.adapters.extraction.wire import page_parts, passage_batches, to_header
from core.adapters.workers.channel import Channel, place
from core.adapters.workers.frames import Frame
from core.domain.extraction import Extracted, Refusal, RefusalCode

if TYPE_CHECKING:
    from core.adapters.extraction.ocr_page import PageReader


ALIVE_SECONDS = 2.0  # between two signs of life


class _Signs:
    """What the program hears while pictures are recognised."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._last = time.monotonic()

    def page(self, page: int, pages: int) -> None:
        self._channel.part({"page": page, "pages": pages})
        self._last = time.monotonic()

    def line(self) -> None:
        if time.monotonic() - self._last > ALIVE_SECONDS:
            self._channel.part({"alive": True})
            self._last = time.monotonic()


def serve(channel: Channel) -> None:
    """Read one paper after the other: {path, name, password, characters, tokenizer, models} in, passages out in parts.

    models: folder of the networks that recognise text in pictures; None where pictures are only to be counted. Before
    each of them a part {page, pages} goes out, and {alive} now and then while it is read.
    """
    logging.disable(logging.CRITICAL)  # what a library says of a paper stays here
    warnings.simplefilter("ignore")
    cutters: dict[str, PassageCutter] = {}
    readers: dict[str, PageReader] = {}

    def recognition(models: str | None) -> Recognition | None:
        if models is None:
            return None
        if models not in readers:
            readers[models] = page_reader(Path(models))
        signs = _Signs(channel)
        return Recognition(readers[models], signs.page, signs.line)

    def handle(request: Frame) -> Frame:
        body = request.header
        tokenizer = body["tokenizer"]
        if tokenizer not in cutters:
            cutters[tokenizer] = PassageCutter(Path(tokenizer))
        try:
            data = Path(os.fsdecode(body["path"])).read_bytes()
        except OSError:
            sentence = f"{body['name']} is not there any more, or can't be opened."
            return Frame(to_header(Refusal(RefusalCode.MISSING, sentence)))
        defects: list[str] = []
        result = read_paper(
            data,
            body["name"],
            cutters[tokenizer],
            password=body["password"],
            characters=body["characters"],
            recognition=recognition(body["models"]),
            on_defect=lambda error: defects.append(f"{type(error).__name__} at {place(error)}"),
        )
        if isinstance(result, Extracted):
            for batch in passage_batches(result.passages):
                channel.part({"passages": batch})
            for recognised in page_parts(result.recognised):
                channel.part({"recognised": recognised})
        return Frame({**to_header(result), "defects": defects[:20]})

    channel.answer(handle)
