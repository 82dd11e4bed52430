"""Where the channel of a workspace is: a socket in its private .run folder.

The system bounds the length of a socket's path (104 bytes on macOS, 108 on Linux). For a workspace that lies deeper the
socket stands in a private folder for temporary files, and .run/jobs.where says which.
"""

import errno
import os
import shutil
import stat
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from core.adapters.files.disk import FOLDER_MODE, write_whole

SOCKET, WHERE = "jobs.sock", "jobs.where"
LONGEST = 100  # bytes
PREFIX = "muniment-jobs-"
SHORT = LONGEST - len(f"/{PREFIX}01234567/{SOCKET}")


def offered() -> bool:
    """Whether this system has Unix sockets that asyncio can use."""
    return sys.platform != "win32"


def make_place(run: Path) -> Path:
    """The path to bind, free of what a program that was killed left there. Only the workspace's owner may call it.
    Raises OSError where there is no place for one."""
    clear_place(run)
    path = run / SOCKET
    if len(os.fsencode(path)) <= LONGEST:
        return path
    short = next((base for base in (tempfile.gettempdir(), "/tmp") if len(os.fsencode(base)) <= SHORT), None)
    if short is None:
        raise OSError(errno.ENAMETOOLONG, "no folder is near enough to the root for a socket")
    path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=short)) / SOCKET  # mkdtemp makes it 0700
    write_whole(run / WHERE, os.fsencode(path))
    return path


def clear_place(run: Path) -> None:
    """Remove the socket, wherever it is."""
    elsewhere = _elsewhere(run)
    if elsewhere is not None:
        shutil.rmtree(elsewhere.parent, ignore_errors=True)
    for name in (SOCKET, WHERE):
        with suppress(OSError):
            (run / name).unlink(missing_ok=True)


def find_place(run: Path) -> Path:
    """The path to connect to; whether somebody listens there is another question."""
    return _elsewhere(run) or run / SOCKET


def _elsewhere(run: Path) -> Path | None:
    """The socket that .run/jobs.where names, if its folder is one of ours."""
    try:
        path = Path(os.fsdecode((run / WHERE).read_bytes()))
        status = path.parent.lstat()
    except (OSError, ValueError):
        return None
    private = stat.S_ISDIR(status.st_mode) and stat.S_IMODE(status.st_mode) == FOLDER_MODE
    ours = path.name == SOCKET and path.parent.name.startswith(PREFIX)
    return path if private and ours and status.st_uid == os.getuid() else None
