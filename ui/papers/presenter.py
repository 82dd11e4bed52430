"""What the place of papers knows and does; no widgets."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from core.domain.extraction import RefusalCode
from core.domain.papers import Paper, PaperState, Taken
from core.domain.passages import Kind, Passage
from core.services.workspace import Workspace
from core.tasks import TaskScope
from ui.commands.place import Undo
from ui.papers import words
from ui.papers.opening import Opener
from ui.qt.browsing import BrowsePresenter
from ui.qt.scope import ViewScope

PREVIEW = 200  # passages read at once for the preview


@dataclass(frozen=True, slots=True)
class Offers:
    """What can be done with all the chosen papers now."""

    open: bool = False
    save: bool = False
    retry: bool = False
    unlock: bool = False
    stop: bool = False
    remove: bool = False


class PapersPresenter(BrowsePresenter[Paper]):
    """`text_changed`: the text of the one chosen paper was read (`passages`). `taken_in`: an intake has ended."""

    text_changed = Signal()
    taken_in = Signal(list)

    def __init__(
        self,
        workspace: Workspace,
        scope: ViewScope,
        writes: TaskScope,
        offer_undo: "OfferUndo",
        parent: QObject | None = None,
    ) -> None:
        kinds = frozenset({"paper", "passage"})
        super().__init__(scope, workspace.events, workspace.papers.rows, kinds, words.line, words.SORTS, parent)
        self._workspace = workspace
        self._writes = writes
        self._offer_undo = offer_undo
        self._opener = Opener(workspace.info.path, workspace.papers.export)
        self.passages: list[Passage] = []
        self.more_text = False
        self._text_of: tuple[str, int] | None = None
        self.chosen_changed.connect(self._read_text)
