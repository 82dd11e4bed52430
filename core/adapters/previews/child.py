"""The worker's side of drawing pages."""

import logging
import os
import warnings
from pathlib import Path

from core.adapters.previews.drawing import CantDraw, draw
from core.adapters.workers.channel import Channel
from core.adapters.workers.frames import Frame


def serve(channel: Channel) -> None:
    """{path, name, page, width, lines, turn} in; the picture out, or {"sentence"} where there is none."""
    logging.disable(logging.CRITICAL)  # what a library says of a paper stays here
    warnings.simplefilter("ignore")

    def answer(request: Frame) -> Frame:
        body = request.header
        try:
            data = Path(os.fsdecode(body["path"])).read_bytes()
        except OSError:
            return Frame({"sentence": f"The stored copy of “{body['name']}” can't be opened."})
        try:
            picture = draw(data, body["name"], int(body["page"]), int(body["width"]), body["lines"], body["turn"])
        except CantDraw as error:
            return Frame({"sentence": error.sentence})
        marks = [[mark.left, mark.top, mark.right, mark.bottom] for mark in picture.marks]
        header: dict[str, object] = {
            "page": picture.page,
            "pages": picture.pages,
            "width": picture.width,
            "height": picture.height,
            "marks": marks,
        }
        return Frame(header, picture.rgb)

    channel.answer(answer)
