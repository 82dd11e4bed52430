"""Reading a person's files where they lie: whole, unchanged meanwhile, and no larger than is wanted."""

import hashlib
import os
import stat
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from core.adapters.files.disk import Stop, said, shown
from core.domain.watching import Signature
from core.errors import NotFound, UserError

CHUNK = 1024 * 1024
MEBIBYTE = 1024 * 1024
_BINARY = getattr(os, "O_BINARY", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)  # opening a pipe that nobody writes to would wait for ever
_INODES = (1 << 63) - 1  # Windows has larger numbers


@contextmanager
def opened(path: Path, flags: int = 0) -> Generator[BinaryIO, None, None]:
    descriptor = os.open(path, os.O_RDONLY | _BINARY | _NO_WAIT | flags)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise UserError(f"“{shown(path)}” is a folder, not a file.")
        if not stat.S_ISREG(mode):
            raise UserError(f"“{shown(path)}” is no ordinary file and can't be added.")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            yield file
    finally:
        os.close(descriptor)


def open_source(stack: ExitStack, source: Path, limit: int) -> tuple[BinaryIO, os.stat_result]:
    """A person's file for reading, and how it was then. Raises UserError."""
    try:
        file = stack.enter_context(opened(source))
    except OSError as error:
        raise said(error, shown(source)) from error
    before = os.fstat(file.fileno())
    check_size(before.st_size, source, limit)
    return file, before


def check_unchanged(file: BinaryIO, before: os.stat_result, count: int, source: Path) -> None:
    """Raises UserError where somebody wrote to the file while `count` bytes of it were read."""
    after = os.fstat(file.fileno())
    if (count, after.st_size, after.st_mtime_ns) != (before.st_size, before.st_size, before.st_mtime_ns):
        raise UserError(f"“{shown(source)}” was changed while it was copied. Add it again when it is finished.")


def reader(file: BinaryIO, source: Path) -> Callable[[], bytes]:
    def read() -> bytes:
        try:
            return file.read(CHUNK)
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise UserError(f"“{shown(source)}” can't be read to its end ({why}). Check where it lies.") from error

    return read


def hash_of(file: BinaryIO, stop: Stop) -> str:
    hashed = hashlib.sha256()
    while chunk := file.read(CHUNK):
        stop.check()
        hashed.update(chunk)
    return hashed.hexdigest()


def check_size(count: int, source: Path, limit: int) -> None:
    if count > limit:
        most = f"{limit / MEBIBYTE:,.0f} MB" if limit >= MEBIBYTE else f"{limit:,} bytes"
        raise UserError(f"“{shown(source)}” is larger than {most}, the most that is taken in.")


def signature_of(status: os.stat_result) -> Signature:
    return Signature(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino & _INODES)


def hash_in_place(source: Path, limit: int, stop: Stop) -> tuple[str, int]:
    """The digest and the length of a person's file."""
    with ExitStack() as stack:
        file, before = open_source(stack, source, limit)
        hashed, count = hashlib.sha256(), 0
        read = reader(file, source)
        while chunk := read():
            stop.check()
            count += len(chunk)
            hashed.update(chunk)
        check_unchanged(file, before, count, source)
        return hashed.hexdigest(), count


def linked_file(digest: str, files: Sequence[tuple[Path, Signature]], stop: Stop) -> Path:
    """The first of the files that has these bytes: as its signature says, or else its hash. Raises NotFound."""
    for path, signature in files:
        try:
            with opened(path) as file:
                if signature_of(os.fstat(file.fileno())) == signature or hash_of(file, stop) == digest:
                    return path
        except (OSError, UserError):
            continue
    first = files[0][0]
    what = "was changed" if first.is_file() else "is not there any more"
    raise NotFound(f"“{shown(first)}” is linked in place in “{shown(first.parent)}”, and {what}.")
