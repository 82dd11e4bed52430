"""What was recognised in one workspace can't be had in another, and leaves no trace there."""

import asyncio
from pathlib import Path

from app.bootstrap import Program
from app.paths import Paths
from core.domain.papers import PaperState
from core.domain.query import Mode, SearchRequest
from core.services.workspace import Workspace
from tests.core.extraction.drawing import page, saved

WORD = "Alphazebrafinch"


async def opened(program: Program, folder: Path, name: str) -> Workspace:
    known = await program.workspaces.create(folder, name)
    return await program.workspaces.open(known.path)


async def found(workspace: Workspace) -> int:
    return len((await workspace.search.search(SearchRequest(WORD, Mode.WORDS))).hits)


async def test_words_of_a_scan_stay_in_their_workspace(tmp_path: Path) -> None:
    photo = tmp_path / "photo.png"
    photo.write_bytes(saved(page((40, 40, f"{WORD} lives here"), size=(600, 120)), "PNG"))
    own = tmp_path / "program"
    own.mkdir()
    program = Program.build(Paths(own, own, own))
    try:
        here = await opened(program, tmp_path, "Here")
        (taken,) = await here.papers.add([photo])
        async with asyncio.timeout(50):
            await here.papers.idle()
        assert taken.paper is not None
        paper = await here.papers.get(taken.paper.id)
        assert paper.state is PaperState.SEARCHABLE
        assert await found(here) == 1
        words = await here.papers.recognised(paper.id, None)
        assert words is not None
        assert WORD in [word.text for word in words.words]
        there = await opened(program, tmp_path, "There")
        assert await there.papers.recognised(paper.id, None) is None
        assert await found(there) == 0
        assert (await there.papers.queue()).searchable == 0
    finally:
        await program.close()
    assert not [path for path in (tmp_path / "There").rglob("*") if path.is_file() and holds(path)]
    assert [path for path in (tmp_path / "Here").rglob("*") if path.is_file() and holds(path)]
    assert not [path for path in own.rglob("*") if path.is_file() and holds(path)]


def holds(path: Path) -> bool:
    return WORD.lower().encode() in path.read_bytes().lower()
