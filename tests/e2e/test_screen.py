"""The virtual screen carries a real drag from one process to another, and typed keys."""

import time
from pathlib import Path

import pytest

from tests.e2e.screen import Screen

TARGET = """
import sys
from PySide6.QtWidgets import QApplication, QLineEdit

class Target(QLineEdit):
    def dragEnterEvent(self, event):
        event.acceptProposedAction()
    def dropEvent(self, event):
        print("dropped", *[url.toLocalFile() for url in event.mimeData().urls()], flush=True)
        event.acceptProposedAction()

application = QApplication(["target"])
target = Target()
target.setAcceptDrops(True)
target.textChanged.connect(lambda text: print("typed", text, flush=True))
target.setWindowTitle("Drop target")
target.setGeometry(60, 60, 400, 200)
target.show()
application.exec()
"""


def test_drop_and_typing(screen: Screen, tmp_path: Path) -> None:
    program, log = tmp_path / "target.py", tmp_path / "target.log"
    program.write_text(TARGET, encoding="utf-8")
    letter = tmp_path / "a letter é.txt"
    letter.write_text("x", encoding="utf-8")
    source = Path(__file__).with_name("drag_source.py")
    with screen.program(program, log=log), screen.program(source, letter, log=tmp_path / "source.log"):
        target = screen.window("Drop target")
        screen.drag(screen.window("Drag source").centre, target.centre)
        wait_for(log, f"dropped {letter}")
        screen.activate(target)
        screen.click(target.centre)
        screen.type("Kowalski 42")
        wait_for(log, "typed Kowalski 42")


def wait_for(log: Path, text: str) -> None:
    """Wait until the program has said `text`."""
    deadline = time.monotonic() + 10
    while text not in log.read_text(encoding="utf-8"):
        if time.monotonic() > deadline:
            pytest.fail(f"{text!r} is not in: {log.read_text(encoding='utf-8')!r}")
        time.sleep(0.05)
