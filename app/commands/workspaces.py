"""muniment workspace create | list | info"""

import argparse
import sys
from pathlib import Path
from typing import Any

from app.bootstrap import Program
from app.commands.answers import DONE, reply, shown
from app.commands.opening import takes_json, takes_workspace
from app.finding import find, text
from app.paths import default_parent
from core.domain.workspaces import KnownWorkspace


def add_to(commands: Any) -> None:
    workspace = commands.add_parser("workspace", help="make, list or describe workspaces")
    kinds = workspace.add_subparsers(required=True, metavar="COMMAND")
    create = kinds.add_parser("create", help="make a workspace")
    create.add_argument("name", type=text)
    create.add_argument(
        "--in", dest="parent", type=Path, default=None, metavar="FOLDER", help="make it below this folder"
    )
    create.set_defaults(command=_create)
    listing = kinds.add_parser("list", help="list the known workspaces")
    listing.set_defaults(command=_list)
    info = kinds.add_parser("info", help="describe one workspace")
    info.set_defaults(command=_info)
    takes_workspace(info)
    for command in (create, listing, info):
        takes_json(command)


async def _create(program: Program, arguments: argparse.Namespace) -> int:
    known = await program.workspaces.create(arguments.parent or default_parent(), arguments.name)
    reply(arguments, _described(known), f"Made the workspace “{known.name}” in {shown(known.path)}")
    return DONE


async def _list(program: Program, arguments: argparse.Namespace) -> int:
    known = await program.workspaces.list()
    lines = [
        f"{entry.name}\t{entry.state}\t{shown(entry.path)}" + (f"\t{entry.reason}" if entry.reason else "")
        for entry in known
    ]
    reply(arguments, [_described(entry) for entry in known], "\n".join(lines))
    if not known and not arguments.json:
        print("There is no workspace yet. Make one: muniment workspace create NAME", file=sys.stderr)
    return DONE


def _described(known: KnownWorkspace) -> dict[str, Any]:
    return {
        "name": known.name,
        "path": shown(known.path),
        "state": known.state.value,
        "id": known.id,
        "reason": known.reason,
    }


async def _info(program: Program, arguments: argparse.Namespace) -> int:
    path = await find(program, arguments.workspace)
    known = next((entry for entry in await program.workspaces.list() if entry.path == path.resolve()), None)
    if known is None:
        known = await program.workspaces.add(path)
    lines = [f"{label}\t{value}" for label, value in _described(known).items() if value]
    reply(arguments, _described(known), "\n".join(lines))
    return DONE
