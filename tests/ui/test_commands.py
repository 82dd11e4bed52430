"""Commands: one declaration, and everything that is made from it."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QMainWindow, QMenu, QPushButton, QVBoxLayout, QWidget

from core.tasks import TaskScope
from ui.commands.command import Command
from ui.commands.matching import matching
from ui.commands.menus import build_menus
from ui.commands.registry import Registry
from ui.qt.scope import ViewScope


class Desk(QMainWindow):
    """A window with a list and a button, whose commands note that they ran."""

    def __init__(self) -> None:
        super().__init__()
        self.ran: list[str] = []
        page = QWidget()
        box = QVBoxLayout(page)
        self.list, self.button = QListWidget(), QPushButton("Press")
        self.list.addItems(["one", "two"])
        box.addWidget(self.list)
        box.addWidget(self.button)
        self.setCentralWidget(page)
        self.registry = Registry(self, lambda command: command.run())

    def command(self, id: str, *keys: str, when: bool = True, menu: str = "") -> Command:
        return Command(id, id.title(), lambda: self.ran.append(id), keys, menu, lambda: when)


@pytest.fixture
def desk(qtbot) -> Desk:
    made = Desk()
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    return made


def test_keys_run_commands_of_the_window_and_of_the_place(desk: Desk, qtbot) -> None:
    desk.registry.put("window", [desk.command("help", "F1")])
    desk.registry.put(
        "place", [desk.command("add", "Ctrl+O"), desk.command("off", "Ctrl+J", when=False)], desk.centralWidget()
    )
    qtbot.keyClick(desk, Qt.Key.Key_F1)
    qtbot.keyClick(desk, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(desk, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert desk.ran == ["help", "add"]
    desk.registry.drop("place")
    qtbot.keyClick(desk, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    assert desk.ran == ["help", "add"]


def test_bare_keys_hold_in_the_list_alone(desk: Desk, qtbot) -> None:
    pressed: list[bool] = []
    desk.button.clicked.connect(lambda: pressed.append(True))
    desk.registry.put("place", [desk.command("preview", "Space"), desk.command("forget", "Del")], desk.centralWidget())
    desk.list.setFocus()
    qtbot.keyClick(desk.list, Qt.Key.Key_Space)
    qtbot.keyClick(desk.list, Qt.Key.Key_Delete)
    assert desk.ran == ["preview", "forget"]
    desk.button.setFocus()
    qtbot.keyClick(desk.button, Qt.Key.Key_Space)
    assert pressed == [True]
    assert desk.ran == ["preview", "forget"]


def test_conflicts_are_found(desk: Desk) -> None:
    desk.registry.put("window", [desk.command("one", "Ctrl+K"), desk.command("two", "Ctrl+L")])
    assert desk.registry.conflicts() == []
    desk.registry.put("place", [desk.command("three", "ctrl+k")])
    assert desk.registry.conflicts() == [("Ctrl+K", "one", "three")]


def test_menus_are_made_from_commands(desk: Desk) -> None:
    build_menus(desk.menuBar(), desk.registry)
    desk.registry.put("window", [desk.command("quit", "Ctrl+Q", menu="File"), desk.command("help", menu="Help")])
    desk.registry.put("place", [desk.command("add", menu="File", when=False)])
    file = next(menu for menu in desk.menuBar().findChildren(QMenu) if menu.title() == "&File")
    file.aboutToShow.emit()
    entries = [(action.text(), action.isEnabled()) for action in file.actions() if not action.isSeparator()]
    assert entries == [("Quit\tCtrl+Q", True), ("Add", False)]
    file.actions()[0].trigger()
    assert desk.ran == ["quit"]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("add pap", "Add papers…"),
        ("ap", "Add papers…"),
        ("larger", "Larger text"),
        ("lagrer text", "Larger text"),
        ("open", "Open the original"),
    ],
)
def test_few_letters_find_a_command(typed: str, first: str) -> None:
    titles = ["Add papers…", "Open the original", "Larger text", "Smaller text", "About Muniment"]
    commands = [Command(title, title, lambda: None) for title in titles]
    assert matching(commands, typed)[0].title == first


def test_nothing_typed_lists_all_and_nonsense_none() -> None:
    commands = [Command("a", "Add papers…", lambda: None), Command("b", "Quit", lambda: None)]
    assert matching(commands, "  ") == commands
    assert matching(commands, "zzzzqqq") == []


async def test_handlers_may_be_coroutines_and_errors_are_reported() -> None:
    reported: list[tuple[str, object]] = []
    tasks = TaskScope("test", lambda error: reported.append((str(error), "task")))
    scope = ViewScope(tasks, lambda error, about=None: reported.append((str(error), about)))
    done: list[str] = []

    async def slow() -> None:
        await asyncio.sleep(0)
        done.append("slow")

    async def broken() -> None:
        raise ValueError("broken")

    def plain_broken() -> None:
        raise ValueError("plain")

    scope.run(slow)
    scope.run(broken)
    scope.run(plain_broken)
    scope.slot(slow)("a signal's argument")
    await tasks.finish()
    assert done == ["slow", "slow"]
    assert sorted(reported) == [("broken", None), ("plain", None)]
    scope.start(asyncio.sleep(60), latest="one")
    scope.cancel("one")
    await tasks.close()
    assert len(reported) == 2
