"""muniment forget-for-good"""

import argparse
import sys
from pathlib import Path
from typing import Any

from app.bootstrap import Program
from app.commands.answers import ATTENTION, DONE, reply, shown
from app.commands.opening import opened, takes_json, takes_workspace
from app.finding import text
from core.domain.conversation_files import iso
from core.domain.erasure import (
    KIND_SAID,
    Doomed,
    ErasurePlan,
    ErasureReport,
    Stage,
    Wanted,
    counted,
    report_text,
)
from core.domain.memory import record_id
from core.errors import UserError
from core.services.workspace import Workspace

STAGES = {
    Stage.ROWS: "erasing",
    Stage.FILES: "overwriting files",
    Stage.SPACE: "writing the database anew",
    Stage.CHECK: "looking for anything that is left",
}


def add_to(commands: Any) -> None:
    forget = commands.add_parser(
        "forget-for-good",
        help="erase things, or everything about a name, so that nothing of it is left; there is no undo",
    )
    forget.add_argument("--name", type=text, default="", help="everything that holds this word or phrase")
    for option, words in (
        ("record", "a memory, by its key"),
        ("conversation", "a conversation, by its id"),
        ("shared", "a shared entry, by its key"),
        ("paper", "a paper, by its id"),
    ):
        forget.add_argument(f"--{option}", type=text, action="append", default=[], metavar="WHICH", help=words)
    forget.add_argument("--namespace", type=text, default="default", help="where --record looks (default)")
    forget.add_argument("--dry-run", action="store_true", help="only say what would be erased")
    forget.add_argument("--yes", action="store_true", help="don't ask before erasing")
    forget.add_argument("--report", type=Path, metavar="FILE", help="write the report to keep here, as Markdown")
    forget.set_defaults(command=_forget)
    takes_workspace(forget)
    takes_json(forget)


def _wanted(arguments: argparse.Namespace) -> Wanted:
    picked = [
        *((Doomed.RECORD, record_id(arguments.namespace, key)) for key in arguments.record),
        *((Doomed.SESSION, id) for id in arguments.conversation),
        *((Doomed.SHARED, key) for key in arguments.shared),
        *((Doomed.PAPER, id) for id in arguments.paper),
    ]
    return Wanted(tuple(picked), arguments.name)


async def _forget(program: Program, arguments: argparse.Namespace) -> int:
    wanted = _wanted(arguments)
    workspace = await opened(program, arguments.workspace)
    plan = await workspace.erasure.plan(wanted)
    if arguments.dry_run or plan.empty:
        reply(arguments, _described(plan), "\n".join(_lines(plan)))
        return DONE
    if not arguments.yes:
        _ask(plan)
    report = await workspace.erasure.carry_out(plan, _said if sys.stderr.isatty() else None)
    words = report_text(report, workspace.info.name)
    if arguments.report is not None:
        await workspace.erasure.save(words, arguments.report)
        print(f"The report is in {shown(arguments.report)}.", file=sys.stderr)
    reply(arguments, _outcome(workspace, report), words.rstrip())
    return DONE if report.verified else ATTENTION


def _ask(plan: ErasurePlan) -> None:
    """Show the plan and ask at a terminal. Raises UserError where the answer isn't yes, or nobody can be asked."""
    if not sys.stdin.isatty():
        raise UserError("Nothing was erased. Look at it with --dry-run; erase it with --yes.")
    print("\n".join(_lines(plan)), file=sys.stderr)
    print("There is no undo. Type “yes” to erase all of this: ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() != "yes":
        raise UserError("Nothing was erased.")


def _said(stage: Stage, hundredths: int) -> None:
    print(f"\r\x1b[K{hundredths:3d} %  {STAGES[stage]}", end="\r", file=sys.stderr)


def _lines(plan: ErasurePlan) -> list[str]:
    if plan.empty:
        lines = ["There is nothing of it here."]
    else:
        lines = [f"{KIND_SAID[thing.kind]}\t{thing.title}\t{thing.why}".rstrip() for thing in plan.things]
        lines.append("Erased with all of it: " + ", ".join(counted(plan.counts)) + ".")
    lines += [f"not read yet, stays\t{name}" for name in plan.unread]
    return [*lines, *(f"in a watched folder, comes in again unless you take it away\t{path}" for path in plan.watched)]


def _described(plan: ErasurePlan) -> dict[str, Any]:
    things = [
        {"kind": KIND_SAID[thing.kind], "id": thing.id, "title": thing.title, "why": thing.why} for thing in plan.things
    ]
    return {
        "erased": False,
        "things": things,
        "counts": dict(plan.counts),
        "not_read_yet": list(plan.unread),
        "watched": list(plan.watched),
    }


def _outcome(workspace: Workspace, report: ErasureReport) -> dict[str, Any]:
    return {
        "erased": True,
        "workspace": workspace.info.name,
        "at": iso(report.at),
        "counts": dict(report.counts),
        "verified": report.verified,
        "left": [{"name": place.name, "own": place.own} for place in report.left],
        "files": report.files,
        "bytes": report.bytes,
        "traces": report.traces,
    }
