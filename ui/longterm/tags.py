"""The tags of one memory or of many: which of them bear a tag, and tags that are added."""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCompleter, QLineEdit, QVBoxLayout, QWidget

from core.domain.memory import Record
from ui.longterm import words
from ui.qt import figures
from ui.qt.dialogs import shown
from ui.qt.scope import ViewScope
from ui.widgets.saving_sheet import SavingSheet
from ui.widgets.theme import px
from ui.widgets.tick_box import TickBox

SHOWN = 12

Save = Callable[[Sequence[str], Sequence[str]], Awaitable[object]]
"""Adds the first and takes the second away."""


class TagSheet(SavingSheet):
    """A box for each tag; one that only some of them bear is half ticked and stays as it is until it is clicked."""

    def __init__(
        self, parent: QWidget, records: Sequence[Record], known: Sequence[str], writes: ViewScope, save: Save
    ) -> None:
        super().__init__(parent, "Tags", writes)
        self._save = save
        self.boxes: dict[str, TickBox] = {}
        self._before: dict[str, Qt.CheckState] = {}
        counted = Counter(tag for record in records for tag in dict.fromkeys(record.tags))
        column = QVBoxLayout()
        column.setSpacing(px(4))
        for tag, count in counted.most_common(SHOWN):
            box = TickBox(tag)
            box.setTristate(count < len(records))
            state = Qt.CheckState.Checked if count == len(records) else Qt.CheckState.PartiallyChecked
            box.setCheckState(state)
            if count < len(records):
                box.setToolTip(f"{figures.count(count)} of {figures.count(len(records))} have it")
            self.boxes[tag], self._before[tag] = box, state
            column.addWidget(box)
        holder = QWidget()
        holder.setLayout(column)
        if self.boxes:
            self.add_field("They have" if len(records) > 1 else "It has", holder)
        self.line = QLineEdit()
        self.line.setPlaceholderText("with commas between them")
        completer = QCompleter([tag for tag in known if tag not in self.boxes], self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.line.setCompleter(completer)
        self.add_field("Add", self.line)
        self.line.setFocus()
        self.fields_filled()

    def typed(self) -> object:
        return self.line.text(), [box.checkState() for box in self.boxes.values()]

    async def write(self) -> None:
        changed = [(tag, box.checkState()) for tag, box in self.boxes.items() if box.checkState() != self._before[tag]]
        more = [tag for tag, state in changed if state is Qt.CheckState.Checked]
        less = [tag for tag, state in changed if state is Qt.CheckState.Unchecked]
        await self._save([*more, *words.tags_of(self.line.text())], less)


async def edit_tags(
    parent: QWidget, records: Sequence[Record], known: Sequence[str], writes: ViewScope, save: Save
) -> None:
    """Open the dialog and wait for its end."""
    await shown(TagSheet(parent, records, known, writes, save))
