"""The steps that bring a workspace's database from one format to the next, in order.

A step that was released is never edited: files made by it exist. A new step gets the next number and its own module
with `apply(connection)`, which runs inside the step's transaction and must not begin, commit or vacuum.
The SQL stands in Python strings, so that the frozen program carries it without data files.
"""

from collections.abc import Callable
from dataclasses import dataclass

from core.adapters.sqlite.driver import Connection
from core.adapters.sqlite.schema import (
    v001_foundation,
    v002_passages,
    v003_history,
    v004_sessions,
    v005_recognition,
    v006_watching,
    v007_erasures,
    v008_paper_trash,
    v009_catalog,
)


@dataclass(frozen=True, slots=True)
class Step:
    """Brings a database of format `number - 1` to format `number`."""

    number: int
    name: str
    apply: Callable[[Connection], None]


STEPS: tuple[Step, ...] = (
    Step(1, "foundation", v001_foundation.apply),
    Step(2, "passages", v002_passages.apply),
    Step(3, "history", v003_history.apply),
    Step(4, "sessions", v004_sessions.apply),
    Step(5, "recognition", v005_recognition.apply),
    Step(6, "watching", v006_watching.apply),
    Step(7, "erasures", v007_erasures.apply),
    Step(8, "paper trash", v008_paper_trash.apply),
    Step(9, "catalog", v009_catalog.apply),
)
