"""The dialog that makes a new workspace: its name, and the folder that it goes into."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from core.domain.workspaces import folder_name
from ui.qt.dialogs import Sheet, choose_folder, shown
from ui.widgets.basics import Button, ElidedLabel, label
from ui.widgets.theme import px


class NewWorkspaceSheet(Sheet):
    """`wanted` is (name, parent folder). choose: asks for another parent folder."""

    def __init__(self, window: QWidget, parent: Path, check: Callable[[str], str | None]) -> None:
        super().__init__(window, "New workspace", "Name it as people call it: a practice, an office, a project.")
        self._check = check
        self.folder = parent
        self.line = QLineEdit()
        self.line.setPlaceholderText("Northside Clinic")
        self.line.setAccessibleName("Name")
        self.line.setMinimumHeight(px(34))
        name = label("Name", "section")
        name.setBuddy(self.line)
        self.wrong = label(" ", "danger", wrap=True)
        self.where = ElidedLabel("")
        self.where.setAccessibleName("Folder")
        self.change = Button("Another folder…")
        self.change.clicked.connect(lambda: self.done(2))
        across = QHBoxLayout()
        across.addWidget(self.where, 1)
        across.addWidget(self.change)
        for widget in (name, self.line, self.wrong, label("It will be the folder", "section")):
            self.body.addWidget(widget)
        self.body.addLayout(across)
        self.add_button("Cancel", 0)
        self.act = self.add_button("Create", 1, "primary", default=True)
        self.line.textChanged.connect(self._look)
        self._look("")
        self.wrong.setText(" ")
        self.line.setFocus()

    def _look(self, text: str) -> None:
        wrong = self._check(text)
        self.act.setEnabled(wrong is None)
        self.wrong.setText(wrong or " ")
        self.where.setText(str(self.folder / folder_name(text)) if wrong is None else str(self.folder))


async def ask_new(window: QWidget, parent: Path, check: Callable[[str], str | None]) -> tuple[str, Path] | None:
    """Ask for name and folder; None when put away."""
    name = ""
    while True:
        sheet = NewWorkspaceSheet(window, parent, check)
        if name:
            sheet.line.setText(name)
        answer = await shown(sheet)
        name = sheet.line.text()
        if answer == 1:
            return name, parent
        if answer == 0:
            return None
        parent = await choose_folder(window, "Where should the workspace's folder be?", parent) or parent
