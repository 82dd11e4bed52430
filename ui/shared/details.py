"""The details of a shared entry: its value, who changed it when, and what it was before."""

from functools import partial

from core.domain.memory import SharedEntry
from ui.qt import figures
from ui.qt.scope import ViewScope
from ui.qt.wording import actor, on_day
from ui.shared import words
from ui.shared.presenter import SharedPresenter
from ui.widgets.basics import tag
from ui.widgets.fold import Fold
from ui.widgets.inspector import Inspector
from ui.widgets.past import Former, put_versions

SHOWN_LINES = 200
SHOWN_TEXT = 4000


class SharedDetails(Inspector):
    """Filled by `show_one` and `show_many`; former values are read when they are opened."""

    def __init__(self, presenter: SharedPresenter, reads: ViewScope, writes: ViewScope) -> None:
        super().__init__("Shared entry", "Choose an entry to see its value and who changed it.")
        self._presenter = presenter
        self._reads = reads
        self._writes = writes
        self._opened = False

    def show_one(self, entry: SharedEntry) -> None:
        type = words.kind_of(entry)
        self.begin(entry.key, [tag(type.value, tip=words.TIPS[type])])
        for index, (name, text) in enumerate(words.lines(entry.value)):
            if index == SHOWN_LINES:
                self.add_text("and more. Edit it to see all of it.", "secondary")
                break
            shown = text if len(text) <= SHOWN_TEXT else f"{text[:SHOWN_TEXT]} …"
            if name:
                self.add_facts([(name, shown)])
            else:
                self.add_text(shown)
        changed = f"Changed {on_day(entry.updated_at)} by {actor(entry.updated_by)}"
        self.add_section("Where it comes from", changed, tip="Last change of this key")
        if entry.version > 1:
            self._add_versions(entry)

    def show_many(self, count: int) -> None:
        self.begin(figures.of_things(count, "shared entry", "shared entries"))

    def _add_versions(self, entry: SharedEntry) -> None:
        def build(fold: Fold) -> None:
            self._reads.run(self._fill_versions, fold, entry, about=fold, latest=f"versions {id(self)}")

        def toggled(open: bool) -> None:
            self._opened = open

        fold = Fold("What it was before", build, tip="Versions; the newest 200 are kept")
        fold.toggled.connect(toggled)
        self.add(fold)
        if self._opened:
            fold.set_open(True)

    async def _fill_versions(self, fold: Fold, entry: SharedEntry) -> None:
        versions = [
            Former(each.version, words.version_line(each), words.version_text(each), each.present)
            for each in await self._presenter.versions(entry)
        ]
        put_versions(fold, versions, partial(self._presenter.restore, entry), self._writes)
