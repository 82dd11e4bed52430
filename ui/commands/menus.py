"""The menu bar, made from the commands; filled when a menu is opened, so that it is always true."""

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar

from ui.commands.command import Command
from ui.commands.registry import Registry, keys_shown

MENUS = ("File", "Edit", "View", "Go", "Help")


def build_menus(bar: QMenuBar, registry: Registry) -> None:
    """Put the menus into the bar."""
    bar.setAccessibleName("Menu bar")
    for title in MENUS:
        menu = QMenu(f"&{title}", bar)
        menu.setAccessibleName(title)
        menu.aboutToShow.connect(lambda menu=menu, title=title: _fill(menu, title, registry))
        _fill(menu, title, registry)
        bar.addMenu(menu)


def _fill(menu: QMenu, title: str, registry: Registry) -> None:
    """One group for each owner of commands, with a line between groups."""
    menu.clear()
    for commands in registry.by_owner().values():
        fitting = [command for command in commands if command.menu == title]
        if fitting and menu.actions():
            menu.addSeparator()
        for command in fitting:
            menu.addAction(_entry(menu, command, registry))


def _entry(menu: QMenu, command: Command, registry: Registry) -> QAction:
    """An entry shows the shortcut without owning it: the key itself belongs to the window's action."""
    keys = keys_shown(command)
    entry = QAction(f"{command.title}\t{keys}" if keys else command.title, menu)
    entry.setEnabled(command.when())
    entry.setToolTip(command.help)
    entry.triggered.connect(lambda: registry.run(command))
    return entry
