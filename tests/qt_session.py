"""Qt for tests: one application and one qasync loop for the session.

Loaded by the conftest of ui/ and e2e/ alone, so that the core's tests run where Qt can't even be loaded.
"""

import asyncio
import gc
import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import qasync
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt import plugin as pytest_qt

from ui.qt.collecting import collect_if_due


def load(config: pytest.Config) -> None:
    """Load this module and pytest-qt as plugins, once; called while a conftest is configured."""
    manager = config.pluginmanager
    if manager.has_plugin("pytestqt.plugin"):
        return
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("QT_ACCESSIBILITY", "1")
    os.environ["PYTEST_QT_API"] = "pyside6"
    # pytest-qt comes after the command line was read, so its options have no values yet.
    for option, value in {"qt_log": True, "qt_log_format": None}.items():
        if not hasattr(config.option, option):
            setattr(config.option, option, value)
    manager.import_plugin("pytestqt.plugin")
    manager.register(sys.modules[__name__], __name__)


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    """The arguments that the application is made with."""
    return ["muniment-tests"]


class SessionLoop(qasync.QEventLoop):
    """qasync's loop without the last turn that it takes after it was stopped: a task whose turn comes in it would find
    no running loop."""

    def run_until_complete(self, future: Any) -> Any:
        task = asyncio.ensure_future(future, loop=self)

        def stop(_: object) -> None:
            self.stop()

        task.add_done_callback(stop)
        try:
            self.run_forever()
        finally:
            task.remove_done_callback(stop)
        return task.result()


@pytest.fixture(scope="session")
def qt_loop(qapp: QApplication) -> Iterator[asyncio.AbstractEventLoop]:
    """The one qasync loop of the session."""
    # Closing the last window would stop the loop inside run_until_complete.
    qapp.setQuitOnLastWindowClosed(False)
    qapp.setStyle("Fusion")
    loop = SessionLoop(qapp)
    asyncio.set_event_loop(loop)
    # pytest-qt runs Qt's events between the parts of a test; a task whose turn comes then must find its loop running.
    gc.disable()  # as in the program: what is collected may be Qt's, and only this thread may free that
    processed = pytest_qt._process_events
    pytest_qt._process_events = lambda: loop.run_until_complete(asyncio.sleep(0))
    yield loop
    gc.enable()
    pytest_qt._process_events = processed
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
    asyncio.set_event_loop(None)


@pytest.fixture
def nothing_left_open(qapp: QApplication, qt_loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Fail a test that leaves a window open."""
    yield
    left = [widget for widget in qapp.topLevelWidgets() if widget.isVisible()]
    names = [f"{type(widget).__name__} {widget.windowTitle()!r}" for widget in left]
    for widget in left:
        widget.close()
        widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    qt_loop.run_until_complete(asyncio.sleep(0))
    collect_if_due()
    assert not left, f"windows left open: {names}"


@pytest.fixture
def nothing_said_by_qt(qtlog: Any) -> Iterator[None]:
    """Fail a test during which Qt warns, also while it is taken down."""
    yield
    # Names of pytest-qt's records; what a test names in @pytest.mark.qt_log_ignore is marked as ignored.
    serious = {"WARNING", "CRITICAL", "FATAL"}
    stray = [record.message for record in qtlog.records if record.log_type_name in serious and not record.ignored]
    # What the offscreen platform can't do is no fault of the program.
    stray = [message for message in stray if "This plugin does not support" not in message]
    assert not stray, f"Qt warned: {stray}"
