"""A virtual screen with a window manager, and a person at its mouse and keyboard (Xvfb, openbox, xdotool)."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("Xvfb", "openbox", "xdotool")
PATIENCE = 20.0  # seconds until a window has to be there
STEPS = 12  # of a drag; a target needs several moves to answer
STEP = 0.04  # seconds between them

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Window:
    """A window on the screen, by its X id."""

    id: str
    x: int
    y: int
    width: int
    height: int

    @property
    def centre(self) -> Point:
        return self.x + self.width // 2, self.y + self.height // 2


class Screen:
    """Starts programs on a display and acts as a person would. All calls wait until they are done."""

    def __init__(self, display: str) -> None:
        self.environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
        self.environment.pop("WAYLAND_DISPLAY", None)

    @contextmanager
    def program(
        self, *arguments: str | Path, log: Path, environment: Mapping[str, str] | None = None
    ) -> Iterator[subprocess.Popen[bytes]]:
        """Run this Python with `arguments` on the screen; its output goes to `log`. Ends it on the way out.
        environment: what differs from the screen's own."""
        with log.open("wb") as output:
            command = [sys.executable, *arguments]
            given = {**self.environment, **(environment or {})}
            process = subprocess.Popen(
                command, cwd=ROOT, env=given, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
            try:
                yield process
            finally:
                process.terminate()
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait(10)

    def window(self, title: str) -> Window:
        """Return the newest visible window whose title matches the pattern. Raises TimeoutError."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            found = self._xdotool("search", "--onlyvisible", "--name", title, check=False).split()
            if found:
                return self._geometry(found[-1])
            time.sleep(0.1)
        raise TimeoutError(f"no window titled {title!r} after {PATIENCE:.0f} s")

    def activate(self, window: Window) -> None:
        """Bring a window to the front and give it the keyboard."""
        self._xdotool("windowactivate", "--sync", window.id)

    def click(self, at: Point) -> None:
        """Click with the left button."""
        self._xdotool("mousemove", *map(str, at), "click", "1")

    def type(self, text: str) -> None:
        """Type text."""
        self._xdotool("type", "--delay", "20", text)

    def key(self, keys: str) -> None:
        """Press a key or a combination, in xdotool's spelling: ctrl+k, Return."""
        self._xdotool("key", keys)

    def drag(self, start: Point, end: Point) -> None:
        """Press, cross the threshold at which a drag begins, go on in steps that the target can answer, let go."""
        self._xdotool("mousemove", *map(str, start))
        time.sleep(0.2)
        self._xdotool("mousedown", "1")
        time.sleep(0.15)
        for _ in range(3):
            self._xdotool("mousemove_relative", "--", "8", "4")
            time.sleep(0.05)
        for step in range(1, STEPS + 1):
            x, y = (int(a + (b - a) * step / STEPS) for a, b in zip(start, end, strict=True))
            self._xdotool("mousemove", str(x), str(y))
            time.sleep(STEP)
        time.sleep(0.25)
        self._xdotool("mouseup", "1")

    def _geometry(self, window: str) -> Window:
        lines = self._xdotool("getwindowgeometry", "--shell", window).split()
        values = dict(line.split("=", 1) for line in lines)
        return Window(window, *(int(values[name]) for name in ("X", "Y", "WIDTH", "HEIGHT")))

    def _xdotool(self, *arguments: str, check: bool = True) -> str:
        done = subprocess.run(
            ["xdotool", *arguments], env=self.environment, capture_output=True, text=True, check=check, timeout=30
        )
        return done.stdout


def missing_tools() -> list[str]:
    """Return the tools that a virtual screen needs and that aren't here."""
    return [tool for tool in TOOLS if shutil.which(tool) is None]


@contextmanager
def virtual_screen() -> Iterator[Screen]:
    """Run a display of 1400 by 900 with a window manager; the display's number is one that is free."""
    with ExitStack() as stack:
        reading, writing = os.pipe()
        size = ("-screen", "0", "1400x900x24", "-nolisten", "tcp", "-noreset")
        display = stack.enter_context(_quiet(["Xvfb", "-displayfd", str(writing), *size], passing=writing))
        os.close(writing)
        with os.fdopen(reading) as answers:
            number = answers.readline().strip()
        if not number:
            raise RuntimeError(f"Xvfb ended with {display.wait(5)}")
        screen = Screen(f":{number}")
        stack.enter_context(_quiet(["openbox", "--sm-disable"], environment=screen.environment))
        yield screen


@contextmanager
def _quiet(
    command: list[str], *, environment: dict[str, str] | None = None, passing: int | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        command,
        env=environment,
        pass_fds=() if passing is None else (passing,),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(10)
