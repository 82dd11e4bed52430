"""What a person typed: text, whatever the terminal's encoding, and which workspace is meant by it."""

import os
from pathlib import Path

from app.bootstrap import Program
from core.domain.workspaces import SETTINGS
from core.errors import NotFound, UserError


def text(typed: str) -> str:
    """What was typed, whatever encoding the terminal says it has; what is no text at all keeps its half characters."""
    return os.fsencode(typed).decode("utf-8", "surrogateescape")


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
