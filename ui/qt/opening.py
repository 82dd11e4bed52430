"""Opening a paper with the system's own program, on a read-only copy that goes away when the workspace closes."""

import asyncio
import os
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path, PurePath

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from core.domain.papers import Paper
from core.domain.workspaces import folder_name
from core.errors import EnvironmentFault, UserError

# fmt: off
PROGRAMS = frozenset({
    "appimage", "apk", "app", "application", "bat", "bin", "cmd", "com", "command", "cpl", "desktop", "dll",
    "exe", "gadget", "hta", "inf", "ins", "jar", "js", "jse", "lnk", "msc", "msi", "msp", "mst", "pif", "pkg",
    "ps1", "psm1", "py", "pyw", "reg", "run", "scf", "scr", "sct", "sh", "terminal", "url", "vb", "vbe", "vbs",
    "wsc", "wsf", "wsh",
})
# fmt: on
"""Endings that a system runs, or that lead elsewhere, instead of showing them."""

LONGEST_ENDING = 12

Export = Callable[[str, Path], Awaitable[None]]
"""Writes the original bytes of a paper (by id) to a path."""


class Opener:
    """Copies lie in `.run/open/` of the workspace, each in a folder of its own, under the paper's real name."""

    def __init__(
        self, workspace: Path, export: Export, show: Callable[[QUrl], bool] = QDesktopServices.openUrl
    ) -> None:
        self._folder = workspace / ".run" / "open"
        self._export = export
        self._show = show

    async def open(self, paper: Paper) -> Path:
        """Show the paper in the program that this system has for it. Answers the copy.

        Raises UserError for what would be run and not shown, EnvironmentFault where no program can be started.
        """
        ending = PurePath(paper.name).suffix.lower().lstrip(".")
        if ending in PROGRAMS:
            raise UserError(f"“{paper.name}” is a program or a link and is not opened from here. Save a copy instead.")
        target = self._folder / f"{paper.id}-{paper.digest[:16]}" / file_name(paper.name)  # its file may have changed
        if not target.exists():
            await asyncio.to_thread(_prepare, self._folder, target.parent)
            await self._export(paper.id, target)
            await asyncio.to_thread(os.chmod, target, 0o400)
        if not self._show(QUrl.fromLocalFile(str(target))):
            raise EnvironmentFault(f"No program here opens “{paper.name}”. Save a copy and open it elsewhere.")
        return target

    def clean(self) -> None:
        """Remove the copies; what another program still holds is removed the next time."""
        shutil.rmtree(self._folder, ignore_errors=True)


def file_name(name: str) -> str:
    """A paper's name as a file name that is safe on Linux, macOS and Windows; its ending stays."""
    stem, dot, ending = name.rpartition(".")
    if not dot or not ending.isalnum():
        return folder_name(name)
    return f"{folder_name(stem)}.{ending[:LONGEST_ENDING]}"


def _prepare(folder: Path, below: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    below.mkdir(mode=0o700, exist_ok=True)
