"""Papers through the whole program: real readers, real files, and from one run to the next."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psutil
import pytest

from app.bootstrap import UNCLEAN, Program
from app.paths import Paths
from core.domain.papers import PaperState
from core.domain.query import Mode, SearchRequest
from core.errors import UserError
from core.ports.rows import ListQuery
from core.services.workspace import Workspace
from tests.core.extraction.making import pdf
from tests.core.extraction.test_locked import AES_ZIP

PASSWORD, WRONG = "tulip-9134-zanzibar", "rose-5520-montevideo"


@pytest.fixture
async def program(tmp_path: Path) -> AsyncIterator[Program]:
    data = tmp_path / "data"
    data.mkdir()
    program = Program.build(Paths(data, data, data))
    await program.workspaces.create(tmp_path, "W")
    yield program
    await program.close()
    assert not psutil.Process().children(recursive=True)


async def states(workspace: Workspace) -> dict[str, PaperState]:
    numbers = await workspace.papers.rows.snapshot(ListQuery())
    return {paper.name: paper.state for paper in await workspace.papers.rows.rows(numbers) if paper}


async def titles(workspace: Workspace, text: str) -> list[str]:
    result = await workspace.search.search(SearchRequest(text, Mode.WORDS))
    return [hit.passage.title for hit in result.hits]


def bytes_below(folder: Path) -> Iterator[tuple[Path, bytes]]:
    for path in folder.rglob("*"):
        if path.is_file():
            yield path, path.read_bytes()


async def test_a_password_opens_its_paper_and_is_kept_nowhere(program: Program, tmp_path: Path) -> None:
    source = tmp_path / "locked.pdf"
    source.write_bytes(pdf("The alarm code is with the caretaker", password=PASSWORD))
    workspace = await program.workspaces.open(tmp_path / "W")
    (taken,) = await workspace.papers.add([source])
    await workspace.papers.idle()
    assert taken.paper is not None
    asked = await workspace.papers.get(taken.paper.id)
    assert (asked.reason_code, asked.needs_password) == ("password", True)
    for mode in Mode:  # by its name it is found all the same
        found = await workspace.search.search(SearchRequest("locked", mode))
        assert [(hit.passage.title, hit.passage.text) for hit in found.hits] == [("locked.pdf", "")]
    renamed = await workspace.papers.rename(taken.paper.id, "Alarm contract.pdf")
    assert await titles(workspace, "alarm contract") == ["Alarm contract.pdf"]
    await workspace.papers.rename(renamed.id, "locked.pdf")

    with pytest.raises(UserError) as refused:
        await workspace.papers.unlock(taken.paper.id, WRONG)
    assert WRONG not in refused.value.sentence
    paper = await workspace.papers.unlock(taken.paper.id, PASSWORD)

    assert (paper.state, paper.pages) == (PaperState.SEARCHABLE, 1)
    assert await titles(workspace, "caretaker") == ["locked.pdf"]
    for _when in ("while it is open", "after it was closed"):
        for path, content in bytes_below(tmp_path):
            assert PASSWORD.encode() not in content, path
            assert WRONG.encode() not in content, path
        await program.close()


async def test_a_password_opens_the_locked_parts_of_a_paper_that_was_read(program: Program, tmp_path: Path) -> None:
    source = tmp_path / "keys.zip"
    source.write_bytes(AES_ZIP)
    workspace = await program.workspaces.open(tmp_path / "W")
    (taken,) = await workspace.papers.add([source])
    await workspace.papers.idle()
    assert taken.paper is not None
    before = await workspace.papers.get(taken.paper.id)
    assert (before.state, before.needs_password) == (PaperState.SEARCHABLE, True)

    with pytest.raises(UserError, match="doesn't open what is locked"):
        await workspace.papers.unlock(taken.paper.id, WRONG)
    assert await workspace.papers.get(taken.paper.id) == before
    opened = await workspace.papers.unlock(taken.paper.id, "geheim")

    assert (opened.state, opened.needs_password) == (PaperState.SEARCHABLE, False)
    assert await titles(workspace, "caretaker") == ["keys.zip"]
    await program.close()


async def test_hostile_and_broken_papers_stop_no_other(program: Program, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "good.txt").write_text("The generator is tested on Mondays.")
    (folder / "broken.pdf").write_bytes(pdf("text")[:120])
    (folder / "empty.pdf").write_bytes(b"")
    (folder / "nonsense.docx").write_bytes(b"PK\x03\x04" + bytes(range(256)) * 8)
    workspace = await program.workspaces.open(tmp_path / "W")
    await workspace.papers.add([folder])
    await workspace.papers.idle()
    found = await states(workspace)
    assert found.pop("good.txt") is PaperState.SEARCHABLE
    assert set(found.values()) == {PaperState.ATTENTION}
    assert await titles(workspace, "generator") == ["good.txt"]


async def test_a_queue_goes_on_in_the_next_run(program: Program, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    for number in range(30):
        (folder / f"{number}.txt").write_text(f"Paper number {number} about the generator.")
    workspace = await program.workspaces.open(tmp_path / "W")
    await workspace.papers.idle()
    await workspace.papers.pause()
    await workspace.papers.add([folder])
    await workspace.papers.resume()
    while (await workspace.papers.queue()).searchable < 3:  # noqa: ASYNC110 - the middle has no event
        await asyncio.sleep(0.01)
    await program.close()
    workspace = await program.workspaces.open(tmp_path / "W")
    assert UNCLEAN not in workspace.notes
    await workspace.papers.idle()
    assert set((await states(workspace)).values()) == {PaperState.SEARCHABLE}
    numbers = await workspace.papers.rows.snapshot(ListQuery())
    assert {paper.attempts for paper in await workspace.papers.rows.rows(numbers) if paper} == {1}
