"""Which workspace a command means, and opening it."""

import argparse
import os
import sys
from pathlib import Path

from app.bootstrap import Program
from app.commands.answers import text
from core.domain.workspaces import SETTINGS
from core.errors import NotFound, UserError
from core.services.workspace import Workspace


def takes_workspace(command: argparse.ArgumentParser) -> None:
    """Give a command the option that says which workspace it works in."""
    command.add_argument(
        "-w",
        "--workspace",
        default=os.environ.get("MUNIMENT_WORKSPACE"),
        help="name or folder; otherwise the last opened",
    )


def takes_json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="answer as JSON")


async def find(program: Program, wanted: str | None) -> Path:
    """The folder of the workspace that is meant by a name or a path. Raises UserError when that is not one."""
    known = await program.workspaces.list()
    if not wanted:
        last = await program.workspaces.last_opened()
        if last is None and len(known) == 1:
            last = known[0].path
        if last is None:
            raise UserError("Say which workspace: --workspace NAME")
        return last
    named = [entry for entry in known if entry.name.casefold() == text(wanted).casefold()]
    if len(named) == 1:
        return named[0].path
    if len(named) > 1:
        raise UserError(f"{len(named)} workspaces are called “{wanted}”. Give the folder instead of the name.")
    path = Path(wanted).expanduser()
    if not (path / SETTINGS).exists():
        raise NotFound(f"There is no workspace called “{wanted}”. See: muniment workspace list")
    return path


async def opened(program: Program, arguments: argparse.Namespace) -> Workspace:
    workspace = await program.workspaces.open(await find(program, arguments.workspace))
    for note in workspace.notes:
        print(note, file=sys.stderr)
    return workspace
