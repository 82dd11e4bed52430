"""The command line: muniment workspace | add | search | status. Imports no Qt.

Exit codes: 0 done; 1 done, but some papers need attention; 2 the command was not understood; 3 it can't be done (the
sentence on standard error says why); 4 this computer doesn't allow it now; 70 a defect (a crash report was written);
130 or 143 a signal stopped it, in order.
Answers go to standard output, everything else to standard error, so that both --json and pipes stay clean.
"""

import argparse
import asyncio
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from app import VERSION
from app.bootstrap import Program
from app.crash import CrashFiles
from app.paths import Paths, default_parent
from core.domain.papers import Paper, PaperState, Taken
from core.domain.query import Filters, Hit, Mode, SearchRequest, SearchResult
from core.domain.workspaces import SETTINGS, KnownWorkspace
from core.errors import EnvironmentFault, MunimentError, NotFound, UserError
from core.services.workspace import Workspace

DONE, ATTENTION, USAGE, REFUSED, ENVIRONMENT, DEFECT = 0, 1, 2, 3, 4, 70
INTERRUPTED, TERMINATED = 128 + signal.SIGINT, 128 + signal.SIGTERM

Command = Callable[[Program, argparse.Namespace], Awaitable[int]]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and answer its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")  # pyright: ignore[reportAttributeAccessIssue]
    arguments = parser().parse_args(argv)
    try:
        paths = Paths.of_user()
        return _guarded(paths, arguments)
    except EnvironmentFault as fault:
        print(fault.sentence, file=sys.stderr)
        return ENVIRONMENT
    except MunimentError as error:
        print(error.sentence, file=sys.stderr)
        return REFUSED
    except (KeyboardInterrupt, asyncio.CancelledError) as stop:
        print("Stopped. What was reported as done is kept.", file=sys.stderr)
        return INTERRUPTED if isinstance(stop, KeyboardInterrupt) else TERMINATED
    except BrokenPipeError:  # the reader has gone; nothing more to say
        return DONE


def _guarded(paths: Paths, arguments: argparse.Namespace) -> int:
    """Run the command; a defect becomes a report."""
    try:
        return asyncio.run(_run(paths, arguments))
    except (MunimentError, BrokenPipeError):
        raise
    except Exception as error:
        report = CrashFiles(paths.crashes, VERSION).write(error)
        where = f" A report is in {report}." if report else ""
        print(f"Something went wrong in Muniment.{where}", file=sys.stderr)
        return DEFECT


async def _run(paths: Paths, arguments: argparse.Namespace) -> int:
    program = Program.build(paths)
    running = asyncio.current_task()
    if os.name == "posix" and running is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    try:
        return await arguments.command(program, arguments)
    finally:
        await program.close()


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="muniment", description="Keeps each client, site or matter in a workspace of its own."
    )
    top.add_argument("--version", action="version", version=f"Muniment {VERSION}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    workspace = commands.add_parser("workspace", help="make, list or describe workspaces")
    kinds = workspace.add_subparsers(required=True, metavar="COMMAND")
    create = kinds.add_parser("create", help="make a workspace")
    create.add_argument("name", type=_text)
    create.add_argument(
        "--in", dest="parent", type=Path, default=None, metavar="FOLDER", help="make it below this folder"
    )
    create.set_defaults(command=_create)
    listing = kinds.add_parser("list", help="list the known workspaces")
    listing.set_defaults(command=_list)
    info = kinds.add_parser("info", help="describe one workspace")
    info.set_defaults(command=_info)

    add = commands.add_parser("add", help="take papers in: files, and whatever lies in folders")
    add.add_argument("files", nargs="+", type=Path, metavar="FILE")
    add.add_argument("--words-only", action="store_true", help="don't wait until papers can be found by meaning")
    add.set_defaults(command=_add)

    search = commands.add_parser("search", help="find passages by words and by meaning")
    search.add_argument("words", nargs="+", type=_text, metavar="WORD")
    search.add_argument("--mode", choices=[mode.value for mode in Mode], default=Mode.BOTH.value)
    search.add_argument("--limit", type=_limit, default=10, metavar="N", help="at most N results (1 to 200)")
    search.add_argument(
        "--format", action="append", default=[], metavar="TYPE", help="only this type of paper: pdf, eml, …"
    )
    search.add_argument("--exact", action="store_true", help="don't repair words that the workspace doesn't know")
    search.set_defaults(command=_search)

    status = commands.add_parser("status", help="say how far the reading of papers has come")
    status.set_defaults(command=_status)

    for command in (info, add, search, status):
        command.add_argument(
            "-w",
            "--workspace",
            default=os.environ.get("MUNIMENT_WORKSPACE"),
            help="name or folder; otherwise the last opened",
        )
    for command in (create, listing, info, add, search, status):
        command.add_argument("--json", action="store_true", help="answer as JSON")
    return top


def _text(typed: str) -> str:
    """What was typed, whatever encoding the terminal says it has; what is no text at all keeps its half characters."""
    return os.fsencode(typed).decode("utf-8", "surrogateescape")


def _shown(path: Path) -> str:
    """A path as it can be printed."""
    return os.fsencode(path).decode("utf-8", "replace")


def _limit(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 200:
        raise argparse.ArgumentTypeError("must be a number from 1 to 200")
    return int(text)


# ---- workspaces -----------------------------------------------------------------------------------------------------


async def _create(program: Program, arguments: argparse.Namespace) -> int:
    known = await program.workspaces.create(arguments.parent or default_parent(), arguments.name)
    _answer(arguments, _described(known), f"Made the workspace “{known.name}” in {_shown(known.path)}")
    return DONE


async def _list(program: Program, arguments: argparse.Namespace) -> int:
    known = await program.workspaces.list()
    lines = [
        f"{entry.name}\t{entry.state}\t{_shown(entry.path)}" + (f"\t{entry.reason}" if entry.reason else "")
        for entry in known
    ]
    _answer(arguments, [_described(entry) for entry in known], "\n".join(lines))
    if not known and not arguments.json:
        print("There is no workspace yet. Make one: muniment workspace create NAME", file=sys.stderr)
    return DONE


def _described(known: KnownWorkspace) -> dict[str, Any]:
    return {
        "name": known.name,
        "path": _shown(known.path),
        "state": known.state.value,
        "id": known.id,
        "reason": known.reason,
    }


async def _find(program: Program, wanted: str | None) -> Path:
    """The folder of the workspace that is meant by a name or a path. Raises UserError when that is not one."""
    known = await program.workspaces.list()
    if not wanted:
        last = await program.workspaces.last_opened()
        if last is None and len(known) == 1:
            last = known[0].path
        if last is None:
            raise UserError("Say which workspace: --workspace NAME")
        return last
    named = [entry for entry in known if entry.name.casefold() == _text(wanted).casefold()]
    if len(named) == 1:
        return named[0].path
    if len(named) > 1:
        raise UserError(f"{len(named)} workspaces are called “{wanted}”. Give the folder instead of the name.")
    path = Path(wanted).expanduser()
    if not (path / SETTINGS).exists():
        raise NotFound(f"There is no workspace called “{wanted}”. See: muniment workspace list")
    return path


async def _open(program: Program, arguments: argparse.Namespace) -> Workspace:
    workspace = await program.workspaces.open(await _find(program, arguments.workspace))
    for note in workspace.notes:
        print(note, file=sys.stderr)
    return workspace


async def _info(program: Program, arguments: argparse.Namespace) -> int:
    path = await _find(program, arguments.workspace)
    known = next((entry for entry in await program.workspaces.list() if entry.path == path.resolve()), None)
    if known is None:
        known = await program.workspaces.add(path)
    lines = [f"{label}\t{value}" for label, value in _described(known).items() if value]
    _answer(arguments, _described(known), "\n".join(lines))
    return DONE


# ---- papers ---------------------------------------------------------------------------------------------------------


async def _add(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await _open(program, arguments)
    taken = await workspace.papers.add(arguments.files)
    await workspace.papers.idle()
    if workspace.papers.fault:
        raise EnvironmentFault(workspace.papers.fault)
    if not arguments.words_only:
        await workspace.meaning.idle()
        if workspace.meaning.fault:
            print(workspace.meaning.fault, file=sys.stderr)
    answers = [await _outcome(workspace, one) for one in taken]
    _answer(arguments, answers, "\n".join(_outcome_line(answer) for answer in answers))
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
    workspace = await _open(program, arguments)
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
    _answer(arguments, answer, words)
    return DONE


# ---- search ---------------------------------------------------------------------------------------------------------


async def _search(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await _open(program, arguments)
    request = SearchRequest(
        text=" ".join(arguments.words),
        mode=Mode(arguments.mode),
        filters=Filters(formats=frozenset(arguments.format)),
        limit=arguments.limit,
        exact=arguments.exact,
    )
    result = await workspace.search.search(request)
    for repair in result.repairs:
        print(f"Showing “{repair.used}” for “{repair.typed}”. Use --exact for what you typed.", file=sys.stderr)
    if result.meaning_note:
        print(result.meaning_note, file=sys.stderr)
    _answer(arguments, _result(result), "\n".join(_hit_line(hit) for hit in result.hits))
    if not result.hits and not arguments.json:
        print("Nothing matches.", file=sys.stderr)
    return DONE


def _result(result: SearchResult) -> dict[str, Any]:
    return {
        "query": result.request.text,
        "total": result.total,
        "repairs": [{"typed": repair.typed, "used": repair.used} for repair in result.repairs],
        "meaning_ready": result.meaning_ready,
        "passages": result.passages,
        "hits": [_hit(hit) for hit in result.hits],
    }


def _hit(hit: Hit) -> dict[str, Any]:
    passage, reason = hit.passage, hit.reason
    return {
        "title": passage.title,
        "kind": passage.kind.value,
        "owner": passage.owner,
        "passage": passage.id,
        "page": passage.page,
        "part": passage.part,
        "heading": list(passage.heading),
        "snippet": hit.snippet,
        "marks": [list(mark) for mark in hit.marks],
        "score": hit.score,
        "more": hit.more,
        "why": {
            "words_rank": reason.words_rank,
            "meaning_rank": reason.meaning_rank,
            "similarity": reason.similarity,
            "words": list(reason.words),
            "lookup": reason.lookup,
        },
    }


def _hit_line(hit: Hit) -> str:
    where = hit.passage.title + (f", page {hit.passage.page}" if hit.passage.page else "")
    return f"{where}\t{' '.join(hit.snippet.split())}"


def _answer(arguments: argparse.Namespace, value: object, words: str) -> None:
    """Print the answer and see that it has left. Raises BrokenPipeError, or EnvironmentFault (a full disk)."""
    text = json.dumps(value, ensure_ascii=False, indent=2) if arguments.json else words
    try:
        print(text, end="\n" if text else "", flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else the interpreter tries again at its end
        if isinstance(error, BrokenPipeError):
            raise
        raise EnvironmentFault(f"The answer could not be written ({error.strerror}).") from error
