"""The whole window through the eyes of a screen reader, and at every size."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QScrollArea, QWidget

from core.domain.memory import Role
from core.domain.tiers import Tier
from tests.ui.features.desk import until
from tests.ui.shell.office import Office, shown
from ui.shell.places import PLACES
from ui.widgets.basics import ElidedLabel
from ui.widgets.theme import px

ROLES_THAT_SAY_NOTHING = {QAccessible.Role.NoRole, QAccessible.Role.Client}


def in_tab_order(window: QWidget) -> list[QWidget]:
    return [
        widget
        for widget in shown(window)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isEnabled() and widget.focusProxy() is None
    ]


def nameless(window: QWidget) -> list[str]:
    """Widgets in the tab order that a screen reader can't name, or whose role says nothing."""
    bad = []
    for widget in in_tab_order(window):
        face = QAccessible.queryAccessibleInterface(widget)
        assert face is not None
        name, role = face.text(QAccessible.Text.Name).strip(), face.role()
        # Qt gives a scroll area the role of a pane; its name says what is in it.
        if not name or (role in ROLES_THAT_SAY_NOTHING and not isinstance(widget, QScrollArea)):
            bad.append(f"{type(widget).__name__} {widget.objectName()} {name!r} {role.name}")
    return bad


async def fill(office: Office) -> None:
    """One thing in each place, so that inspectors have something to show."""
    workspace = await office.open()
    await workspace.memory.remember("ramp", "Patients in a wheelchair use the north door", Tier.SEMANTIC)
    await workspace.shared.set("opening hours", {"monday": "8 to 12"})
    session = await workspace.conversations.begin("Holidays")
    await workspace.conversations.add(session.id, Role.USER, "Are we open on Friday?")
    (office.folder / "letter.txt").write_text("Dear Mrs Adler, the ramp is open again.")
    await workspace.papers.add([office.folder / "letter.txt"])
    await workspace.papers.idle()


async def each_place(office: Office):
    for place in PLACES:
        office.window.desk.show(place.id)
        view = office.window.desk.view
        assert view is not None
        view.focus_list()
        await asyncio.sleep(0.15)
        yield place.id


async def test_everything_in_the_tab_order_has_a_name_and_a_role(office: Office) -> None:
    await office.window.desk.open_last()
    assert nameless(office.window) == []
    await fill(office)
    async for place in each_place(office):
        assert nameless(office.window) == [], place
    office.window.top.search.line.setText("ramp")
    await asyncio.sleep(0.3)
    assert nameless(office.window) == []
    office.window.acts.palette()
    assert nameless(office.window.palette_card) == []
    office.window.palette_card.close_card()
    await office.window.acts.switch()
    assert nameless(office.window.switcher_card) == []
    office.window.switcher_card.close_card()


async def test_rows_say_their_kind_in_words(office: Office) -> None:
    await fill(office)
    office.window.desk.show("longterm")
    table = QAccessible.queryAccessibleInterface(office.list_page.list)

    def spoken() -> bool:
        names = [table.child(index).text(QAccessible.Text.Name) for index in range(table.childCount())]
        return any(name.startswith(("Fact: ramp", "Fact: Ramp")) for name in names)

    await until(spoken)


@pytest.mark.parametrize("scale", [100, 150, 200])
@pytest.mark.parametrize("choice", ["light", "dark"])
async def test_nothing_is_cut_at_any_size(office: Office, scale: int, choice: str) -> None:
    office.theme.set_choice(choice)
    office.theme.set_scale(scale)
    office.window.resize(px(1280), px(800))
    await fill(office)
    async for place in each_place(office):
        assert cut(office.window) == [], place
    await office.window.desk.leave()
    await asyncio.sleep(0.02)
    assert cut(office.window) == []


def cut(window: QWidget) -> list[str]:
    """Labels and buttons whose words have less room than they need."""
    found = []
    for widget in shown(window):
        if isinstance(widget, ElidedLabel):
            continue
        if isinstance(widget, QLabel) and widget.text() and widget.pixmap().isNull():
            if widget.wordWrap():
                short = widget.height() < widget.heightForWidth(widget.width()) - 1
            else:
                short = (
                    widget.width() < widget.sizeHint().width() - 1 or widget.height() < widget.sizeHint().height() - 1
                )
        elif isinstance(widget, QAbstractButton) and widget.text():
            short = widget.width() < widget.sizeHint().width() - 1 or widget.height() < widget.sizeHint().height() - 1
        else:
            continue
        if short:
            text = widget.text()
            found.append(
                f"{type(widget).__name__} {text[:40]!r} {widget.size().toTuple()} {widget.sizeHint().toTuple()}"
            )
    return found


async def test_targets_are_large_enough(office: Office) -> None:
    await fill(office)
    async for place in each_place(office):
        small = [
            f"{type(widget).__name__} {widget.accessibleName()} {widget.size().toTuple()}"
            for widget in in_tab_order(office.window)
            if isinstance(widget, QAbstractButton) and (widget.height() < 28 or widget.width() < 28)
        ]
        assert small == [], place


async def test_focus_can_be_seen(office: Office) -> None:
    """Each control looks different while the keyboard is on it."""
    await fill(office)
    window = office.window
    elsewhere = window.top.search.line
    for widget in in_tab_order(window):
        if widget is elsewhere or not isinstance(widget, QAbstractButton):
            continue
        elsewhere.setFocus()
        QApplication.sendPostedEvents()
        before = widget.grab().toImage()
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        QApplication.sendPostedEvents()
        assert widget.hasFocus()
        assert widget.grab().toImage() != before, widget.accessibleName() or widget.text()
