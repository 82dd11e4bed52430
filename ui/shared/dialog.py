"""Adding and editing a shared entry: name, what kind of value, value."""

from collections.abc import Awaitable, Callable

from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from core.domain.memory import Json, SharedEntry
from core.errors import InvalidValue
from ui.qt.dialogs import shown
from ui.qt.scope import ViewScope
from ui.shared import words
from ui.widgets.basics import label
from ui.widgets.chips import ChoiceChip
from ui.widgets.saving_sheet import SavingSheet
from ui.widgets.theme import px

Save = Callable[[str, Json], Awaitable[object]]
"""Writes a value under a name; raises UserError with a sentence."""


class SharedSheet(SavingSheet):
    """An entry's fields, filled from `entry` where there is one; its name can't be changed then."""

    def __init__(self, parent: QWidget, heading: str, entry: SharedEntry | None, writes: ViewScope, save: Save) -> None:
        super().__init__(parent, heading, writes)
        self._save = save
        self.key, self.text = QLineEdit(), QPlainTextEdit()
        self.type = ChoiceChip("Kind", [(type.value, type.value) for type in words.TIPS], quiet=True)
        self.type.chosen.connect(self._say_how)
        self.text.setTabChangesFocus(True)
        self.text.setMinimumHeight(px(120))
        self.how = label(words.TIPS[words.Type.TEXT], "secondary", wrap=True)
        self.add_field("Name", self.key)
        self.add_field("Kind", self.type)
        self.add_field("Value", self.text)
        self.body.insertWidget(self.body.count() - 1, self.how)
        if entry is not None:
            self.key.setText(entry.key)
            self.key.setReadOnly(True)
            self.type.set_value(words.type_of(entry.value).value)
            self._say_how(self.type.value)
            self.text.setPlainText(words.editable(entry.value))
        (self.key if entry is None else self.text).setFocus()

    def _say_how(self, type: str) -> None:
        self.how.setText(words.TIPS[words.Type(type)])

    async def write(self) -> None:
        if not self.key.text().strip():
            raise InvalidValue("Give it a name.")
        value = words.parsed(words.Type(self.type.value), self.text.toPlainText())
        await self._save(self.key.text(), value)


async def edit(parent: QWidget, heading: str, entry: SharedEntry | None, writes: ViewScope, save: Save) -> bool:
    """Open the dialog; True when something was written."""
    return await shown(SharedSheet(parent, heading, entry, writes, save)) == 1
