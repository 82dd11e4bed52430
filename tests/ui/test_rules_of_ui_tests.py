"""The session that windows are tested in: one loop, and nothing stays open."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import qasync
from PySide6.QtWidgets import QApplication, QWidget

ROOT = Path(__file__).resolve().parents[2]


async def test_loop_is_qasync(qapp: QApplication) -> None:
    assert isinstance(asyncio.get_running_loop(), qasync.QEventLoop)
    assert not qapp.quitOnLastWindowClosed()
    window = QWidget()
    window.show()
    await asyncio.sleep(0)
    window.close()


def test_rules_are_kept(tmp_path: Path) -> None:
    """An open window, a Qt warning and a lost exception in a slot each fail their test."""
    source = """
from PySide6.QtCore import QObject, QTimer, Signal, qWarning
from PySide6.QtWidgets import QWidget

windows = []

async def test_window_left_open():
    windows.append(QWidget())
    windows[0].show()

def test_qt_warning():
    qWarning("something is odd")

def test_exception_in_slot(qapp):
    class Sender(QObject):
        sent = Signal()
    def slot():
        raise ValueError("lost")
    sender = Sender()
    sender.sent.connect(slot)
    sender.sent.emit()
"""
    (tmp_path / "conftest.py").write_text((ROOT / "tests/ui/conftest.py").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "test_session.py").write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT)]
    command += ["-p", "tests.conftest", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    session = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert "windows left open" in session.stdout, session.stdout + session.stderr
    assert "Qt warned: ['something is odd']" in session.stdout
    assert "1 failed, 2 passed, 2 errors" in session.stdout, session.stdout
