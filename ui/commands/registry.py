"""All commands that there are just now, by who brought them, and the QActions made from them."""

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QWidget

from ui.commands.command import Command

Run = Callable[[Command], object]
BARE = {"Space", "Return", "Enter", "Del", "Backspace"}  # keys that buttons and fields need for themselves


class Registry(QObject):
    """`changed` when commands came or went. `run` is given each command that a person chose."""

    changed = Signal()

    def __init__(self, window: QWidget, run: Run) -> None:
        super().__init__(window)
        self._window = window
        self._run = run
        self._commands: dict[str, list[Command]] = {}
        self._actions: dict[str, list[QAction]] = {}
        self._homes: dict[str, list[QWidget]] = {}

    def put(self, owner: str, commands: Sequence[Command], page: QWidget | None = None) -> None:
        """Bring an owner's commands ("window", "papers"), in place of those it had. page: where bare keys hold."""
        self.drop(owner)
        self._commands[owner] = list(commands)
        self._actions[owner] = []
        lists = page.findChildren(QAbstractItemView) if page is not None else []
        self._homes[owner] = [self._window, *lists]
        for command in commands:
            self._add(owner, command, lists)
        self.changed.emit()

    def drop(self, owner: str) -> None:
        """Take an owner's commands away, with their shortcuts."""
        self._commands.pop(owner, None)
        homes = self._homes.pop(owner, [])
        for action in self._actions.pop(owner, []):
            for home in homes:
                home.removeAction(action)
            action.deleteLater()
        self.changed.emit()

    def _add(self, owner: str, command: Command, lists: Iterable[QWidget]) -> None:
        bare = [key for key in command.keys if key in BARE]
        free = [key for key in command.keys if key not in BARE]
        action = self._action(command, free)
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        self._window.addAction(action)
        self._actions[owner].append(action)
        if bare:
            inner = self._action(command, bare)
            inner.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            self._actions[owner].append(inner)
            for home in lists:
                home.addAction(inner)

    def _action(self, command: Command, keys: Sequence[str]) -> QAction:
        action = QAction(command.title, self)
        action.setObjectName(command.id)
        action.setShortcuts([QKeySequence(key, QKeySequence.SequenceFormat.PortableText) for key in keys])
        action.setMenuRole(QAction.MenuRole.NoRole)
        action.triggered.connect(lambda: self.run(command))
        return action

    def run(self, command: Command) -> None:
        """Do it, if it makes sense now."""
        if command.when():
            self._run(command)

    # ---- for menus, palette and help --------------------------------------------------------------------------------

    def all(self) -> list[Command]:
        return [command for commands in self._commands.values() for command in commands]

    def by_owner(self) -> dict[str, list[Command]]:
        return {owner: list(commands) for owner, commands in self._commands.items()}

    def find(self, id: str) -> Command | None:
        return next((command for command in self.all() if command.id == id), None)

    def conflicts(self) -> list[tuple[str, str, str]]:
        """Shortcuts that two commands claim: (key, id, id)."""
        seen: dict[str, str] = {}
        found: list[tuple[str, str, str]] = []
        for command in self.all():
            for key in command.keys:
                portable = QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)
                if portable in seen:
                    found.append((portable, seen[portable], command.id))
                seen[portable] = command.id
        return found


def keys_shown(command: Command) -> str:
    """The first shortcut as this system writes it, or ""."""
    return QKeySequence(command.keys[0]).toString(QKeySequence.SequenceFormat.NativeText) if command.keys else ""
