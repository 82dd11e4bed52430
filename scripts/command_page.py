"""The page of commands and keys, read from the real window, which is made off screen with a workspace that nobody
sees.
"""

import asyncio
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ui.commands.command import Command

MENU_ORDER = ("Go", "File", "Edit", "View", "Help", "")


def commands_page() -> str:
    """Return the page, from what the window and each of its places declare."""
    window, places = asyncio_in_qt()
    text = "# Commands and keys\n\nEvery command is also found by a few letters with Ctrl+Shift+P.\n"
    for menu in MENU_ORDER:
        commands = [command for command in window if command.menu == menu]
        text += section(f"{menu} menu" if menu else "Keys without a menu", commands)
    for title, commands in places:
        text += section(f"In {title}", commands)
    return text


def section(heading: str, commands: "Sequence[Command]") -> str:
    """Return a heading with a table below it; nothing where there are no commands."""
    if not commands:
        return ""
    rows = [
        f"| {command.title} | {' or '.join(f'`{key}`' for key in command.keys)} | {command.help} |"
        for command in commands
    ]
    return f"\n## {heading}\n\n| command | keys | |\n|---|---|---|\n" + "\n".join(rows) + "\n"


def asyncio_in_qt() -> "tuple[list[Command], list[tuple[str, list[Command]]]]":
    """Make the window on qasync's loop and return its own commands and those of each place."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    import qasync
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance() or QApplication(["generate-docs"])
    home = Path(tempfile.mkdtemp(prefix="muniment-docs-"))
    try:
        with qasync.QEventLoop(application) as loop:
            return loop.run_until_complete(_declared(application, home))
    finally:
        asyncio.set_event_loop(None)
        shutil.rmtree(home)


async def _declared(application: object, home: Path) -> "tuple[list[Command], list[tuple[str, list[Command]]]]":
    from PySide6.QtWidgets import QApplication

    from app.paths import Paths
    from app.window import Life
    from ui.shell.places import PLACES

    assert isinstance(application, QApplication)
    for part in ("data", "config", "log"):
        (home / part).mkdir()
    life = Life(application, Paths(home / "data", home / "config", home / "log"))
    try:
        window = await life.begin()
        known = await life.program.workspaces.create(home, "Docs")
        await window.desk.open(known.path)
        session = window.desk.session
        assert session is not None
        places = [(place.title, list(session.view(place.id).commands())) for place in PLACES]
        places.append(("what was found", list(session.search.commands())))
        return window.registry.by_owner()["window"], places
    finally:
        await life.end()
