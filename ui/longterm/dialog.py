"""Adding and editing a memory: title, text, kind, tags."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtWidgets import QFormLayout, QLabel, QLineEdit, QPlainTextEdit, QWidget

from core.domain.memory import Json, Record
from core.domain.tiers import Tier
from core.errors import InvalidValue, UserError, VersionConflict
from ui.longterm import words
from ui.qt.dialogs import Sheet, shown
from ui.qt.scope import ViewScope
from ui.widgets.chips import ChoiceChip
from ui.widgets.theme import px


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands in the dialog."""

    title: str
    value: Json
    tier: Tier
    tags: list[str]


Save = Callable[[Draft], Awaitable[object]]
Field = TypeVar("Field", bound=QWidget)


class RecordSheet(Sheet):
    """Stays open until the memory was written, or the person gives up. What `save` refuses is said in it."""

    def __init__(self, parent: QWidget, heading: str, record: Record | None, writes: ViewScope, save: Save) -> None:
        super().__init__(parent, heading, "")
        self._writes = writes
        self._save = save
        self._structured = record is not None and not isinstance(record.value, str)
        self._form = QFormLayout()
        self._form.setVerticalSpacing(px(8))
        self._form.setHorizontalSpacing(px(12))
        self.body.addLayout(self._form)
        self.name = self._add("Title", QLineEdit())
        self.text = self._add("Values (JSON)" if self._structured else "What", QPlainTextEdit())
        self.text.setTabChangesFocus(True)
        self.text.setMinimumHeight(px(140))
        kinds = [(tier.value, name) for tier, (name, _, _) in words.TIERS.items()]
        self.kind = ChoiceChip("Kind", kinds, quiet=True, tip="How long it stays present (tier)")
        self._form.addRow("Kind", self.kind)
        self.tags = self._add("Tags", QLineEdit())
        self.tags.setPlaceholderText("with commas between them")
        self.wrong = QLabel(" ")
        self.wrong.setProperty("role", "danger")
        self.wrong.setWordWrap(True)
        self.body.addWidget(self.wrong)
        self.add_button("Cancel", 0)
        self.act = self.add_button("Save", 1, "primary", default=True)
        self.act.clicked.disconnect()
        self.act.clicked.connect(self.save)
        self._fill(record)
        self.name.setFocus()

    def _add(self, name: str, field: Field) -> Field:
        field.setAccessibleName(name)
        self._form.addRow(name, field)
        return field

    def _fill(self, record: Record | None) -> None:
        if record is None:
            self.kind.set_value(Tier.SEMANTIC.value)
            return
        self.name.setText(record.title)
        self.text.setPlainText(words.editable(record.value))
        self.kind.set_value(record.tier.value)
        self.tags.setText(", ".join(record.tags))

    def draft(self) -> Draft:
        """Raises InvalidValue with a sentence."""
        if not self.name.text().strip():
            raise InvalidValue("Give it a title.")
        value = words.edited(self.text.toPlainText(), structured=self._structured)
        return Draft(self.name.text().strip(), value, Tier(self.kind.value), words.tags_of(self.tags.text()))

    def save(self) -> None:
        """Write it; close when it is written."""
        self._writes.start(self._try(), about=self)

    async def _try(self) -> None:
        self.act.setEnabled(False)
        try:
            await self._save(self.draft())
        except UserError as error:
            self.wrong.setText(error.sentence)
            if isinstance(error, VersionConflict):
                self.act.setText("Save and replace")
        else:
            self.done(1)
        finally:
            self.act.setEnabled(True)


async def edit(parent: QWidget, heading: str, record: Record | None, writes: ViewScope, save: Save) -> bool:
    """Open the dialog; True when something was written."""
    return await shown(RecordSheet(parent, heading, record, writes, save)) == 1
