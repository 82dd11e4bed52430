"""A workspace's folder and its workspace.toml (FolderPort)."""

import hashlib
import os
import shutil
import tomllib
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import tomli_w

from core.adapters.files import lock
from core.adapters.files.disk import FOLDER_MODE, Stop, in_thread, said, shown, sync_folder, write_whole
from core.domain.workspaces import FORMAT_VERSION, SETTINGS, WorkspaceInfo, check_name
from core.errors import EnvironmentFault, InvalidValue, UserError, WorkspaceUnreadable

RUN = ".run"  # lock, staging: belongs to this place and this computer, never copied
FOLDERS = ("artifacts", "artifacts/sha256", "memory", RUN)
CHUNK = 1024 * 1024


class WorkspaceFolder:
    """Makes, reads, changes and moves the folders of workspaces."""

    async def create(self, path: Path, name: str) -> WorkspaceInfo:
        name = check_name(name)
        return await in_thread(lambda stop: _create(path, name))

    async def read(self, path: Path) -> WorkspaceInfo:
        return await in_thread(lambda stop: _info(path, _settings(path)))

    async def rename(self, path: Path, name: str) -> WorkspaceInfo:
        name = check_name(name)
        return await in_thread(lambda stop: _change(path, lambda settings: settings.update(name=name)))

    async def new_id(self, path: Path) -> WorkspaceInfo:
        return await in_thread(lambda stop: _change(path, lambda settings: settings.update(id=uuid.uuid4().hex)))

    async def move(self, path: Path, target: Path) -> WorkspaceInfo:
        return await in_thread(lambda stop: _move(path, target, stop))

    async def owner(self, path: Path) -> str | None:
        return await in_thread(lambda stop: lock.holder(path))


def _create(path: Path, name: str) -> WorkspaceInfo:
    made = not path.exists()
    try:
        path.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        if any(path.iterdir()):
            raise UserError(f"The folder “{shown(path)}” holds something already. Choose another name or place.")
        if os.name != "nt":
            path.chmod(FOLDER_MODE)
        settings: dict[str, Any] = {
            "format": FORMAT_VERSION,
            "id": uuid.uuid4().hex,
            "name": name,
            "sealed": False,
        }
        try:
            for folder in FOLDERS:
                (path / folder).mkdir(mode=FOLDER_MODE)
            _write(path, settings)
        except BaseException:
            for folder in (*reversed(FOLDERS), *([""] if made else [])):
                with suppress(OSError):
                    (path / folder).rmdir()
            raise
    except (FileExistsError, NotADirectoryError) as error:
        raise UserError(f"“{shown(path)}” is a file. Choose another name or place.") from error
    except OSError as error:
        raise said(error, shown(path)) from error
    return _info(path, settings)


def _settings(path: Path) -> dict[str, Any]:
    try:
        content = (path / SETTINGS).read_bytes()
    except FileNotFoundError as error:
        if path.is_dir():
            raise WorkspaceUnreadable(
                f"The folder “{shown(path)}” holds no workspace ({SETTINGS} is missing)."
            ) from error
        raise WorkspaceUnreadable(
            f"“{shown(path)}” is not where it was. Was it moved, or is its disk not connected?"
        ) from error
    except OSError as error:
        raise WorkspaceUnreadable(said(error, shown(path)).sentence) from error
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _damaged(path) from error


def _info(path: Path, settings: dict[str, Any]) -> WorkspaceInfo:
    version, id, name, sealed = (settings.get(key) for key in ("format", "id", "name", "sealed"))
    if not isinstance(version, int) or version < 1:
        raise _damaged(path)
    if version > FORMAT_VERSION:
        raise WorkspaceUnreadable(
            f"“{shown(path)}” was saved by a newer Muniment (format {version}; this one reads up to {FORMAT_VERSION}). "
            "Update Muniment to open it."
        )
    try:
        backend = settings.get("memory_backend", "")
        if not isinstance(name, str) or not isinstance(sealed, bool) or not isinstance(backend, str):
            raise _damaged(path)
        return WorkspaceInfo(uuid.UUID(str(id)).hex, check_name(name), path, version, sealed, backend)
    except (InvalidValue, ValueError) as error:
        raise _damaged(path) from error


def _damaged(path: Path) -> WorkspaceUnreadable:
    return WorkspaceUnreadable(
        f"The settings of “{shown(path)}” ({SETTINGS}) are damaged. Put that file back from a copy."
    )


def _change(path: Path, change: Callable[[dict[str, Any]], None]) -> WorkspaceInfo:
    settings = _settings(path)
    _info(path, settings)  # nothing is written into a file that is not understood
    change(settings)
    try:
        _write(path, settings)
    except OSError as error:
        raise said(error, shown(path)) from error
    return _info(path, settings)


def _write(path: Path, settings: dict[str, Any]) -> None:
    write_whole(path / SETTINGS, tomli_w.dumps(settings).encode())


def _move(path: Path, target: Path, stop: Stop) -> WorkspaceInfo:
    settings = _settings(path)
    _info(path, settings)
    if target == path or path in target.parents:
        raise UserError(f"“{shown(path)}” can't be moved into itself.")
    if os.path.lexists(target):
        raise UserError(f"There is something called “{shown(target)}” at that place already.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if _one_disk(path, target.parent):
            path.rename(target)
            sync_folder(target.parent)
        else:
            _move_across(path, target, stop)
    except OSError as error:
        raise said(error, shown(path)) from error
    return _info(target, settings)


def _one_disk(path: Path, other: Path) -> bool:
    return path.stat().st_dev == other.stat().st_dev


def _move_across(path: Path, target: Path, stop: Stop) -> None:
    """To another disk: copy under a passing name, compare every file, rename, and only then remove the old folder."""
    passing = target.with_name(f".{uuid.uuid4().hex}.moving")
    try:
        _copy_tree(path, passing, stop)
        stop.check()
        passing.rename(target)
        sync_folder(target.parent)
    except BaseException:
        shutil.rmtree(passing, ignore_errors=True)
        raise
    old = path.with_name(f".{uuid.uuid4().hex}.moved")
    try:
        path.rename(old)
    except OSError:
        shutil.rmtree(target, ignore_errors=True)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _copy_tree(source: Path, target: Path, stop: Stop) -> None:
    target.mkdir(mode=FOLDER_MODE)
    for entry in sorted(os.scandir(source), key=lambda entry: entry.name):
        stop.check()
        inner, copy = Path(entry.path), target / entry.name
        if entry.is_symlink():
            copy.symlink_to(os.readlink(inner))
        elif entry.is_dir():
            if entry.name != RUN:
                _copy_tree(inner, copy, stop)
        elif entry.is_file():
            shutil.copy2(inner, copy)
            with copy.open("rb+") as written:
                os.fsync(written.fileno())
            if _digest(inner, stop) != _digest(copy, stop):
                raise EnvironmentFault(
                    f"The copy of “{shown(inner)}” came out different. The workspace stays where it was."
                )
    sync_folder(target)


def _digest(path: Path, stop: Stop) -> bytes:
    hashed = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            stop.check()
            hashed.update(chunk)
    return hashed.digest()
