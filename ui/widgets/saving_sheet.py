"""SavingSheet: a dialog with fields that stays open until they were written, or the person gives up."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from core.errors import UserError, VersionConflict
from ui.qt.dialogs import Sheet
from ui.qt.scope import ViewScope
from ui.widgets.basics import label
from ui.widgets.crossing import Crossing, Theirs
from ui.widgets.theme import px

WRITTEN, THEIRS = 1, 2  # results of the dialog; 0 is given up


class SavingSheet(Sheet):
    """Fields are added with `add_field`; `write` does the work. What it refuses is said in the dialog (`wrong`).

    Where somebody else wrote meanwhile (VersionConflict), what stands now is shown beside the fields (`theirs`): the
    person keeps theirs, keeps the own one, or goes on editing with both in view. What was typed is thrown away only
    when that was said twice.
    """

    def __init__(self, parent: QWidget, heading: str, writes: ViewScope, text: QPlainTextEdit | None = None) -> None:
        """text: the field that is compared word by word where two edits cross."""
        super().__init__(parent, heading, "")
        self._writes = writes
        self._text = text
        self._present: object = None
        self._untouched: object = None
        self._warned = False
        self.crossing: Crossing | None = None
        self._form = QFormLayout()
        self._form.setVerticalSpacing(px(8))
        self._form.setHorizontalSpacing(px(12))
        self._mine = label("Yours", "heading")
        self._mine.hide()
        left = QVBoxLayout()
        left.addWidget(self._mine)
        left.addLayout(self._form)
        self._sides = QHBoxLayout()
        self._sides.addLayout(left, 1)
        self.body.addLayout(self._sides)
        self.wrong = QLabel(" ")
        self.wrong.setTextFormat(Qt.TextFormat.PlainText)
        self.wrong.setProperty("role", "danger")
        self.wrong.setWordWrap(True)
        self.body.addWidget(self.wrong)
        self.cancel = self.add_button("Cancel", 0)
        self.cancel.clicked.disconnect()
        self.cancel.clicked.connect(self.give_up)
        self.take = self.add_button("Take theirs", THEIRS)
        self.take.hide()
        self.act = self.add_button("Save", WRITTEN, "primary", default=True)
        self.act.clicked.disconnect()
        self.act.clicked.connect(self.save)

    def add_field(self, name: str, field: QWidget) -> None:
        """A field with its name at the left; a field that names itself keeps its own."""
        if not field.accessibleName():
            field.setAccessibleName(name)
        self._form.addRow(name, field)

    # ---- what a dialog of one kind says -----------------------------------------------------------------------------

    async def write(self) -> None:
        """Write what stands in the fields. Raises UserError with a sentence."""
        raise NotImplementedError

    def typed(self) -> object:
        """What stands in the fields, to see whether anything was changed."""
        raise NotImplementedError

    def theirs(self, present: object) -> Theirs:
        """What stands in the workspace now, as it differs from the fields; present is None where it is gone."""
        raise NotImplementedError

    def crossed(self, present: object) -> None:
        """The next `write` goes over this."""

    # ---- saving -----------------------------------------------------------------------------------------------------

    def fields_filled(self) -> None:
        """Called when the fields hold what is to be edited: from here on a change is something that can be lost."""
        self._untouched = self.typed()

    def save(self) -> None:
        """Write it; close when it is written."""
        self._writes.start(self._try(), about=self)

    async def _try(self) -> None:
        self.act.setEnabled(False)
        try:
            await self.write()
        except UserError as error:
            self._say(error.sentence)
            if isinstance(error, VersionConflict) and self._text is not None:
                self._cross(error.present)
        else:
            self.done(WRITTEN)
        finally:
            self.act.setEnabled(True)

    def _say(self, sentence: str) -> None:
        """Say it above the buttons, and to screen readers at once."""
        self.wrong.setText(sentence)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.wrong, sentence))

    def _cross(self, present: object) -> None:
        """Show both sides; the person chooses."""
        self._present = present
        self.crossed(present)
        self.act.setText("Keep mine" if present is not None else "Put mine back")
        self.take.setVisible(True)
        self.take.setText("Take theirs" if present is not None else "Leave it")
        self._mine.show()
        if self.crossing is None:
            assert self._text is not None
            self.crossing = Crossing(self._text, lambda: self.theirs(self._present))
            self._sides.addWidget(self.crossing, 1)
            parent = self.parentWidget()
            room = parent.width() - px(32) if parent is not None else px(920)
            self.resize(max(self.width(), min(px(920), room)), max(self.height(), px(460)))
        else:
            self.crossing.compare()

    # ---- giving up --------------------------------------------------------------------------------------------------

    def give_up(self) -> None:
        """Close without writing; where something was typed, only when asked a second time."""
        if self._warned or self.typed() == self._untouched:
            self.reject()
            return
        self._warned = True
        self._say("What you changed is not saved. Press once more to throw it away.")
        self.cancel.setText("Throw away")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.give_up()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.give_up()
        event.setAccepted(not self.isVisible())
