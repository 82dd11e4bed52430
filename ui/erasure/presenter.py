"""What the dialog of forgetting for good knows and does; no widgets."""

import asyncio
from collections.abc import Sequence
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from core.domain.erasure import Doomed, ErasurePlan, ErasureReport, Stage, Wanted, report_text
from core.errors import InvalidValue, UserError
from core.services.workspace import Workspace
from ui.erasure import words
from ui.qt.scope import ViewScope

SETTLE = 0.25  # seconds without a key before the workspace is looked through


class Step(Enum):
    ASKING = "asking"
    LOOKING = "looking"
    READY = "ready"  # `plan` says what goes
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"  # before anything was erased


class ErasurePresenter(QObject):
    """`changed` says that any of this is another: step, plan, said, hundredths, final, report.

    final: there is no way back. reads: cancelled with the view. writes: an erasure goes on there without the view.
    """

    changed = Signal()

    def __init__(self, workspace: Workspace, things: Sequence[tuple[Doomed, str]], reads: ViewScope, writes: ViewScope):
        super().__init__()
        self._workspace = workspace
        self._reads = reads
        self._writes = writes
        self.things = tuple(things)
        self.step = Step.ASKING
        self.plan: ErasurePlan | None = None
        self.report: ErasureReport | None = None
        self.said = ""
        self.hundredths = 0
        self.final = False
        self._alive = True

    # ---- looking ----------------------------------------------------------------------------------------------------

    def look_at_things(self) -> None:
        """Find out what goes with the chosen things."""
        self._reads.start(self._look(Wanted(self.things), 0.0), latest="erasure plan")

    def look_for(self, name: str) -> None:
        """Find out what holds a name, once it isn't typed on any more."""
        self.plan = None
        if not name.strip():
            self._reads.cancel("erasure plan")
            self._now(Step.ASKING, "")
            return
        self._now(Step.LOOKING, "Looking…")
        self._reads.start(self._look(Wanted(name=name), SETTLE), latest="erasure plan")

    async def _look(self, wanted: Wanted, wait: float) -> None:
        self._now(Step.LOOKING, "Looking…")
        await asyncio.sleep(wait)
        try:
            self.plan = await self._workspace.erasure.plan(wanted)
        except InvalidValue as error:
            self._now(Step.ASKING, error.sentence)
            return
        self._now(Step.ASKING if self.plan.empty else Step.READY, words.summary(self.plan))

    # ---- doing ------------------------------------------------------------------------------------------------------

    def forget(self) -> None:
        """Erase what the plan says."""
        if self.plan is not None and self.step is Step.READY:
            self.hundredths = 0
            self._now(Step.RUNNING, "Taking note of what to search for…")
            self._writes.start(self._forget(self.plan), latest="erasure")

    def stop(self) -> None:
        """Stop as long as there is a way back."""
        if self.step is Step.RUNNING and not self.final:
            self._writes.cancel("erasure")
            self._now(Step.STOPPED, "Stopped. Nothing was erased.")

    async def _forget(self, plan: ErasurePlan) -> None:
        try:
            self.report = await self._workspace.erasure.carry_out(plan, self._follow)
        except UserError as error:
            self._now(Step.STOPPED, error.sentence)
            return
        except Exception:
            self._now(Step.STOPPED, "It could not be finished now and goes on when this workspace is opened again.")
            raise
        self.hundredths = 100
        self._now(Step.DONE, "Nothing of it is left." if self.report.verified else "Something of it is left.")

    def _follow(self, stage: Stage, hundredths: int) -> None:
        if self.step is Step.RUNNING:
            self.final, self.hundredths = True, hundredths
            self._now(Step.RUNNING, words.STAGES[stage])

    # ---- the report -------------------------------------------------------------------------------------------------

    @property
    def report_words(self) -> str:
        """The report as Markdown; "" before there is one."""
        return report_text(self.report, self._workspace.info.name) if self.report is not None else ""

    async def save(self, target: Path) -> None:
        """Write the report to where the person keeps it."""
        await self._workspace.erasure.save(self.report_words, target)

    # -----------------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """The view is gone; what runs goes on."""
        self._alive = False
        self._reads.cancel("erasure plan")
        self.stop()

    def _now(self, step: Step, said: str) -> None:
        self.step, self.said = step, said
        if self._alive:
            self.changed.emit()
