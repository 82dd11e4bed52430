"""A window as the program puts it together, on workspaces in a temporary folder."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QWidget

from core.adapters.files.folder import WorkspaceFolder
from core.adapters.files.known import KnownList
from core.domain.workspaces import WorkspaceInfo
from core.services.workspace import Workspace
from core.services.workspaces import Workspaces
from tests.fakes.exports import MemoryExports
from tests.ui.features.desk import open_workspace, until
from tests.ui.features.reading import PlainReader
from ui.qt.settings import Settings
from ui.shell.places import PLACES, SEARCH
from ui.shell.window import MainWindow
from ui.widgets.list_page import ListPage
from ui.widgets.theme import Theme


class Trash:
    """The system's trash: a list."""

    def __init__(self) -> None:
        self.trashed: list[Path] = []

    async def trash(self, path: Path) -> None:
        self.trashed.append(path)
        path.rename(path.with_name(f"{path.name} (trashed)"))


@dataclass
class Office:
    """What a test of the window works with. `defects`: errors that would become crash reports."""

    window: MainWindow
    workspaces: Workspaces
    theme: Theme
    settings: Settings
    trash: Trash
    folder: Path
    north: Path
    south: Path
    defects: list[BaseException] = field(default_factory=list)
    exports: MemoryExports = field(default_factory=MemoryExports)

    async def open(self, path: Path | None = None) -> Workspace:
        """Open a workspace in the window and make every place, as somebody does who has shown them all."""
        await self.window.desk.open(path or self.north)
        session = self.window.desk.session
        assert session is not None
        for id in (*[place.id for place in PLACES], SEARCH.id):
            session.view(id)
        return session.workspace

    @property
    def list_page(self) -> ListPage:
        """The list in the middle."""
        page = self.window.desk.view.page
        assert isinstance(page, ListPage)
        return page

    async def dialog(self) -> QDialog:
        """The dialog that was just opened."""
        found: list[QDialog] = []

        def look() -> bool:
            found[:] = [dialog for dialog in self.window.findChildren(QDialog) if dialog.isVisible()]
            return bool(found)

        await until(look)
        return found[0]

    async def press(self, words: str) -> None:
        """Press a button of the open dialog."""
        dialog = await self.dialog()
        next(button for button in dialog.findChildren(QPushButton) if button.text() == words).click()
        await asyncio.sleep(0.01)

    async def close(self) -> None:
        await self.window.shut()
        await self.workspaces.close_current()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        self.theme.set_choice("light")
        self.theme.set_scale(100)
        for defect in self.defects:
            raise defect


def new_window(office: Office, application: QApplication) -> MainWindow:
    """Another run of the program: a new window with the same settings."""
    return make_window(office.workspaces, office.settings, office.theme, office.folder, office.defects)


def make_window(
    workspaces: Workspaces, settings: Settings, theme: Theme, folder: Path, defects: list[BaseException]
) -> MainWindow:
    async def sample() -> Path:
        return (await workspaces.create(folder, "Sample")).path

    def note(error: BaseException) -> None:
        defects.append(error)

    return MainWindow(
        workspaces, PLACES, SEARCH, settings, theme,
        parent_folder=folder, make_sample=sample, on_defect=note, version="0.0",
    )  # fmt: skip


async def open_office(application: QApplication, folder: Path) -> Office:
    defects: list[BaseException] = []
    exports = MemoryExports()

    async def opener(info: WorkspaceInfo) -> Workspace:
        workspace = await open_workspace(info.path, PlainReader(), defects, exports)
        workspace.info = info
        return workspace

    trash = Trash()
    workspaces = Workspaces(KnownList(folder / "data" / "workspaces.toml"), WorkspaceFolder(), trash, opener)
    north = (await workspaces.create(folder, "Northside Clinic")).path
    south = (await workspaces.create(folder, "Southside Office")).path
    theme, settings = Theme(application, choice="light"), Settings(folder / "settings.ini")
    window = make_window(workspaces, settings, theme, folder, defects)
    window.resize(1280, 800)
    window.show()
    window.activateWindow()
    await until(window.isActiveWindow)
    return Office(window, workspaces, theme, settings, trash, folder, north, south, defects, exports)


def shown(widget: QWidget) -> list[QWidget]:
    """Every visible widget in a window."""
    return [child for child in widget.findChildren(QWidget) if child.isVisible()]
