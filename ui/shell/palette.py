"""The command palette: every command by a few letters, keyboard alone."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QLineEdit, QListWidgetItem, QWidget

from ui.commands.command import Command
from ui.commands.matching import matching
from ui.commands.registry import Registry, keys_shown
from ui.qt.line import Line
from ui.shell.card_list import CardList
from ui.shell.overlay import Overlay
from ui.widgets.basics import label
from ui.widgets.theme import px


class CommandPalette(Overlay):
    """Opens over the window; Enter does the chosen command."""

    def __init__(self, window: QWidget, registry: Registry) -> None:
        super().__init__(window, "Command palette")
        self._registry = registry
        self.line = QLineEdit()
        self.line.setPlaceholderText("What do you want to do?")
        self.line.setAccessibleName("What do you want to do?")
        self.line.textChanged.connect(self._show)
        self.list = CardList("Commands", 32, self._do)
        self.nothing = label("No command has these letters.", "muted")
        self.box.addWidget(self.line)
        self.box.addWidget(self.list, 1)
        self.box.addWidget(self.nothing)
        self.lend_keys(self.line, self.list, self._do)

    def open_over(self, window: QWidget) -> None:
        width = min(px(560), window.width() - px(48))
        height = min(px(420), window.height() - px(120))
        self.open_at(QRect((window.width() - width) // 2, px(64), width, height))

    def begin(self) -> None:
        self.line.clear()
        self._show()
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)

    def _show(self, *_: object) -> None:
        self.list.clear()
        owners = self._registry.by_owner()
        commands = [*owners.get("place", []), *owners.get("window", [])]
        possible = [command for command in commands if command.when() and command.id != "window.palette"]
        for command in matching(possible, self.line.text()):
            self.list.put(Line(command.title, when=keys_shown(command)), command, command.help)
        self.list.setCurrentRow(0)
        self.nothing.setVisible(not self.list.count())

    def _do(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            command = self.list.value_of(item)
            self.close_card()
            if isinstance(command, Command):
                self._registry.run(command)
