"""A person at the real window: starts the program, uses mouse and keyboard, reads what it says and what it keeps."""

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.adapters.sqlite import driver
from tests.app.terminal import Terminal
from tests.e2e.screen import Screen, Window

if TYPE_CHECKING:  # the accessibility bus is there on Linux alone
    from tests.e2e.accessibility import Node, Reader

PATIENCE = 40.0  # seconds until something has to be kept
ENDING = 20.0  # seconds until the program has closed


@dataclass
class Opened:
    """The program while it runs. log: what it printed."""

    process: "subprocess.Popen[bytes]"
    window: Window
    log: Path
    reader: "Reader"
    screen: Screen

    def says(self, text: str, role: str = "") -> "Node":
        """Wait until something that is shown has this in its name."""
        return self.reader.wait_for(self.process.pid, text, role)

    def says_no_more(self, text: str) -> None:
        """Wait until nothing that is shown has this in its name."""
        self.reader.wait(
            self.process.pid,
            lambda shown: shown and not any(text in node.name for node in shown),
            f"{text!r} is still shown",
        )

    def has_keyboard(self, name: str) -> "Node":
        """Wait until the keyboard is in something whose name holds this."""

        def wanted(shown: "list[Node]") -> "Node | None":
            return next((node for node in shown if node.focused and name in node.name), None)

        return self.reader.wait(self.process.pid, wanted, f"the keyboard is not in {name!r}")

    def end(self) -> tuple[int, str]:
        """Wait until it has closed; exit code, and what it printed."""
        return self.process.wait(ENDING), self.log.read_text(encoding="utf-8")


class AtWork:
    """The person's home, screen and screen reader."""

    def __init__(self, terminal: Terminal, screen: Screen, reader: "Reader", environment: dict[str, str]) -> None:
        self.terminal = terminal
        self.screen = screen
        self._reader = reader
        self._environment = {**terminal.environment, **screen.environment, **environment}
        for name in ("HOME", "TMPDIR", *(name for name in terminal.environment if name.startswith("XDG_"))):
            self._environment[name] = terminal.environment[name]

    @property
    def data(self) -> Path:
        return self.terminal.home / ".local" / "share" / "Muniment"

    def workspace(self, name: str) -> Path:
        """Make a workspace; the program opens it when it starts."""
        answer = self.terminal.run("workspace", "create", name, "--in", self.terminal.home, "--json")
        known = self.data / "workspaces.toml"
        known.write_text(f"last_opened = {json.dumps(answer.json['path'])}\n{known.read_text('utf-8')}", "utf-8")
        return Path(answer.json["path"])

    @contextmanager
    def program(self, *arguments: str, title: str) -> Iterator[Opened]:
        """Run the program until the block ends; its window has the title."""
        log = self.terminal.home / f"{time.monotonic_ns()}-output"
        with self.screen.program("-m", "app", *arguments, log=log, environment=self._environment) as process:
            window = self.screen.window(f"^{title} — Muniment$")
            self.screen.activate(window)
            opened = Opened(process, window, log, self._reader, self.screen)
            opened.says(title, "frame")
            yield opened

    @contextmanager
    def dragging(self, *files: Path) -> Iterator[tuple[Window, Path]]:
        """Run another program that files can be dragged from; answers its window and what it prints."""
        log = self.terminal.home / "source-output"
        source = Path(__file__).with_name("drag_source.py")
        with self.screen.program(source, *files, log=log, environment=self._environment):
            yield self.screen.window("^Drag source$"), log


def papers(workspace: Path) -> dict[str, str]:
    """Name to state of the papers that are in the workspace's lists, read from its database beside the program."""
    connection, _ = driver.connect(workspace / "workspace.db", None, read_only=True)
    try:
        return dict(connection.execute("SELECT name, state FROM papers WHERE removed_at IS NULL").fetchall())
    finally:
        connection.close()


def wait_for_papers(workspace: Path, holds: Callable[[dict[str, str]], Any]) -> dict[str, str]:
    """Wait until `holds` is true of the papers."""
    deadline = time.monotonic() + PATIENCE
    while not holds(found := papers(workspace)):
        if time.monotonic() > deadline:
            raise TimeoutError(f"the papers are {found}")
        time.sleep(0.1)
    return found


def owner(workspace: Path) -> dict[str, Any]:
    """Who holds the workspace, and how it was closed."""
    return json.loads((workspace / ".run" / "owner.json").read_text(encoding="utf-8"))
