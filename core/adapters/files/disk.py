"""Writing to disk so that a file is whole or not there, and what the system's refusals mean to a person."""

import asyncio
import errno
import os
import threading
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from core.domain.text import one_line
from core.errors import EnvironmentFault, MunimentError, UserError

T = TypeVar("T")

FULL = {errno.ENOSPC, errno.EDQUOT}
FOLDER_MODE, FILE_MODE = 0o700, 0o600


class Stopped(Exception):
    """The work was asked to stop; it has cleaned up behind it."""


class Stop:
    """Tells work in a thread that nobody wants its answer any more."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def ask(self) -> None:
        self._event.set()

    def check(self) -> None:
        if self._event.is_set():
            raise Stopped


async def in_thread(work: Callable[[Stop], T]) -> T:
    """Run `work` in a thread. Cancelling asks it to stop and waits until it has: nothing is left half-done."""
    stop = Stop()
    running = asyncio.get_running_loop().run_in_executor(None, work, stop)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stop.ask()
        while not running.done():
            try:
                await asyncio.wait([running])
            except asyncio.CancelledError:
                continue  # asked once more; the thread ends soon
        running.exception()
        raise


def write_whole(path: Path, content: bytes, mode: int = FILE_MODE) -> None:
    """Replace the file by `content`: after a crash it is the old one or the new one."""
    staged = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.part")
    descriptor = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        staged.replace(path)
    except BaseException:
        staged.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable; Windows does so by itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def shown(path: Path) -> str:
    """A file's name that can be written into a sentence, whatever its bytes are."""
    return one_line(os.fsencode(path.name or str(path)).decode("utf-8", "replace"))


def said(error: OSError, what: str) -> MunimentError:
    """The system's refusal as a sentence about `what` (a name as `shown` gives it)."""
    if error.errno in FULL:
        return EnvironmentFault(f"There is no room left on the disk for “{what}”. Free some space and try again.")
    if error.errno == errno.EROFS:
        return EnvironmentFault(f"“{what}” lies on a disk that can only be read. Choose another place.")
    if error.errno == errno.ENOENT:
        return UserError(f"“{what}” is not there any more.")
    if error.errno in {errno.EACCES, errno.EPERM}:
        return UserError(f"You are not allowed to open or change “{what}”. Ask whoever looks after this computer.")
    if error.errno == errno.EIO:
        return EnvironmentFault(f"The disk gave an error at “{what}”. Check the disk or the connection to it.")
    if error.errno in {errno.ENAMETOOLONG, errno.EINVAL}:
        return UserError(f"The name “{what[:80]}” can't be used on this disk. Choose a shorter one.")
    if error.errno == errno.ELOOP:
        return UserError(f"“{what}” is a link that leads round in a circle.")
    return EnvironmentFault(f"“{what}” could not be opened or changed ({error.strerror or type(error).__name__}).")
