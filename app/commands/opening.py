"""Which workspace a command means, and opening it."""

import argparse
import os
import sys

from app.bootstrap import Program
from app.finding import find
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


async def opened(program: Program, wanted: str | None) -> Workspace:
    workspace = await program.workspaces.open(await find(program, wanted))
    for note in workspace.notes:
        print(note, file=sys.stderr)
    return workspace
