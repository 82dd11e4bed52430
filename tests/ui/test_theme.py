"""The look: contrast of every pair in use, live changes, sizes, icons."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QApplication

from ui.widgets import icons
from ui.widgets.basics import Button, IconButton, label
from ui.widgets.chips import ChoiceChip
from ui.widgets.sheet import style_sheet
from ui.widgets.theme import DARK, LIGHT, LINE_PAIRS, SCALES, TEXT_PAIRS, Theme, Tokens, px, tokens

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    made = Theme(qapp, choice="light")
    yield made
    made.set_choice("light")
    made.set_scale(100)


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance of an sRGB colour."""

    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    c = QColor(colour)
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF())


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("chosen", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT_PAIRS)
def test_text_can_be_read(chosen: Tokens, text: str, ground: str) -> None:
    assert contrast(getattr(chosen, text), getattr(chosen, ground)) >= 4.5


@pytest.mark.parametrize("chosen", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("line", "ground"), LINE_PAIRS)
def test_lines_that_matter_can_be_seen(chosen: Tokens, line: str, ground: str) -> None:
    assert contrast(getattr(chosen, line), getattr(chosen, ground)) >= 3


def test_every_colour_pair_of_the_style_sheet_is_checked() -> None:
    """A rule that sets text and ground uses a pair of `TEXT_PAIRS` (the toast turns text and ground round)."""
    names = {name: f"<{name}>" for name in LIGHT.__dataclass_fields__}
    sheet = style_sheet(names, lambda length: int(length))
    used = set()
    for rule in re.findall(r"\{([^}]*)\}", sheet):
        text = re.search(r"(?<![-\w])color: <(\w+)>", rule)
        ground = re.search(r"background: <(\w+)>", rule)
        if text and ground:
            used.add((text[1], ground[1]))
    assert used
    assert used <= {*TEXT_PAIRS, ("muted", "border")} | {(ground, text) for text, ground in TEXT_PAIRS}


def test_colours_change_while_the_window_is_there(theme: Theme, qtbot) -> None:
    button = Button("Add papers", icon="plus")
    qtbot.addWidget(button)
    button.show()
    before = button.grab().toImage().pixelColor(5, 15)
    theme.set_choice("dark")
    assert tokens() is DARK
    assert button.grab().toImage().pixelColor(5, 15) != before


def test_follows_the_system(qapp: QApplication, theme: Theme) -> None:
    from PySide6.QtCore import Qt

    theme.set_choice("system")
    heard: list[bool] = []
    theme.changed.connect(lambda: heard.append(theme.dark))
    qapp.styleHints().setColorScheme(Qt.ColorScheme.Dark)
    try:
        if qapp.styleHints().colorScheme() == Qt.ColorScheme.Dark:  # the platform passes it on
            assert tokens() is DARK
            assert heard[-1] is True
        assert theme.dark == (qapp.styleHints().colorScheme() == Qt.ColorScheme.Dark)
    finally:
        qapp.styleHints().unsetColorScheme()


@pytest.mark.parametrize("scale", SCALES)
def test_targets_grow_and_nothing_is_cut(theme: Theme, qtbot, scale: int) -> None:
    theme.set_scale(scale)
    for made in (
        Button("Take this workspace off the list", kind="primary", icon="plus"),
        IconButton("x", "Close"),
        ChoiceChip("State", [("", "Needs your attention"), ("x", "Other")]),
    ):
        qtbot.addWidget(made)
        made.show()
        made.adjustSize()
        assert made.height() >= px(28)
        assert made.width() >= made.sizeHint().width()
        words = made.fontMetrics().horizontalAdvance(made.text()) if made.text() else 0
        assert made.width() >= words + made.iconSize().width()
    text = label("Found because", "title")
    qtbot.addWidget(text)
    text.show()
    assert text.fontMetrics().height() >= round(18 * scale / 100)


def test_scale_stays_in_its_bounds(theme: Theme) -> None:
    theme.set_scale(900)
    assert theme.scale == 200
    theme.set_scale(10)
    assert theme.scale == 100


def test_icons_are_tinted_and_sharp(theme: Theme) -> None:
    icon = icons.icon("search", "accent")
    image = icon.pixmap(QSize(18, 18), 2.0).toImage()
    assert image.width() == 36
    seen = [image.pixelColor(x, y) for x in range(36) for y in range(36)]
    strongest = max(seen, key=lambda colour: colour.alpha())
    assert strongest.name() == LIGHT.accent
    theme.set_choice("dark")
    assert QIcon(icon).pixmap(QSize(18, 18)).toImage().pixelColor(9, 9).alpha() in range(256)
    with pytest.raises(FileNotFoundError):
        icons.icon("there is no such icon")


def test_every_icon_that_is_named_is_there() -> None:
    """Names of icons stand in many files as plain words; a missing one would show only when it is painted."""
    named: set[str] = set()
    pattern = re.compile(
        r"(?:icon=|IconLabel\(|IconButton\(|icons\.icon\(|icons\.paint\(painter, |Empty\(\s*)\"([a-z0-9-]+)\""
    )
    for file in (ROOT / "ui").rglob("*.py"):
        named |= set(pattern.findall(file.read_text("utf-8")))
    assert len(named) > 10
    missing = [name for name in named if not (ROOT / "resources" / "icons" / f"{name}.svg").is_file()]
    assert missing == []
