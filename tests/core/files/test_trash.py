"""The system's trash."""

import os
from pathlib import Path

import pytest

from core.adapters.files import trash
from core.adapters.files.trash import SystemTrash
from core.errors import EnvironmentFault, NotFound


async def test_a_folder_goes_to_the_trash_whole() -> None:
    folder = Path(os.environ["HOME"]) / "North 🦷"
    folder.mkdir()
    (folder / "a").write_bytes(b"kept in the trash")
    await SystemTrash().trash(folder)
    assert not folder.exists()
    found = [path for path in Path(os.environ["HOME"]).rglob("a") if "Trash" in str(path)]
    assert [path.read_bytes() for path in found] == [b"kept in the trash"]


async def test_where_there_is_no_trash_nothing_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path) -> None:
        raise OSError(13, "no trash here")

    monkeypatch.setattr(trash, "send2trash", refused)
    (tmp_path / "north").mkdir()
    with pytest.raises(EnvironmentFault, match=r"north.*Nothing was deleted"):
        await SystemTrash().trash(tmp_path / "north")
    assert (tmp_path / "north").is_dir()


async def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        await SystemTrash().trash(tmp_path / "gone")
