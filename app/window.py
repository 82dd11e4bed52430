"""The window's life: application, loop, first workspace, ordered shutdown."""

import asyncio
import gc
import os
import signal
import sys
from pathlib import Path

import qasync
from PySide6.QtWidgets import QApplication

from app import VERSION
from app.bootstrap import Program
from app.crash import CrashFiles, catch_everything
from app.logs import log_to
from app.paths import Paths, default_parent, resources
from app.sample import fill
from core.domain.workspaces import KnownState
from core.errors import EnvironmentFault
from ui.qt import settings as declared
from ui.qt.collecting import Collector
from ui.qt.settings import Settings
from ui.shell.places import PLACES, SEARCH
from ui.shell.window import MainWindow
from ui.widgets.theme import Theme

SAMPLE = "Northside Clinic"
SAY_WHEN_READY = "MUNIMENT_SAY_WHEN_READY"  # environment variable: print a line once the window can be used (measuring)


class Life:
    """One run of the program with a window. Make it before the loop runs; `begin` and `end` inside."""

    def __init__(self, application: QApplication, paths: Paths) -> None:
        application.setApplicationName("Muniment")
        application.setApplicationVersion(VERSION)
        application.setQuitOnLastWindowClosed(False)  # the loop ends when everything is saved, not before
        self.paths = paths
        self.crashes = CrashFiles(paths.crashes, VERSION)
        self.settings = Settings(paths.config / "settings.ini")
        self.theme = Theme(
            application, choice=self.settings.get(declared.THEME), scale=self.settings.get(declared.SCALE)
        )
        self.quitting = asyncio.Event()
        self.sample = resources() / "sample"
        self._to_fill: Path | None = None
        self._collector: Collector | None = None

    async def begin(self, *, sample: bool = False) -> MainWindow:
        """Show the window on the last workspace, or on the sample."""
        catch_everything(self.crashes.write)
        self.program = Program.build(self.paths, report=self._report)
        self.window = MainWindow(
            self.program.workspaces,
            PLACES,
            SEARCH,
            self.settings,
            self.theme,
            parent_folder=default_parent(),
            make_sample=self.make_sample,
            on_defect=self.crashes.write,
            version=VERSION,
        )
        self.window.quit_wanted.connect(self.quitting.set)
        self.window.desk.switched.connect(self._switched)
        self.window.show()
        if sample:
            await self.window.desk.open_sample()
        else:
            await self.window.desk.open_last()
        # What the start has made stays until the end. Searched for garbage again and again, it stalls the loop for
        # up to a tenth of a second.
        gc.freeze()
        self._collector = Collector(self.window)
        return self.window

    async def end(self) -> None:
        """Close the workspace, then the window. Writes that were asked for are finished."""
        if self._collector is not None:
            self._collector.stop()
        await self.window.shut()
        await self.program.close()

    async def make_sample(self) -> Path:
        """The sample workspace's folder; made where it isn't yet, beside the program's own data."""
        known = {entry.path for entry in await self.program.workspaces.list() if entry.state is not KnownState.MISSING}
        parent = self.paths.data / "Sample"
        path = (parent / SAMPLE).resolve()
        if path in known:
            return path
        if path.exists():
            return (await self.program.workspaces.add(path)).path
        parent.mkdir(parents=True, exist_ok=True)
        self._to_fill = (await self.program.workspaces.create(parent, SAMPLE)).path
        return self._to_fill

    def _switched(self) -> None:
        """Fill a new sample once it is open, so that its papers come in before the person's eyes."""
        workspace = self.program.workspaces.current
        if workspace is not None and workspace.info.path == self._to_fill and self.window.desk.session is not None:
            self._to_fill = None
            self.window.desk.session.writes.start(fill(workspace, self.sample))

    def _report(self, error: BaseException) -> None:
        self.window.problems.report(error)


def run_window(*, sample: bool) -> int:
    """Open the window and answer the exit code when it has closed. Raises EnvironmentFault."""
    if not _has_screen():
        raise EnvironmentFault("There is no screen here. The command line works without one: muniment --help")
    paths = Paths.of_user()
    log_to(paths.log)
    application = QApplication(sys.argv[:1])
    loop = qasync.QEventLoop(application)
    with loop:
        return loop.run_until_complete(_live(application, paths, sample))


def _has_screen() -> bool:
    """Qt ends the process where there is none; whoever chose a platform (off screen) knows better."""
    named = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return not sys.platform.startswith("linux") or any(os.environ.get(name) for name in named)


async def _live(application: QApplication, paths: Paths, sample: bool) -> int:
    life = Life(application, paths)
    if os.name == "posix":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, life.quitting.set)
    application.commitDataRequest.connect(lambda _manager: life.quitting.set())
    try:
        await life.begin(sample=sample)
        if os.environ.get(SAY_WHEN_READY):
            print("ready", flush=True)
        await life.quitting.wait()
    except EnvironmentFault as fault:
        print(fault.sentence, file=sys.stderr)
        return 4
    finally:
        await life.end()
    return 0
