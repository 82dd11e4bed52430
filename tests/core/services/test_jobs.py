"""Execution and scratchpad: owned, emptied with their owner, never on disk."""

import pytest

from core.domain.scopes import ActorType, JobState, Owner
from core.errors import InvalidValue, NotFound, OutsideScope, UserError
from core.events import Changed, Event, EventHub
from core.ports.rows import ListQuery
from core.services.jobs import KEPT_ENDED, JobService


class Setting:
    """A job service with a clock that the test turns."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.events: list[Event] = []

        def unexpected(error: BaseException) -> None:
            raise error

        hub = EventHub(unexpected)
        hub.subscribe(self.events.append)
        self.jobs = JobService("A", hub, lambda: self.now)

    def start(self, title: str = "Reading papers") -> str:
        return self.jobs.start(title, actor="Muniment", actor_type=ActorType.SYSTEM).id


@pytest.fixture
def setting() -> Setting:
    return Setting()


def test_execution_memory_belongs_to_its_job(setting: Setting) -> None:
    mine, other = setting.start(), setting.start()
    setting.jobs.execution.set(Owner("A", job=mine), "page", 3, {"of": 9})

    entry = setting.jobs.execution.entries(Owner("A", job=mine))[0]
    assert (entry.key, entry.value, entry.owner, entry.metadata) == ("page", 3, mine, {"of": 9})
    assert (entry.rule.scope, entry.rule.shared, entry.rule.persistence) == ("execution", False, "process")
    assert setting.jobs.execution.get(Owner("A", job=other), "page") is None


@pytest.mark.parametrize(
    "caller", [Owner("A"), Owner("A", job="no such job"), Owner("A", step="a step"), Owner("A", session="a session")]
)
def test_a_caller_without_the_job_gets_an_error_and_not_an_empty_answer(setting: Setting, caller: Owner) -> None:
    setting.start()
    with pytest.raises(OutsideScope):
        setting.jobs.execution.get(caller, "page")


def test_another_workspace_gets_an_error_even_with_the_right_job(setting: Setting) -> None:
    job = setting.start()
    setting.jobs.execution.set(Owner("A", job=job), "page", 3)
    with pytest.raises(OutsideScope):
        setting.jobs.execution.get(Owner("B", job=job), "page")


def test_the_end_of_a_job_empties_its_memory_and_its_scratchpads(setting: Setting) -> None:
    job = setting.start()
    owner = Owner("A", job=job)
    setting.jobs.execution.set(owner, "page", 3)
    step = setting.jobs.begin_step(job, "scan.pdf")
    setting.jobs.scratchpad.set(step, "guess", "letter")

    setting.jobs.end(job, JobState.COMPLETED)

    with pytest.raises(OutsideScope):
        setting.jobs.execution.get(owner, "page")
    with pytest.raises(OutsideScope):
        setting.jobs.scratchpad.get(step, "guess")
    assert setting.jobs.steps_now() == []
    with pytest.raises(NotFound):
        setting.jobs.heartbeat(job)


def test_the_end_of_a_step_empties_its_scratchpad_alone(setting: Setting) -> None:
    job = setting.start()
    first, second = setting.jobs.begin_step(job, "one"), setting.jobs.begin_step(job, "two")
    setting.jobs.scratchpad.set(first, "k", 1)
    setting.jobs.scratchpad.set(second, "k", 2)
    assert first.step is not None

    setting.jobs.end_step(first.step)

    with pytest.raises(OutsideScope):
        setting.jobs.scratchpad.get(first, "k")
    assert setting.jobs.scratchpad.get(second, "k") == 2
    with pytest.raises(OutsideScope):  # one step doesn't read another's pad by showing only the job
        setting.jobs.scratchpad.get(Owner("A", job=job), "k")


def test_a_step_ends_when_its_work_raises(setting: Setting) -> None:
    job = setting.start()

    def work() -> None:
        with setting.jobs.step(job, "one") as owner:
            setting.jobs.scratchpad.set(owner, "k", 1)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        work()
    assert setting.jobs.steps_now() == []


@pytest.mark.parametrize("key", ["", "  ", "a/b", "a\\b", "a\0b", "..", "a..b"])
def test_keys_that_the_contract_refuses(setting: Setting, key: str) -> None:
    owner = Owner("A", job=setting.start())
    with pytest.raises(InvalidValue):
        setting.jobs.execution.set(owner, key, 1)


def test_a_sign_of_life_is_kept_with_what_is_done(setting: Setting) -> None:
    job = setting.start()
    setting.now += 30
    setting.jobs.heartbeat(job, detail="page 2")
    assert (setting.jobs.get(job).heartbeat_at, setting.jobs.get(job).detail) == (setting.now, "page 2")


async def test_the_list_keeps_some_ended_jobs_and_sorts_and_filters(setting: Setting) -> None:
    for number in range(KEPT_ENDED + 5):
        setting.now += 1
        setting.jobs.end(setting.start(f"job {number}"), JobState.COMPLETED)
    setting.now += 1
    running = setting.start("the one that runs")

    numbers = await setting.jobs.snapshot(ListQuery())
    assert len(numbers) == KEPT_ENDED + 1
    first = (await setting.jobs.rows(numbers[:1]))[0]
    assert first is not None
    assert first.id == running
    assert len(await setting.jobs.snapshot(ListQuery(where={"state": "running"}))) == 1
    assert len(await setting.jobs.snapshot(ListQuery(text="ONE THAT"))) == 1
    assert await setting.jobs.rows([99_999]) == [None]


def test_each_change_is_told(setting: Setting) -> None:
    job = setting.start()
    setting.jobs.end(job, JobState.FAILED)
    assert [event for event in setting.events if isinstance(event, Changed)] == [
        Changed("job", (job,), "system"),
        Changed("job", (job,), "system"),
    ]


def test_closing_ends_what_runs(setting: Setting) -> None:
    job = setting.start()
    setting.jobs.close()
    assert setting.jobs.get(job).state is JobState.INTERRUPTED


# ---- workers elsewhere ----------------------------------------------------------------------------------------------


def test_a_worker_that_gives_no_sign_of_life_is_interrupted(setting: Setting) -> None:
    job = setting.jobs.start("letters", actor="Ada", actor_type=ActorType.AGENT, beat=2.0).id
    quiet = setting.start()  # work of this process promises nothing
    setting.jobs.execution.set(Owner("A", job=job), "page", 3)
    setting.now += 6
    setting.jobs.interrupt_silent()
    assert setting.jobs.get(job).state is JobState.RUNNING
    setting.jobs.heartbeat(job)
    setting.now += 6.1
    setting.jobs.interrupt_silent()
    assert setting.jobs.get(job).state is JobState.INTERRUPTED
    assert "no sign of life" in setting.jobs.get(job).detail
    assert setting.jobs.get(quiet).state is JobState.RUNNING
    with pytest.raises(OutsideScope):
        setting.jobs.execution.get(Owner("A", job=job), "page")
    with pytest.raises(NotFound):  # a worker that comes back learns that its job is over
        setting.jobs.heartbeat(job)


def test_after_the_computer_slept_nobody_is_blamed(setting: Setting) -> None:
    job = setting.jobs.start("letters", actor="Ada", actor_type=ActorType.AGENT, beat=2.0).id
    looked, states = setting.now, list[JobState]()
    for seconds in (3600.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0):
        setting.now += seconds
        looked = setting.jobs.look(looked)
        states.append(setting.jobs.get(job).state)
    assert states == [JobState.RUNNING] * 7 + [JobState.INTERRUPTED]  # it stayed silent after the sleep as well


def test_a_wish_to_stop_reaches_the_worker_once(setting: Setting) -> None:
    wishes: list[str] = []
    job = setting.jobs.start(
        "letters", actor="Ada", actor_type=ActorType.AGENT, on_cancel=lambda: wishes.append("stop")
    )
    assert (job.can_cancel, job.cancelling) == (True, False)
    setting.jobs.cancel(job.id)
    setting.jobs.cancel(job.id)
    assert wishes == ["stop"]
    assert setting.jobs.get(job.id).cancelling
    assert setting.jobs.get(job.id).state is JobState.RUNNING  # until its worker has stopped
    setting.jobs.end(job.id, JobState.CANCELLED, "You stopped it.")
    assert (setting.jobs.get(job.id).detail, setting.jobs.get(job.id).can_cancel) == ("You stopped it.", False)
    with pytest.raises(NotFound):
        setting.jobs.cancel(job.id)
    with pytest.raises(UserError, match="can't be stopped"):
        setting.jobs.cancel(setting.start())


def test_steps_stay_with_their_job_without_their_notes(setting: Setting) -> None:
    job = setting.start()
    with setting.jobs.step(job, "one"):
        pass
    with pytest.raises(ZeroDivisionError), setting.jobs.step(job, "two"):
        raise ZeroDivisionError
    open_one = setting.jobs.begin_step(job, "three")
    assert [owner for owner, _ in setting.jobs.steps_now()] == [open_one]
    setting.jobs.end(job, JobState.CANCELLED)
    assert [(step.title, step.state) for step in setting.jobs.steps_of(job)] == [
        ("one", JobState.COMPLETED),
        ("two", JobState.FAILED),
        ("three", JobState.CANCELLED),
    ]
    assert setting.jobs.steps_of("gone") == []


def test_what_is_noted_down_is_told_to_who_watches(setting: Setting) -> None:
    step = setting.jobs.begin_step(setting.start(), "one")
    setting.events.clear()
    setting.jobs.scratchpad.set(step, "k", 1)
    setting.jobs.scratchpad.delete(step, "k")
    setting.jobs.scratchpad.delete(step, "k")
    setting.jobs.execution.set(step, "k", 1)
    assert setting.events == [
        Changed("step", (str(step.step),), "system"),
        Changed("step", (str(step.step),), "system"),
        Changed("job", (str(step.job),), "system"),
    ]
