"""SavingSheet: a dialog with fields that stays open until they were written, or the person gives up."""

from PySide6.QtWidgets import QFormLayout, QLabel, QWidget

from core.errors import UserError, VersionConflict
from ui.qt.dialogs import Sheet
from ui.qt.scope import ViewScope
from ui.widgets.theme import px


class SavingSheet(Sheet):
    """Fields are added with `add_field`; `write` does the work. What it refuses is said in the dialog (`wrong`).

    Where somebody else wrote meanwhile (VersionConflict), the button says that the next press replaces that.
    """

    def __init__(self, parent: QWidget, heading: str, writes: ViewScope) -> None:
        super().__init__(parent, heading, "")
        self._writes = writes
        self._form = QFormLayout()
        self._form.setVerticalSpacing(px(8))
        self._form.setHorizontalSpacing(px(12))
        self.body.addLayout(self._form)
        self.wrong = QLabel(" ")
        self.wrong.setProperty("role", "danger")
        self.wrong.setWordWrap(True)
        self.body.addWidget(self.wrong)
        self.add_button("Cancel", 0)
        self.act = self.add_button("Save", 1, "primary", default=True)
        self.act.clicked.disconnect()
        self.act.clicked.connect(self.save)

    def add_field(self, name: str, field: QWidget) -> None:
        """A field with its name at the left; a field that names itself keeps its own."""
        if not field.accessibleName():
            field.setAccessibleName(name)
        self._form.addRow(name, field)

    async def write(self) -> None:
        """Write what stands in the fields. Raises UserError with a sentence."""
        raise NotImplementedError

    def save(self) -> None:
        """Write it; close when it is written."""
        self._writes.start(self._try(), about=self)

    async def _try(self) -> None:
        self.act.setEnabled(False)
        try:
            await self.write()
        except UserError as error:
            self.wrong.setText(error.sentence)
            if isinstance(error, VersionConflict):
                self.act.setText("Save and replace")
        else:
            self.done(1)
        finally:
            self.act.setEnabled(True)
