"""muniment conversation import | list | show | export"""

import argparse
import sys
from pathlib import Path
from typing import Any

from app.bootstrap import Program
from app.commands.answers import ATTENTION, DONE, reply, shown
from app.commands.opening import opened, takes_json, takes_workspace
from app.finding import text
from core.domain.conversation_files import FileFormat, conversation_text, iso
from core.domain.conversations import UNTITLED, ImportReport, Outcome
from core.domain.memory import Session
from core.errors import NotFound, UserError
from core.events import Progress
from core.ports.rows import ListQuery
from core.services.workspace import Workspace

WORDS = {Outcome.NEW: "new", Outcome.GROWN: "grown", Outcome.KNOWN: "known", Outcome.BACK: "back"}


def add_to(commands: Any) -> None:
    conversation = commands.add_parser("conversation", help="take over, list, show or export conversations")
    kinds = conversation.add_subparsers(required=True, metavar="COMMAND")
    taking = kinds.add_parser("import", help="take over conversations from ChatGPT, Claude or JSON Lines exports")
    taking.add_argument("files", nargs="+", type=Path, metavar="FILE")
    taking.set_defaults(command=_import)
    listing = kinds.add_parser("list", help="list conversations, the last used first")
    listing.add_argument("--archived", choices=["yes", "no"], default="", help="only archived ones, or only the others")
    listing.add_argument("--title", type=text, default="", metavar="WORDS", help="only those whose title holds these")
    listing.set_defaults(command=_list)
    show = kinds.add_parser("show", help="print one conversation")
    show.add_argument("id", type=text, metavar="CONVERSATION", help="its id, or its whole title")
    show.set_defaults(command=_show)
    export = kinds.add_parser("export", help="write conversations as Markdown, JSON or CSV")
    export.add_argument("ids", nargs="*", type=text, metavar="CONVERSATION", help="ids or titles; none means all")
    export.add_argument("--format", choices=[each.value for each in FileFormat], default=FileFormat.MARKDOWN.value)
    export.add_argument("-o", "--output", type=Path, metavar="FILE", help="otherwise standard output")
    export.set_defaults(command=_export)
    for command in (taking, listing, show, export):
        takes_workspace(command)
    for command in (taking, listing, show):
        takes_json(command)


async def _import(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await opened(program, arguments.workspace)
    answers: list[dict[str, Any]] = []
    for file in arguments.files:
        try:
            report = await workspace.exchange.take(file, _said_on(sys.stderr.isatty()))
        except UserError as error:
            answers.append({"file": shown(file), "left_out": [{"title": shown(file), "reason": error.sentence}]})
        else:
            answers.append(_report(file, report))
    reply(arguments, answers, "\n".join(line for answer in answers for line in _lines(answer)))
    return ATTENTION if any(answer["left_out"] for answer in answers) else DONE


def _said_on(terminal: bool) -> Any:
    """Progress on one line of a terminal; nothing where standard error goes into a file."""

    def said(progress: Progress) -> None:
        print(f"\r\x1b[K{progress.done + 1} of {progress.total}  {progress.label[:60]}", end="\r", file=sys.stderr)

    return said if terminal else None


def _report(file: Path, report: ImportReport) -> dict[str, Any]:
    taken = [
        {"id": each.session.id, "title": each.session.title, "outcome": WORDS[each.outcome], "added": len(each.added)}
        for each in report.taken
    ]
    left = [{"title": each.title, "reason": each.sentence} for each in report.left]
    return {"file": shown(file), "conversations": taken, "left_out": left, "notes": report.notes}


def _lines(answer: dict[str, Any]) -> list[str]:
    """A line for each conversation, then one for each that was left out, then the notes."""
    lines = [f"{each['outcome']}\t{each['title']}\t{each['added']} new" for each in answer.get("conversations", [])]
    lines += [f"left out\t{each['title']}\t{each['reason']}" for each in answer["left_out"]]
    return lines + [f"note\t\t{note}" for note in answer.get("notes", [])]


async def _all(workspace: Workspace, query: ListQuery) -> list[Session]:
    numbers = await workspace.sessions.snapshot(query)
    found: list[Session] = []
    for start in range(0, len(numbers), 1024):
        found += [row for row in await workspace.sessions.rows(numbers[start : start + 1024]) if row is not None]
    return found


async def _list(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await opened(program, arguments.workspace)
    where = {"archived": arguments.archived} if arguments.archived else {}
    sessions = await _all(workspace, ListQuery(text=arguments.title, where=where))
    lines = [f"{each.id}\t{iso(each.updated_at)}\t{each.messages}\t{each.title or UNTITLED}" for each in sessions]
    reply(arguments, [_described(each) for each in sessions], "\n".join(lines))
    if not sessions and not arguments.json:
        print("There is no conversation here.", file=sys.stderr)
    return DONE


def _described(session: Session) -> dict[str, Any]:
    return {
        "id": session.id,
        "title": session.title,
        "messages": session.messages,
        "begun": iso(session.created_at) if session.dated else None,
        "updated": iso(session.updated_at),
        "archived": session.archived_at is not None,
        "origin": session.origin,
    }


async def _meant(workspace: Workspace, wanted: str) -> Session:
    """The conversation that is meant by an id or a whole title. Raises NotFound, or UserError where several are."""
    if (session := await workspace.conversations.get(wanted)) is not None:
        return session
    same = [
        session
        for session in await _all(workspace, ListQuery(text=wanted))
        if session.title.casefold() == wanted.casefold()
    ]
    if len(same) > 1:
        raise UserError(f"{len(same)} conversations are called “{wanted}”. Give the id: muniment conversation list")
    if not same:
        raise NotFound(f"There is no conversation “{wanted}”. See: muniment conversation list")
    return same[0]


async def _show(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await opened(program, arguments.workspace)
    session = await _meant(workspace, arguments.id)
    messages = await workspace.exchange.all_messages(session)
    told = [
        {"role": each.role.value, "at": iso(each.at) or None, "content": each.content, "metadata": each.metadata}
        for each in messages
    ]
    words = conversation_text(session, messages, FileFormat.MARKDOWN).rstrip()
    reply(arguments, _described(session) | {"messages": told}, words)
    return DONE


async def _export(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await opened(program, arguments.workspace)
    if arguments.ids:
        ids = [(await _meant(workspace, wanted)).id for wanted in arguments.ids]
    else:
        ids = [session.id for session in await _all(workspace, ListQuery())]
    format = FileFormat(arguments.format)
    if arguments.output is not None:
        await workspace.exchange.export(ids, format, arguments.output)
        print(f"Wrote {len(ids)} conversation{'' if len(ids) == 1 else 's'} to {shown(arguments.output)}.")
        return DONE
    async for piece in workspace.exchange.text(ids, format):
        print(piece, end="")
    sys.stdout.flush()
    return DONE
