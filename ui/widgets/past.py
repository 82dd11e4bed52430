"""Past: versions of a thing under each other, newest first, each with what was changed then and a way back to it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from ui.qt.difference import difference, shortened
from ui.qt.scope import ViewScope
from ui.widgets.basics import Button, label, row
from ui.widgets.difference_text import DifferenceText
from ui.widgets.fold import Fold

AT_ONCE = 10


@dataclass(frozen=True, slots=True)
class Former:
    """One version. line: which, by whom and when. text: what it held. present: it is what stands now. facts: what it
    was beside that, by name."""

    number: int
    line: str
    text: str
    present: bool
    facts: Mapping[str, str] = field(default_factory=dict[str, str])


def put_versions(
    fold: Fold,
    versions: Sequence[Former],
    restore: Callable[[int], Awaitable[object]],
    writes: ViewScope,
    start: int = 0,
) -> None:
    """Fill a fold with the versions from `start` on, ten at a time."""
    end = start + AT_ONCE
    for index, version in enumerate(versions[start:end], start):
        _put(fold, version, versions[index + 1] if index + 1 < len(versions) else None)
        if not version.present:
            again = Button("Restore this version", kind="link")
            again.setAccessibleName(f"Restore version {version.number}")
            again.clicked.connect(writes.slot(partial(restore, version.number), about=again))
            fold.inner.addLayout(row(again, 1))
    if end < len(versions):
        more = Button("Show earlier ones", kind="link")

        def go_on() -> None:
            more.hide()
            put_versions(fold, versions, restore, writes, end)

        more.clicked.connect(go_on)
        fold.inner.addLayout(row(more, 1))


def _put(fold: Fold, version: Former, before: Former | None) -> None:
    fold.inner.addWidget(label(version.line, "caption", wrap=True))
    if before is not None:
        text = DifferenceText(f"{version.line}. What was changed then")
        text.show_pieces(shortened(difference(*_sides(before, version))))
        fold.inner.addWidget(text)
    elif version.number == 1:
        fold.inner.addWidget(label("As it was written first.", "secondary"))
    else:
        fold.inner.addWidget(label("What stood there before is not kept any more.", "secondary", wrap=True))


def _sides(before: Former, after: Former) -> tuple[str, str]:
    """Both as text; of the facts only those that differ, and the value only where it does or nothing else does."""
    differing = [name for name in after.facts if before.facts.get(name) != after.facts[name]]
    values = ("", "") if differing and before.text == after.text else (before.text, after.text)

    def side(version: Former, text: str) -> str:
        lines = [f"{name}: {version.facts.get(name, '')}" for name in differing]
        return "\n".join([*lines, *([text] if text else [])])

    return side(before, values[0]), side(after, values[1])
