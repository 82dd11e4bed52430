"""A day without a screen: what `start` does where there is no display."""

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests.app.terminal import Terminal


@pytest.mark.timeout(150)
def test_a_day_takes_papers_in_finds_them_and_names_its_pictures(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "home")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        terminal.environment.pop(name, None)
    answer = terminal.run("--offscreen", "--sample", patience=140)
    assert (answer.code, answer.err) == (0, ""), answer.out
    assert re.search(r"^Papers: (\d+)$", answer.out, re.MULTILINE)
    assert re.search(r"^(\d+) of \1 questions found their paper\.", answer.out, re.MULTILINE)
    assert re.search(r"^(\d+) of \1 passages can be found by meaning\.$", answer.out, re.MULTILINE)
    pictures = [Path(line.strip()) for line in answer.out.split("Pictures of the window:\n")[1].splitlines()]
    assert len(pictures) > 10
    for picture in pictures:
        image = QImage(str(picture))
        assert (image.width(), image.height()) == (1280, 800), picture
        assert len({image.pixel(x, y) for x in range(0, 1280, 16) for y in range(0, 800, 16)}) > 8, picture
