"""The places of jobs and of scratchpads."""

from PySide6.QtWidgets import QLabel

from core.domain.scopes import ActorType, Job, JobState, Owner
from core.services.work import JobDesk
from tests.ui.features.desk import Desk, until
from ui.jobs import words
from ui.jobs.view import JobsView, ScratchpadView
from ui.qt.line import Line
from ui.qt.paged import LineRole
from ui.widgets.basics import Button


def start(desk: Desk, title: str = "Weekly letters") -> Job:
    return desk.workspace.jobs.start(
        title, actor="Intake assistant", actor_type=ActorType.AGENT, requested_by="Front desk"
    )


def texts(view: JobsView | ScratchpadView) -> list[str]:
    return [label.text() for label in view.details.findChildren(QLabel)]


async def jobs_of(desk: Desk) -> JobsView:
    view = desk.build(JobsView)
    assert isinstance(view, JobsView)
    await until(lambda: view.presenter.model.state == "ready")
    return view


async def test_empty_places_say_what_will_appear(desk: Desk) -> None:
    view = await jobs_of(desk)
    assert view.list_page.empty.isVisible()
    pad = desk.build(ScratchpadView)
    assert isinstance(pad, ScratchpadView)
    await until(lambda: pad.list_page.empty.isVisible())
    assert "never written to disk" in pad.list_page.empty.hint.text()


async def test_a_job_is_shown_live_until_it_ended(desk: Desk, qtmodeltester: object) -> None:
    view = await jobs_of(desk)
    jobs = desk.workspace.jobs
    job = start(desk)
    jobs.execution.set(Owner(desk.workspace.info.id, job=job.id), "letters", ["A", "B"])
    await until(lambda: view.presenter.model.rowCount() == 1)
    view.select(job.id)
    await until(lambda: "A, B" in texts(view))
    assert "Intake assistant, an assistant" in texts(view)
    assert "Front desk" in texts(view)
    jobs.heartbeat(job.id, detail="letter 3 of 12")
    await until(lambda: "letter 3 of 12" in texts(view))
    jobs.end(job.id, JobState.FAILED)
    await until(lambda: "A, B" not in texts(view))
    line = view.presenter.model.index(0, 0).data(LineRole)
    assert line.status == "Failed"
    assert line.tone == "danger"
    assert line.detail.startswith("Ran for ")
    qtmodeltester.check(view.presenter.model, force_py=True)  # pyright: ignore[reportAttributeAccessIssue]


async def test_jobs_are_narrowed_by_state(desk: Desk) -> None:
    view = await jobs_of(desk)
    desk.workspace.jobs.end(start(desk, "One").id, JobState.COMPLETED)
    start(desk, "Two")
    await until(lambda: view.presenter.model.rowCount() == 2)
    view.list_page.narrow("state", "running")
    await until(lambda: view.presenter.model.rowCount() == 1)


def first(view: JobsView) -> Line:
    """The first row; an empty one while it is being read."""
    return view.presenter.model.index(0, 0).data(LineRole) or Line("")


def buttons(view: JobsView) -> list[str]:
    return [each.text() for each in view.details.findChildren(Button) if each.isVisible() and not each.property("kind")]


async def test_work_of_another_program_is_seen_and_stopped(desk: Desk) -> None:
    view = await jobs_of(desk)
    place = JobDesk(desk.workspace.jobs, desk.workspace.info.id)
    work = await place.start("Weekly letters", actor="Front", actor_type=ActorType.USER)
    step = await work.begin_step("Run")
    view.select(work.id)
    await until(lambda: "another program on this computer" in texts(view))
    await work.note("output", [f"line {n}" for n in range(60)], step)
    written = "\n".join(f"line {n}" for n in range(36, 60))
    await until(lambda: written in texts(view))
    assert "Run" in texts(view)
    await until(lambda: buttons(view) == ["Stop"])
    await view.presenter.stop()
    await until(lambda: buttons(view) == [])
    assert work.stop.is_set()
    await until(lambda: "Being stopped" in texts(view))
    await work.end_step(step, JobState.CANCELLED)
    await work.end(JobState.CANCELLED)
    await until(lambda: first(view).status == "Cancelled")
    await until(lambda: written not in texts(view))


async def test_what_a_job_holds_is_shown_anew_when_it_changes_alone(desk: Desk) -> None:
    view = await jobs_of(desk)
    job = start(desk)
    view.select(job.id)
    await until(lambda: "Nothing just now." in texts(view))
    desk.workspace.jobs.execution.set(Owner(desk.workspace.info.id, job=job.id), "letters", 3)
    await until(lambda: "3" in texts(view))


async def test_a_change_leaves_selection_and_scroll_position(desk: Desk) -> None:
    for number in range(60):
        start(desk, f"Job {number}")
    view = await jobs_of(desk)
    chosen = next(job for job in desk.workspace.jobs._jobs.values() if job.title == "Job 30")
    view.select(chosen.id)
    await until(lambda: view.presenter.one is not None)
    bar = view.list_page.list.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    at = bar.value()
    desk.workspace.jobs.heartbeat(chosen.id, detail="letter 3 of 12")
    await until(lambda: "letter 3 of 12" in texts(view))
    assert (view.presenter.one.title, bar.value()) == ("Job 30", at)


async def test_the_time_that_a_job_takes_goes_on(desk: Desk) -> None:
    view = await jobs_of(desk)
    desk.workspace.jobs._jobs[start(desk).id].started_at -= 60.0
    await until(lambda: view.presenter.model.rowCount() == 1)
    view._tick_over()
    await until(lambda: first(view).detail == "Running for 1 minute")


async def test_a_scratchpad_lives_as_long_as_its_step(desk: Desk, qtmodeltester: object) -> None:
    view = desk.build(ScratchpadView)
    assert isinstance(view, ScratchpadView)
    jobs = desk.workspace.jobs
    step = jobs.begin_step(start(desk).id, "Write to Mrs Adler")
    jobs.scratchpad.set(step, "greeting", "Dear Mrs Adler")
    jobs._changed("step", str(step.step))
    await until(lambda: view.presenter.model.rowCount() == 1)
    await view._select(str(step.step))
    await until(lambda: "Dear Mrs Adler" in texts(view))
    qtmodeltester.check(view.presenter.model, force_py=True)  # pyright: ignore[reportAttributeAccessIssue]
    jobs.end_step(str(step.step))
    await until(lambda: view.list_page.empty.isVisible())
    await until(lambda: "Dear Mrs Adler" not in texts(view))


def test_values_of_this_process_are_cut_and_readable() -> None:
    assert words.value({"a": [True, None], "b": 2}) == "a: yes, None, b: 2"
    assert len(words.value("x" * 9000)) == words.LONGEST_VALUE + 1
