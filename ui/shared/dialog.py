"""Adding and editing a shared entry: name, what kind of value, value."""

from collections.abc import Awaitable, Callable

from PySide6.QtWidgets import QFormLayout, QLabel, QLineEdit, QPlainTextEdit, QWidget

from core.domain.memory import Json, SharedEntry
from core.errors import InvalidValue, UserError, VersionConflict
from ui.qt.dialogs import Sheet, shown
from ui.qt.scope import ViewScope
from ui.shared import words
from ui.widgets.basics import label
from ui.widgets.chips import ChoiceChip
from ui.widgets.theme import px

Save = Callable[[str, Json], Awaitable[object]]
"""Writes a value under a name; raises UserError with a sentence."""


class SharedSheet(Sheet):
    """Stays open until the entry was written, or the person gives up. What `save` refuses is said in it."""

    def __init__(self, parent: QWidget, heading: str, entry: SharedEntry | None, writes: ViewScope, save: Save) -> None:
        super().__init__(parent, heading, "")
        self._writes = writes
        self._save = save
        form = QFormLayout()
        form.setVerticalSpacing(px(8))
        form.setHorizontalSpacing(px(12))
        self.body.addLayout(form)
        self.key, self.text = QLineEdit(), QPlainTextEdit()
        self.type = ChoiceChip("Kind", [(type.value, type.value) for type in words.TIPS], quiet=True)
        self.type.chosen.connect(self._say_how)
        for name, field in (("Name", self.key), ("Kind", self.type), ("Value", self.text)):
            if field is not self.type:
                field.setAccessibleName(name)
            form.addRow(name, field)
        self.how = label(words.TIPS[words.Type.TEXT], "secondary", wrap=True)
        self.body.addWidget(self.how)
        self.text.setTabChangesFocus(True)
        self.text.setMinimumHeight(px(120))
        self.wrong = QLabel(" ")
        self.wrong.setProperty("role", "danger")
        self.wrong.setWordWrap(True)
        self.body.addWidget(self.wrong)
        self.add_button("Cancel", 0)
        self.act = self.add_button("Save", 1, "primary", default=True)
        self.act.clicked.disconnect()
        self.act.clicked.connect(self.save)
        if entry is not None:
            self.key.setText(entry.key)
            self.key.setReadOnly(True)
            self.type.set_value(words.type_of(entry.value).value)
            self._say_how(self.type.value)
            self.text.setPlainText(words.editable(entry.value))
        (self.key if entry is None else self.text).setFocus()

    def _say_how(self, type: str) -> None:
        self.how.setText(words.TIPS[words.Type(type)])

    def save(self) -> None:
        """Write it; close when it is written."""
        self._writes.start(self._try(), about=self)

    async def _try(self) -> None:
        self.act.setEnabled(False)
        try:
            if not self.key.text().strip():
                raise InvalidValue("Give it a name.")
            value = words.parsed(words.Type(self.type.value), self.text.toPlainText())
            await self._save(self.key.text(), value)
        except UserError as error:
            self.wrong.setText(error.sentence)
            if isinstance(error, VersionConflict):
                self.act.setText("Save and replace")
        else:
            self.done(1)
        finally:
            self.act.setEnabled(True)


async def edit(parent: QWidget, heading: str, entry: SharedEntry | None, writes: ViewScope, save: Save) -> bool:
    """Open the dialog; True when something was written."""
    return await shown(SharedSheet(parent, heading, entry, writes, save)) == 1
