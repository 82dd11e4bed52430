"""The help page, made from the commands, and what the program says about itself."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QScrollArea, QVBoxLayout, QWidget

from ui.commands.command import Command
from ui.commands.registry import keys_shown
from ui.qt.dialogs import Sheet, message, shown
from ui.widgets.basics import label
from ui.widgets.theme import px


async def show_help(parent: QWidget, groups: Mapping[str, Sequence[Command]]) -> None:
    """Every command with its keys and one sentence. groups: heading to commands."""
    sheet = Sheet(
        parent, "Commands and keys", "Everything that can be done from the keyboard. Ctrl+Shift+P finds any of it."
    )
    sheet.body.addWidget(_page(groups))
    sheet.add_button("Close", 0, default=True)
    sheet.resize(px(680), px(560))
    await shown(sheet)


def _page(groups: Mapping[str, Sequence[Command]]) -> QScrollArea:
    content = QWidget()
    box = QVBoxLayout(content)
    box.setContentsMargins(0, 0, px(12), 0)
    box.setSpacing(px(6))
    for heading, commands in groups.items():
        title = label(heading, "strong")
        title.setContentsMargins(0, px(12), 0, 0)
        box.addWidget(title)
        grid = QGridLayout()
        grid.setHorizontalSpacing(px(16))
        grid.setVerticalSpacing(px(6))
        grid.setColumnStretch(1, 1)
        for line, command in enumerate(commands):
            keys = label(keys_shown(command), "secondary")
            keys.setMinimumWidth(px(96))
            grid.addWidget(keys, line, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label(command.title.rstrip("…"), wrap=True), line, 1, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label(command.help, "secondary", wrap=True), line, 2)
        grid.setColumnStretch(2, 2)
        box.addLayout(grid)
    box.addStretch(1)
    area = QScrollArea()
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setAccessibleName("Commands and keys")
    area.setMinimumHeight(px(300))
    return area


async def show_about(parent: QWidget, version: str) -> None:
    await message(
        parent,
        "Muniment",
        f"Version {version}. It keeps papers, conversations and what is worth remembering, on this computer alone.",
        "Free software under the Apache License 2.0. Font: Inter (OFL). Icons: Lucide (ISC). "
        "Built with Qt for Python (LGPL), SQLite and SQLCipher.",
    )
