"""muniment folder add | list | rescan | remove"""

import argparse
import os
from pathlib import Path
from typing import Any

from app.bootstrap import Program
from app.commands.answers import ATTENTION, DONE, reply, shown
from app.commands.opening import opened, takes_json, takes_workspace
from core.domain.watching import DEFAULT_RULES, Keep, WatchedFolder
from core.errors import EnvironmentFault, NotFound, UserError
from core.services.workspace import Workspace


def add_to(commands: Any) -> None:
    folder = commands.add_parser("folder", help="watch folders, whose files become papers by themselves")
    kinds = folder.add_subparsers(required=True, metavar="COMMAND")
    add = kinds.add_parser(
        "add",
        help="watch a folder",
        description="Takes in what lies in the folder. What comes into it later is taken in while the workspace is open"
        " in a window, or with `folder rescan`.",
    )
    add.add_argument("path", type=Path, metavar="FOLDER")
    add.add_argument("--link", action="store_true", help="leave the files where they are instead of copying them in")
    add.add_argument("--this-folder-alone", action="store_true", help="leave out the folders in it")
    add.add_argument("--rules", type=Path, metavar="FILE", help="which files are left out, as in .gitignore")
    add.set_defaults(command=_add)
    listing = kinds.add_parser("list", help="list the watched folders")
    listing.set_defaults(command=_list)
    rescan = kinds.add_parser("rescan", help="look at everything in watched folders now, and wait for it")
    rescan.set_defaults(command=_rescan)
    rescan.add_argument("path", type=Path, metavar="FOLDER", nargs="*", help="otherwise all that are not paused")
    remove = kinds.add_parser("remove", help="watch a folder no more; its papers stay")
    remove.add_argument("path", type=Path, metavar="FOLDER")
    remove.set_defaults(command=_remove)
    for command in (add, listing, rescan, remove):
        takes_workspace(command)
        takes_json(command)


async def _add(program: Program, arguments: argparse.Namespace) -> int:
    rules = DEFAULT_RULES if arguments.rules is None else _read(arguments.rules)
    workspace = await opened(program, arguments.workspace)
    keep = Keep.LINK if arguments.link else Keep.COPY
    folder = await workspace.folders.add(arguments.path, keep, rules, not arguments.this_folder_alone)
    return await _looked(workspace, [folder.id], arguments)


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"“{shown(path)}” can't be read as text.") from error


async def _list(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await opened(program, arguments.workspace)
    folders = await workspace.folders.list()
    reply(arguments, [_described(each) for each in folders], "\n".join(_line(each) for each in folders))
    return DONE


async def _rescan(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await opened(program, arguments.workspace)
    if arguments.path:
        ids = [(await _named(workspace, path)).id for path in arguments.path]
        await workspace.folders.resume(ids)
    else:
        ids = [folder.id for folder in await workspace.folders.list()]
    return await _looked(workspace, ids, arguments)


async def _looked(workspace: Workspace, ids: list[str], arguments: argparse.Namespace) -> int:
    """Opening a workspace looks at every folder that isn't paused; wait for it and for the reading."""
    await workspace.folders.idle()
    await workspace.papers.idle()
    if workspace.papers.fault:
        raise EnvironmentFault(workspace.papers.fault)
    folders = [await workspace.folders.get(id) for id in ids]
    reply(arguments, [_described(each) for each in folders], "\n".join(_line(each) for each in folders))
    return ATTENTION if any(each.trouble or each.problems for each in folders) else DONE


async def _remove(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await opened(program, arguments.workspace)
    folder = await _named(workspace, arguments.path)
    await workspace.folders.remove([folder.id])
    said = f"Stopped watching {shown(Path(folder.path))}. The papers stay."
    reply(arguments, _described(folder) | {"state": "removed"}, said)
    return DONE


async def _named(workspace: Workspace, path: Path) -> WatchedFolder:
    wanted = os.path.realpath(path.expanduser())
    for folder in await workspace.folders.list():
        if folder.path == wanted:
            return folder
    raise NotFound(f"“{shown(path)}” is not watched. `muniment folder list` says which folders are.")


def _described(folder: WatchedFolder) -> dict[str, Any]:
    return {
        "id": folder.id,
        "path": shown(Path(folder.path)),
        "keep": folder.keep.value,
        "subfolders": folder.subfolders,
        "state": folder.state.value,
        "trouble": folder.trouble,
        "files": folder.files,
        "not_taken": folder.refused,
        "gone": folder.gone,
        "left_out": folder.skipped,
        "problems": list(folder.problems),
        "rules": folder.rules,
    }


def _line(folder: WatchedFolder) -> str:
    parts = [folder.state.value, shown(Path(folder.path)), folder.keep.value, f"{folder.files} taken in"]
    parts += [f"{count} {words}" for count, words in ((folder.refused, "not taken"), (folder.gone, "gone")) if count]
    return "\t".join([*parts, *filter(None, (folder.trouble, *folder.problems))])
