"""The places of jobs and of scratchpads: what runs now, and what it holds in memory while it runs."""

from collections.abc import Sequence

from PySide6.QtCore import QTimer

from core.domain.scopes import Job, ScopedEntry
from core.errors import UserError
from ui.commands.place import PlaceContext, PlaceView
from ui.jobs import words
from ui.jobs.presenter import JobsPresenter, ScratchpadPresenter, Step
from ui.qt import figures
from ui.qt.scope import ViewScope
from ui.widgets.basics import tag
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
        self.presenter = JobsPresenter(context.workspace, self._reads)
        empty = Empty(
            "clock",
            "Work that runs in the background appears here while it runs",
            "Reading papers is such work. What has ended stays in this list until the workspace is closed.",
        )
        self.page = self.list_page = ListPage("Jobs", self.presenter.model, empty)
        self.inspector = self.details = Inspector("Job", "Choose a job to see what it is doing and what it holds.")
        self._browser = Browser(self.presenter, self.list_page, self.details, self._show)
        self._browser.add_filter("state", "State", STATE_CHOICES)
        self._browser.add_sort()
        self.list_page.opened.connect(lambda _: self.details.area.setFocus())
        self._tick = QTimer(self.page)
        self._tick.setInterval(TICK)
        self._tick.timeout.connect(self.list_page.list.viewport().update)
        self._tick.start()

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

    def _show(self) -> None:
        job = self.presenter.one
        if job is None:
            self.details.begin(figures.of_things(self.presenter.chosen_count, "job", "jobs"))
            return
        state, _, tone = words.STATES[job.state]
        self.details.begin(job.title, [tag(state, tone if tone in ("warn", "danger") else "")])
        if job.detail:
            self.details.add_text(job.detail)
        self.details.add_facts(self._facts(job))
        if not job.state.ended:
            for title in self.presenter.steps_of(job):
                self.details.add_section("Step", title, tip="A step has a scratchpad of its own")
            show_entries(self.details, "What it holds", self.presenter.memory_of(job), "Execution memory")

    def _facts(self, job: Job) -> list[tuple[str, str]]:
        facts = [
            ("Begun", figures.moment(job.started_at)),
            ("Ended", figures.moment(job.ended_at) if job.ended_at is not None else ""),
            ("By", f"{job.actor}, {words.ACTORS[job.actor_type]}"),
            ("Asked by", job.requested_by),
        ]
        return [(name, value) for name, value in facts if value]


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
            return
        self.details.begin(step.title, [tag("Running now")])
        self.details.add_text(f"A step of “{step.job}”.", "secondary")
        show_entries(self.details, "What it noted down", step.entries, "Scratchpad of this step")


def show_entries(details: Inspector, heading: str, entries: Sequence[ScopedEntry], tip: str) -> None:
    """Values with their names, or that there are none."""
    details.add_section(heading, None if entries else "Nothing just now.", tip=tip)
    details.add_facts([(entry.key, words.value(entry.value)) for entry in entries])
