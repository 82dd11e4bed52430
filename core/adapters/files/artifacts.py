"""The bytes of papers, content-addressed: artifacts/sha256/aa/<digest> (ArtifactPort on the workspace's folder).

A file is staged in .run/staging, hashed while it is copied, read back and checked, brought to disk and then renamed, so
that what stands under a digest is always whole. Names of papers never reach the disk: any name is fine.
"""

import hashlib
import math
import os
import re
import threading
import time
import uuid
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from core.adapters.files.disk import FILE_MODE, FOLDER_MODE, Stop, in_thread, said, shown, sync_folder
from core.adapters.files.sources import (
    CHUNK,
    check_size,
    check_unchanged,
    hash_in_place,
    hash_of,
    linked_file,
    open_source,
    opened,
    reader,
)
from core.clock import Clock
from core.domain.papers import Artifact
from core.domain.watching import Signature
from core.errors import EnvironmentFault, NotFound, UserError

_DIGEST = re.compile("[0-9a-f]{64}")
_BINARY = getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


LinkedAt = Callable[[str], Awaitable[Sequence[tuple[Path, Signature]]]]
"""Answers the files outside of the store that had the bytes of a digest when they were looked at."""


async def _nowhere(digest: str) -> Sequence[tuple[Path, Signature]]:
    return ()


class FileArtifacts:
    """The artifact store of the workspace that lies in `folder`. linked: knows files whose bytes it doesn't keep."""

    def __init__(self, folder: Path, clock: Clock, linked: LinkedAt = _nowhere) -> None:
        self._objects = folder / "artifacts" / "sha256"
        self._staging = folder / ".run" / "staging"
        self._clock = clock
        self._linked = linked
        self._renewing = threading.Lock()  # between finding bytes unused and removing them, nobody may want them

    async def take(self, source: Path, limit: int) -> Artifact:
        return await in_thread(lambda stop: self._take(source, limit, stop))

    async def link(self, source: Path, limit: int) -> Artifact:
        digest, count = await in_thread(lambda stop: hash_in_place(source, limit, stop))
        return Artifact(digest, count, self._clock())

    async def path(self, digest: str) -> Path:
        place = self._place(digest)
        if await in_thread(lambda stop: place.is_file()):
            return place
        files = await self._linked(digest)
        if not files:
            raise _missing()
        return await in_thread(lambda stop: linked_file(digest, files, stop))

    async def verify(self, digest: str) -> bool:
        try:
            place = await self.path(digest)
        except NotFound:
            return False

        def work(stop: Stop) -> bool:
            try:
                with opened(place, _NO_LINK) as file:
                    return hash_of(file, stop) == digest
            except OSError:
                return False

        return await in_thread(work)

    async def export(self, digest: str, target: Path) -> None:
        place = await self.path(digest)
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
            file, before = open_source(stack, source, limit)
            with _own_side(source):
                return self._stage(file, before, source, limit, stop)

    def _stage(self, file: BinaryIO, before: os.stat_result, source: Path, limit: int, stop: Stop) -> Artifact:
        self._staging.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        staged = self._staging / uuid.uuid4().hex
        with _staged(staged, FILE_MODE) as copy:
            digest, count = _copy(reader(file, source), copy, limit, stop)
            copy.close()
            check_size(count, source, limit)
            check_unchanged(file, before, count, source)
            with opened(staged) as copied:
                if hash_of(copied, stop) != digest:
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


def _has_digest(place: Path, digest: str) -> bool:
    with opened(place, _NO_LINK) as file:
        return hash_of(file, Stop()) == digest


def _export(place: Path, digest: str, target: Path, stop: Stop) -> None:
    with ExitStack() as stack:
        try:
            file = stack.enter_context(opened(place, _NO_LINK))
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
