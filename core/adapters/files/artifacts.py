"""The bytes of papers, content-addressed: artifacts/sha256/aa/<digest> (ArtifactPort on the workspace's folder).

A file is staged in .run/staging, hashed while it is copied, read back and checked, brought to disk and then renamed, so
that what stands under a digest is always whole. Names of papers never reach the disk: any name is fine.
"""

import hashlib
import math
import os
import re
import stat
import threading
import time
import uuid
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from core.adapters.files.disk import FILE_MODE, FOLDER_MODE, Stop, in_thread, said, shown, sync_folder
from core.clock import Clock
from core.domain.papers import Artifact
from core.errors import EnvironmentFault, NotFound, UserError

CHUNK = 1024 * 1024
MEBIBYTE = 1024 * 1024
_DIGEST = re.compile("[0-9a-f]{64}")
_BINARY = getattr(os, "O_BINARY", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)  # opening a pipe that nobody writes to would wait for ever
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


class FileArtifacts:
    """The artifact store of the workspace that lies in `folder`."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._objects = folder / "artifacts" / "sha256"
        self._staging = folder / ".run" / "staging"
        self._clock = clock
        self._renewing = threading.Lock()  # between finding bytes unused and removing them, nobody may want them

    async def take(self, source: Path, limit: int) -> Artifact:
        return await in_thread(lambda stop: self._take(source, limit, stop))

    async def path(self, digest: str) -> Path:
        place = self._place(digest)
        if not await in_thread(lambda stop: place.is_file()):
            raise _missing()
        return place

    async def verify(self, digest: str) -> bool:
        place = self._place(digest)

        def work(stop: Stop) -> bool:
            try:
                with _opened(place, _NO_LINK) as file:
                    return _hash(file, stop) == digest
            except OSError:
                return False

        return await in_thread(work)

    async def export(self, digest: str, target: Path) -> None:
        place = self._place(digest)
        await in_thread(lambda stop: _export(place, digest, target, stop))

    async def stored(self) -> list[str]:
        def work(stop: Stop) -> list[str]:
            found: list[str] = []
            for folder in self._objects.iterdir() if self._objects.is_dir() else ():
                stop.check()
                found += [place.name for place in folder.iterdir() if _DIGEST.fullmatch(place.name)]
            return sorted(found)

        return await in_thread(work)

    async def discard(self, digest: str, *, unused_for: float = 0.0) -> bool:
        place = self._place(digest)

        def work(stop: Stop) -> bool:
            with self._renewing:
                try:
                    if unused_for and time.time() - place.stat().st_mtime < unused_for:
                        return False
                    place.unlink()
                except FileNotFoundError:
                    return False
            sync_folder(place.parent)
            return True

        return await in_thread(work)

    async def clear_staging(self) -> int:
        def work(stop: Stop) -> int:
            count = 0
            if self._staging.is_dir():
                for left in self._staging.iterdir():
                    left.unlink(missing_ok=True)
                    count += 1
            return count

        return await in_thread(work)

    def _place(self, digest: str) -> Path:
        if _DIGEST.fullmatch(digest) is None:
            raise _missing()
        return self._objects / digest[:2] / digest

    def _take(self, source: Path, limit: int, stop: Stop) -> Artifact:
        with ExitStack() as stack:
            try:
                file = stack.enter_context(_opened(source))
            except OSError as error:
                raise said(error, shown(source)) from error
            before = os.fstat(file.fileno())
            _check_size(before.st_size, source, limit)
            with _own_side(source):
                return self._stage(file, before, source, limit, stop)

    def _stage(self, file: BinaryIO, before: os.stat_result, source: Path, limit: int, stop: Stop) -> Artifact:
        self._staging.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        staged = self._staging / uuid.uuid4().hex
        with _staged(staged, FILE_MODE) as copy:
            digest, count = _copy(_reader(file, source), copy, limit, stop)
            copy.close()
            _check_size(count, source, limit)
            after = os.fstat(file.fileno())
            if (count, after.st_size, after.st_mtime_ns) != (before.st_size, before.st_size, before.st_mtime_ns):
                raise UserError(f"“{shown(source)}” was changed while it was copied. Add it again when it is finished.")
            with _opened(staged) as copied:
                if _hash(copied, stop) != digest:
                    raise EnvironmentFault(f"The copy of “{shown(source)}” came out different. Check this disk.")
            stop.check()
            self._keep(staged, digest, count)
        return Artifact(digest, count, self._clock())

    def _keep(self, staged: Path, digest: str, count: int) -> None:
        place = self._place(digest)
        with self._renewing:
            if place.is_file() and place.stat().st_size == count and _has_digest(place, digest):
                os.utime(place)  # the same bytes are here already, and are wanted
                return
        new_folder = not place.parent.is_dir()
        place.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        staged.replace(place)
        sync_folder(place.parent)
        if new_folder:
            sync_folder(self._objects)


def _missing() -> NotFound:
    return NotFound("The stored bytes of this paper are not in the workspace any more.")


@contextmanager
def _own_side(source: Path) -> Generator[None, None, None]:
    """What goes wrong while we write is about this disk, not about the person's file."""
    try:
        yield
    except OSError as error:
        fault = said(error, shown(source))
        if isinstance(fault, EnvironmentFault):
            raise fault from error
        why = error.strerror or type(error).__name__
        raise EnvironmentFault(
            f"“{shown(source)}” can't be kept: the workspace's folder refuses it ({why})."
        ) from error


@contextmanager
def _opened(path: Path, flags: int = 0) -> Generator[BinaryIO, None, None]:
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


@contextmanager
def _staged(path: Path, mode: int) -> Generator[BinaryIO, None, None]:
    """A new file, whose name is gone afterwards unless it was renamed."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
    try:
        with os.fdopen(descriptor, "wb", buffering=0) as file:
            yield file
    finally:
        path.unlink(missing_ok=True)


def _copy(read: Callable[[], bytes], copy: BinaryIO, limit: float, stop: Stop) -> tuple[str, int]:
    """Copy and bring to disk; answers the digest and the length of what was read, which ends just above `limit`."""
    hashed = hashlib.sha256()
    count = 0
    while (chunk := read()) and count <= limit:
        stop.check()
        count += len(chunk)
        hashed.update(chunk)
        left = memoryview(chunk)
        while left:
            left = left[copy.write(left) :]
    os.fsync(copy.fileno())
    return hashed.hexdigest(), count


def _reader(file: BinaryIO, source: Path) -> Callable[[], bytes]:
    def read() -> bytes:
        try:
            return file.read(CHUNK)
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise UserError(f"“{shown(source)}” can't be read to its end ({why}). Check where it lies.") from error

    return read


def _hash(file: BinaryIO, stop: Stop) -> str:
    hashed = hashlib.sha256()
    while chunk := file.read(CHUNK):
        stop.check()
        hashed.update(chunk)
    return hashed.hexdigest()


def _has_digest(place: Path, digest: str) -> bool:
    with _opened(place, _NO_LINK) as file:
        return _hash(file, Stop()) == digest


def _check_size(count: int, source: Path, limit: int) -> None:
    if count > limit:
        most = f"{limit / MEBIBYTE:,.0f} MB" if limit >= MEBIBYTE else f"{limit:,} bytes"
        raise UserError(f"“{shown(source)}” is larger than {most}, the most that is taken in.")


def _export(place: Path, digest: str, target: Path, stop: Stop) -> None:
    with ExitStack() as stack:
        try:
            file = stack.enter_context(_opened(place, _NO_LINK))
        except (OSError, UserError) as error:
            raise _missing() from error
        try:
            staged = target.with_name(f".{uuid.uuid4().hex}.part")
            with _staged(staged, 0o666) as copy:
                if _copy(lambda: file.read(CHUNK), copy, math.inf, stop)[0] != digest:
                    raise EnvironmentFault("The stored bytes of this paper are damaged. Nothing was written.")
                copy.close()
                staged.replace(target)
            sync_folder(target.parent)
        except OSError as error:
            raise said(error, shown(target)) from error
