"""Workspaces are kept apart: what lies in the folder of one is not carried into another by way of a file."""

import asyncio
import os
from pathlib import Path

from core.domain.text import one_line
from core.domain.workspaces import SETTINGS
from core.errors import UserError


def workspace_around(source: Path) -> Path | None:
    """The workspace's folder that a file lies in, links resolved; None for a file outside of all."""
    return next((parent for parent in source.resolve().parents if (parent / SETTINGS).is_file()), None)


async def refuse_other_workspaces(path: Path) -> None:
    """Raises UserError for a file in the folder of any workspace, this one's too: its files are the program's own."""
    home = await asyncio.to_thread(workspace_around, path)
    if home is not None:
        name, folder = (one_line(os.fsencode(each.name).decode("utf-8", "replace")) for each in (path, home))
        raise UserError(
            f"“{name}” lies in the folder of the workspace “{folder}”. Workspaces are kept apart; choose another place."
        )
