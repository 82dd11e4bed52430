"""Adding and editing a shared entry: name, what kind of value, value."""

from collections.abc import Awaitable, Callable

from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from core.domain.memory import Json, SharedEntry, ValueType, type_of
from core.errors import InvalidValue
from ui.qt.dialogs import shown
from ui.qt.scope import ViewScope
from ui.qt.wording import actor, on_day
from ui.shared import words
from ui.widgets.basics import label
from ui.widgets.chips import ChoiceChip
from ui.widgets.crossing import Theirs
from ui.widgets.saving_sheet import WRITTEN, SavingSheet
from ui.widgets.theme import px

Save = Callable[[str, Json, ValueType, SharedEntry | None, bool], Awaitable[object]]
"""Writes a value of a type under a name, over what was read (None for a new one); raises UserError with a sentence. The
last: it was deleted meanwhile, and is put back."""


class SharedSheet(SavingSheet):
    """An entry's fields, filled from `entry` where there is one; its name can't be changed then."""

    def __init__(self, parent: QWidget, heading: str, entry: SharedEntry | None, writes: ViewScope, save: Save) -> None:
        self.text = QPlainTextEdit()
        super().__init__(parent, heading, writes, self.text)
        self._save = save
        self._read = entry
        self._gone = False
        self.key = QLineEdit()
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
        self.fields_filled()

    def _say_how(self, type: str) -> None:
        self.how.setText(words.TIPS[words.Type(type)])
        if self.crossing is not None:
            self.crossing.later()

    # ---- the contract with SavingSheet ------------------------------------------------------------------------------

    async def write(self) -> None:
        if not self.key.text().strip():
            raise InvalidValue("Give it a name.")
        type = words.Type(self.type.value)
        value = words.parsed(type, self.text.toPlainText())
        kept_as = type_of(value) if type is words.Type.STRUCTURED else words.KEPT_AS[type]
        await self._save(self.key.text(), value, kept_as, self._read, self._gone)

    def typed(self) -> object:
        return self.key.text(), self.type.value, self.text.toPlainText()

    def crossed(self, present: object) -> None:
        self._gone = present is None
        if isinstance(present, SharedEntry):
            self._read = present

    def theirs(self, present: object) -> Theirs:
        if not isinstance(present, SharedEntry):
            return Theirs("It was deleted meanwhile and lies in the trash. Keeping yours puts it back.", "")
        type = words.type_of(present.value).value
        facts = [("Kind", type)] if type != self.type.value else []
        caption = f"Changed by {actor(present.updated_by)} {on_day(present.updated_at)}"
        return Theirs(caption, words.editable(present.value), facts)


async def edit(parent: QWidget, heading: str, entry: SharedEntry | None, writes: ViewScope, save: Save) -> bool:
    """Open the dialog; True when something was written."""
    return await shown(SharedSheet(parent, heading, entry, writes, save)) == WRITTEN
