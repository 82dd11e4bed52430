"""Crash reports: what went wrong in the program, without anything of a workspace.

A report names the kind of error and the lines of our code and of libraries it passed through. The text of an
exception is
left out: it may hold words of a paper.
"""

import contextlib
import logging
import os
import platform
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

KEPT = 20
log = logging.getLogger("muniment")


def describe(error: BaseException) -> str:
    """The error as a report: type and places, of it and of its causes."""
    parts: list[str] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        parts.append(f"{type(current).__module__}.{type(current).__qualname__}")
        for frame in traceback.extract_tb(current.__traceback__):
            parts.append(f"  {_short(frame.filename)}:{frame.lineno} in {frame.name}")
        if isinstance(current, BaseExceptionGroup):
            parts.extend(describe(inner) for inner in current.exceptions)
        current = current.__cause__ or current.__context__
    return "\n".join(parts)


def _short(filename: str) -> str:
    """The last parts of a path: enough to find the line, without the person's folders."""
    return "/".join(Path(filename).parts[-3:])


def open_private(path: str, flags: int) -> int:
    """Opener of files that their owner alone can read."""
    return os.open(path, flags, 0o600)


class CrashFiles:
    """Writes one file a crash into a private folder and keeps the newest few."""

    def __init__(self, folder: Path, version: str) -> None:
        self._folder = folder
        self._version = version

    def write(self, error: BaseException) -> Path | None:
        """The report's path; None where it could not be written (then the log has it)."""
        report = "\n".join(
            (
                f"Muniment {self._version}, Python {platform.python_version()}, {platform.platform()}",
                time.strftime("%Y-%m-%d %H:%M:%S %z"),
                describe(error),
                "",
            )
        )
        log.error("crash: %s", type(error).__name__)
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            path = self._folder / f"crash-{time.strftime('%Y%m%d-%H%M%S')}-{time.monotonic_ns() % 1_000_000:06}.txt"
            with open(path, "x", encoding="utf-8", errors="replace", opener=open_private) as file:
                file.write(report)
            for old in sorted(self._folder.glob("crash-*.txt"))[:-KEPT]:
                with contextlib.suppress(OSError):
                    old.unlink()
        except OSError:
            return None
        return path


def catch_everything(report: Callable[[BaseException], object]) -> None:
    """Have errors that nobody caught, in any thread, end in a report."""

    def on_error(kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, _trace)
        else:
            report(error)

    def on_thread_error(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
            report(args.exc_value)

    sys.excepthook = on_error
    threading.excepthook = on_thread_error
