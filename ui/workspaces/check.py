"""Checking a workspace: progress that can be stopped, then what was found."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from core.domain.papers import Paper
from core.services.upkeep import Checked, UpkeepService
from ui.qt import figures
from ui.qt.dialogs import Sheet, shown
from ui.qt.scope import ViewScope
from ui.widgets.basics import label, progress

LISTED = 12


class CheckSheet(Sheet):
    """Runs the check while it is open; closing it stops the check after the paper at hand."""

    def __init__(self, parent: QWidget, upkeep: UpkeepService, reads: ViewScope) -> None:
        super().__init__(
            parent,
            "Check this workspace",
            "Every stored paper is compared with what it was when it came in. You can go on working.",
        )
        self._upkeep = upkeep
        self._reads = reads
        self.bar = progress("Papers checked", 420)
        self.said = label("Beginning…", wrap=True)
        self.body.addWidget(self.bar)
        self.body.addWidget(self.said)
        self.close_button = self.add_button("Stop", 0)
        self.finished.connect(lambda _: reads.cancel("check"))
        reads.start(self._run(), latest="check")

    async def _run(self) -> None:
        try:
            found = await self._upkeep.check(self._show)
        except Exception:
            self.said.setText("The check could not be finished.")
            raise
        self.bar.setRange(0, 1)
        self.bar.setValue(1)
        self.said.setText(found_words(found))
        self.close_button.setText("Close")
        self.close_button.setFocus()

    def _show(self, done: int, total: int, name: str) -> None:
        self.bar.setRange(0, max(1, total))
        self.bar.setValue(done)
        self.said.setText(f"{figures.count(done)} of {figures.of_things(total, 'paper', 'papers')} · {name}")


def found_words(found: Checked) -> str:
    """What the check found, in sentences."""
    papers = figures.of_things(found.papers, "paper", "papers")
    said = [f"{papers} checked."]
    if not found.papers:
        said = ["There are no papers yet."]
    elif not (found.repaired or found.damaged):
        said.append("All of them are whole.")
    if found.repaired:
        said.append(f"Repaired from the files that they came from: {_names(found.repaired)}.")
    if found.damaged:
        said.append(
            f"Damaged or lost: {_names(found.damaged)}. Add these files once more to repair them; "
            "until then their text is still found, but the originals can't be opened."
        )
    return "\n".join(said)


def _names(papers: Sequence[Paper]) -> str:
    names = [f"“{paper.name}”" for paper in papers[:LISTED]]
    if len(papers) > LISTED:
        names.append(f"and {figures.count(len(papers) - LISTED)} more")
    return ", ".join(names)


async def check(parent: QWidget, upkeep: UpkeepService, reads: ViewScope) -> None:
    """Open the check and wait until it is put away."""
    await shown(CheckSheet(parent, upkeep, reads))
