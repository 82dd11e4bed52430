"""The trash of a workspace: what was forgotten or deleted stays there for a while and comes back exactly."""

from dataclasses import dataclass

from core.domain.tiers import DAY

KEPT = 30 * DAY
"""Seconds that a thing stays in the trash before it is erased."""

PREVIEW = 500  # characters


@dataclass(frozen=True, slots=True)
class Trashed:
    """One thing in the trash. number: its place there, never used again. kind and id: as in events.Changed. preview:
    the beginning of its text. Times are UTC seconds."""

    number: int
    kind: str
    id: str
    title: str
    preview: str
    removed_at: float
    removed_by: str

    @property
    def erased_at(self) -> float:
        """When it is erased by itself."""
        return self.removed_at + KEPT
