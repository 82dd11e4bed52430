"""Adding and editing a memory: title, text, kind, tags."""

from collections.abc import Awaitable, Callable

from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from core.domain.memory import Record
from core.domain.tiers import Tier
from core.errors import InvalidValue
from ui.longterm import words
from ui.longterm.words import Draft
from ui.qt.dialogs import shown
from ui.qt.scope import ViewScope
from ui.qt.wording import actor, on_day
from ui.widgets.chips import ChoiceChip
from ui.widgets.crossing import Theirs
from ui.widgets.saving_sheet import WRITTEN, SavingSheet
from ui.widgets.theme import px

Save = Callable[[Draft, Record | None, bool], Awaitable[object]]
"""Writes a draft over what was read (None for a new one). The last: it was forgotten meanwhile, and is put back."""


class RecordSheet(SavingSheet):
    """A memory's fields, filled from `record` where there is one."""

    def __init__(self, parent: QWidget, heading: str, record: Record | None, writes: ViewScope, save: Save) -> None:
        self.text = QPlainTextEdit()
        super().__init__(parent, heading, writes, self.text)
        self._save = save
        self._read = record
        self._gone = False
        self._structured = record is not None and not isinstance(record.value, str)
        self.name, self.tags = QLineEdit(), QLineEdit()
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
        self.fields_filled()
        for signal in (self.name.textChanged, self.tags.textChanged, self.kind.chosen):
            signal.connect(self._compare)

    def _fill(self, record: Record | None) -> None:
        if record is None:
            self.kind.set_value(Tier.SEMANTIC.value)
            return
        self.name.setText(record.title)
        self.text.setPlainText(words.editable(record.value))
        self.kind.set_value(record.tier.value)
        self.tags.setText(", ".join(record.tags))

    def _compare(self) -> None:
        if self.crossing is not None:
            self.crossing.later()

    # ---- the contract with SavingSheet ------------------------------------------------------------------------------

    async def write(self) -> None:
        await self._save(self.draft(), self._read, self._gone)

    def typed(self) -> object:
        return self.name.text(), self.text.toPlainText(), self.kind.value, self.tags.text()

    def crossed(self, present: object) -> None:
        self._gone = present is None
        if isinstance(present, Record):
            self._read = present

    def theirs(self, present: object) -> Theirs:
        if not isinstance(present, Record):
            return Theirs("It was forgotten meanwhile and lies in the trash. Keeping yours puts it back.", "")
        mine_tags = words.tags_of(self.tags.text())
        facts = [("Title", present.title)] if present.title != self.name.text().strip() else []
        facts += [("Kind", words.TIERS[present.tier][0])] if present.tier.value != self.kind.value else []
        facts += [("Tags", ", ".join(present.tags) or "none")] if list(present.tags) != mine_tags else []
        caption = f"Changed by {actor(present.updated_by)} {on_day(present.updated_at)}"
        return Theirs(caption, words.editable(present.value), facts)

    def draft(self) -> Draft:
        """Raises InvalidValue with a sentence."""
        if not self.name.text().strip():
            raise InvalidValue("Give it a title.")
        value = words.edited(self.text.toPlainText(), structured=self._structured)
        return Draft(self.name.text().strip(), value, Tier(self.kind.value), words.tags_of(self.tags.text()))


async def edit(parent: QWidget, heading: str, record: Record | None, writes: ViewScope, save: Save) -> bool:
    """Open the dialog; True when something was written."""
    return await shown(RecordSheet(parent, heading, record, writes, save)) == WRITTEN
