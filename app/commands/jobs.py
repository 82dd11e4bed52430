"""muniment job run | list | cancel"""

import argparse
import os
import sys
from typing import Any

from app.bootstrap import Program
from app.commands.answers import DONE, reply
from app.commands.opening import takes_json, takes_workspace
from app.finding import find, text
from app.jobs import job_desk, remote_desk, this_person
from core.adapters.commands.process import Commands
from core.domain.conversation_files import iso
from core.domain.scopes import Job, JobState
from core.errors import EnvironmentFault, NotFound, UserError
from core.services.running import Run
from core.tasks import TaskScope

NO_START, NO_COMMAND = 126, 127  # as shells answer
MOST_RETRIES = 100


def add_to(commands: Any) -> None:
    job = commands.add_parser("job", help="run a command as a job of a workspace; list or stop jobs")
    kinds = job.add_subparsers(required=True, metavar="COMMAND")
    run = kinds.add_parser(
        "run",
        help="run a command and show it among the jobs while it runs",
        description="Runs a command. Where the workspace is open in a window it is seen there while it runs, and can be"
        " stopped there. Its output passes through, and is never written to disk. Answers the command's own exit code.",
    )
    run.add_argument("--title", type=text, default="", help="what the job is called; otherwise the command itself")
    run.add_argument(
        "--retries", type=_retries, default=0, metavar="N", help=f"try again up to N times (0 to {MOST_RETRIES})"
    )
    takes_workspace(run)
    run.add_argument("argv", nargs=argparse.REMAINDER, metavar="-- command …")
    run.set_defaults(command=_run)
    listing = kinds.add_parser("list", help="list the jobs of a workspace that is open")
    listing.set_defaults(command=_list)
    takes_json(listing)
    cancel = kinds.add_parser("cancel", help="ask the worker of a job to stop")
    cancel.add_argument("id", type=text, metavar="JOB", help="its id, or enough of its beginning")
    cancel.set_defaults(command=_cancel)
    for command in (listing, cancel):
        takes_workspace(command)


def _retries(typed: str) -> int:
    if not typed.isdecimal() or int(typed) > MOST_RETRIES:
        raise argparse.ArgumentTypeError(f"must be a number from 0 to {MOST_RETRIES}")
    return int(typed)


async def _run(program: Program, arguments: argparse.Namespace) -> int:
    command = [text(word) for word in arguments.argv]
    command = command[1:] if command[:1] == ["--"] else command
    if not command:
        raise UserError("Say which command: muniment job run -- COMMAND …")
    async with job_desk(program, arguments.workspace) as desk:
        try:
            ended = await Run(Commands(), command, _echo).under(
                desk, title=arguments.title, by=this_person(), retries=arguments.retries
            )
        except UserError as error:
            print(error.sentence, file=sys.stderr)
            return {"no_command": NO_COMMAND, "no_start": NO_START}.get(error.code, NO_START)
    if not ended.seen:
        print("The workspace was closed meanwhile; the end of the command was seen by nobody.", file=sys.stderr)
    if ended.state is JobState.CANCELLED:
        print("The job was stopped.", file=sys.stderr)
    return ended.status if ended.status >= 0 else 128 - ended.status


def _echo(data: bytes, wrong: bool) -> None:
    """Pass the command's output through, as it is. Who reads it no more ends neither the command nor its job."""
    stream = sys.stderr if wrong else sys.stdout
    try:
        if hasattr(stream, "buffer"):
            stream.buffer.write(data)
        else:
            stream.write(data.decode("utf-8", "replace"))
        stream.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except OSError as error:
        raise EnvironmentFault(f"The output could not be written ({error.strerror}).") from error


async def _list(program: Program, arguments: argparse.Namespace) -> int:
    jobs = await _with_owner(program, arguments, lambda desk: desk.list()) or []
    lines = [f"{job.id[:8]}\t{job.state.value}\t{iso(job.started_at)}\t{job.title}\t{job.detail}" for job in jobs]
    reply(arguments, [_described(job) for job in jobs], "\n".join(lines))
    if not jobs and not arguments.json:
        print("No job runs here.", file=sys.stderr)
    return DONE


def _described(job: Job) -> dict[str, Any]:
    return {
        "id": job.id,
        "title": job.title,
        "state": job.state.value,
        "detail": job.detail,
        "actor": job.actor,
        "started": iso(job.started_at),
        "ended": iso(job.ended_at) or None,
        "can_cancel": job.can_cancel,
    }


async def _cancel(program: Program, arguments: argparse.Namespace) -> int:
    async def stop(desk: Any) -> str:
        jobs = [job for job in await desk.list() if job.id.startswith(arguments.id)]
        if len(jobs) != 1:
            raise NotFound(f"{len(jobs) or 'No'} jobs begin with “{arguments.id}”. See: muniment job list")
        await desk.cancel(jobs[0].id)
        return str(jobs[0].title)

    title = await _with_owner(program, arguments, stop)
    if title is None:
        raise NotFound("No job runs here: nothing has the workspace open.")
    print(f"Asked “{title}” to stop.")
    return DONE


async def _with_owner(program: Program, arguments: argparse.Namespace, ask: Any) -> Any:
    """What the process that has the workspace open answers; None where none has."""
    errors: list[BaseException] = []
    tasks = TaskScope("channel", errors.append)
    desk = await remote_desk(program, await find(program, arguments.workspace), tasks)
    try:
        return None if desk is None else await ask(desk)
    finally:
        if desk is not None:
            await desk.close()
        await tasks.close()
