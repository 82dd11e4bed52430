"""The command line: muniment workspace, add, folder, search, memory, conversation, job, and so on. Without Qt.

Exit codes: 0 done; 1 done, but something needs attention (a paper, a conversation that was left out); 2 the command was
not understood; 3 it can't be done (the sentence on standard error says why); 4 this computer doesn't allow it now; 70 a
defect (a crash report was written); 130 or 143 a signal stopped it, in order. `job run` answers its command's own code.
Answers go to standard output, everything else to standard error, so that both --json and pipes stay clean.
"""

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Sequence

from app import VERSION
from app.bootstrap import Program
from app.commands import catalog, conversations, erasing, folders, jobs, memory, papers, searching, workspaces
from app.commands.answers import DEFECT, DONE, ENVIRONMENT, INTERRUPTED, REFUSED, TERMINATED
from app.crash import CrashFiles
from app.paths import Paths
from core.errors import EnvironmentFault, MunimentError


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

    workspaces.add_to(commands)
    papers.add_to(commands)
    folders.add_to(commands)
    searching.add_to(commands)
    memory.add_to(commands)
    conversations.add_to(commands)
    catalog.add_to(commands)
    jobs.add_to(commands)
    erasing.add_to(commands)
    papers.add_status_to(commands)
    papers.add_check_to(commands)
    return top
