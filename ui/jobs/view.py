"""The places of jobs and of scratchpads: what runs now, and what it holds in memory while it runs."""

from collections.abc import Sequence

from PySide6.QtCore import QTimer

from core.errors import UserError
from ui.commands.command import Command
from ui.commands.place import PlaceContext, PlaceView
from ui.jobs import words
from ui.jobs.details import show_job, show_step
from ui.jobs.presenter import JobsPresenter, ScratchpadPresenter, Step
from ui.qt import figures
from ui.qt.scope import ViewScope
from ui.widgets.browser import Browser
from ui.widgets.inspector import Inspector
from ui.widgets.list_page import ListPage
from ui.widgets.states import Empty

STATE_CHOICES = (("", "Any state"), *((state.value, words.STATES[state][0]) for state in words.CHOSEN_STATES))
TICK = 1000  # ms between two looks at how long something has been running


class JobsView(PlaceView):
    """Jobs that run, and those that ended since the workspace was opened."""

    def __init__(self, context: PlaceContext) -> None:
        super().__init__()
        self._reads = ViewScope(context.reads, context.problems.report)
        self._writes = ViewScope(context.writes, context.problems.report)
        self._held: object = None
        self.presenter = JobsPresenter(context.workspace, self._reads)
        empty = Empty(
            "clock",
            "Work that runs in the background appears here while it runs",
            "Reading papers is such work, and so is what an assistant or another program does here. "
            "What has ended stays in this list until the workspace is closed.",
        )
        self.page = self.list_page = ListPage("Jobs", self.presenter.model, empty)
        self.inspector = self.details = Inspector("Job", "Choose a job to see what it is doing and what it holds.")
        self._browser = Browser(self.presenter, self.list_page, self.details, self._show)
        self.presenter.chosen_changed.connect(self._memory_may_differ)
        self._browser.add_filter("state", "State", STATE_CHOICES)
        self._browser.add_sort()
        self.list_page.opened.connect(lambda _: self.details.area.setFocus())
        self._tick = QTimer(self.page)
        self._tick.setInterval(TICK)
        self._tick.timeout.connect(self._tick_over)
        self._tick.start()

    def commands(self) -> Sequence[Command]:
        return (
            Command(
                "jobs.stop", "Stop", self.presenter.stop, (), "Edit", when=self.presenter.can_stop, icon="ban",
                help="Asks the chosen jobs to stop. What they did so far stays as it is.",
            ),
        )  # fmt: skip

    def select(self, id: str, passage: int | None = None) -> None:
        self._reads.start(self._select(id), about=self.page, latest="select")

    async def _select(self, id: str) -> None:
        if not await self._browser.select(id):
            raise UserError("This job is not in the list any more.")

    def focus_list(self) -> None:
        self.list_page.list.setFocus()

    def close(self) -> None:
        self._tick.stop()
        self.presenter.close()

    def _tick_over(self) -> None:
        """Say anew for how long things have been running."""
        if self.page.isVisible() and self.presenter.something_runs():
            self.presenter.model.refresh()

    def _memory_may_differ(self) -> None:
        """What a job holds is no part of its row: fill the details anew where it is something else."""
        job = self.presenter.one
        held = (self.presenter.memory_of(job), self.presenter.steps_of(job)) if job is not None else None
        if held != self._held:
            self._held = held
            self._browser.show_again()

    def _show(self) -> None:
        job = self.presenter.one
        if job is None:
            self.details.begin(figures.of_things(self.presenter.chosen_count, "job", "jobs"))
        else:
            show_job(self.details, job, self.presenter)
        offered = [command for command in self.commands() if command.when()]
        self._browser.offer([(each.title, each.help, each.run) for each in offered], self._writes)


class ScratchpadView(PlaceView):
    """Steps that run now, each with its scratchpad; both go away when the step ends."""

    def __init__(self, context: PlaceContext) -> None:
        super().__init__()
        self._reads = ViewScope(context.reads, context.problems.report)
        self.presenter = ScratchpadPresenter(context.workspace, self._reads)
        empty = Empty(
            "sticky-note",
            "What a step of a job notes down for itself appears here while the step runs",
            "It is never written to disk. When the step ends, its notes are gone.",
        )
        self.page = self.list_page = ListPage("Scratchpad", self.presenter.model, empty)
        self.inspector = self.details = Inspector("Step", "Choose a step to see what it noted down.")
        self._browser = Browser(self.presenter, self.list_page, self.details, self._show)
        self.list_page.opened.connect(lambda _: self.details.area.setFocus())

    def select(self, id: str, passage: int | None = None) -> None:
        self._reads.start(self._select(id), about=self.page, latest="select")

    async def _select(self, id: str) -> None:
        if not await self._browser.select(id):
            raise UserError("This step has ended; its scratchpad went with it.")

    def focus_list(self) -> None:
        self.list_page.list.setFocus()

    def close(self) -> None:
        self.presenter.close()

    def _show(self) -> None:
        step: Step | None = self.presenter.one
        if step is None:
            self.details.begin(figures.of_things(self.presenter.chosen_count, "step", "steps"))
        else:
            show_step(self.details, step)
