"""A worker that does on request what no worker should; run by the tests as a child process."""

import ctypes
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NoReturn

from core.adapters.workers.channel import Channel
from core.adapters.workers.child import enter
from core.adapters.workers.frames import Frame


def grow() -> NoReturn:
    held: list[bytearray] = []
    while True:
        held.append(bytearray(b"x" * (8 << 20)))


def shout() -> None:
    print("a banner that a library prints")
    os.write(1, b"\x00\x00\x00\x05noise")
    subprocess.run(["echo", "from a grandchild"], check=True)


def connect() -> dict[str, object]:
    try:
        socket.create_connection(("127.0.0.1", 9))
    except OSError as error:
        kind = type(error).__name__
    else:
        kind = "connected"
    interfaces = Path("/proc/self/net/dev").read_text().splitlines()[2:] if sys.platform == "linux" else []
    return {"kind": kind, "interfaces": [line.split(":")[0].strip() for line in interfaces]}


def main(channel: Channel) -> None:
    def handle(request: Frame) -> Frame:
        match request.header["do"]:
            case "echo":
                return Frame({"said": request.header.get("say")}, request.payload[::-1])
            case "steps":
                for number in range(request.header["steps"]):
                    time.sleep(0.3)
                    channel.part({"number": number})
                if request.header.get("hang"):
                    time.sleep(600)
            case "hang":
                time.sleep(600)
            case "spin":
                while True:
                    pass
            case "grow":
                grow()
            case "crash":
                ctypes.string_at(0)
            case "exit":
                os._exit(3)
            case "raise":
                raise ValueError("the text of a paper")
            case "shout":
                shout()
            case "parts":
                for number in range(3):
                    channel.part({"number": number}, bytes([number]))
            case "connect":
                return Frame(connect())
            case "leave":
                Path(tempfile.gettempdir(), "left.txt").write_text("text of a paper")
                return Frame({"folder": tempfile.gettempdir()})
            case "read":
                return Frame({"read": len(sys.stdin.read())})
            case "nice":
                return Frame({"nice": os.nice(0)})
            case other:
                raise AssertionError(other)
        return Frame({})

    channel.answer(handle)


if __name__ == "__main__":
    main(enter())
