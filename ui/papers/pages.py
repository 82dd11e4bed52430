"""What is seen of a paper's pages: which one, drawn how wide, with which places marked. No widgets."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from core.domain.papers import Paper
from core.domain.previews import Mark
from core.errors import UserError
from core.services.previews import PreviewService
from ui.qt.scope import ViewScope

STEP = 200  # pixels: widths are asked for in such steps, so that a moving splitter doesn't draw at each pixel


class PagesPresenter(QObject):
    """`changed`: another picture is there, or is being drawn, or can't be (`problem`)."""

    changed = Signal()

    def __init__(self, previews: PreviewService, scope: ViewScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._previews = previews
        self._scope = scope
        self._id, self._digest = "", ""
        self._width = 0
        self._lines: dict[int, Sequence[str]] = {}
        self._drawn: tuple[str, str, int, int] = ("", "", 0, 0)
        self.page = self.pages = 1
        self.image: QImage | None = None
        self.marks: tuple[Mark, ...] = ()
        self.problem = ""

    def draws(self, paper: Paper) -> bool:
        return self._previews.draws(paper)

    def show(self, paper: Paper, page: int = 1) -> None:
        """Look at this paper; its page stays where it is the one that is looked at already."""
        if (paper.id, paper.digest) != (self._id, self._digest):
            self._id, self._digest = paper.id, paper.digest
            self.page, self.pages = page, paper.pages or 1
            self.image, self.marks, self.problem, self._lines = None, (), "", {}
        self._draw()

    def point_at(self, page: int, lines: Sequence[str]) -> None:
        """Go to a page and mark these lines there."""
        self._lines = {page: lines}
        self._drawn = ("", "", 0, 0)
        self.turn_to(page)

    def turn_to(self, page: int) -> None:
        """Go to a page, as far as there are pages."""
        self.page = max(1, page)
        self._draw()

    def fit(self, width: int) -> None:
        """Draw for this many pixels of the screen."""
        wanted = -(-width // STEP) * STEP
        if wanted != self._width:
            self._width = wanted
            self._draw()

    def _draw(self) -> None:
        wanted = (self._id, self._digest, self.page, self._width)
        if self._id and self._width and wanted != self._drawn:
            self._drawn = wanted
            self._scope.start(self._read(wanted), latest=f"page {id(self)}")

    async def _read(self, wanted: tuple[str, str, int, int]) -> None:
        id, _digest, page, width = wanted
        try:
            picture = await self._previews.page(id, page, width, self._lines.get(page, ()))
        except UserError as error:
            self.image, self.marks, self.problem = None, (), error.sentence
            self.changed.emit()
            return
        image = QImage(picture.rgb, picture.width, picture.height, picture.width * 3, QImage.Format.Format_RGB888)
        self.image = image.copy()  # the bytes go with the picture
        self.marks, self.problem = picture.marks, ""
        self.page, self.pages = picture.page, picture.pages
        self._drawn = (*wanted[:2], picture.page, width)
        self.changed.emit()
