"""The child's end of the pipe."""

import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO

from core.adapters.workers.confine import limit_memory
from core.adapters.workers.frames import PREFIX, BrokenFrame, Frame, lengths, pack, unpack

OUT_OF_MEMORY_STATUS = 77

Handler = Callable[[Frame], Frame]


class Channel:
    """Requests come in, answers go out, one at a time.

    A thread of its own reads the pipe, so that the end of the program (end of file) ends the child at once even while
    a handler is busy.
    """

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source = source
        self._sink = sink
        self._requests: queue.SimpleQueue[Frame] = queue.SimpleQueue()

    def answer(self, handler: Handler) -> None:
        """Serve for ever: hand each request to `handler` and send back what it returns.

        What a handler raises becomes an error answer that names the exception's type and place, never its text, which
        may hold words of a document. After a MemoryError the child ends: its heap can't be trusted to be small again.
        """
        threading.Thread(target=self._listen, name="requests", daemon=True).start()
        self._send({"ready": True})
        while True:
            request = self._requests.get()
            limit_memory(request.header.get("memory"))
            try:
                reply = handler(Frame(request.header["body"], request.payload))
                self._send({"end": True, "body": reply.header}, reply.payload)
            except MemoryError:
                limit_memory(None)
                self._send({"error": "memory"})
                os._exit(OUT_OF_MEMORY_STATUS)
            except Exception as error:
                self._send({"error": "failed", "type": type(error).__name__, "place": place(error)})

    def part(self, body: dict[str, Any], payload: bytes = b"") -> None:
        """Send a piece of the answer, or word of progress, ahead of its end."""
        self._send({"part": True, "body": body}, payload)

    def _send(self, header: dict[str, Any], payload: bytes = b"") -> None:
        try:
            self._sink.write(pack(Frame(header, payload)))
            self._sink.flush()
        except BrokenPipeError:
            os._exit(0)

    def _listen(self) -> None:
        try:
            while len(prefix := self._source.read(PREFIX.size)) == PREFIX.size:
                header_length, payload_length = lengths(prefix)
                header = self._source.read(header_length)
                self._requests.put(unpack(header, self._source.read(payload_length)))
        except (BrokenFrame, OSError, MemoryError):
            os._exit(1)
        os._exit(0)


def open_channel() -> Channel:
    """Take standard input and output for the protocol and point the usual descriptors elsewhere.

    Whatever a library prints then goes to standard error, and whatever reads standard input finds its end.
    """
    source, sink = os.dup(0), os.dup(1)
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(source, os.O_BINARY)
        msvcrt.setmode(sink, os.O_BINARY)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return Channel(os.fdopen(source, "rb"), os.fdopen(sink, "wb"))


def place(error: BaseException) -> str:
    """File and line where it was raised; "" when unknown."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""
