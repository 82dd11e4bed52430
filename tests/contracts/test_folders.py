"""FolderPort."""

from pathlib import Path

import pytest

from core.errors import InvalidValue, UserError, WorkspaceUnreadable
from core.ports.workspaces import FolderPort


async def test_a_folder_is_made_and_read(folders: FolderPort, tmp_path: Path) -> None:
    made = await folders.create(tmp_path / "north", "Praxis „Nord“ 🦷")
    assert (made.name, made.path, made.format_version, made.sealed) == (
        "Praxis „Nord“ 🦷",
        tmp_path / "north",
        1,
        False,
    )
    assert len(made.id) == 32
    assert await folders.read(tmp_path / "north") == made
    assert await folders.owner(tmp_path / "north") is None


async def test_a_folder_that_holds_something_is_refused(folders: FolderPort, tmp_path: Path) -> None:
    made = await folders.create(tmp_path / "north", "North")
    with pytest.raises(UserError, match="north"):
        await folders.create(tmp_path / "north", "Other")
    assert await folders.read(tmp_path / "north") == made


async def test_a_name_that_is_none_is_refused(folders: FolderPort, tmp_path: Path) -> None:
    with pytest.raises(InvalidValue):
        await folders.create(tmp_path / "north", "  ")
    with pytest.raises(WorkspaceUnreadable):
        await folders.read(tmp_path / "north")


async def test_renaming_and_a_new_id(folders: FolderPort, tmp_path: Path) -> None:
    made = await folders.create(tmp_path / "north", "North")
    renamed = await folders.rename(tmp_path / "north", "South")
    assert (renamed.name, renamed.id, renamed.path) == ("South", made.id, made.path)
    own = await folders.new_id(tmp_path / "north")
    assert own.id != made.id
    assert await folders.read(tmp_path / "north") == own
    with pytest.raises(WorkspaceUnreadable):
        await folders.rename(tmp_path / "missing", "South")


async def test_moving(folders: FolderPort, tmp_path: Path) -> None:
    made = await folders.create(tmp_path / "north", "North")
    other = await folders.create(tmp_path / "south", "South")
    for target in (tmp_path / "south", tmp_path / "north", tmp_path / "north" / "inside"):
        with pytest.raises(UserError):
            await folders.move(tmp_path / "north", target)
    moved = await folders.move(tmp_path / "north", tmp_path / "elsewhere")
    assert (moved.id, moved.name, moved.path) == (made.id, "North", tmp_path / "elsewhere")
    with pytest.raises(WorkspaceUnreadable):
        await folders.read(tmp_path / "north")
    assert await folders.read(tmp_path / "elsewhere") == moved
    assert await folders.read(tmp_path / "south") == other
