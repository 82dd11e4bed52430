"""The dialog of forgetting for good: what it shows before, while and after, and that Enter alone erases nothing."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from core.domain.erasure import Doomed
from core.domain.tiers import Tier
from tests.core.erasure.office import holding
from tests.ui.features.desk import Desk, until
from ui.erasure.dialog import ErasureSheet, forget_for_good
from ui.erasure.presenter import ErasurePresenter, Step
from ui.longterm.view import LongTermView
from ui.qt.scope import ViewScope


class Opened:
    """The dialog over a window, and what awaits it."""

    def __init__(self, desk: Desk, things: Sequence[tuple[Doomed, str]] = ()) -> None:
        self.window = QWidget()
        self.window.resize(900, 700)
        self.window.show()
        scopes = ViewScope(desk.reads, desk.report), ViewScope(desk.writes, desk.report)
        self.answer = desk.writes.start(forget_for_good(self.window, desk.workspace, things, *scopes))

    async def sheet(self) -> ErasureSheet:
        await until(lambda: bool(self.window.findChildren(ErasureSheet)))
        return self.window.findChildren(ErasureSheet)[0]

    async def close(self) -> bool:
        (await self.sheet()).reject()
        begun = await self.answer
        self.window.close()
        self.window.deleteLater()
        return begun


async def fill(desk: Desk) -> None:
    memory = desk.workspace.memory
    await memory.remember("call", "Call Wilhelmina Quastenflosser about the ramp", Tier.WORKING)
    await memory.remember("hours", "The desk opens at nine", Tier.SEMANTIC)


async def test_a_name_is_looked_for_shown_erased_and_reported(desk: Desk, tmp_path: Path) -> None:
    await fill(desk)
    opened = Opened(desk)
    sheet = await opened.sheet()
    assert not sheet.act.isEnabled()
    assert sheet.line.hasFocus()
    assert sheet.what is None
    sheet.line.setText("nobody")
    await until(lambda: sheet.said.text() == "There is nothing of it here.")
    assert not sheet.act.isEnabled()
    sheet.line.setText("quastenflosser")
    await until(lambda: sheet.act.isEnabled())
    assert [sheet.list.item(row).text() for row in range(sheet.list.count())] == ["Memory: call (in what it says)"]
    assert sheet.said.text().startswith("Erased with all that hangs on it: 1 memory, 1 passage")
    QTest.keyClick(sheet.line, Qt.Key.Key_Return)
    assert sheet.presenter.step is Step.READY
    assert await desk.workspace.memory.get("call") is not None

    sheet.act.click()
    await until(lambda: sheet.presenter.step is Step.DONE)
    assert sheet.said.text() == "Nothing of it is left."
    assert "1 memory" in sheet.report.toPlainText()
    assert sheet.cancel.text() == "Close"
    assert not sheet.act.isVisible()
    await sheet.presenter.save(tmp_path / "report.md")
    assert (tmp_path / "report.md").read_text() == sheet.presenter.report_words
    assert await opened.close()
    assert holding(desk.workspace.info.path, "Quastenflosser") == []
    assert await desk.workspace.memory.get("hours") is not None


async def test_what_is_chosen_goes_or_a_name_instead(desk: Desk) -> None:
    await fill(desk)
    view = desk.build(LongTermView)
    assert isinstance(view, LongTermView)
    view.select("7:default:hours")
    await until(lambda: view.presenter.one is not None and view.presenter.one.key == "hours")
    things = await view.chosen_things()
    assert things == [(Doomed.RECORD, "7:default:hours")]
    opened = Opened(desk, things)
    sheet = await opened.sheet()
    assert sheet.what is not None
    assert "What is chosen: 1 memory" in sheet.what.text()
    await until(lambda: sheet.act.isEnabled())
    assert sheet.list.item(0).text() == "Memory: hours"
    assert not sheet.line.isVisible()
    sheet.what.menu().actions()[1].trigger()
    assert not sheet.act.isEnabled()
    assert sheet.line.isVisible()
    sheet.what.menu().actions()[0].trigger()
    await until(lambda: sheet.act.isEnabled())
    assert not await opened.close()
    assert await desk.workspace.memory.get("hours") is not None


async def test_it_can_be_stopped_until_there_is_no_way_back(desk: Desk) -> None:
    await fill(desk)
    scopes = ViewScope(desk.reads, desk.report), ViewScope(desk.writes, desk.report)
    presenter = ErasurePresenter(desk.workspace, [(Doomed.RECORD, "7:default:call")], *scopes)
    presenter.look_at_things()
    await until(lambda: presenter.step is Step.READY)
    presenter.forget()
    presenter.stop()
    await until(lambda: presenter.step is Step.STOPPED)
    assert presenter.said == "Stopped. Nothing was erased."
    assert not presenter.final
    await asyncio.sleep(0)
    assert await desk.workspace.memory.get("call") is not None
    assert await desk.workspace.erasure.resume() == []
    presenter.close()
    presenter.deleteLater()
