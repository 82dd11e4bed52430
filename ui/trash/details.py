"""The details of a thing in the trash, or of many."""

from collections.abc import Sequence

from core.domain.trash import PREVIEW, Trashed
from ui.qt import figures
from ui.trash import words
from ui.trash.presenter import TrashPresenter
from ui.widgets.inspector import Inspector


class TrashDetails(Inspector):
    """Filled by `show_one` and `show_many`."""

    def __init__(self, presenter: TrashPresenter) -> None:
        super().__init__("In the trash", "Choose something to see what it was and until when it can be put back.")
        self._presenter = presenter

    def show_one(self, thing: Trashed) -> None:
        now = self._presenter.clock()
        self.begin(words.title(thing), [words.kind(thing)[0]])
        if thing.preview.strip():
            cut = len(thing.preview) >= PREVIEW
            self.add_text(f"{thing.preview} …" if cut else thing.preview)
        self.add_section("When it went", words.removed(thing, now), tip="Who removed it")
        self.add_section("How long it stays", words.until(thing, now), tip=f"The trash keeps {words.KEPT_DAYS} days")
        self.add_text("Put back, it is exactly as it was, with its history.", "secondary")

    def show_many(self, things: Sequence[Trashed], count: int) -> None:
        self.begin(figures.of_things(count, "thing", "things"))
        if count == len(things):
            self.add_text(words.of_kinds(things), "muted")
