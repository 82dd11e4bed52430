"""The details of a memory, or of many: its value, how present it is, where it comes from, its past."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from PySide6.QtCore import Signal

from core.domain.memory import Json, Record
from ui.commands.place import Navigator
from ui.longterm import words
from ui.longterm.curve import PresenceCurve
from ui.longterm.presenter import LongTermPresenter
from ui.qt import figures
from ui.qt.scope import ViewScope
from ui.qt.wording import to_json
from ui.widgets.basics import Button, label, row, tag
from ui.widgets.fold import Fold
from ui.widgets.inspector import Inspector
from ui.widgets.past import Former, put_versions
from ui.widgets.theme import px

SHOWN_TEXT = 4000  # characters of a value that are shown before “Show all of it”
SHOWN_PAIRS = 60
SHOWN_USES = 20


class RecordDetails(Inspector):
    """Filled by `show_one` and `show_many`; what is costly is read when it is opened. `fill_again`: the same memory is
    to be shown otherwise."""

    fill_again = Signal()

    def __init__(self, presenter: LongTermPresenter, reads: ViewScope, writes: ViewScope, navigator: Navigator) -> None:
        super().__init__("Memory", "Choose a memory to read it and to see how present it is.")
        self._presenter = presenter
        self._reads = reads
        self._writes = writes
        self._navigator = navigator
        self._opened: set[str] = set()
        self._record: Record | None = None
        self._whole = False
        self._as_json = False

    def show_one(self, record: Record) -> None:
        before, self._record = self._record, record
        if before is None or before.id != record.id:
            self._whole = self._as_json = False
        kind, _, tip = words.TIERS[record.tier]
        tags = [tag(kind, tip=tip), *(tag(name) for name in record.tags)]
        if record.pinned:
            tags.append(tag("Pinned", tip="It doesn't fade"))
        self.begin(record.title, tags)
        self._add_value(record)
        self._add_presence(record)
        self._add_origin(record)

    def show_many(self, records: Sequence[Record], count: int) -> None:
        self._record = None
        self.begin(figures.of_things(count, "memory", "memories"))
        if count == len(records):
            self.add_text(words.kinds_of(records), "muted")

    # ---- value ------------------------------------------------------------------------------------------------------

    def _add_value(self, record: Record) -> None:
        if isinstance(record.value, str):
            self._add_long(record.value)
            return
        if self._as_json:
            self._add_long(to_json(record.value))
        else:
            self._add_pairs(record.value)
        other = "Show it in words" if self._as_json else "Show it as JSON"
        self.add_layout(row(Button(other, self._turn, kind="link", tip="Another way to write the same value"), 1))

    def _add_long(self, text: str) -> None:
        if len(text) <= SHOWN_TEXT or self._whole:
            self.add_text(text)
            return
        self.add_text(f"{text[:SHOWN_TEXT]} …")
        self._add_rest(f"Show all of it ({figures.of_things(len(text), 'character', 'characters')})")

    def _add_pairs(self, value: Json) -> None:
        for index, (name, text, depth) in enumerate(words.pairs(value)):
            if index == SHOWN_PAIRS and not self._whole:
                self._add_rest("Show all of it")
                return
            shown = text if self._whole or len(text) <= SHOWN_TEXT else f"{text[:SHOWN_TEXT]} …"
            if name and shown:
                self.add_facts([(words.readable(name), shown)])
                continue
            said = label(shown or words.readable(name), "" if shown else "strong", wrap=True, selectable=True)
            said.setContentsMargins(px(12) * depth, 0, 0, 0)
            self.add(said)

    def _add_rest(self, words: str) -> None:
        self.add_layout(row(Button(words, self._show_whole, kind="link"), 1))

    def _show_whole(self) -> None:
        self._whole = True
        self.fill_again.emit()

    def _turn(self) -> None:
        self._as_json = not self._as_json
        self.fill_again.emit()

    # ---- how present it is ------------------------------------------------------------------------------------------

    def _add_presence(self, record: Record) -> None:
        now, ahead = self._presenter.clock(), words.AHEAD[record.tier][1]
        values = words.curve(record, now)
        today, later = words.present_words(values[0]), words.present_words(values[-1])
        said = f"Today {today}, {ahead} {later} if nobody uses it"
        if record.pinned:
            said = "It is pinned and doesn't fade"
        self.add_section("How present it is", tip=f"Salience {values[0]:.2f}; how high it stands in what is recalled")
        self.add(PresenceCurve(values, words.floor(record), said))
        captions = (label(f"now {today}", "caption"), 1, label(f"{ahead} {later}", "caption"))
        self.add_layout(row(*captions))
        self.add_text(words.lasting(record), "secondary")
        self.add_text(words.used(record, now), "secondary")
        if record.access_count:
            self._add_fold("uses", "Who used it, and for what", self._fill_uses, "Accesses: recalls and reinforcements")

    async def _fill_uses(self, fold: Fold, record: Record) -> None:
        uses, now = await self._presenter.uses(record), self._presenter.clock()
        for use in uses[:SHOWN_USES]:
            fold.inner.addWidget(label(words.use_line(use, now), "secondary", wrap=True, selectable=True))
        if record.access_count > len(uses[:SHOWN_USES]):
            more = figures.count(record.access_count - len(uses[:SHOWN_USES]))
            fold.inner.addWidget(label(f"and {more} before that", "caption"))

    # ---- where it comes from, and what it was -----------------------------------------------------------------------

    def _add_origin(self, record: Record) -> None:
        now = self._presenter.clock()
        self.add_section("Where it comes from", "\n".join(words.written(record, now)), tip="Provenance")
        source = record.source
        if source is not None:
            self.add_text(words.source_words(source))
        if source is not None and source.kind in words.PLACES and source.id:
            place, id = words.PLACES[source.kind], source.id
            link = Button("Show where it comes from", lambda: self._navigator.show(place, id), kind="link")
            link.setAccessibleName(f"Show where it comes from: {source.said}")
            self.add_layout(row(link, 1))
        if record.version > 1:
            earlier = "What it was before"
            self._add_fold("versions", earlier, self._fill_versions, "Versions; the newest 200 are kept")

    async def _fill_versions(self, fold: Fold, record: Record) -> None:
        now = self._presenter.clock()
        versions = [
            Former(
                each.version,
                words.version_line(each, now),
                words.editable(each.value),
                each.present,
                words.facts_of(each, record),
            )
            for each in await self._presenter.versions(record)
        ]
        put_versions(fold, versions, partial(self._presenter.restore, record), self._writes)

    def _add_fold(
        self, name: str, words: str, fill: Callable[[Fold, Record], Awaitable[object]], tip: str = ""
    ) -> None:
        """Something that is read when it is opened; it stays open from one memory to the next."""
        record = self._record
        assert record is not None

        def build(fold: Fold) -> None:
            self._reads.run(fill, fold, record, about=fold, latest=f"{name} {id(self)}")

        fold = Fold(words, build, tip=tip)
        fold.toggled.connect(lambda open: self._opened.add(name) if open else self._opened.discard(name))
        self.add(fold)
        if name in self._opened:
            fold.set_open(True)
