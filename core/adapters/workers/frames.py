"""The frames that travel between the program and a worker: a JSON header and, where needed, raw bytes behind it.

Layout: length of the header and of the payload (two unsigned 32-bit integers, big endian), the header as UTF-8
JSON, the payload. A length beyond its limit means that the other side is broken or hostile.
"""

import json
import struct
from dataclasses import dataclass
from typing import Any

PREFIX = struct.Struct(">II")
MAX_HEADER_BYTES = 64 * 1024 * 1024
MAX_PAYLOAD_BYTES = 1024 * 1024 * 1024


class BrokenFrame(Exception):
    """The bytes on the pipe are no frame."""


@dataclass(frozen=True, slots=True)
class Frame:
    """header: plain JSON data. payload: bytes that would not travel well as JSON (vectors, pictures)."""

    header: dict[str, Any]
    payload: bytes = b""


def pack(frame: Frame) -> bytes:
    """Bytes of the frame. Lone surrogates survive as JSON escapes."""
    header = json.dumps(frame.header, separators=(",", ":")).encode("ascii")
    if len(header) > MAX_HEADER_BYTES or len(frame.payload) > MAX_PAYLOAD_BYTES:
        raise BrokenFrame("a frame is larger than its limit")
    return PREFIX.pack(len(header), len(frame.payload)) + header + frame.payload


def lengths(prefix: bytes) -> tuple[int, int]:
    """Lengths in bytes of header and payload; BrokenFrame when they can't be true."""
    header, payload = PREFIX.unpack(prefix)
    if not 2 <= header <= MAX_HEADER_BYTES or payload > MAX_PAYLOAD_BYTES:
        raise BrokenFrame("the lengths of a frame are out of range")
    return header, payload


def unpack(header: bytes, payload: bytes) -> Frame:
    """The frame behind the bytes that `lengths` announced."""
    try:
        data = json.loads(header)
    except ValueError as error:
        raise BrokenFrame("the header of a frame is no JSON") from error
    if not isinstance(data, dict):
        raise BrokenFrame("the header of a frame is no object")
    return Frame(data, payload)  # pyright: ignore[reportUnknownArgumentType]
