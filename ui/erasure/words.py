"""What forgetting for good says."""

from collections.abc import Sequence

from core.domain.erasure import KIND_SAID, SAID, Doomed, ErasurePlan, Stage, Thing, counted
from ui.qt import figures

STAGES = {
    Stage.ROWS: "Erasing…",
    Stage.FILES: "Overwriting stored files…",
    Stage.SPACE: "Writing the database anew, without gaps…",
    Stage.CHECK: "Searching every file for anything that is left…",
}
WHY = {
    "removed": "removed earlier; its text can't be looked through any more",
    "text": "in its text",
    "title": "in its title",
    "value": "in what it says",
    "key": "in its key",
    "name": "in its name",
    "author": "as its author",
    "origin": "in where it came from",
    "question": "in a question that was asked",
    "details": "in its details",
    "note": "in a note about it",
}
NO_WAY_BACK = "There is no way back from here on. You can close this and go on working; it will be finished."
LISTED = 5


def chosen(things: Sequence[tuple[Doomed, str]]) -> str:
    """What is chosen in the list: "1 memory", "3 papers"."""
    kinds = {kind for kind, _ in things}
    one = KIND_SAID[things[0][0]] if len(kinds) == 1 else "thing"
    return figures.of_things(len(things), one, SAID.get(one, "things"))


def line(thing: Thing) -> str:
    """One line of the list of what goes."""
    kind = KIND_SAID[thing.kind].capitalize()
    why = WHY.get(thing.why, thing.why)
    return f"{kind}: {thing.title}" + (f" ({why})" if why else "")


def summary(plan: ErasurePlan) -> str:
    """All that goes, in one sentence."""
    if plan.empty:
        return "There is nothing of it here."
    return f"Erased with all that hangs on it: {', '.join(counted(plan.counts))}."


def warnings(plan: ErasurePlan) -> str:
    """What the person has to know before; "" where there is nothing."""
    said: list[str] = []
    if plan.unread:
        papers = figures.of_things(len(plan.unread), "paper", "papers")
        said.append(f"{papers} not read yet can't be looked through and will stay: {_names(plan.unread)}.")
    if plan.watched:
        said.append(
            f"These lie in watched folders and come in again unless you take them away there: {_names(plan.watched)}."
        )
    return "\n".join(said)


def _names(names: Sequence[str]) -> str:
    shown = [f"“{name}”" for name in names[:LISTED]]
    return ", ".join(shown) + (f" and {figures.count(len(names) - LISTED)} more" if len(names) > LISTED else "")
