"""Pages of papers as a person sees them."""

from collections.abc import Sequence
from dataclasses import replace

from core.domain.papers import Paper
from core.domain.previews import MOST_MARKS, PagePicture, marks_of_lines
from core.domain.recognition import RecognisedPage
from core.errors import NotFound, UserError
from core.ports.papers import ArtifactPort, PaperPort
from core.ports.previews import PreviewPort


class PreviewService:
    """Draws pages of this workspace's papers. Nothing of them is kept."""

    def __init__(self, papers: PaperPort, artifacts: ArtifactPort, previews: PreviewPort) -> None:
        self._papers = papers
        self._artifacts = artifacts
        self._previews = previews

    def draws(self, paper: Paper) -> bool:
        """Whether the paper has pages that can be drawn; for one that wasn't read, what its name says."""
        return self._previews.draws(paper.format or paper.name.rpartition(".")[2].lower())

    async def page(self, id: str, page: int, width: int, lines: Sequence[str] = ()) -> PagePicture:
        """A page (from 1) so many pixels wide, with places of these lines marked. Raises UserError, or NotFound for a
        paper that isn't there."""
        paper = await self._papers.get(id)
        if paper is None:
            raise NotFound("This paper is not in the workspace any more.")
        try:
            path = await self._artifacts.path(paper.digest)
        except NotFound as missing:
            said = f"The stored copy of “{paper.name}” is gone. Add the paper again."
            raise UserError(missing.sentence if paper.linked else said) from None
        recognised = await self._recognised(paper, page)
        turn = recognised.turn if recognised is not None else 0
        picture = await self._previews.page(path, paper.name, page, width, lines, turn)
        if recognised is None or not lines:
            return picture
        found = (mark.turned(turn) for mark in marks_of_lines(recognised.words, lines))
        return replace(picture, marks=(*picture.marks, *found)[:MOST_MARKS])

    async def _recognised(self, paper: Paper, page: int) -> RecognisedPage | None:
        """What was read on the picture of a page: which way up it is, and where its words stand."""
        if (paper.pages or 1) == 1 and (alone := await self._papers.recognised(paper.id, None)) is not None:
            return alone
        return await self._papers.recognised(paper.id, page)
