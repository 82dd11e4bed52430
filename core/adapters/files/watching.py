"""Looking at watched folders, and hearing what happens in them (FolderWatcherPort on the disk).

What happens is told by watchfiles, in a thread of its own. It would follow links to folders on Linux; a folder that
holds some is therefore watched folder by folder.
"""

import asyncio
import os
import stat
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pathspec import GitIgnoreSpec

from core.adapters.files.disk import in_thread, shown
from core.adapters.files.sources import signature_of
from core.domain.text import one_line
from core.domain.watching import FoundFile
from core.domain.workspaces import SETTINGS
from core.errors import EnvironmentFault, InvalidValue
from core.ports.watching import Batch, Root, Seen

if TYPE_CHECKING:
    from watchfiles import Change

BATCH = 512  # files found between two chances for other work
QUIET_MS, STEP_MS = 400, 50  # what happens within this time is told together
NOTICE_MS = 500  # how soon the thread notices that it is to stop
UNREADABLE = "Unable to decode path"  # with what watchfiles ends at a name that isn't UTF-8


class FolderWatcher:
    """FolderWatcherPort."""

    def check(self, rules: str) -> None:
        _Rules(rules)

    async def root(self, folder: Path) -> Root | None:
        return await asyncio.to_thread(_root, folder)

    async def look(self, folder: Path, rules: str, subfolders: bool, below: str = "") -> AsyncIterator[Batch]:
        walk = _walk(folder, _Rules(rules), subfolders, below)
        while (batch := await asyncio.to_thread(next, walk, None)) is not None:
            yield batch

    async def see(self, folder: Path, rules: str, subfolders: bool, paths: Sequence[str]) -> Seen:
        return await asyncio.to_thread(_see, folder, _Rules(rules), subfolders, paths)

    async def follow(self, folder: Path, subfolders: bool, heard: Callable[[frozenset[str]], None]) -> None:
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[None] = loop.create_future()
        stop = threading.Event()

        def tell(paths: frozenset[str]) -> None:
            if not stop.is_set():
                loop.call_soon_threadsafe(heard, paths)

        def work() -> None:
            error: EnvironmentFault | None = None
            try:
                _follow(folder, subfolders, tell, stop)
            except Exception as caught:  # whatever the system's watcher raises: it doesn't tell any more
                error = EnvironmentFault(f"This computer doesn't say what changes in “{shown(folder)}” ({caught}).")
            with suppress(RuntimeError):  # the loop has ended: nobody listens
                loop.call_soon_threadsafe(_end, ended, error)

        thread = threading.Thread(target=work, name="watched-folder", daemon=True)
        thread.start()
        try:
            await asyncio.shield(ended)
        finally:
            stop.set()
            await in_thread(lambda _: thread.join())


def _end(ended: "asyncio.Future[None]", error: Exception | None) -> None:
    if not ended.done():
        ended.set_result(None) if error is None else ended.set_exception(error)


class _Rules:
    """Rules in gitignore syntax, without regard to capital and small letters. A file is left out by the last rule that
    fits it or a folder around it."""

    def __init__(self, text: str) -> None:
        lines = text.casefold().splitlines()
        for number, line in enumerate(lines, 1):
            try:
                GitIgnoreSpec.from_lines([line])
            except ValueError:
                said = one_line(text.splitlines()[number - 1])
                raise InvalidValue(f"Line {number} of the rules, “{said}”, can't be understood.") from None
        self._spec = GitIgnoreSpec.from_lines(lines)
        self._takes_in_again = any(line.startswith("!") for line in lines)

    def leaves_out(self, path: str) -> bool:
        return self._spec.match_file(path.casefold())

    def leaves_out_folder(self, path: str) -> bool:
        """True where nothing below it can be taken in."""
        return not self._takes_in_again and self._spec.match_file(f"{path.casefold()}/")


def _root(folder: Path) -> Root | None:
    try:
        status = folder.stat()
        with os.scandir(folder) as entries:
            return Root(status.st_dev & (1 << 63) - 1, status.st_ino & (1 << 63) - 1, next(entries, None) is None)
    except OSError:
        return None


def _walk(folder: Path, rules: _Rules, subfolders: bool, below: str) -> Iterator[Batch]:
    """Folders are kept on a stack, so that depth and number of files cost no memory but for one folder's names."""
    waiting = [below]
    files: list[FoundFile] = []
    skipped, unread = 0, list[tuple[str, str]]()
    while waiting:
        here = waiting.pop()
        try:
            entries = os.scandir(folder / here)
        except OSError as error:
            unread.append((here, _unread(folder / here, error)))
            continue
        with entries:
            inner: list[str] = []
            for entry in entries:
                path = f"{here}/{entry.name}" if here else entry.name
                found = _entry(entry, path, rules)
                if isinstance(found, FoundFile):
                    files.append(found)
                elif found:
                    inner.append(path)
                else:
                    skipped += 1
                if len(files) >= BATCH:
                    yield Batch(files, skipped, unread)
                    files, skipped, unread = [], 0, []
            if subfolders:
                waiting += sorted((path for path in inner if not _is_workspace(folder / path)), reverse=True)
    yield Batch(files, skipped, unread)


def _entry(entry: "os.DirEntry[str]", path: str, rules: _Rules) -> FoundFile | bool:
    """A file to take; True for a folder to look into; False for what is left out, links among it."""
    try:
        if entry.is_dir(follow_symlinks=False) and not _is_link(entry.path):
            return not rules.leaves_out_folder(path)
        if not entry.is_file(follow_symlinks=False) or rules.leaves_out(path):
            return False
        status = os.stat(entry.path, follow_symlinks=False) if os.name == "nt" else entry.stat(follow_symlinks=False)
        return FoundFile(path, signature_of(status))
    except OSError:
        return False


def _unread(folder: Path, error: OSError) -> str:
    return f"The folder “{shown(folder)}” can't be opened: {error.strerror or type(error).__name__}."


def _is_workspace(folder: Path) -> bool:
    return (folder / SETTINGS).is_file()


def _is_link(path: str | Path) -> bool:
    """A link, or what Windows has for links to folders."""
    return os.path.islink(path) or getattr(os.path, "isjunction", os.path.islink)(path)


def _see(folder: Path, rules: _Rules, subfolders: bool, paths: Sequence[str]) -> Seen:
    files, folders, missing, left_out = list[FoundFile](), list[str](), list[str](), list[str]()
    for path in paths:
        try:
            status = os.lstat(folder / path)
        except (FileNotFoundError, NotADirectoryError):
            missing.append(path)
            continue
        except OSError:
            left_out.append(path)
            continue
        around = _around(path)
        if (around and not subfolders) or any(_hides(folder / each, rules, each) for each in around):
            left_out.append(path)
        elif stat.S_ISREG(status.st_mode) and not rules.leaves_out(path):
            files.append(FoundFile(path, signature_of(status)))
        elif stat.S_ISDIR(status.st_mode) and subfolders and not _hides(folder / path, rules, path):
            folders.append(path)
        else:
            left_out.append(path)
    return Seen(files, folders, missing, left_out)


def _around(path: str) -> list[str]:
    """The folders in which a path lies, without the watched one."""
    names = path.split("/")[:-1]
    return ["/".join(names[: count + 1]) for count in range(len(names))]


def _hides(folder: Path, rules: _Rules, path: str) -> bool:
    """Nothing in this folder is taken in."""
    return _is_link(folder) or rules.leaves_out_folder(path) or _is_workspace(folder)


def _follow(folder: Path, subfolders: bool, tell: Callable[[frozenset[str]], None], stop: threading.Event) -> None:
    """Until `stop`. Raises whatever the system's watcher raises."""
    from watchfiles import watch  # late: 50 ms that a program without watched folders saves

    missed: frozenset[str] = frozenset()
    while not stop.is_set():
        one_by_one = subfolders and os.name != "nt" and _holds_links(folder)
        places = _folders(folder) if one_by_one else [folder]
        told = watch(
            *places, watch_filter=None, debounce=QUIET_MS, step=STEP_MS, stop_event=stop, rust_timeout=NOTICE_MS,
            yield_on_timeout=True, recursive=subfolders and not one_by_one, raise_interrupt=False,
            ignore_permission_denied=True,
        )  # fmt: skip
        try:
            missed = _pass_on(folder, told, tell, missed, one_by_one)
        except RuntimeError as error:
            if UNREADABLE not in str(error):
                raise
            missed = frozenset({""})
        if not missed:
            return


def _pass_on(
    folder: Path,
    told: "Iterable[set[tuple[Change, str]]]",
    tell: Callable[[frozenset[str]], None],
    missed: frozenset[str],
    one_by_one: bool,
) -> frozenset[str]:
    """Until it ends, or until there are new folders where they are watched one by one: those are answered. missed:
    where something may have happened before."""
    ready = False
    for changes in told:
        paths = frozenset(_below(folder, name) for kind, name in changes if _says_something(kind, name))
        if not ready or paths:
            tell(paths if ready else paths | missed)
            ready = True
        if one_by_one and (new := frozenset(path for path in paths if path and _is_folder(folder / path))):
            return new
    return frozenset()


def _says_something(kind: "Change", name: str) -> bool:
    """Windows says of each folder that it was modified when a file in it was, which is told of the file anyway."""
    return kind.name != "modified" or not os.path.isdir(name)


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not _is_link(path)


def _below(folder: Path, name: str) -> str:
    """The path within the folder; "" for the folder itself."""
    relative = os.path.relpath(name, folder).replace(os.sep, "/")
    return "" if relative == "." or relative.startswith("../") else relative


def _folders(folder: Path) -> list[Path]:
    """The folder and all real ones below it."""
    return [Path(here) for here, _, _ in os.walk(folder)]


def _holds_links(folder: Path) -> bool:
    """Whether a link to a folder lies anywhere below."""
    return any(_is_link(os.path.join(here, name)) for here, names, _ in os.walk(folder) for name in names)
