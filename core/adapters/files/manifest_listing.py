"""What lies in a folder or ZIP archive, within limits: names and sizes first, bytes later."""

import os
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from core.adapters.files.disk import said, shown
from core.domain.workspaces import SETTINGS
from core.errors import UserError
from core.ports.manifests import LeftOutFile

FILE_LIMIT = 1 << 20  # bytes of one file
MOST_FILES = 100_000
MOST_BYTES = 256 << 20  # unpacked, of an archive
DEEPEST = 16  # folders
SKIPPED = frozenset((".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "__MACOSX"))
LINK = "is a link; links are not followed"


@dataclass(frozen=True, slots=True)
class Listed:
    """A file by its path below the source. read: its bytes, or OSError or ValueError. trouble: why it is refused."""

    path: str
    size: int
    modified: float
    read: Callable[[], bytes]
    trouble: str = ""


# ---- folders ---------------------------------------------------------------------------------------------------------


def folder_listing(root: Path, left: list[LeftOutFile]) -> list[Listed]:
    """Every file below a folder. Raises UserError for one that holds too many."""
    found: list[Listed] = []
    for listed in _walk(root, "", left):
        found.append(listed)
        if len(found) > MOST_FILES:
            raise UserError(f"“{shown(root)}” holds more than {MOST_FILES:,} files. Choose a smaller folder.")
    return found


def _walk(folder: Path, above: str, left: list[LeftOutFile]) -> Iterator[Listed]:
    try:
        with os.scandir(folder) as entries:
            inside = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        if not above:
            raise said(error, shown(folder)) from error
        left.append(LeftOutFile(above.rstrip("/"), said(error, shown(folder)).sentence))
        return
    if any(entry.name == SETTINGS for entry in inside):
        left.append(LeftOutFile(above.rstrip("/"), "It is a workspace. Workspaces are kept apart."))
        return
    for entry in inside:
        name = os.fsencode(entry.name).decode("utf-8", "replace")
        path = above + name
        if entry.is_dir(follow_symlinks=False):
            if entry.name in SKIPPED:
                continue
            if path.count("/") >= DEEPEST:
                left.append(LeftOutFile(path, f"It lies more than {DEEPEST} folders deep."))
                continue
            yield from _walk(Path(entry.path), path + "/", left)
        else:
            yield _of_entry(entry, path)


def _of_entry(entry: "os.DirEntry[str]", path: str) -> Listed:
    state = entry.stat(follow_symlinks=False)
    trouble = ""
    if entry.is_symlink():
        trouble = LINK
    elif not stat.S_ISREG(state.st_mode):
        trouble = "is no ordinary file"
    elif "\ufffd" in path:
        trouble = "has a name that is no text"
    return Listed(path, state.st_size, state.st_mtime, lambda: read_file(Path(entry.path)), trouble)


def read_file(path: Path) -> bytes:
    """The bytes of an ordinary file; a link that took its place meanwhile is refused by the system."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb") as file:
        return _bounded(file.read(FILE_LIMIT + 1))


def _bounded(data: bytes) -> bytes:
    if len(data) > FILE_LIMIT:
        raise ValueError(too_large())
    return data


def too_large() -> str:
    return f"is larger than {FILE_LIMIT >> 20} MB"


# ---- archives --------------------------------------------------------------------------------------------------------

_UNSAFE = re.compile(r"^[A-Za-z]:|^/|\\|\0|(?:^|/)\.\.(?:/|$)")


def archive_listing(archive: zipfile.ZipFile, name: str) -> list[Listed]:
    """Every file of an archive. Raises UserError for one that is too large, locked, or reaches outside."""
    infos = [info for info in archive.infolist() if not info.is_dir()]
    if len(infos) > MOST_FILES or sum(info.file_size for info in infos) > MOST_BYTES:
        most = f"{MOST_FILES:,} files or {MOST_BYTES >> 20} MB"
        raise UserError(f"“{name}” unpacks to more than {most}. Nothing was taken from it.")
    seen: set[str] = set()
    for info in infos:
        # orig_filename is what the archive says; zipfile has already cleaned the other one
        if _UNSAFE.search(info.orig_filename) or _UNSAFE.search(info.filename):
            raise UserError(f"“{name}” names a file outside of itself ({info.orig_filename!r}). Nothing was taken.")
        if info.filename in seen:
            raise UserError(f"“{name}” holds “{info.filename}” twice. Nothing was taken from it.")
        if info.flag_bits & 1:
            raise UserError(f"“{name}” is locked with a password. Unpack it first and choose the folder.")
        seen.add(info.filename)
    return [_of_info(archive, info) for info in infos if not SKIPPED.intersection(info.filename.split("/"))]


def _of_info(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Listed:
    mode = info.external_attr >> 16
    trouble = LINK if stat.S_ISLNK(mode) else ""
    if info.filename.count("/") > DEEPEST:
        trouble = f"lies more than {DEEPEST} folders deep"

    def read() -> bytes:
        try:
            with archive.open(info) as file:
                return _bounded(file.read(FILE_LIMIT + 1))
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            raise ValueError(f"is damaged in the archive ({error})") from None

    return Listed(info.filename, info.file_size, _instant(info), read, trouble)


def _instant(info: zipfile.ZipInfo) -> float:
    try:
        return datetime(*info.date_time, tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0
