"""muniment add | status | check"""

import argparse
import sys
from pathlib import Path
from typing import Any

from app.bootstrap import Program
from app.commands.answers import ATTENTION, DONE, reply
from app.commands.opening import opened, takes_json, takes_workspace
from core.domain.papers import Paper, PaperState, Taken
from core.errors import EnvironmentFault
from core.services.workspace import Workspace


def add_to(commands: Any) -> None:
    add = commands.add_parser("add", help="take papers in: files, and whatever lies in folders")
    add.add_argument("files", nargs="+", type=Path, metavar="FILE")
    add.add_argument("--words-only", action="store_true", help="don't wait until papers can be found by meaning")
    add.set_defaults(command=_add)
    takes_workspace(add)
    takes_json(add)


def add_status_to(commands: Any) -> None:
    status = commands.add_parser("status", help="say how far the reading of papers has come")
    status.set_defaults(command=_status)
    takes_workspace(status)
    takes_json(status)


def add_check_to(commands: Any) -> None:
    check = commands.add_parser("check", help="look whether every stored paper is whole, and repair what can be")
    check.set_defaults(command=_check)
    takes_workspace(check)
    takes_json(check)


async def _check(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await opened(program, arguments.workspace)
    found = await workspace.upkeep.check()
    answer = {
        "papers": found.papers,
        "repaired": [paper.name for paper in found.repaired],
        "damaged": [paper.name for paper in found.damaged],
        "unreferenced": found.unreferenced,
    }
    lines = [f"{found.papers} papers checked"]
    lines += [f"repaired\t{paper.name}" for paper in found.repaired]
    lines += [f"damaged\t{paper.name}" for paper in found.damaged]
    reply(arguments, answer, "\n".join(lines))
    return ATTENTION if found.damaged else DONE


async def _add(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await opened(program, arguments.workspace)
    taken = await workspace.papers.add(arguments.files)
    await workspace.papers.idle()
    if workspace.papers.fault:
        raise EnvironmentFault(workspace.papers.fault)
    if not arguments.words_only:
        await workspace.meaning.idle()
        if workspace.meaning.fault:
            print(workspace.meaning.fault, file=sys.stderr)
    answers = [await _outcome(workspace, one) for one in taken]
    reply(arguments, answers, "\n".join(_outcome_line(answer) for answer in answers))
    bad = any(answer["state"] not in {PaperState.SEARCHABLE, "known"} or answer["reason_code"] for answer in answers)
    return ATTENTION if bad else DONE


async def _outcome(workspace: Workspace, taken: Taken) -> dict[str, Any]:
    if taken.paper is None:
        return {"source": taken.source, "state": taken.outcome, "reason_code": taken.outcome, "reason": taken.sentence}
    paper = await workspace.papers.get(taken.paper.id)
    answer = _paper(paper) | {"source": taken.source}
    if taken.outcome == "known":
        answer |= {"state": "known", "reason": f"{taken.sentence} {paper.reason}".rstrip()}
    return answer


def _paper(paper: Paper) -> dict[str, Any]:
    return {
        "id": paper.id,
        "name": paper.name,
        "state": paper.state.value,
        "format": paper.format,
        "title": paper.title,
        "pages": paper.pages,
        "passages": paper.passages,
        "reason_code": paper.reason_code,
        "reason": paper.reason,
        "notes": [note.sentence for note in paper.notes],
    }


def _outcome_line(answer: dict[str, Any]) -> str:
    parts = [str(answer["state"]), str(answer["source"])]
    if answer.get("pages"):
        parts.append(f"{answer['pages']} page{'s' if answer['pages'] != 1 else ''}")
    if answer.get("reason"):
        parts.append(str(answer["reason"]))
    parts.extend(answer.get("notes", ()))
    return "\t".join(parts)


async def _status(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await opened(program, arguments.workspace)
    state = await workspace.papers.queue()
    answer = {
        "workspace": workspace.info.name,
        "waiting": state.waiting + state.reading,
        "searchable": state.searchable,
        "attention": state.attention,
        "cancelled": state.cancelled,
        "passages": state.passages,
        "passages_with_meaning": state.passages_with_meaning,
    }
    words = (
        f"{state.searchable} paper{'' if state.searchable == 1 else 's'} searchable, {answer['waiting']} waiting, "
        f"{state.attention} need{'s' if state.attention == 1 else ''} attention. "
        f"{state.passages_with_meaning} of {state.passages} passages can be found by meaning."
    )
    reply(arguments, answer, words)
    return DONE
