"""What a person does with workspaces as folders: create, open, rename, move, take off the list, delete, settle
copies.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from core.domain.workspaces import KnownState, KnownWorkspace, check_name
from core.errors import InvalidValue
from core.services.workspaces import Workspaces
from ui.qt.dialogs import ask_text, choose, choose_folder, message, type_name
from ui.workspaces.create import ask_new

Switch = Callable[[Path], Awaitable[None]]


def name_problem(text: str) -> str | None:
    """What is wrong with a name, as a sentence, or None."""
    try:
        check_name(text)
    except InvalidValue as error:
        return error.sentence
    return None


class WorkspaceActions:
    """Asks and does. switch: opens a workspace in the window; leave: closes the open one; refresh: the list is
    another.
    """

    def __init__(
        self,
        window: QWidget,
        workspaces: Workspaces,
        parent_folder: Path,
        *,
        switch: Switch,
        leave: Callable[[], Awaitable[None]],
        refresh: Callable[[], Awaitable[None]],
    ) -> None:
        self._window = window
        self._workspaces = workspaces
        self._parent_folder = parent_folder
        self._switch = switch
        self._leave = leave
        self._refresh = refresh

    async def create(self) -> None:
        """Ask for a name and where it goes, make it, open it."""
        wanted = await ask_new(self._window, self._parent_folder, name_problem)
        if wanted is None:
            return
        name, parent = wanted
        known = await self._workspaces.create(parent, name)
        await self._switch(known.path)

    async def open_folder(self) -> None:
        """Ask for a workspace's folder and open it."""
        folder = await choose_folder(self._window, "Open a workspace", self._parent_folder)
        if folder is not None:
            await self.pick(await self._workspaces.add(folder))

    async def pick(self, known: KnownWorkspace) -> None:
        """Open it, or say what stands in the way and what can be done."""
        ways = {
            KnownState.MISSING: self._missing,
            KnownState.BROKEN: self._broken,
            KnownState.IN_USE: self._in_use,
            KnownState.COPY: self._copy,
        }
        if (way := ways.get(known.state)) is not None:
            await way(known)
        else:
            await self._switch(known.path)

    async def _missing(self, known: KnownWorkspace) -> None:
        answer = await choose(
            self._window,
            f"“{known.name}” isn't where it was",
            f"There is no folder {known.path} now. It may have been moved, or lie on a drive that isn't connected.",
            (("find", "Find its folder…"), ("remove", "Take it off the list")),
        )
        if answer == "remove":
            await self._workspaces.remove(known.path)
            await self._refresh()
        elif answer == "find":
            folder = await choose_folder(self._window, f"Where is “{known.name}”?", self._parent_folder)
            if folder is not None:
                found = await self._workspaces.add(folder)
                await self._workspaces.remove(known.path)
                await self.pick(found)

    async def _broken(self, known: KnownWorkspace) -> None:
        answer = await choose(
            self._window,
            f"“{known.name}” can't be opened",
            known.reason,
            (("again", "Try again"), ("remove", "Take it off the list")),
            "Its folder stays as it is, whatever you choose.",
        )
        if answer == "remove":
            await self._workspaces.remove(known.path)
            await self._refresh()
        elif answer == "again":
            await self._switch(known.path)

    async def _in_use(self, known: KnownWorkspace) -> None:
        answer = await choose(
            self._window,
            f"“{known.name}” is open elsewhere",
            f"{known.reason} Close it there, then try again.",
            (("again", "Try again"),),
        )
        if answer == "again":
            await self._switch(known.path)

    async def _copy(self, known: KnownWorkspace) -> None:
        others = [each for each in await self._workspaces.list() if each.id == known.id and each.path != known.path]
        other = others[0].path if others else known.path
        answer = await choose(
            self._window,
            f"“{known.name}” is there twice",
            f"This folder, {known.path}, is a copy of {other}.",
            (("own", "Keep as its own workspace"), ("remove", "Forget this entry")),
            "Forgetting the entry leaves the folder as it is.",
        )
        if answer == "own":
            await self._workspaces.keep_copy(known.path)
            await self._switch(known.path)
        elif answer == "remove":
            await self._workspaces.remove(known.path)
            await self._refresh()

    # ---- the open workspace -----------------------------------------------------------------------------------------

    def _current(self) -> tuple[Path, str] | None:
        current = self._workspaces.current
        return (current.info.path, current.info.name) if current is not None else None

    async def rename(self) -> None:
        if (current := self._current()) is None:
            return
        path, name = current
        new = await ask_text(
            self._window,
            "Rename the workspace",
            "Its folder keeps the name that it has on the disk.",
            field="Name",
            act="Rename",
            text=name,
            check=name_problem,
        )
        if new is not None and new != name:
            await self._workspaces.rename(path, new)
            await self._refresh()

    async def move(self) -> None:
        """Ask for another folder and move the workspace below it; it is open again afterwards."""
        if (current := self._current()) is None:
            return
        path, name = current
        parent = await choose_folder(self._window, f"Move “{name}” to", path.parent)
        if parent is None or parent == path.parent:
            return
        await self._leave()
        try:
            path = (await self._workspaces.move(path, parent)).path
        finally:
            await self._switch(path)

    async def take_off(self) -> None:
        """Take the open workspace off the list; its folder stays."""
        if (current := self._current()) is None:
            return
        path, name = current
        await self._leave()
        await self._workspaces.remove(path)
        await self._refresh()
        await message(
            self._window, f"“{name}” is off the list", f"Its folder stays at {path}. Open that folder to have it back."
        )

    async def delete(self) -> None:
        """Move the workspace to the system's trash, after its name was typed."""
        if (current := self._current()) is None:
            return
        path, name = current
        typed = await type_name(
            self._window,
            f"Delete “{name}”",
            f"Everything in {path} goes to this computer's trash: its papers, conversations and memories.",
            name,
            "Move to the trash",
        )
        if typed is None:
            return
        await self._leave()
        try:
            await self._workspaces.delete(path, typed)
        finally:
            await self._refresh()
