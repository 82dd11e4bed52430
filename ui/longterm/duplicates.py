"""Memories that say the same: one pair at a time, both sides beside each other, and the person decides."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QPlainTextEdit, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from core.domain.consolidation import Choice, Merged, Pair, Side
from core.domain.memory import Record
from core.errors import NotFound, UserError, VersionConflict
from ui.longterm import words
from ui.longterm.presenter import LongTermPresenter
from ui.qt import figures
from ui.qt.dialogs import Sheet, shown
from ui.qt.difference import Part, Piece, difference
from ui.qt.scope import ViewScope
from ui.widgets.basics import Button, label
from ui.widgets.difference_text import DifferenceText
from ui.widgets.theme import px

LOOKING = "Looking for memories that say the same…"
NONE = "No two memories say the same."
DONE = "These were all. Ctrl+Z takes back what you decided, one after the other."


class SideView(QWidget):
    """One of both: title, what it is, its text with what only it has underlined."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self.title = label("", "heading", wrap=True)
        self.facts = label("", "secondary", wrap=True)
        self.text = DifferenceText(name)
        inner = QWidget()
        box = QVBoxLayout(inner)
        box.setContentsMargins(0, px(8), px(8), 0)
        box.addWidget(self.text)
        box.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidget(inner)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setMinimumHeight(px(160))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(px(4))
        outer.addWidget(label(name, "section"))
        outer.addWidget(self.title)
        outer.addWidget(self.facts)
        outer.addWidget(self.area, 1)

    def show_record(self, record: Record, pieces: Sequence[Piece], now: float) -> None:
        """pieces: its text; what is NEW stands only in it."""
        self.title.setText(record.title)
        self.facts.setText("\n".join(words.side_facts(record, now)))
        self.text.show_pieces(pieces)
        own = " ".join(piece.text.strip() for piece in pieces if piece.part is Part.NEW and piece.text.strip())
        only = f"Only here: {own}." if own else "Nothing stands only here."
        self.text.setAccessibleName(f"{self._name}: {record.title}. {only}")
        self.area.setAccessibleName(f"{self._name}: {record.title}")


class DuplicatesSheet(Sheet):
    """Shows the pairs that the presenter finds. What is decided is done at once and can be undone in the window."""

    def __init__(self, parent: QWidget, presenter: LongTermPresenter, reads: ViewScope, writes: ViewScope) -> None:
        super().__init__(parent, "Find duplicates", "")
        self._presenter = presenter
        self._reads, self._writes = reads, writes
        self._pairs: list[Pair] = []
        self._at = 0
        self._busy = False
        self._since = QElapsedTimer()  # since the pair was shown
        self._since.start()
        self.progress = label("", "strong", wrap=True)
        self.note = label("Underlined words stand only on that side.", "caption", wrap=True)
        self.left, self.right = SideView("Left"), SideView("Right")
        self.sides = QWidget()
        beside = QHBoxLayout(self.sides)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(px(16))
        beside.addWidget(self.left, 1)
        beside.addWidget(self.right, 1)
        self.together = QPlainTextEdit()
        self.together.setAccessibleName("What the merged memory is to say")
        self.together.setTabChangesFocus(True)
        self.together.setMinimumHeight(px(90))
        self.wrong = label(" ", "danger", wrap=True)
        self.filler = QWidget()  # keeps the sentence at the top where there is no pair
        self.filler.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        for widget in (self.progress, self.sides, self.note, self.together, self.wrong, self.filler):
            self.body.addWidget(widget)
        self.body.setStretchFactor(self.sides, 1)
        self.close_button = self.add_button("Close", 0)
        self._make_buttons()
        room = parent.width() - px(32)
        self.resize(min(px(860), max(room, self.minimumWidth())), px(480))
        self._show_pairs(())
        self.progress.setText(LOOKING)
        self.finished.connect(lambda _: self._reads.cancel(self._word))
        self._look()

    def _make_buttons(self) -> None:
        self.keep_both = self._button("Keep both", self._refuse, "Leaves both as they are; they aren't shown again")
        self.edit = self._button("Edit together…", self._start_editing, "Writes one text in place of both")
        self.keep_left = self._button("Keep left", lambda: self._merge(Choice(Side.LEFT)), _keeps("left", "right"))
        self.keep_right = self._button("Keep right", lambda: self._merge(Choice(Side.RIGHT)), _keeps("right", "left"))
        self.back = self._button("Back", self._stop_editing, "Goes back to both sides; what you typed is dropped")
        self.keep_text = self._button("Keep this text", self._merge_text, "Keeps one memory with this text")
        self.keep_text.setProperty("kind", "primary")

    def _button(self, text: str, act: Callable[[], Awaitable[object] | None], tip: str) -> Button:
        button = Button(text, tip=tip)
        button.setMinimumHeight(2 * self.fontMetrics().height())
        button.clicked.connect(self._writes.slot(act, about=button))
        self._buttons.addWidget(button)
        return button

    # ---- looking ----------------------------------------------------------------------------------------------------

    @property
    def _word(self) -> str:
        return f"duplicates {id(self)}"

    def _look(self) -> None:
        self._reads.start(self._looked(), about=self, latest=self._word)

    async def _looked(self) -> None:
        try:
            self._show_pairs(await self._presenter.duplicates())
        except UserError as error:
            self._say(error.sentence)

    def _show_pairs(self, pairs: Sequence[Pair]) -> None:
        self._pairs, self._at = list(pairs), 0
        self._show(NONE)

    def _show(self, otherwise: str) -> None:
        """Show the pair whose turn it is; where there is none any more, say so."""
        pair = self._pairs[self._at] if self._at < len(self._pairs) else None
        self._editing(False)
        self.filler.setVisible(pair is None)
        for widget in (self.sides, self.note, self.keep_both, self.keep_left, self.keep_right):
            widget.setVisible(pair is not None)
        self.edit.setVisible(pair is not None and _both_text(pair))
        if pair is None:
            self.progress.setText(otherwise)
            self._announce(otherwise)
            self.close_button.setFocus()
            return
        self._since.restart()
        said = f"{figures.count(self._at + 1)} of {figures.count(len(self._pairs))}: {words.likeness(pair)}"
        self.progress.setText(said)
        pieces = difference(words.editable(pair.left.value), words.editable(pair.right.value))
        now = self._presenter.clock()
        left = [p if p.part is Part.SAME else replace(p, part=Part.NEW) for p in pieces if p.part is not Part.NEW]
        self.left.show_record(pair.left, left, now)
        self.right.show_record(pair.right, [piece for piece in pieces if piece.part is not Part.GONE], now)
        for button, record in ((self.keep_left, pair.left), (self.keep_right, pair.right)):
            button.setAccessibleName(f"{button.text()}: {record.title}")
        self._announce(said)
        self.left.text.setFocus()  # on no button: a key that is pressed once too often decides nothing

    # ---- deciding ---------------------------------------------------------------------------------------------------

    def _too_soon(self) -> bool:
        """Whether a decision is under way, or was meant for the pair before: the second press of a double click."""
        return self._busy or self._since.elapsed() < QApplication.doubleClickInterval()

    async def _merge(self, choice: Choice) -> None:
        if self._too_soon():
            return
        pair = self._pairs[self._at]
        if (merged := await self._decided(self._presenter.merge(pair, choice))) is not None:
            assert isinstance(merged, Merged)
            self._pairs[self._at + 1 :] = _after(self._pairs[self._at + 1 :], merged)
            self._next()

    async def _refuse(self) -> None:
        if self._too_soon():
            return
        if await self._decided(self._presenter.keep_both(self._pairs[self._at])) is not None:
            self._next()

    async def _decided(self, act: Awaitable[object]) -> object:
        """Do it; None where it was refused, which is said. What was changed meanwhile is looked at anew."""
        self._busy = True
        try:
            return await act
        except (VersionConflict, NotFound) as error:
            self._say(f"{error.sentence} What stands there now is shown.")
            self._look()
        except UserError as error:
            self._say(error.sentence)
        finally:
            self._busy = False
        return None

    def _next(self) -> None:
        self._say(" ")
        self._at += 1
        self._show(DONE)

    # ---- one text in place of both ----------------------------------------------------------------------------------

    def _start_editing(self) -> None:
        pair = self._pairs[self._at]
        self.together.setPlainText(words.joined(words.editable(pair.left.value), words.editable(pair.right.value)))
        self._editing(True)
        self.together.setFocus()

    def _stop_editing(self) -> None:
        self._editing(False)
        self.edit.setFocus()

    async def _merge_text(self) -> None:
        text = self.together.toPlainText()
        if not text.strip():
            self._say("Write down what is to be remembered.")
            return
        await self._merge(Choice(Side.LEFT, text))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.together.isVisible():
            self._stop_editing()
        else:
            super().keyPressEvent(event)

    def _editing(self, on: bool) -> None:
        for widget in (self.together, self.back, self.keep_text):
            widget.setVisible(on)
        for widget in (self.keep_both, self.edit, self.keep_left, self.keep_right):
            widget.setVisible(not on)

    def _say(self, sentence: str) -> None:
        self.wrong.setText(sentence)
        if sentence.strip():
            self._announce(sentence)

    def _announce(self, sentence: str) -> None:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.progress, sentence))


def _keeps(kept: str, gone: str) -> str:
    return f"Keeps the {kept} one, with the tags of both; the {gone} one goes to the trash"


def _both_text(pair: Pair) -> bool:
    return isinstance(pair.left.value, str) and isinstance(pair.right.value, str)


def _after(pairs: Sequence[Pair], merged: Merged) -> list[Pair]:
    """The pairs that are left after a merge: without the one that is gone, with the kept one as it is now."""

    def now(record: Record) -> Record:
        return merged.after if record.id == merged.after.id else record

    return [
        replace(pair, left=now(pair.left), right=now(pair.right))
        for pair in pairs
        if merged.gone.id not in (pair.left.id, pair.right.id)
    ]


async def find_duplicates(parent: QWidget, presenter: LongTermPresenter, reads: ViewScope, writes: ViewScope) -> None:
    """Open the dialog and wait for its end."""
    await shown(DuplicatesSheet(parent, presenter, reads, writes))
