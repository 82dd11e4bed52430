"""The style sheet: only what the palette can't say. Made anew when colours or scale change."""

from collections.abc import Callable, Mapping
from string import Template

_SHEET = Template("""
* { font-size: $s13; }
QLabel, QCheckBox, QRadioButton { background: transparent; }
[role="title"] { font-size: $s18; font-weight: 600; }
[role="heading"] { font-size: $s16; font-weight: 600; }
[role="strong"] { font-weight: 600; }
[role="section"] { font-size: $s11; font-weight: 600; color: $muted; }
[role="muted"] { color: $muted; }
[role="secondary"] { font-size: $s12; color: $muted; }
[role="caption"] { font-size: $s11; color: $muted; }
[role="warn"] { font-size: $s12; color: $warn; }
[role="danger"] { font-size: $s12; color: $danger; }
QLabel:disabled { color: $muted; }

#window, [ground="bg"] { background: $bg; }
[ground="rail"] { background: $rail; }
[ground="surface"] { background: $surface; }
#rail { background: $rail; border-right: 1px solid $border; }
#top { background: $bg; border-bottom: 1px solid $border; }
#inspector { background: $surface; border-left: 1px solid $border; }
#activity { background: $surface; border-top: 1px solid $border; }
#toast { background: $text; border-radius: $r8; }
#toast QLabel { color: $bg; }
#toast QPushButton { background: transparent; color: $bg; border: 1px solid transparent; font-weight: 600;
    text-decoration: underline; }
#toast QPushButton:focus { border: 2px solid $bg; padding: $p3 $p9; }
[banner="fault"] { background: $danger_soft; border-bottom: 1px solid $border; }
[banner="note"] { background: $warn_soft; border-bottom: 1px solid $border; }
[card="true"] { background: $surface; border: 1px solid $border; border-radius: $r8; }
[problem="true"] { background: $danger_soft; border-radius: $r6; }

QPushButton { background: $surface; color: $text; border: 1px solid $border; border-radius: $r8;
    padding: $p4 $p12; min-height: $h20; }
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $soft; }
QPushButton:disabled { color: $muted; background: transparent; }
QPushButton:focus { border: 2px solid $accent; padding: $p3 $p11; }
QPushButton[kind="primary"] { background: $accent; color: $on; border: 1px solid $accent; font-weight: 500; }
QPushButton[kind="primary"]:hover { border: 1px solid $text; }
QPushButton[kind="primary"]:focus { border: 2px solid $text; }
QPushButton[kind="primary"]:disabled { background: $border; color: $muted; border: 1px solid $border; }
QPushButton[kind="danger"] { color: $danger; }
QPushButton[kind="danger"]:disabled { color: $muted; }
QPushButton[kind="link"] { background: transparent; border: 1px solid transparent; color: $accent; padding: $p3 $p4;
    text-decoration: underline; }
QPushButton[kind="link"][tone="warn"] { color: $warn; }
QPushButton[kind="link"]:focus { border: 2px solid $accent; padding: $p2 $p3; }
QPushButton[kind="plain"] { background: transparent; border: 1px solid transparent; padding: $p4 $p8; }
QPushButton[kind="plain"]:hover { background: $hover; }
QPushButton[kind="plain"]:focus { border: 2px solid $accent; padding: $p3 $p7; }
QPushButton[kind="chip"] { background: $soft; border: 1px solid $soft; border-radius: $r13; padding: $p2 $p10;
    font-size: $s12; }
QPushButton[kind="chip"]:hover { border: 1px solid $line; }
QPushButton[kind="chip"]:focus { border: 2px solid $accent; padding: $p1 $p9; }
QPushButton[kind="chip"][narrowed="true"] { background: $accent; color: $on; border: 1px solid $accent; }
QPushButton[kind="chip"][narrowed="true"]:focus { border: 2px solid $text; }
QPushButton::menu-indicator { image: none; width: 0; }
QLabel[kind="tag"] { background: $soft; border-radius: $r8; padding: $p2 $p8; font-size: $s11; }
QLabel[kind="tag"][tone="warn"] { background: $warn_soft; color: $warn; }
QLabel[kind="tag"][tone="danger"] { background: $danger_soft; color: $danger; }
QLabel[kind="key"] { border: 1px solid $border; border-radius: $r4; padding: 1px $p4; font-size: $s11; color: $muted; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: $r6; padding: $p4; }
QToolButton:hover { background: $hover; }
QToolButton:focus { border: 2px solid $accent; padding: $p3; }
QToolButton::menu-indicator { image: none; }

QLineEdit, QPlainTextEdit, QTextEdit, QSpinBox, QComboBox { background: $surface; color: $text; border: 1px solid $line;
    border-radius: $r6; padding: $p4 $p8; min-height: $h20; selection-background-color: $accent; selection-color: $on; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QSpinBox:focus, QComboBox:focus { border: 2px solid $accent;
    padding: $p3 $p7; }
QLineEdit[bare="true"], QLineEdit[bare="true"]:focus { border: none; padding: 0; background: transparent; }
#search { background: $surface; border: 1px solid $line; border-radius: $r8; }
#search[within="true"] { border: 2px solid $accent; }
QTextBrowser[bare="true"] { border: none; background: transparent; padding: 0; }
QTextBrowser[bare="true"]:focus { border: 2px solid $accent; }

QTableView { background: transparent; border: none; outline: none; selection-background-color: transparent; }
QTableView::item, QTableView::item:selected { background: transparent; border: none; color: $text; }
QListView, QTreeView { background: $surface; border: none; outline: none; }
QListView::item, QTreeView::item { padding: $p4 $p8; min-height: $h20; color: $text; }
QListView::item:hover, QTreeView::item:hover { background: $hover; color: $text; }
QListView::item:selected, QTreeView::item:selected { background: $soft; color: $text; border: 2px solid $accent;
    border-radius: $r6; }
QScrollArea { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: $h10; margin: 0; }
QScrollBar::handle:vertical { background: $line; border-radius: $r3; min-height: $h28; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: $h10; margin: 0; }
QScrollBar::handle:horizontal { background: $line; border-radius: $r3; min-width: $h28; margin: 2px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QProgressBar { background: $border; border: none; border-radius: $r3; min-height: $h6; max-height: $h6; }
QProgressBar::chunk { background: $accent; border-radius: $r3; }
QSplitter::handle { background: $border; }
QSplitter::handle:hover, QSplitter::handle:focus { background: $accent; }
QMenuBar { background: $bg; border-bottom: 1px solid $border; padding: 1px $p8; }
QMenuBar::item { background: transparent; padding: $p4 $p8; border-radius: $r6; }
QMenuBar::item:selected { background: $hover; color: $text; }
QMenu { background: $surface; border: 1px solid $border; padding: $p4; }
QMenu::item { padding: $p6 $p24 $p6 $p12; border-radius: $r6; color: $text; }
QMenu::item:selected { background: $soft; color: $text; }
QMenu::item:disabled { color: $muted; }
QMenu::icon { padding-left: $p8; }
QMenu::separator { height: 1px; background: $border; margin: $p4 $p8; }
QToolTip { background: $surface; color: $text; border: 1px solid $line; padding: $p4; }
QDialog { background: $bg; }
""")

_LETTERS = {"s": "px", "p": "px", "r": "px", "h": "px"}


class _Lengths(dict[str, str]):
    """Answers $p12, $s13, $r8, $h20 with that many pixels at the present scale."""

    def __init__(self, colours: Mapping[str, str], px: Callable[[float], int]) -> None:
        super().__init__(colours)
        self._px = px

    def __missing__(self, key: str) -> str:
        letter, digits = key[0], key[1:]
        if letter not in _LETTERS or not digits.isdigit():
            raise KeyError(key)
        return f"{self._px(int(digits))}px"


def style_sheet(colours: Mapping[str, str], px: Callable[[float], int]) -> str:
    """colours: token to "#rrggbb". px: a length at 100 % to one at the present scale."""
    return _SHEET.substitute(_Lengths(colours, px))
