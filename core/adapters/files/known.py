"""The list of known workspaces, in the user's data folder (KnownListPort): paths and names, nothing else."""

import os
import threading
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import tomli_w
from filelock import FileLock, Timeout

from core.adapters.files.disk import FILE_MODE, FOLDER_MODE, in_thread, said, shown, write_whole
from core.errors import EnvironmentFault

PATIENCE = 10.0  # seconds for other programs that change the list just now

Entry = tuple[Path, str]


@dataclass(slots=True)
class _List:
    entries: list[Entry] = field(default_factory=list[Entry])
    last_opened: Path | None = None


class KnownList:
    """The list in `file`, which is made when something is first written."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._turn = threading.Lock()  # reading, changing and writing back is one thing

    async def read(self) -> list[Entry]:
        return (await in_thread(lambda stop: self._read())).entries

    async def change(self, change: Callable[[list[Entry]], list[Entry]]) -> None:
        def changed(known: _List) -> None:
            known.entries = change(known.entries)

        await in_thread(lambda stop: self._change(changed))

    async def last_opened(self) -> Path | None:
        return (await in_thread(lambda stop: self._read())).last_opened

    async def set_last_opened(self, path: Path | None) -> None:
        def changed(known: _List) -> None:
            known.last_opened = path

        await in_thread(lambda stop: self._change(changed))

    def _change(self, change: Callable[[_List], None]) -> None:
        """Read, change and write back, while no other program does."""
        with self._turn:
            try:
                self._file.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
                with FileLock(self._file.with_suffix(".lock"), timeout=PATIENCE, mode=FILE_MODE):
                    known = self._load()
                    change(known)
                    write_whole(self._file, _text_of(known).encode())
            except Timeout as error:
                raise EnvironmentFault("Another Muniment is changing the list of workspaces. Try again.") from error
            except OSError as error:
                raise said(error, shown(self._file)) from error

    def _read(self) -> _List:
        with self._turn:
            return self._load()

    def _load(self) -> _List:
        try:
            return _parsed(tomllib.loads(self._file.read_bytes().decode("utf-8-sig")))
        except FileNotFoundError:
            return _List()
        except (UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError, ValueError):
            self._set_aside()
            return _List()
        except OSError as error:
            raise said(error, shown(self._file)) from error

    def _set_aside(self) -> None:
        """Keep the damaged file under another name, so that nothing a person might want is lost."""
        number = 1
        while (aside := self._file.with_name(f"{self._file.stem}.damaged-{number}{self._file.suffix}")).exists():
            number += 1
        self._file.replace(aside)


def _text_of(known: _List) -> str:
    content: dict[str, Any] = {"workspaces": [{"path": _written(path), "name": name} for path, name in known.entries]}
    if known.last_opened is not None:
        content["last_opened"] = _written(known.last_opened)
    return tomli_w.dumps(content)


def _parsed(content: dict[str, Any]) -> _List:
    entries = [(_path(entry["path"]), _text(entry["name"])) for entry in cast(list[Any], content.get("workspaces", []))]
    last = content.get("last_opened")
    return _List(entries, None if last is None else _path(last))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _path(value: object) -> Path:
    """A path as `_written` wrote it."""
    text = _text(value)
    return Path(os.fsdecode(bytes.fromhex(text[4:]) if text.startswith("hex:") else text.encode("utf-8")))


def _written(path: Path) -> str:
    """A path's bytes as UTF-8, whatever the system's encoding is just now; as hexadecimal where they are not (Linux
    allows that)."""
    try:
        return os.fsencode(path).decode("utf-8")
    except UnicodeDecodeError:
        return f"hex:{os.fsencode(path).hex()}"
