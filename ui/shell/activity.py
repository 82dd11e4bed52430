"""The foot: what is going on in the background, only while something goes on."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout

from core.events import Event, Progress
from core.services.workspace import Workspace
from ui.qt.presenter import Presenter
from ui.qt.scope import ViewScope
from ui.widgets.basics import Button, ElidedLabel, label, number, progress
from ui.widgets.theme import px

STOP_TIPS = {
    "reading": "Don't read the papers that wait; they stay in the list",
    "importing": "Stop after the conversation at hand; what came stays",
}
NARROW = 820  # px at 100 %: below that there is no room for the bar


class ActivityPresenter(Presenter):
    """Follows imports, reading and meaning. A run counts from where it began: "Reading 14 of 52 papers", not all ever
    read.
    """

    def __init__(self, workspace: Workspace, scope: ViewScope, parent: QObject | None = None) -> None:
        super().__init__(scope, parent)
        self._workspace = workspace
        self._now: dict[str, Progress] = {}
        self._begun: dict[str, int] = {}
        self.hear(workspace.events, self._heard)
        self.listen(workspace.events, frozenset({"paper"}), self._papers_changed)

    async def start(self) -> None:
        """Take over what goes on already."""
        state = await self._workspace.papers.queue()
        waiting = state.waiting + state.reading
        done = state.searchable + state.attention
        self._heard(Progress("reading", done, done + waiting, state.current, state.attention, state.paused))

    def _papers_changed(self) -> None:
        """While papers are read, each is announced; what comes or goes while nothing is read has to be asked for."""
        reading = self._running("reading")
        if reading is None or reading.paused:
            self.scope.start(self.start(), latest="queue")

    def _heard(self, event: Event) -> None:
        if not isinstance(event, Progress):
            return
        before = self._now.get(event.activity)
        if before is None or before.done >= before.total:
            self._begun[event.activity] = min(event.done, event.total)
        self._now[event.activity] = event
        self.changed.emit()

    def _running(self, activity: str) -> Progress | None:
        now = self._now.get(activity)
        return now if now is not None and now.done < now.total else None

    @property
    def shown(self) -> Progress | None:
        """What the foot tells: what a person waits for first, meaning last; None when nothing goes on."""
        return self._running("importing") or self._running("reading") or self._running("meaning")

    @property
    def counts(self) -> tuple[int, int]:
        """(done, all) of this run."""
        now = self.shown
        if now is None:
            return 0, 0
        begun = min(self._begun.get(now.activity, 0), now.done)
        return now.done - begun, now.total - begun

    @property
    def sentence(self) -> str:
        now, (done, total) = self.shown, self.counts
        if now is None:
            return ""
        if now.activity == "importing":
            things = "conversation" if total == 1 else "conversations"
            return f"Importing {number(min(done + 1, total))} of {number(total)} {things}"
        if now.activity == "meaning":
            return f"Preparing search by meaning, {number(done)} of {number(total)} passages"
        if now.paused:
            return f"Paused, {number(total - done)} {'paper waits' if total - done == 1 else 'papers wait'}"
        return f"Reading {number(min(done + 1, total))} of {number(total)} {'paper' if total == 1 else 'papers'}"

    @property
    def attention(self) -> int:
        reading = self._now.get("reading")
        return reading.attention if reading is not None else 0

    async def pause_or_resume(self) -> None:
        now = self._running("reading")
        if now is not None and now.paused:
            await self._workspace.papers.resume()
        else:
            await self._workspace.papers.pause()

    async def cancel(self) -> None:
        """Stop what is shown: the import after the conversation at hand, or reading; what is done stays."""
        if self._running("importing") is not None:
            self._workspace.exchange.cancel()
        else:
            await self._workspace.papers.cancel_all()


class ActivityFoot(QFrame):
    """Shows an ActivityPresenter. `attention_wanted` when the person asks which papers need them."""

    attention_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("activity")
        self.setAccessibleName("What is going on")
        self._presenter: ActivityPresenter | None = None
        self.sentence = label("")
        self.bar = progress("Progress")
        self.name = ElidedLabel("", "secondary")
        self.attention = Button("", self.attention_wanted.emit, kind="link", tip="Show the papers that need you")
        self.attention.setProperty("tone", "warn")
        self.pause = Button("Pause", self._pause, tip="Stop after the paper at hand; it goes on when you resume")
        self.stop = Button("Cancel", self._stop)
        box = QHBoxLayout(self)
        box.setContentsMargins(px(16), px(7), px(16), px(7))
        box.setSpacing(px(12))
        for widget in (self.sentence, self.bar):
            box.addWidget(widget)
        box.addWidget(self.name, 1)
        box.addStretch(0)
        for widget in (self.attention, self.pause, self.stop):
            box.addWidget(widget)
        self.hide()

    def show_presenter(self, presenter: ActivityPresenter | None) -> None:
        self._presenter = presenter
        if presenter is not None:
            presenter.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        presenter = self._presenter
        now = presenter.shown if presenter is not None else None
        self.setVisible(now is not None)
        if presenter is None or now is None:
            return
        done, total = presenter.counts
        self.sentence.setText(presenter.sentence)
        self.bar.setRange(0, max(1, total))
        self.bar.setValue(done)
        self.bar.setAccessibleName(presenter.sentence)
        self.name.setText("" if now.paused else now.label)
        count = presenter.attention
        self.attention.setVisible(count > 0)
        self.attention.setText(f"{number(count)} {'needs' if count == 1 else 'need'} your attention")
        reading = now.activity == "reading"
        self.pause.setVisible(reading)
        self.stop.setVisible(now.activity != "meaning")
        self.stop.setToolTip(STOP_TIPS.get(now.activity, ""))
        self.pause.setText("Resume" if now.paused else "Pause")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """On a narrow window the sentence says enough."""
        super().resizeEvent(event)
        self.bar.setVisible(event.size().width() >= px(NARROW))
        self.name.setVisible(event.size().width() >= px(NARROW))

    def _pause(self) -> None:
        if self._presenter is not None:
            self._presenter.scope.run(self._presenter.pause_or_resume)

    def _stop(self) -> None:
        if self._presenter is not None:
            self._presenter.scope.run(self._presenter.cancel)

    def focus_part(self) -> None:
        first = self.pause if self.pause.isVisible() else self.attention
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)
