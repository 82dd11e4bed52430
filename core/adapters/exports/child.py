"""The worker's side of reading exports. It keeps the file that was opened last, so that it is read once."""

import logging
import os
import warnings
from pathlib import Path

from core.adapters.exports.reading import CantRead, Export, open_export, seems
from core.adapters.exports.wire import frames_of
from core.adapters.workers.channel import Channel
from core.adapters.workers.frames import Frame


def serve(channel: Channel) -> None:
    """Requests: {seems: path} · {open: path, name} · {path, name, first, count}, which answers in parts."""
    logging.disable(logging.CRITICAL)  # what a library says of somebody's words stays here
    warnings.simplefilter("ignore")
    held: dict[str, Export] = {}

    def opened(path: str, name: str) -> Export:
        if path not in held:
            held.clear()
            held[path] = open_export(Path(os.fsdecode(path)), name)
        return held[path]

    def handle(request: Frame) -> Frame:
        body = request.header
        try:
            if "seems" in body:
                return Frame({"program": seems(Path(os.fsdecode(body["seems"])))})
            if "open" in body:
                held.clear()  # the file may be another one by now
                return Frame({"count": len(opened(body["open"], body["name"]).makers)})
            for told in opened(body["path"], body["name"]).some(body["first"], body["count"]):
                for part in frames_of(told):
                    channel.part(part)
            return Frame({})
        except CantRead as error:
            return Frame({"refused": error.sentence})
        except OSError:
            return Frame({"refused": f"“{body.get('name', 'The file')}” is not there any more, or can't be opened."})

    channel.answer(handle)
