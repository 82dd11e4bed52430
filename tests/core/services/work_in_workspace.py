"""A working day in one workspace, all of it marked: work_in_workspace.py FOLDER DATA MARKER, and as a function."""

import asyncio
import sys
import tempfile
from pathlib import Path

from app.bootstrap import Program
from app.logs import log_to
from app.paths import Paths
from core.domain.memory import Role
from core.domain.query import Mode, SearchRequest
from core.domain.scopes import ActorType, JobState
from core.domain.tiers import Tier
from core.errors import UserError
from core.services.workspace import Workspace
from tests.core.extraction.making import pdf

ROUNDS = 3


async def work(workspace: Workspace, marker: str) -> None:
    """Put the marker into everything that a person can put something into, and ask for it."""
    session = await workspace.conversations.begin(f"{marker} session")
    with tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS):
            text = f"{marker} text {number} about the boiler. " * 20
            await workspace.memory.remember(f"{marker} {number}", {marker: text}, Tier.SEMANTIC, marker)
            await workspace.conversations.add(session.id, Role.USER, text)
            await workspace.shared.set(f"{marker} {number}", text)
            Path(folder, f"{marker} {number}.txt").write_text(text)
        Path(folder, f"{marker}.pdf").write_bytes(pdf(f"{marker} on paper"))
        Path(folder, f"{marker} damaged.pdf").write_bytes(pdf(f"{marker} on paper")[:200])
        Path(folder, f"{marker} locked.pdf").write_bytes(pdf(f"{marker} on paper", password=marker))
        taken = await workspace.papers.add([Path(folder), Path(folder, f"{marker} missing.txt")])
        await workspace.papers.idle()
        locked = next(one.paper for one in taken if one.paper is not None and "locked" in one.paper.name)
        try:
            await workspace.papers.unlock(locked.id, f"not {marker}")
        except UserError:
            await workspace.papers.unlock(locked.id, marker)
        for one in taken:
            if one.paper is not None and one.paper.name == f"{marker}.pdf":
                assert (await workspace.previews.page(one.paper.id, 1, 200, [f"{marker} on paper"])).marks
    await workspace.meaning.idle()
    job = workspace.jobs.start(marker, actor=marker, actor_type=ActorType.AGENT)
    with workspace.jobs.step(job.id, marker) as owner:
        workspace.scopes.scratchpad.set(owner, marker, marker)
    workspace.jobs.end(job.id, JobState.COMPLETED)
    for mode in Mode:
        for asked in (marker, f"{marker}x", f'"{marker} text 1"', f"what about the boiler {marker}"):
            found = await workspace.search.search(SearchRequest(asked, mode))
            assert all(marker in hit.passage.title + hit.passage.text for hit in found.hits)


async def main(path: Path, data: Path, marker: str) -> None:
    """Work in a program of its own; says when its workspace is open, and waits to be told that the other one's is."""
    log_to(data)
    program = Program.build(Paths(data, data, data))
    workspace = await program.workspaces.open(path)
    print("open", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await work(workspace, marker)
    await program.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))
