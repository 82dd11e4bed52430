"""Ownership of a workspace by one process (LockPort).

The system's lock on .run/lock decides: it ends with the process that holds it, however that ends, so a lock left by a
dead process is taken over. Beside it .run/owner.json says who holds it (for a sentence), counts the openings and tells
whether the last stop was clean. It names the folder it was written for: in a copied folder it counts as absent.
"""

import json
import os
import socket
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from core.adapters.files.disk import FILE_MODE, FOLDER_MODE, said, shown, write_whole
from core.errors import WorkspaceInUse, WorkspaceUnreadable

SAME_START = 2.0  # seconds; how exactly the start of a process is known


@dataclass(slots=True)
class _Owner:
    """pid (0 when nobody holds it), host, started (UTC seconds): the process. folder: device and inode of .run; path:
    where it lay."""

    pid: int
    host: str
    started: float
    generation: int
    clean: bool
    folder: str
    path: str


class WorkspaceLock:
    """Held from `acquire` to `release`."""

    def __init__(self, run: Path, held: FileLock, owner: _Owner, last_stop_clean: bool) -> None:
        self._run = run
        self._held = held
        self._owner = owner
        self._last_stop_clean = last_stop_clean

    @property
    def generation(self) -> int:
        return self._owner.generation

    @property
    def last_stop_clean(self) -> bool:
        return self._last_stop_clean

    def release(self, *, clean: bool) -> None:
        """Say how the stop was and let go. May be called twice."""
        if not self._held.is_locked:
            return
        self._owner.pid, self._owner.clean = 0, clean
        try:
            with suppress(OSError):  # the next opening will count this stop as unclean
                _write(self._run, self._owner)
        finally:
            self._held.release()


def acquire(folder: Path) -> WorkspaceLock:
    """Own the workspace in `folder`. Raises WorkspaceInUse, naming who has it, or WorkspaceUnreadable."""
    run = folder / ".run"
    try:
        run.mkdir(mode=FOLDER_MODE, exist_ok=True)
        held = FileLock(run / "lock", timeout=0, mode=FILE_MODE, thread_local=False)
        held.acquire()
    except Timeout:
        who = holder(folder) or "another program"
        raise WorkspaceInUse(f"“{shown(folder)}” is open in {who}. Close it there first.") from None
    except OSError as error:
        raise WorkspaceUnreadable(said(error, shown(folder)).sentence) from error
    try:
        before = _read(run)
        process = psutil.Process()
        owner = _Owner(
            pid=process.pid,
            host=socket.gethostname(),
            started=process.create_time(),
            generation=before.generation + 1 if before else 1,
            clean=False,
            folder=_identity(run),
            path=str(run.resolve()),
        )
        _write(run, owner)
    except OSError as error:
        held.release()
        raise WorkspaceUnreadable(said(error, shown(folder)).sentence) from error
    except BaseException:
        held.release()
        raise
    return WorkspaceLock(run, held, owner, before is None or before.clean)


def holder(folder: Path) -> str | None:
    """Who has the workspace open now, as words that fit behind "open in"; None if nobody has."""
    owner = _read(folder / ".run")
    if owner is None or owner.pid <= 0:
        return None
    if owner.host != socket.gethostname():
        return f"a program on the computer “{owner.host}”" if _is_locked(folder / ".run") else None
    if owner.pid == os.getpid():
        return "this program" if _runs(owner) else None
    return f"another program on this computer (process {owner.pid})" if _runs(owner) else None


def _runs(owner: _Owner) -> bool:
    """True if that very process still lives; another one may have its number by now."""
    try:
        process = psutil.Process(owner.pid)
        return process.status() != psutil.STATUS_ZOMBIE and abs(process.create_time() - owner.started) < SAME_START
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True


def _is_locked(run: Path) -> bool:
    """Ask the lock itself, where the holder's process can't be seen from here."""
    probe = FileLock(run / "lock", timeout=0, mode=FILE_MODE, thread_local=False)
    try:
        with probe:
            return False
    except Timeout:
        return True
    except OSError:
        return False


def _read(run: Path) -> _Owner | None:
    """What owner.json says, if it was written for this folder. A damaged file tells of no clean stop."""
    try:
        text = (run / "owner.json").read_text(encoding="utf-8")
    except OSError:
        return None
    try:
        owner = _Owner(**json.loads(text))
        ours = owner.folder == _identity(run) or owner.path == str(run.resolve())
        return owner if ours else None
    except (ValueError, TypeError):
        return _Owner(0, "", 0.0, 0, False, "", "")


def _write(run: Path, owner: _Owner) -> None:
    write_whole(run / "owner.json", json.dumps(asdict(owner)).encode())


def _identity(run: Path) -> str:
    status = run.stat()
    return f"{status.st_dev}:{status.st_ino}"
