"""Forgetting for good: what it takes, doing it, and the report."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListWidget, QTextBrowser, QWidget

from core.domain.erasure import Doomed
from core.services.workspace import Workspace
from ui.erasure import words
from ui.erasure.presenter import ErasurePresenter, Step
from ui.qt.dialogs import Sheet, choose_target, shown
from ui.qt.scope import ViewScope
from ui.widgets.basics import label, progress
from ui.widgets.chips import ChoiceChip
from ui.widgets.theme import px

HEADING = "Forget for good"
SENTENCE = (
    "What you choose is erased with everything that hangs on it, and every file is searched for what might be left. "
    "This can't be undone."
)
NAME = "A name, a word, or a phrase as it is written"
THINGS, A_NAME = "things", "name"
REPORT = "Forgotten for good.md"
MOST_LINES = 2000  # of the list; a longer one nobody reads, and the summary counts all


class ErasureSheet(Sheet):
    """Things: what is chosen in the list behind it; with none a name is asked for."""

    def __init__(self, window: QWidget, presenter: ErasurePresenter, writes: ViewScope) -> None:
        super().__init__(window, HEADING, SENTENCE)
        self.presenter = presenter
        self._writes = writes
        self._build_question()
        self.list = QListWidget()
        self.list.setAccessibleName("What will be erased")
        self.list.setMinimumHeight(px(180))
        self.list.setWordWrap(True)
        self.said = label(" ", "secondary", wrap=True)
        self.warning = label("", "warn", wrap=True)
        self.bar = progress("Forgetting for good", 500)
        self.bar.setRange(0, 100)
        self.report = QTextBrowser()
        self.report.setAccessibleName("The report")
        self.report.setMinimumHeight(px(300))
        for widget in (self.list, self.bar, self.report, self.said, self.warning):
            self.body.addWidget(widget)
        self.save = self.add_button("Save the report…", 0)
        self.save.clicked.disconnect()
        self.save.clicked.connect(lambda: writes.start(self._save(), about=self))
        self.cancel = self.add_button("Cancel", 0)
        self.act = self.add_button("Forget for good", 1, "danger")
        self.act.clicked.disconnect()
        self.act.clicked.connect(presenter.forget)
        self.setMinimumWidth(px(560))
        presenter.changed.connect(self._show)
        self._show()
        if presenter.things:
            presenter.look_at_things()
        self.cancel.setFocus() if presenter.things else self.line.setFocus()

    def _build_question(self) -> None:
        things = self.presenter.things
        self.what = (
            ChoiceChip(
                "What",
                [(THINGS, f"What is chosen: {words.chosen(things)}"), (A_NAME, "Everything about a name")],
                quiet=True,
            )
            if things
            else None
        )
        self.line = QLineEdit()
        self.line.setAccessibleName(NAME)
        self.line.setPlaceholderText(NAME)
        self.line.setMinimumHeight(px(34))
        if self.what is not None:
            across = QHBoxLayout()
            across.addWidget(self.what)
            across.addStretch(1)
            self.body.addLayout(across)
            self.what.chosen.connect(self._switch)
        self.body.addWidget(self.line)
        self.line.textChanged.connect(self.presenter.look_for)

    @property
    def by_name(self) -> bool:
        """A name is asked for."""
        return self.what is None or self.what.value == A_NAME

    def _switch(self, what: str) -> None:
        if what == THINGS:
            self.presenter.look_at_things()
        else:
            self.presenter.look_for(self.line.text())
            self.line.setFocus()

    # ---- showing ----------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        presenter, step = self.presenter, self.presenter.step
        asking = step in (Step.ASKING, Step.LOOKING, Step.READY)
        self.line.setVisible(asking and self.by_name)
        if self.what is not None:
            self.what.setVisible(asking)
        self.list.setVisible(asking and step is Step.READY)
        self.bar.setVisible(step is Step.RUNNING)
        self.bar.setValue(presenter.hundredths)
        self.report.setVisible(step is Step.DONE)
        self.save.setVisible(step is Step.DONE)
        self.act.setVisible(asking)
        self.act.setEnabled(step is Step.READY)
        self._show_words(step)
        if step is Step.READY:
            self._fill()
        if step is Step.DONE:
            self.report.setMarkdown(_smaller(presenter.report_words))
            self.save.setFocus()
        if step in (Step.DONE, Step.STOPPED):
            self.cancel.setText("Close")
        self.adjustSize()

    def _show_words(self, step: Step) -> None:
        presenter, running = self.presenter, self.presenter.step is Step.RUNNING
        self.said.setText(presenter.said or " ")
        self.said.setAccessibleName(presenter.said)
        plan = presenter.plan
        warning = words.NO_WAY_BACK if running and presenter.final else ""
        if step is Step.READY and plan is not None:
            warning = words.warnings(plan)
        self.warning.setText(warning)
        self.warning.setVisible(bool(warning))
        if running:
            self.cancel.setText("Close" if presenter.final else "Stop")

    def _fill(self) -> None:
        plan = self.presenter.plan
        if plan is None or self.list.property("of") == id(plan):
            return
        self.list.setProperty("of", id(plan))
        self.list.clear()
        self.list.addItems([words.line(thing) for thing in plan.things[:MOST_LINES]])
        self.list.setCurrentRow(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.line.hasFocus():
            return  # Enter in the box erases nothing
        super().keyPressEvent(event)

    async def _save(self) -> None:
        target = await choose_target(self, "Save the report", REPORT)
        if target is not None:
            await self.presenter.save(target)
            self.said.setText(f"The report is in {target}.")


def _smaller(report: str) -> str:
    """The report under the dialog's own heading: its sections in bold."""
    lines = report.splitlines()[2:]
    return "\n".join(f"**{line[3:]}**" if line.startswith("## ") else line for line in lines)


async def forget_for_good(
    window: QWidget, workspace: Workspace, things: Sequence[tuple[Doomed, str]], reads: ViewScope, writes: ViewScope
) -> bool:
    """Open the dialog and wait until it is put away. True where an erasure was begun: what was done before can't be
    taken back any more."""
    presenter = ErasurePresenter(workspace, things, reads, writes)
    try:
        await shown(ErasureSheet(window, presenter, writes))
    finally:
        presenter.close()
    return presenter.final
