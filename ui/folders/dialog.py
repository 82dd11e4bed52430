"""How a folder is watched: what happens to its files, which ones are left out."""

from collections.abc import Awaitable, Callable

from PySide6.QtWidgets import QPlainTextEdit, QWidget

from core.domain.watching import DEFAULT_RULES, Keep, WatchedFolder
from ui.folders import words
from ui.folders.presenter import Settings
from ui.qt.dialogs import shown
from ui.qt.scope import ViewScope
from ui.widgets.basics import label
from ui.widgets.chips import ChoiceChip
from ui.widgets.saving_sheet import SavingSheet
from ui.widgets.theme import px

Save = Callable[[Settings], Awaitable[object]]
"""Begins or changes the watching; raises UserError with a sentence."""

RULES_TIP = (
    "One rule a line, as in .gitignore: *.tmp leaves files out by their ending, Drafts/ a folder, !a.tmp takes in."
)


class FolderSheet(SavingSheet):
    """The settings of a folder, filled from `folder` where it is watched already."""

    def __init__(
        self, parent: QWidget, heading: str, path: str, folder: WatchedFolder | None, writes: ViewScope, save: Save
    ) -> None:
        super().__init__(parent, heading, writes)
        self._save = save
        self.act.setText("Watch this folder" if folder is None else "Save")
        self.keep = ChoiceChip("Files", [(keep.value, said) for keep, (said, _) in words.KEEPS.items()], quiet=True)
        self.within = ChoiceChip("Folders", words.SUBFOLDERS, quiet=True)
        self.rules = QPlainTextEdit()
        self.rules.setTabChangesFocus(True)
        self.rules.setMinimumHeight(px(160))
        self.rules.setToolTip(RULES_TIP)
        self.what_follows = label("", "secondary", wrap=True)
        self.add_field("Folder", label(path, wrap=True, selectable=True))
        self.add_field("Files", self.keep)
        self._form.addRow("", self.what_follows)
        self.add_field("Folders", self.within)
        self.add_field("Left out", self.rules)
        self.keep.chosen.connect(self._say_what_follows)
        self.keep.set_value((folder.keep if folder else Keep.COPY).value)
        self.within.set_value("yes" if folder is None or folder.subfolders else "no")
        self.rules.setPlainText(folder.rules if folder else DEFAULT_RULES)
        self._say_what_follows(self.keep.value)
        self.fields_filled()
        self.keep.setFocus()

    def _say_what_follows(self, keep: str) -> None:
        self.what_follows.setText(words.KEEPS[Keep(keep)][1])

    def typed(self) -> Settings:
        return Settings(Keep(self.keep.value), self.rules.toPlainText(), self.within.value == "yes")

    async def write(self) -> None:
        await self._save(self.typed())


async def edit(
    parent: QWidget, heading: str, path: str, folder: WatchedFolder | None, writes: ViewScope, save: Save
) -> bool:
    """Open the dialog; True when something was written."""
    return await shown(FolderSheet(parent, heading, path, folder, writes, save)) == 1
