"""Draw the window off screen on the sample workspace and write docs/screenshots/*.png.

    .venv/bin/python scripts/screenshots.py [NAME …]

The same source gives the same pictures: time stands still, size, font and locale are fixed. (What meaning finds far
down a list may change places: the model rounds by what else is in its batch.) With names, only pictures whose name
begins with one of them are written.
"""

import asyncio
import os
import shutil
import sys
import tempfile
import time
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memory_pictures import memory_pictures
from project_files import ROOT

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QDialog

    from app.window import Life
    from core.services.workspace import Workspace
    from ui.shell.window import MainWindow
    from ui.widgets.list_page import ListPage

MOMENT = 1_780_000_000.0  # 28 May 2026, 20:26:40 UTC
SIZE = (1280, 800)
PATIENCE = 300  # seconds until the sample is read


def hold_time_still() -> None:
    """Before anything of the program is imported: the same day, place and language on every machine."""
    os.environ.update(QT_QPA_PLATFORM="offscreen", TZ="UTC", LC_ALL="en_GB.UTF-8", QT_SCALE_FACTOR="1")
    time.tzset()
    time.time = lambda: MOMENT  # type: ignore[assignment]
    sys.path.insert(0, str(ROOT))


class Unreadable:
    """A list that can't be read, for the pictures of errors."""

    sorts: tuple[str, ...] = ()
    facets: Mapping[str, tuple[str, ...]] = {}

    async def snapshot(self, query: object) -> "array[int]":
        from core.errors import EnvironmentFault

        raise EnvironmentFault("The disk that this workspace lies on can't be read. Connect it again, then try again.")

    async def count(self) -> int:
        return 0

    async def rows(self, numbers: Sequence[int]) -> list[None]:
        return [None for _ in numbers]


class Camera:
    """Takes pictures of a window, each after it has come to rest."""

    def __init__(self, window: "MainWindow", folder: Path, wanted: Sequence[str]) -> None:
        self._window = window
        self._folder = folder
        self._wanted = tuple(wanted)
        self.taken: list[str] = []

    async def take(self, name: str, dialog: "QDialog | None" = None) -> None:
        """dialog: what lies over the window, painted into its middle."""
        if self._wanted and not name.startswith(self._wanted):
            return
        before = None
        for _ in range(40):
            await asyncio.sleep(0.08)
            image = self._window.grab().toImage()
            if dialog is not None:
                _paint_over(image, dialog)
            if image == before:
                break
            before = image
        _save(image, self._folder / f"{name}.png")
        self.taken.append(name)


def _paint_over(image: "QImage", dialog: "QDialog") -> None:
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QPainter, QPen

    from ui.widgets.theme import tokens

    painter = QPainter(image)
    at = QPoint((image.width() - dialog.width()) // 2, (image.height() - dialog.height()) // 2)
    painter.drawPixmap(at, dialog.grab())
    painter.setPen(QPen(tokens().color("line"), 1))
    painter.drawRect(at.x(), at.y(), dialog.width(), dialog.height())
    painter.end()


def _save(image: "QImage", path: Path) -> None:
    """Write with the 256 colours that fit best: a window has few, and the file is a third of the size."""
    from PIL import Image
    from PySide6.QtGui import QImage

    flat = image.convertToFormat(QImage.Format.Format_RGB888)
    size, stride = (flat.width(), flat.height()), flat.bytesPerLine()
    picture = Image.frombytes("RGB", size, bytes(flat.constBits()), "raw", "RGB", stride)
    picture.quantize(256).save(path, optimize=True)


def page_of(window: "MainWindow") -> "ListPage":
    from ui.widgets.list_page import ListPage

    view = window.desk.view
    assert view is not None
    assert isinstance(view.page, ListPage)
    return view.page


async def full(window: "MainWindow", camera: Camera, suffix: str, places: Sequence[str]) -> None:
    """Each place with something in it, and what a search finds."""
    for place in places:
        window.desk.show(place)
        window.desk.focus_list()
        await asyncio.sleep(0.2)
        page = page_of(window)
        if page.model.rowCount():
            page.list.pick(0)
        await camera.take(f"{place}-{suffix}")
    window.top.search.line.setText("ramp at the north entrance")
    await asyncio.sleep(0.6)
    await camera.take(f"search-{suffix}")
    window.top.search.leave()


async def cards(window: "MainWindow", camera: Camera) -> None:
    """What lies over the window, and what is said at its edges."""
    window.desk.show("conversations")
    view = window.desk.view
    page_of(window).list.pick(0)
    await asyncio.sleep(0.3)
    view.details.find_bar.line.setText("January")  # pyright: ignore[reportAttributeAccessIssue, reportOptionalMemberAccess]
    await asyncio.sleep(0.5)
    await camera.take("conversations-find")
    window.desk.show("papers")
    window.desk.focus_list()
    await window.acts.switch()
    await camera.take("card-workspaces")
    window.switcher_card.close_card()
    window.acts.palette()
    window.palette_card.line.setText("paper")
    await camera.take("card-commands")
    window.palette_card.close_card()
    window.light.light("Add 52 papers to Northside Clinic")
    await camera.take("drop")
    window.light.hide()
    window.toast.say("Removed “Lift company, repair.eml”.", lambda: None)
    window.show_banner("The disk is nearly full. Free some space; until then no papers can be added.", "fault")
    await camera.take("said")
    window.toast.put_away()
    window.clear_banners()


async def errors(window: "MainWindow", camera: Camera, places: Sequence[str]) -> None:
    """Each list as it looks when it can't be read."""
    for place in places:
        window.desk.show(place)
        model = page_of(window).model
        model._rows = Unreadable()  # the only way to a read error that doesn't harm the workspace
        model.refresh()
        await asyncio.sleep(0.1)
        window.clear_banners()
        await camera.take(f"{place}-error")


async def at_work(workspace: "Workspace") -> None:
    """Jobs that run, are tried again, and are done, as workers of other programs report them."""
    from core.domain.scopes import ActorType, JobState
    from core.services.work import JobDesk

    desk = JobDesk(workspace.jobs, workspace.info.id)
    done = await desk.start("Recall list for June", actor="Intake assistant", actor_type=ActorType.AGENT)
    await done.end(JobState.COMPLETED)
    again = await desk.start("Backup of the week", actor="Front desk", actor_type=ActorType.USER)
    await again.heartbeat("It ended with code 2. It is tried again in 4 seconds.", JobState.RETRYING)
    letters = await desk.start(
        "Weekly letters", actor="Intake assistant", actor_type=ActorType.AGENT, requested_by="Front desk"
    )
    await letters.note("letters", 12)
    await letters.end_step(await letters.begin_step("Letter to Mr Okafor"), JobState.COMPLETED)
    step = await letters.begin_step("Letter to Mrs Adler")
    await letters.note("greeting", "Dear Mrs Adler", step)
    await letters.note("output", ["Reading the last visit", "Writing about the ramp", "Checking the date"], step)
    await letters.heartbeat("3 of 12")


@contextmanager
def look(window: "MainWindow", choice: str, scale: int) -> Iterator[None]:
    from ui.widgets.theme import px

    window.theme.set_choice(choice)
    window.theme.set_scale(scale)
    window.resize(px(SIZE[0]), px(SIZE[1]))
    yield
    window.theme.set_choice("light")
    window.theme.set_scale(100)
    window.resize(*SIZE)


async def round_of(life: "Life", folder: Path, wanted: Sequence[str], home: Path) -> list[str]:
    from ui.shell.places import PLACES

    places = [place.id for place in PLACES]
    window = await life.begin()
    window.resize(*SIZE)
    camera = Camera(window, folder, wanted)
    await camera.take("start")
    empty = await life.program.workspaces.create(home, "New office")
    await window.desk.open(empty.path)
    for place in places:
        window.desk.show(place)
        await camera.take(f"{place}-empty")
    window.top.search.line.setText("wheelchair")
    await asyncio.sleep(0.4)
    await camera.take("search-nothing")
    await window.desk.open_sample()
    session = window.desk.session
    assert session is not None
    await session.workspace.papers.pause()
    await session.writes.finish()
    await asyncio.sleep(0.3)
    page_of(window).list.pick(0)
    await camera.take("papers-waiting")
    await session.workspace.papers.resume()
    async with asyncio.timeout(PATIENCE):
        await session.workspace.papers.idle()
        await session.workspace.meaning.idle()
    await at_work(session.workspace)
    for suffix, choice, scale in (("light", "light", 100), ("dark", "dark", 100), ("150", "light", 150)):
        with look(window, choice, scale):
            await full(window, camera, suffix, places)
    await cards(window, camera)
    window.resize(700, 620)
    await asyncio.sleep(0.1)
    await camera.take("papers-narrow")
    window.resize(*SIZE)
    for suffix, choice, scale in (("", "light", 100), ("-dark", "dark", 100)):
        with look(window, choice, scale):
            await memory_pictures(window, lambda name, dialog, end=suffix: camera.take(f"{name}{end}", dialog))
    await errors(window, camera, places)
    return camera.taken


async def run(folder: Path, wanted: Sequence[str]) -> list[str]:
    from PySide6.QtCore import QLocale
    from PySide6.QtWidgets import QApplication

    from app.paths import Paths
    from app.window import Life

    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.setCursorFlashTime(0)
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    home = Path(tempfile.gettempdir()) / "anna"  # paths are seen in the pictures, so it has no random name
    home.mkdir(mode=0o700)
    try:
        paths = Paths(data=home / "data", config=home / "config", log=home / "log")
        for part in (paths.data, paths.config, paths.log, home / "Muniment"):
            part.mkdir()
        os.environ["HOME"] = str(home)
        life = Life(application, paths)
        life.sample = Path(shutil.copytree(life.sample, home / "Desktop"))
        life.theme.set_choice("light")
        try:
            return await round_of(life, folder, wanted, home / "Muniment")
        finally:
            await life.end()
    finally:
        shutil.rmtree(home)


def main(wanted: Sequence[str]) -> int:
    hold_time_still()
    import qasync
    from PySide6.QtWidgets import QApplication

    folder = ROOT / "docs" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    application = QApplication(sys.argv[:1])
    with qasync.QEventLoop(application) as loop:
        taken = loop.run_until_complete(run(folder, wanted))
    for name in taken:
        print(f"docs/screenshots/{name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
