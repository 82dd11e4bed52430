"""Adding and editing a memory: title, text, kind, tags."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from core.domain.memory import Json, Record
from core.domain.tiers import Tier
from core.errors import InvalidValue
from ui.longterm import words
from ui.qt.dialogs import shown
from ui.qt.scope import ViewScope
from ui.widgets.chips import ChoiceChip
from ui.widgets.saving_sheet import SavingSheet
from ui.widgets.theme import px


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands in the dialog."""

    title: str
    value: Json
    tier: Tier
    tags: list[str]


Save = Callable[[Draft], Awaitable[object]]


class RecordSheet(SavingSheet):
    """A memory's fields, filled from `record` where there is one."""

    def __init__(self, parent: QWidget, heading: str, record: Record | None, writes: ViewScope, save: Save) -> None:
        super().__init__(parent, heading, writes)
        self._save = save
        self._structured = record is not None and not isinstance(record.value, str)
        self.name, self.text, self.tags = QLineEdit(), QPlainTextEdit(), QLineEdit()
        kinds = [(tier.value, name) for tier, (name, _, _) in words.TIERS.items()]
        self.kind = ChoiceChip("Kind", kinds, quiet=True, tip="How long it stays present (tier)")
        self.text.setTabChangesFocus(True)
        self.text.setMinimumHeight(px(140))
        self.tags.setPlaceholderText("with commas between them")
        self.add_field("Title", self.name)
        self.add_field("Values (JSON)" if self._structured else "What", self.text)
        self.add_field("Kind", self.kind)
        self.add_field("Tags", self.tags)
        self._fill(record)
        self.name.setFocus()

    def _fill(self, record: Record | None) -> None:
        if record is None:
            self.kind.set_value(Tier.SEMANTIC.value)
            return
        self.name.setText(record.title)
        self.text.setPlainText(words.editable(record.value))
        self.kind.set_value(record.tier.value)
        self.tags.setText(", ".join(record.tags))

    async def write(self) -> None:
        await self._save(self.draft())

    def draft(self) -> Draft:
        """Raises InvalidValue with a sentence."""
        if not self.name.text().strip():
            raise InvalidValue("Give it a title.")
        value = words.edited(self.text.toPlainText(), structured=self._structured)
        return Draft(self.name.text().strip(), value, Tier(self.kind.value), words.tags_of(self.tags.text()))


async def edit(parent: QWidget, heading: str, record: Record | None, writes: ViewScope, save: Save) -> bool:
    """Open the dialog; True when something was written."""
    return await shown(RecordSheet(parent, heading, record, writes, save)) == 1
