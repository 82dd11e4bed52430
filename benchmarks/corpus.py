"""The main job on real files: every paper of ../shared/corpus is taken in, read, and asked for by search.

    python -m benchmarks.corpus [--only TEXT] [--all]

For each file: its state in the program, and whether search, asked for the text that an independent reader found in
it, has it among the first ten; or whether the refusal is the expected one. Prints the lines that are not as expected
(--all: every line), a summary by format, and the memory of the program's own process. Exit code 1 where a file has no
status.
"""

import argparse
import asyncio
import re
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import psutil

from app.bootstrap import Program
from app.paths import Paths
from benchmarks.machine import described, table
from benchmarks.papers import Case, cases, expects, wanted
from core.domain.extraction import Refusal, RefusalCode
from core.domain.papers import Paper, PaperState
from core.domain.query import Mode, SearchRequest
from core.services.workspace import Workspace

LONGEST = 8  # words of a quotation that are asked for
FIRST = 10
BAD = {RefusalCode.CRASHED.value, RefusalCode.TIME.value}


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one file. as_expected None: nothing was said of it that could be looked up."""

    case: Case
    paper: Paper | None
    said: str
    as_expected: bool | None


async def run(folder: Path, selected: list[Case]) -> tuple[list[Line], float, float]:
    """Lines, seconds until everything was read, and the largest resident set of this process in MB."""
    program = Program.build(Paths(folder, folder, folder))
    known = await program.workspaces.create(folder, "Corpus")
    workspace = await program.workspaces.open(known.path)
    peak = asyncio.get_running_loop().create_task(_peak())
    begin = time.perf_counter()
    taken = await workspace.papers.add([case.path for case in selected])
    await workspace.papers.idle()
    seconds = time.perf_counter() - begin
    await workspace.meaning.pause()  # what is asked for are texts; meaning needs minutes for the largest ones
    lines = [
        await _look(workspace, case, answer.paper.id if answer.paper else None, answer.sentence)
        for case, answer in zip(selected, taken, strict=True)
    ]
    peak.cancel()
    resident = psutil.Process().memory_info().rss / 2**20
    await program.close()
    return lines, seconds, max(resident, *_seen)


_seen: list[float] = [0.0]


async def _peak() -> None:
    while True:
        _seen[0] = max(_seen[0], psutil.Process().memory_info().rss / 2**20)
        await asyncio.sleep(0.1)


async def _look(workspace: Workspace, case: Case, id: str | None, sentence: str) -> Line:
    if id is None:
        return Line(case, None, f"not taken: {sentence}", case.path.stat().st_size == 0)
    paper = await workspace.papers.get(id)
    if paper.state is PaperState.ATTENTION:
        refusal = Refusal(RefusalCode(paper.reason_code), paper.reason)
        return Line(case, paper, f"refused: {refusal.code}", expects(case, refusal))
    if paper.state is not PaperState.SEARCHABLE:
        return Line(case, paper, paper.state.value, False)
    asked = [_question(text) for text in wanted(case)]
    if not asked:
        return Line(case, paper, f"{paper.passages} passages", None)
    told = " ".join(note.sentence for note in paper.notes)
    missing = [text for text in asked if text not in told and not await _finds(workspace, text, id)]
    return Line(case, paper, f"not found: {missing}" if missing else f"found: {asked[0]}", not missing)


def _question(text: str) -> str:
    """The first words of a quotation, without the signs between them and without a last word that may be cut off."""
    words = re.findall(r"[^\s|^]+", text)
    return " ".join(words[:LONGEST] if len(words) > LONGEST else words[: max(1, len(words) - (len(words) > 4))])


async def _finds(workspace: Workspace, text: str, id: str) -> bool:
    result = await workspace.search.search(SearchRequest(text, Mode.BOTH, limit=FIRST))
    return any(hit.passage.owner == id for hit in result.hits)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", default="", help="paths that contain this text")
    parser.add_argument("--all", action="store_true", help="print every line")
    arguments = parser.parse_args()
    selected = [case for case in cases() if arguments.only in str(case.path) and case.path.suffix != ".gitignore"]
    with tempfile.TemporaryDirectory(prefix="muniment-corpus-") as folder:
        lines, seconds, resident = asyncio.run(run(Path(folder), selected))
    for line in lines:
        if arguments.all or line.as_expected is False:
            print(f"{line.case.path.name[:50]:50} {line.said[:90]}  | {line.case.expect[:70]}")
    print(
        table(["format", "files", "as expected", "not", "nothing to look up", "searchable", "attention"], _rows(lines))
    )
    print(f"\nread in {seconds:.0f} s; the program's own process at most {resident:.0f} MB; {described()}")
    states = {PaperState.SEARCHABLE, PaperState.ATTENTION}
    unsettled = [line for line in lines if line.paper is not None and line.paper.state not in states]
    crashed = [line for line in lines if line.paper is not None and line.paper.reason_code in BAD]
    return int(bool(unsettled or crashed))


def _rows(lines: list[Line]) -> list[list[object]]:
    groups: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        groups[line.case.format].append(line)
    return [
        [
            name,
            len(group),
            sum(line.as_expected is True for line in group),
            sum(line.as_expected is False for line in group),
            sum(line.as_expected is None for line in group),
            sum(line.paper is not None and line.paper.state is PaperState.SEARCHABLE for line in group),
            sum(line.paper is not None and line.paper.state is PaperState.ATTENTION for line in group),
        ]
        for name, group in [*groups.items(), ("all", lines)]
    ]


if __name__ == "__main__":
    sys.exit(main())
