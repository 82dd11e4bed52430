"""Jobs and scratchpads, as places of the window."""

from ui.commands.place import Place
from ui.jobs.presenter import StepRows
from ui.jobs.view import JobsView, ScratchpadView

JOBS = Place(
    id="jobs",
    title="Jobs",
    icon="clock",
    section="Memory",
    technical="Execution scope: memory of a run, in this process alone",
    build=JobsView,
    rows=lambda workspace: workspace.jobs,
    kinds=frozenset({"job"}),
)

SCRATCHPAD = Place(
    id="scratchpad",
    title="Scratchpad",
    icon="sticky-note",
    section="Memory",
    technical="Scratchpad scope: memory of one step of a job, in this process alone",
    build=ScratchpadView,
    rows=lambda workspace: StepRows(workspace.jobs),
    kinds=frozenset({"job", "step"}),
)
