"""The details of a job and of a step: how it stands, what it holds, what it wrote."""

from collections.abc import Sequence

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QLabel

from core.domain.scopes import Job, ScopedEntry
from ui.jobs import words
from ui.jobs.presenter import JobsPresenter, Step
from ui.qt import figures
from ui.widgets.basics import label, tag
from ui.widgets.inspector import Inspector

SHOWN_LINES = 24  # of what a command wrote; the newest ones
SHOWN_STEPS = 20  # of the steps of a job; the newest ones


def show_job(details: Inspector, job: Job, presenter: JobsPresenter) -> None:
    """Fill the inspector with a job."""
    state, _, tone = words.state(job)
    details.begin(job.title, [tag(state, tone if tone in ("warn", "danger") else "")])
    if job.detail:
        details.add_text(job.detail)
    details.add_facts(_facts(job))
    steps = presenter.steps_of(job)
    ended = [step for step, _ in steps if step.ended_at is not None]
    for step, entries in steps:
        if step.ended_at is None:
            details.add_section(step.title, tip="A step that runs now; its scratchpad goes when it ends")
            _add_entries(details, entries)
    if ended:
        details.add_section("Steps" if job.state.ended else "Steps that ended")
        if len(ended) > SHOWN_STEPS:
            details.add_text(f"The newest {SHOWN_STEPS} of {figures.count(len(ended))}.", "muted")
        details.add_facts([(words.STATES[step.state][0], step.title) for step in ended[-SHOWN_STEPS:]])
    if not job.state.ended:
        show_entries(details, "What it holds", presenter.memory_of(job), "Execution memory; it goes when the job ends")


def _facts(job: Job) -> list[tuple[str, str]]:
    facts = [
        ("Begun", figures.moment(job.started_at)),
        ("Ended", figures.moment(job.ended_at) if job.ended_at is not None else ""),
        ("By", f"{job.actor}, {words.ACTORS[job.actor_type]}"),
        ("Asked by", job.requested_by),
        ("Runs in", "another program on this computer" if job.beat else ""),
    ]
    return [(name, value) for name, value in facts if value]


def show_step(details: Inspector, step: Step) -> None:
    """Fill the inspector with a step that runs now."""
    details.begin(step.title, [tag("Running now")])
    details.add_text(f"A step of “{step.job}”.", "secondary")
    show_entries(details, "What it noted down", step.entries, "Scratchpad of this step")


def show_entries(details: Inspector, heading: str, entries: Sequence[ScopedEntry], tip: str) -> None:
    """Values with their names, or that there are none."""
    details.add_section(heading, None if entries else "Nothing just now.", tip=tip)
    _add_entries(details, entries)


def _add_entries(details: Inspector, entries: Sequence[ScopedEntry]) -> None:
    for entry in entries:
        written = words.lines(entry.value) if entry.key == "output" else None
        if written is None:
            details.add_facts([(entry.key, words.value(entry.value))])
        else:
            details.add(_output(written))


def _output(written: Sequence[str]) -> QLabel:
    shown = label("\n".join(written[-SHOWN_LINES:]), "", wrap=True, selectable=True)
    shown.setAccessibleName("What it wrote")
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(max(shown.fontInfo().pixelSize() - 1, 9))
    shown.setFont(font)
    return shown
