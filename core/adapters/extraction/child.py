"""The worker's side of reading papers."""

import logging
import os
import warnings
from pathlib import Path

from core.adapters.extraction.paper import read_paper
from core.adapters.extraction.passages import PassageCutter
from core.adapters.extraction.wire import passage_batches, to_header
from core.adapters.workers.channel import Channel, place
from core.adapters.workers.frames import Frame
from core.domain.extraction import Extracted, Refusal, RefusalCode


def serve(channel: Channel) -> None:
    """Read one paper after the other: {path, name, password, characters, tokenizer} in, passages out in parts."""
    logging.disable(logging.CRITICAL)  # what a library says of a paper stays here
    warnings.simplefilter("ignore")
    cutters: dict[str, PassageCutter] = {}

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
            on_defect=lambda error: defects.append(f"{type(error).__name__} at {place(error)}"),
        )
        if isinstance(result, Extracted):
            for batch in passage_batches(result.passages):
                channel.part({"passages": batch})
        return Frame({**to_header(result), "defects": defects[:20]})

    channel.answer(handle)
