"""Settings, and where a window goes on the screens that are there."""

from pathlib import Path

import pytest
from PySide6.QtCore import QRect

from ui.qt import settings as declared
from ui.qt.settings import DECLARED, Settings, fit, geometry_from, geometry_text

MAIN, SECOND = QRect(0, 0, 1920, 1040), QRect(1920, 0, 1280, 1024)


def test_values_come_back(tmp_path: Path) -> None:
    file = tmp_path / "settings.ini"
    settings = Settings(file)
    assert settings.get(declared.THEME) == "system"
    heard: list[str] = []
    settings.changed.connect(heard.append)
    settings.set(declared.THEME, "dark")
    settings.set(declared.THEME, "dark")
    settings.set(declared.SCALE, 150)
    settings.set(declared.RAIL_FOLDED, True)
    settings.save()
    assert heard == ["look/theme", "look/scale", "window/rail_folded"]
    again = Settings(file)
    assert again.get(declared.THEME) == "dark"
    assert again.get(declared.SCALE) == 150
    assert again.get(declared.RAIL_FOLDED) is True


def test_nonsense_in_the_file_is_the_default(tmp_path: Path) -> None:
    file = tmp_path / "settings.ini"
    file.write_text("[look]\ntheme=purple\nscale=huge\n[window]\nrail_folded=perhaps\n")
    settings = Settings(file)
    assert settings.get(declared.THEME) == "system"
    assert settings.get(declared.SCALE) == 100
    assert settings.get(declared.RAIL_FOLDED) is False
    with pytest.raises(ValueError):
        settings.set(declared.THEME, "purple")


def test_declared_once_and_explained() -> None:
    assert len({setting.key for setting in DECLARED}) == len(DECLARED)
    assert all(setting.title and setting.help for setting in DECLARED)


@pytest.mark.parametrize(
    ("wanted", "screens", "expected"),
    [
        (None, [MAIN], QRect(320, 120, 1280, 800)),  # the first time: in the middle
        (QRect(100, 80, 1000, 700), [MAIN], QRect(100, 80, 1000, 700)),  # as it was
        (QRect(2000, 50, 1000, 700), [MAIN, SECOND], QRect(2000, 50, 1000, 700)),  # on the second screen
        (QRect(2000, 50, 1000, 700), [MAIN], QRect(460, 170, 1000, 700)),  # the second screen is gone
        (QRect(100, -400, 1000, 700), [MAIN], QRect(460, 170, 1000, 700)),  # its top is out of reach
        (QRect(0, 0, 5000, 3000), [MAIN], QRect(0, 0, 1920, 1040)),  # larger than the screen
        (QRect(1800, 900, 1000, 700), [MAIN], QRect(920, 340, 1000, 700)),  # half outside
        (None, [QRect(0, 0, 800, 500)], QRect(0, 0, 800, 500)),  # a small screen
    ],
)
def test_window_is_always_within_reach(wanted: QRect | None, screens: list[QRect], expected: QRect) -> None:
    assert fit(wanted, screens, (1280, 800)) == expected


def test_geometry_as_text() -> None:
    assert geometry_from(geometry_text(QRect(-5, 7, 800, 600))) == QRect(-5, 7, 800, 600)
    assert geometry_from("") is None
    assert geometry_from("1,2,3") is None
    assert geometry_from("1,2,0,0") is None
