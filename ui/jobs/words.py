"""How jobs and their steps are spoken of."""

from core.domain.scopes import ActorType, Job, JobState
from ui.qt import figures
from ui.qt.line import Line

STATES: dict[JobState, tuple[str, str, str]] = {
    JobState.QUEUED: ("Waits its turn", "clock", "muted"),
    JobState.RUNNING: ("Running", "play", "accent"),
    JobState.WAITING: ("Waits for something", "clock", "muted"),
    JobState.RETRYING: ("Trying again", "refresh-cw", "warn"),
    JobState.PAUSED: ("Paused", "pause", "muted"),
    JobState.CANCELLED: ("Cancelled", "ban", "muted"),
    JobState.COMPLETED: ("Done", "circle-check", "muted"),
    JobState.FAILED: ("Failed", "circle-x", "danger"),
    JobState.INTERRUPTED: ("Interrupted", "triangle-alert", "warn"),
}
"""State to words, icon and tone."""

CHOSEN_STATES = (
    JobState.RUNNING,
    JobState.WAITING,
    JobState.RETRYING,
    JobState.PAUSED,
    JobState.COMPLETED,
    JobState.FAILED,
    JobState.CANCELLED,
    JobState.INTERRUPTED,
)
"""States that the chip offers."""

LONGEST_VALUE = 400  # characters

ACTORS: dict[ActorType, str] = {
    ActorType.USER: "a person",
    ActorType.AGENT: "an assistant",
    ActorType.SYSTEM: "the program itself",
}

SORTS: tuple[tuple[str, str, bool], ...] = (("", "Newest first", False), ("title", "By title", False))


def line(job: Job, now: float) -> Line:
    words, icon, tone = state(job)
    return Line(
        title=job.title,
        detail=job.detail or took(job, now),
        kind="Job",
        icon=icon,
        when=figures.clock(job.started_at),
        status=words,
        tone=tone,
    )


def state(job: Job) -> tuple[str, str, str]:
    """How it stands: words, icon and tone."""
    return ("Being stopped", "ban", "warn") if job.cancelling and not job.state.ended else STATES[job.state]


def lines(held: object) -> list[str] | None:
    """What a command wrote, line by line; None for any other value."""
    if isinstance(held, list | tuple) and held and all(isinstance(line, str) for line in held):
        return [str(line) for line in held]
    return None


def short(key: str, held: object) -> str:
    """A note in the row of a list: of what a command wrote the last line."""
    written = lines(held) if key == "output" else None
    return written[-1] if written else f"{key}: {value(held)}"


def value(held: object) -> str:
    """A value of this process's memory, for reading; long ones are cut."""
    if isinstance(held, dict):
        text = ", ".join(f"{name}: {value(below)}" for name, below in held.items())
    elif isinstance(held, list | tuple | set):
        text = ", ".join(value(below) for below in held)
    elif isinstance(held, bool):
        text = "yes" if held else "no"
    else:
        text = str(held)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"


def took(job: Job, now: float) -> str:
    """ "Ran for 4 minutes", "Running for 12 seconds"."""
    if job.ended_at is None:
        return f"Running for {figures.duration(now - job.started_at)}"
    return f"Ran for {figures.duration(job.ended_at - job.started_at)}"
