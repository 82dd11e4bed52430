"""What every PreviewPort promises, whatever stands behind it."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.adapters.previews.process import ProcessPreviews
from core.errors import UserError
from core.ports.previews import PreviewPort
from tests.core.extraction.making import pdf
from tests.fakes.previews import PlainPages

PAGES = ("Dear Mrs Adler", "the ramp is open again")


@pytest.fixture(params=["process", "memory"])
async def previews(request: pytest.FixtureRequest) -> AsyncIterator[PreviewPort]:
    port: PreviewPort = PlainPages()
    if request.param == "process":
        port = ProcessPreviews([sys.executable, "-m", "core.adapters.workers", "previews"])
    yield port
    await port.close()
    await port.close()


@pytest.fixture
def paper(previews: PreviewPort, tmp_path: Path) -> Path:
    path = tmp_path / "letter.pdf"
    path.write_bytes(pdf(*PAGES) if isinstance(previews, ProcessPreviews) else "\f".join(PAGES).encode())
    return path


async def test_a_page_is_drawn_as_wide_as_asked_for(previews: PreviewPort, paper: Path) -> None:
    assert previews.draws("pdf")
    assert not previews.draws("eml")
    picture = await previews.page(paper, paper.name, 1, 300)
    assert (picture.page, picture.pages, picture.width) == (1, 2, 300)
    assert picture.height > picture.width
    assert len(picture.rgb) == picture.width * picture.height * 3
    assert picture.marks == ()


async def test_a_page_past_the_end_is_the_last(previews: PreviewPort, paper: Path) -> None:
    assert (await previews.page(paper, paper.name, 9, 100)).page == 2
    assert (await previews.page(paper, paper.name, 0, 100)).page == 1


async def test_lines_are_marked_where_they_stand(previews: PreviewPort, paper: Path) -> None:
    lines = ["the ramp is open again", "not on this page"]
    picture = await previews.page(paper, paper.name, 2, 300, lines)
    assert len(picture.marks) == 1
    mark = picture.marks[0]
    assert 0 <= mark.left < mark.right <= 1
    assert 0 <= mark.top < mark.bottom <= 0.25
    assert (await previews.page(paper, paper.name, 1, 300, lines)).marks == ()


async def test_what_is_damaged_is_a_sentence_and_the_next_is_drawn(
    previews: PreviewPort, paper: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"broken %PDF-1.7")
    with pytest.raises(UserError, match=r"broken\.pdf"):
        await previews.page(broken, broken.name, 1, 300)
    assert (await previews.page(paper, paper.name, 1, 100)).page == 1


async def test_a_page_that_came_sideways_is_turned_with_its_marks(previews: PreviewPort, paper: Path) -> None:
    lines = ["the ramp is open again"]
    upright = await previews.page(paper, paper.name, 2, 300, lines)
    turned = await previews.page(paper, paper.name, 2, 300, lines, 90)
    assert turned.height < turned.width == 300
    assert len(turned.rgb) == turned.width * turned.height * 3
    (before,), (after,) = upright.marks, turned.marks
    assert (after.left, after.top) == pytest.approx((1 - before.bottom, before.left))
    (whole,) = (await previews.page(paper, paper.name, 2, 300, lines, 180)).marks
    assert (whole.left, whole.bottom) == pytest.approx((1 - before.right, 1 - before.top))
