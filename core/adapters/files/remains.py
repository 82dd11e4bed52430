"""What files keep of something that is erased: wiping them, and searching all of them (RemainsPort)."""

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from core.adapters.files.disk import Stop, in_thread, said, shown, sync_folder
from core.domain.erasure import Place
from core.domain.traces import OVERLAP, Traces, TraceTable
from core.errors import EnvironmentFault
from core.ports.erasure import Said, Searched

PIECE = 4 * 1024 * 1024  # bytes
_COPY = re.compile(r"workspace\.before-format-[\d-]+\.(db|part)")
_ZEROS = bytes(1024 * 1024)
DATABASE = "workspace.db"
OWN_FILES = ("memory", "workspace.toml")  # what people write themselves, with any editor


class FileRemains:
    """folder: of the workspace. logs: folders of the program's logs and crash reports."""

    def __init__(self, folder: Path, logs: Sequence[Path] = ()) -> None:
        self._folder = folder
        self._logs = tuple(logs)

    async def copies(self) -> int:
        return len(await in_thread(lambda stop: self._copies()))

    def _copies(self) -> list[Path]:
        return sorted(path for path in self._folder.iterdir() if _COPY.fullmatch(path.name))

    async def wipe(self, digests: Sequence[str], papers: Sequence[str]) -> None:
        await in_thread(lambda stop: self._wipe(digests, papers))

    def _wipe(self, digests: Sequence[str], papers: Sequence[str]) -> None:
        objects, run = self._folder / "artifacts" / "sha256", self._folder / ".run"
        doomed = [objects / digest[:2] / digest for digest in digests]
        for paper in papers:
            doomed += _files(run / "open" / paper)
        for path in (*doomed, *self._copies()):
            try:
                _overwrite(path)
            except OSError as error:
                raise said(error, shown(path)) from error
        for paper in papers:
            if (run / "open" / paper).is_dir():
                (run / "open" / paper).rmdir()

    async def search(self, traces: Traces, kept: Callable[[str], bool], said: Said) -> Searched:
        return await in_thread(lambda stop: self._search(traces, kept, said, stop))

    def _search(self, traces: Traces, kept: Callable[[str], bool], tell: Said, stop: Stop) -> Searched:
        traces = TraceTable(traces).without(self._own_path())  # where a paper came from may begin in the same way
        of_index, of_others = TraceTable(traces), TraceTable(traces.without_endings())
        everything = [path for folder in (self._folder, *self._logs) for path in _files(folder)]
        files = [path for path in everything if not self._stays(path, kept)]
        sizes = {path: _size(path) for path in files}
        left: list[Place] = []
        done, whole = 0, sum(sizes.values())
        for path in files:
            tell(done, whole)
            try:
                table = of_index if path.name.startswith(DATABASE) else of_others
                if _holds(path, table, stop):
                    left.append(Place(self._named(path), self._is_own(path)))
            except FileNotFoundError:
                continue  # of another program, or the lock's
            except OSError as error:
                raise EnvironmentFault(f"“{shown(path)}” can't be looked through ({error.strerror}).") from error
            done += sizes[path]
        tell(whole, whole)
        return Searched(tuple(left), len(files), whole)

    def _own_path(self) -> Iterator[bytes]:
        for path in (self._folder, self._folder.resolve()):
            yield os.fsencode(path)
            yield json.dumps(str(path)).encode()

    def _stays(self, path: Path, kept: Callable[[str], bool]) -> bool:
        """Stored bytes and opened copies of papers that stay hold what is theirs."""
        parts = self._inside(path)
        if parts[:2] == ("artifacts", "sha256"):
            return kept(path.name)
        return parts[:2] == (".run", "open") and len(parts) > 2 and kept(parts[2])

    def _inside(self, path: Path) -> tuple[str, ...]:
        return path.relative_to(self._folder).parts if path.is_relative_to(self._folder) else ()

    def _is_own(self, path: Path) -> bool:
        return self._inside(path)[:1] in [(name,) for name in OWN_FILES]

    def _named(self, path: Path) -> str:
        inside = self._inside(path)
        return os.fsencode(Path(*inside) if inside else path).decode("utf-8", "replace")


def _files(folder: Path) -> list[Path]:
    """Every regular file below; links are not followed."""
    return [
        Path(place, name)
        for place, _, names in os.walk(folder)
        for name in sorted(names)
        if not Path(place, name).is_symlink() and Path(place, name).is_file()
    ]


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _holds(path: Path, table: TraceTable, stop: Stop) -> bool:
    return any(table.found(piece) for piece in _pieces(path, stop))


def _pieces(path: Path, stop: Stop) -> Iterator[bytes]:
    with path.open("rb") as file:
        before = b""
        while piece := file.read(PIECE):
            stop.check()
            yield before + piece
            before = piece[-OVERLAP:]


def _overwrite(path: Path) -> None:
    """Write zeros over a file, bring them to disk, and delete it."""
    if not path.is_file() or path.is_symlink():
        path.unlink(missing_ok=True)
        return
    path.chmod(0o600)  # opened copies can't be written to
    with path.open("r+b", buffering=0) as file:
        left = os.fstat(file.fileno()).st_size
        while left > 0:
            left -= file.write(_ZEROS[:left]) or 0
        os.fsync(file.fileno())
    path.unlink()
    sync_folder(path.parent)
