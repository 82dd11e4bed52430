"""Finding words in one conversation by keyboard alone."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from core.domain.memory import Role
from tests.ui.features.desk import until
from tests.ui.shell.office import Office
from ui.conversations.view import ConversationsView


def key(code: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    focus = QApplication.focusWidget()
    assert isinstance(focus, QWidget)
    QTest.keyClick(focus, code, held)


async def test_words_are_found_stepped_through_and_left(office: Office) -> None:
    workspace = await office.open()
    await workspace.conversations.begin("Ramp", "a")
    for said in ("Which room has a ramp?", "The ramp is at the north door.", "Thanks"):
        await workspace.conversations.add("a", Role.USER, said)
    office.window.desk.show("conversations", "a")
    view = office.window.desk.view
    assert isinstance(view, ConversationsView)
    await until(lambda: view.presenter.one is not None and len(view.presenter.messages) == 3)
    bar = view.details.find_bar
    key(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    await until(bar.line.hasFocus)
    QTest.keyClicks(bar.line, "ramp")
    key(Qt.Key.Key_Return)
    await until(lambda: bar.count.text() == "2 of 2")
    key(Qt.Key.Key_Return)
    await until(lambda: bar.count.text() == "1 of 2")
    key(Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    await until(lambda: bar.count.text() == "2 of 2")
    key(Qt.Key.Key_F3)
    await until(lambda: bar.count.text() == "1 of 2")
    key(Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    await until(lambda: bar.count.text() == "2 of 2")
    key(Qt.Key.Key_Escape)
    await until(lambda: bar.line.text() == "" and not view.presenter.spots)
    assert office.window.desk.place == "conversations"
    key(Qt.Key.Key_Escape)
    await until(view.list_page.list.hasFocus)
