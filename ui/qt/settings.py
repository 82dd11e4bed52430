"""Settings of the window: each declared once, kept in one ini file in the user's configuration folder.

Nothing of a workspace stands here but the place that was shown last. The docs list is made from `DECLARED`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from PySide6.QtCore import QObject, QRect, QSettings, Signal

T = TypeVar("T", str, int, bool)


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """key: "look/theme". choices: allowed values, empty where free. shown: False for what only the window writes."""

    key: str
    default: T
    title: str
    help: str
    choices: tuple[T, ...] = ()
    shown: bool = True


THEME = Setting(
    "look/theme", "system", "Colours", "Light, dark, or as this computer has it.", ("system", "light", "dark")
)
SCALE = Setting(
    "look/scale", 100, "Size of text", "In per cent; everything grows with it.", (100, 110, 125, 150, 175, 200)
)
MODE = Setting(
    "search/mode",
    "both",
    "Search by",
    "Words, meaning, or both, when a search begins.",
    ("both", "words", "meaning"),
)
RAIL_FOLDED = Setting("window/rail_folded", False, "Fold the rail", "The rail at the left shows icons alone.")
INSPECTOR_FOLDED = Setting("window/inspector_folded", False, "Fold the details", "The details at the right are hidden.")
INSPECTOR_WIDTH = Setting("window/inspector_width", 376, "Width of the details", "In pixels at 100 %.", shown=False)
GEOMETRY = Setting("window/geometry", "", "Place of the window", "x, y, width, height in pixels.", shown=False)
MAXIMIZED = Setting("window/maximized", False, "Window fills the screen", "As it was left.", shown=False)
LAST_PLACE = Setting("window/last_place", "", "Last place", "The place that is shown at start.", shown=False)

DECLARED: tuple[Setting[Any], ...] = (
    THEME,
    SCALE,
    MODE,
    RAIL_FOLDED,
    INSPECTOR_FOLDED,
    INSPECTOR_WIDTH,
    GEOMETRY,
    MAXIMIZED,
    LAST_PLACE,
)


class Settings(QObject):
    """Reads and writes declared settings. `changed(key)` after a value became another."""

    changed = Signal(str)

    def __init__(self, file: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.file = file
        self._store = QSettings(str(file), QSettings.Format.IniFormat)

    def get(self, setting: Setting[T]) -> T:
        """The value; the default where the file has none, or nonsense."""
        kind = type(setting.default)
        raw = self._store.value(setting.key, setting.default)
        try:
            value = _parsed(raw, kind)
        except (TypeError, ValueError):
            return setting.default
        if setting.choices and value not in setting.choices:
            return setting.default
        return cast("T", value)

    def set(self, setting: Setting[T], value: T) -> None:
        if setting.choices and value not in setting.choices:
            raise ValueError(f"{setting.key} can't be {value!r}")
        if self.get(setting) == value:
            return
        self._store.setValue(setting.key, str(value).lower() if isinstance(value, bool) else value)
        self.changed.emit(setting.key)

    def save(self) -> None:
        """Write to disk now; Qt replaces the file in one step."""
        self._store.sync()


def _parsed(raw: object, kind: type[object]) -> object:
    if kind is bool:
        if isinstance(raw, bool):
            return raw
        if str(raw) not in ("true", "false"):
            raise ValueError(raw)
        return str(raw) == "true"
    return kind(raw)  # type: ignore[call-arg]


# ---- the place of a window on the screens that are there -------------------------------------------------------------


def geometry_text(rect: QRect) -> str:
    return f"{rect.x()},{rect.y()},{rect.width()},{rect.height()}"


def geometry_from(text: str) -> QRect | None:
    try:
        x, y, width, height = (int(part) for part in text.split(","))
    except ValueError:
        return None
    return QRect(x, y, width, height) if width > 0 and height > 0 else None


GRIP = 80  # px of the window's top that must be on a screen, so that it can be seen and moved


def fit(wanted: QRect | None, screens: Sequence[QRect], size: tuple[int, int]) -> QRect:
    """Where a window goes. wanted: where it was. screens: areas free for windows, the main one first. size: at first.

    A window that would lie outside every screen comes to the middle of the main one; it is never larger than its
    screen.
    """
    main = screens[0]
    home = main
    if wanted is not None:
        top = QRect(wanted.x(), wanted.y(), wanted.width(), GRIP)
        seen = [(screen.intersected(top), screen) for screen in screens]
        best, home = max(seen, key=lambda pair: pair[0].width() * max(0, pair[0].height()))
        if best.width() >= GRIP and best.height() >= GRIP // 2:
            width, height = min(wanted.width(), home.width()), min(wanted.height(), home.height())
            x = max(home.left(), min(wanted.x(), home.right() + 1 - width))
            y = max(home.top(), min(wanted.y(), home.bottom() + 1 - height))
            return QRect(x, y, width, height)
        size, home = (wanted.width(), wanted.height()), main
    width, height = min(size[0], home.width()), min(size[1], home.height())
    return QRect(home.left() + (home.width() - width) // 2, home.top() + (home.height() - height) // 2, width, height)
