"""The look: colour tokens for light and dark, measures, and the short style sheet made from both.

Widgets find the tokens through the application's palette and the measures through its font (`tokens`, `px`), so nothing
has to be handed around and a live change reaches everything as Qt's own palette and font change.
Contrast follows WCAG 2.2 AA: 4.5 for text (`TEXT_PAIRS`), 3 for lines and marks that matter (`LINE_PAIRS`).
"""

from dataclasses import dataclass, fields

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from ui.widgets import fonts
from ui.widgets.sheet import style_sheet

BASE = 13  # px, body text at 100 %
SIZES = {"body": 13, "secondary": 12, "caption": 11, "heading": 16, "title": 18}
SCALES = (100, 110, 125, 150, 175, 200)  # per cent


@dataclass(frozen=True, slots=True)
class Tokens:
    """Colours by their use. `line` is for borders that say where a control is; `border` only divides."""

    bg: str
    rail: str
    surface: str
    text: str
    muted: str
    border: str
    line: str
    accent: str
    on: str  # text and icons on the accent
    soft: str  # chips and the chosen place
    hover: str
    mark: str  # behind words that were found
    warn: str
    danger: str
    warn_soft: str
    danger_soft: str

    def color(self, name: str) -> QColor:
        return QColor(getattr(self, name))


LIGHT = Tokens(
    bg="#f6f6f3",
    rail="#efeeea",
    surface="#ffffff",
    text="#1c1b19",
    muted="#625f57",
    border="#e0ded8",
    line="#87837a",
    accent="#2f5d50",
    on="#ffffff",
    soft="#e3ece8",
    hover="#ebeae5",
    mark="#fff1b8",
    warn="#8a5000",
    danger="#a3261d",
    warn_soft="#fbf0dc",
    danger_soft="#fbe9e7",
)

DARK = Tokens(
    bg="#191a1b",
    rail="#141516",
    surface="#202224",
    text="#ecebe7",
    muted="#aaa79f",
    border="#34363a",
    line="#777a80",
    accent="#7fb8a4",
    on="#10201b",
    soft="#26352f",
    hover="#2a2d30",
    mark="#5a4b12",
    warn="#e0a64b",
    danger="#f0958a",
    warn_soft="#362b17",
    danger_soft="#3a2322",
)

_GROUNDS = ("bg", "rail", "surface", "soft", "hover")
TEXT_PAIRS = (
    *((text, ground) for text in ("text", "muted", "accent", "warn", "danger") for ground in _GROUNDS),
    ("text", "mark"),
    ("on", "accent"),
    *((text, "warn_soft") for text in ("text", "warn", "muted")),
    *((text, "danger_soft") for text in ("text", "danger", "muted")),
)
LINE_PAIRS = tuple((line, ground) for line in ("line", "accent") for ground in ("bg", "rail", "surface"))


def tokens() -> Tokens:
    """The tokens that hold now."""
    return DARK if QGuiApplication.palette().color(QPalette.ColorRole.Window).lightness() < 128 else LIGHT


def px(length: float) -> int:
    """A length in pixels at 100 %, at the present scale."""
    size = QApplication.font().pixelSize()  # -1 while no theme has set one
    return round(length * size / BASE) if size > 0 else round(length)


def text_font(size: str = "body", *, strong: bool = False) -> QFont:
    """A font for painting. size: a name in `SIZES`."""
    font = QFont(QApplication.font())
    font.setPixelSize(px(SIZES[size]))
    if strong:
        font.setWeight(QFont.Weight.DemiBold)
    return font


def icon_size(length: float = 18) -> QSize:
    return QSize(px(length), px(length))


class Theme(QObject):
    """Puts the look on the application and follows the system. One object, made at start by the window's owner."""

    changed = Signal()

    def __init__(self, application: QApplication, *, choice: str = "system", scale: int = 100) -> None:
        """choice: "system" | "light" | "dark". scale: per cent, 100 to 200."""
        super().__init__(application)
        self._application = application
        self._choice = choice
        self._scale = scale
        self._family = fonts.load()
        application.setStyle("Fusion")
        for effect in (Qt.UIEffect.UI_AnimateMenu, Qt.UIEffect.UI_AnimateCombo, Qt.UIEffect.UI_AnimateTooltip):
            QApplication.setEffectEnabled(effect, False)
        application.styleHints().colorSchemeChanged.connect(self._system_changed)
        self._apply()

    @property
    def dark(self) -> bool:
        if self._choice != "system":
            return self._choice == "dark"
        return self._application.styleHints().colorScheme() == Qt.ColorScheme.Dark

    @property
    def scale(self) -> int:
        return self._scale

    @property
    def choice(self) -> str:
        return self._choice

    def set_choice(self, choice: str) -> None:
        if choice not in ("system", "light", "dark"):
            raise ValueError(choice)
        self._choice = choice
        self._apply()

    def set_scale(self, scale: int) -> None:
        self._scale = max(SCALES[0], min(SCALES[-1], scale))
        self._apply()

    def _system_changed(self) -> None:
        if self._choice == "system":
            self._apply()

    def _apply(self) -> None:
        chosen = DARK if self.dark else LIGHT
        font = fonts.body(self._family, round(BASE * self._scale / 100))
        self._application.setFont(font)
        self._application.setPalette(palette_of(chosen))
        colours = {field.name: getattr(chosen, field.name) for field in fields(chosen)}
        self._application.setStyleSheet(style_sheet(colours, px))
        self.changed.emit()


def palette_of(chosen: Tokens) -> QPalette:
    """Qt's palette from the tokens, so that whatever we don't style fits in as well."""
    role = QPalette.ColorRole
    colours = {
        role.Window: chosen.bg,
        role.WindowText: chosen.text,
        role.Base: chosen.surface,
        role.AlternateBase: chosen.rail,
        role.Text: chosen.text,
        role.Button: chosen.surface,
        role.ButtonText: chosen.text,
        role.BrightText: chosen.danger,
        role.Highlight: chosen.accent,
        role.HighlightedText: chosen.on,
        role.Accent: chosen.accent,
        role.Link: chosen.accent,
        role.LinkVisited: chosen.accent,
        role.PlaceholderText: chosen.muted,
        role.ToolTipBase: chosen.surface,
        role.ToolTipText: chosen.text,
        role.Light: chosen.surface,
        role.Midlight: chosen.hover,
        role.Mid: chosen.border,
        role.Dark: chosen.line,
        role.Shadow: chosen.border,
    }
    palette = QPalette()
    for key, colour in colours.items():
        palette.setColor(key, QColor(colour))
    for key in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        palette.setColor(QPalette.ColorGroup.Disabled, key, QColor(chosen.muted))
    palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(chosen.border))
    return palette
