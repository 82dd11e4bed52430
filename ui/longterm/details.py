"""The details of a memory, or of many: its value, how present it is, where it comes from."""

from collections.abc import Sequence

from PySide6.QtWidgets import QLabel

from core.domain.changes import Change, Operation
from core.domain.memory import Record
from ui.longterm import words
from ui.longterm.curve import PresenceCurve
from ui.longterm.presenter import LongTermPresenter
from ui.qt import figures
from ui.qt.wording import actor, on_day
from ui.widgets.basics import label, row, tag
from ui.widgets.inspector import Inspector
from ui.widgets.theme import px

DONE = {Operation.CREATED: "Written", Operation.UPDATED: "Changed", Operation.DELETED: "Forgotten"}
SHOWN_CHANGES = 5


class RecordDetails(Inspector):
    """Filled by `show_one` and `show_many`; the history follows as it is read."""

    def __init__(self, presenter: LongTermPresenter) -> None:
        super().__init__("Memory", "Choose a memory to read it and to see how present it is.")
        self._presenter = presenter
        self._history: QLabel | None = None
        presenter.history_changed.connect(self._fill_history)

    def show_one(self, record: Record) -> None:
        kind, _, tip = words.TIERS[record.tier]
        tags = [tag(kind, tip=tip), *(tag(name) for name in record.tags)]
        if record.pinned:
            tags.append(tag("Pinned", tip="It doesn't fade"))
        self.begin(record.title, tags)
        self._add_value(record)
        self._add_presence(record)
        self._history = label("", wrap=True, selectable=True)
        self.add_section("Where it comes from", self._history, tip="Changes of this record (provenance)")
        self._fill_history()

    def show_many(self, records: Sequence[Record], count: int) -> None:
        self._history = None
        self.begin(figures.of_things(count, "memory", "memories"))
        if count == len(records):
            self.add_text(words.kinds_of(records), "muted")

    def _add_value(self, record: Record) -> None:
        if isinstance(record.value, str):
            self.add_text(record.value)
            return
        for name, text, depth in words.pairs(record.value):
            if name and text:
                self.add_facts([(words.readable(name), text)])
                continue
            said = label(text or words.readable(name), "" if text else "strong", wrap=True, selectable=True)
            said.setContentsMargins(px(12) * depth, 0, 0, 0)
            self.add(said)

    def _add_presence(self, record: Record) -> None:
        now = self._presenter.clock()
        values = words.curve(record, now)
        today, later = words.present_words(values[0]), words.present_words(values[-1])
        said = f"Today {today}, in six months {later} if nobody uses it"
        if record.pinned:
            said = "It is pinned and doesn't fade"
        self.add_section("How present it is", tip=f"Salience {values[0]:.2f}; how high it stands in what is recalled")
        self.add(PresenceCurve(values, said))
        captions = (label(f"today {today}", "caption"), 1, label(f"in six months {later}", "caption"))
        self.add_layout(row(*captions))
        self.add_text(words.used(record, now), "secondary")

    def _fill_history(self) -> None:
        record, history = self._presenter.one, self._presenter.history
        if self._history is None or record is None:
            return
        self._history.setText("\n".join(_sentences(record, history)))
        self._history.setAccessibleName(self._history.text())


def _sentences(record: Record, history: Sequence[Change]) -> list[str]:
    """The newest changes first; where nothing is stored of them, the record's own times."""
    if not history:
        return [f"Written {on_day(record.created_at)}"]
    said = [
        f"{DONE[change.operation]} by {actor(change.actor)} {on_day(change.at)}" for change in history[:SHOWN_CHANGES]
    ]
    if record.version > 1:
        said.append(figures.of_things(record.version, "version", "versions"))
    return said
