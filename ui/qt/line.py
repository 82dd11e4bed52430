"""What one row of a list shows and says. Delegates paint it; screen readers get `spoken`."""

from dataclasses import dataclass

Marks = tuple[tuple[int, int], ...]
"""(start, end) offsets into a text, to highlight."""


@dataclass(frozen=True, slots=True)
class Line:
    """kind: the kind in words ("Paper", "Procedure"). when: short date. bar: 0 to 1 with `bar_words` for its meaning.

    status: a short word with `tone` "muted" | "warn" | "danger" | "accent"; colour never alone carries the meaning.
    tags: short words after the title, where there is room. icon: the name of an icon. marks: what was found, in title
    and detail.
    """

    title: str
    detail: str = ""
    kind: str = ""
    icon: str = ""
    when: str = ""
    status: str = ""
    tone: str = "muted"
    bar: float | None = None
    bar_words: str = ""
    title_marks: Marks = ()
    detail_marks: Marks = ()
    pinned: bool = False
    tags: tuple[str, ...] = ()

    @property
    def spoken(self) -> str:
        """The row in words, with its kind first."""
        head = f"{self.kind}: {self.title}" if self.kind else self.title
        tags = ", ".join(self.tags)
        parts = [head, self.status, self.detail, tags, self.when, self.bar_words, "pinned" if self.pinned else ""]
        return ". ".join(part.rstrip(". ") for part in parts if part)
