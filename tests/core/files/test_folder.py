"""Workspace folders on disk: private, whole, and never lost on the way."""

import os
import stat
import tomllib
from pathlib import Path

import pytest

from core.adapters.files import folder as folder_module
from core.adapters.files.folder import WorkspaceFolder
from core.errors import EnvironmentFault, MunimentError, UserError, WorkspaceUnreadable

FOLDERS = WorkspaceFolder()


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def test_what_is_made(tmp_path: Path) -> None:
    info = await FOLDERS.create(tmp_path / "deep" / "north", "North")
    assert sorted(path.name for path in info.path.iterdir()) == [".run", "artifacts", "memory", "workspace.toml"]
    settings = tomllib.loads((info.path / "workspace.toml").read_text())
    assert settings == {"format": 1, "id": info.id, "name": "North", "sealed": False}
    assert stat.S_IMODE(info.path.stat().st_mode) == 0o700
    assert stat.S_IMODE((info.path / "workspace.toml").stat().st_mode) == 0o600


async def test_an_empty_folder_is_taken_and_a_file_is_not(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    await FOLDERS.create(tmp_path / "empty", "North")
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(UserError, match="is a file"):
        await FOLDERS.create(tmp_path / "file", "North")
    with pytest.raises(UserError, match="is a file"):
        await FOLDERS.create(tmp_path / "file" / "below", "North")


async def test_a_folder_that_could_not_be_made_is_not_left_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, settings: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folder_module, "_write", full)
    with pytest.raises(EnvironmentFault, match="no room left"):
        await FOLDERS.create(tmp_path / "north", "North")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "holds no workspace"),
        ("", "damaged"),
        ("format = 1", "damaged"),
        ("not toml at all", "damaged"),
        ('format = "1"\nid = "x"\nname = "N"\nsealed = false', "damaged"),
        ('format = 1\nid = "x"\nname = "N"\nsealed = false', "damaged"),
        (f'format = 1\nid = "{"0" * 32}"\nname = ""\nsealed = false', "damaged"),
        (f'format = 1\nid = "{"0" * 32}"\nname = "N"\nsealed = "no"', "damaged"),
        ('format = 2\nid = "anything of the future"', "newer Muniment"),
    ],
)
async def test_each_damage_has_its_sentence(tmp_path: Path, text: str | None, said: str) -> None:
    folder = tmp_path / "north"
    folder.mkdir()
    if text is not None:
        (folder / "workspace.toml").write_text(text)
    for call in (FOLDERS.read(folder), FOLDERS.rename(folder, "South"), FOLDERS.new_id(folder)):
        with pytest.raises(WorkspaceUnreadable, match=said) as caught:
            await call
        assert "north" in caught.value.sentence
    assert text is None or (folder / "workspace.toml").read_text() == text


async def test_a_missing_folder_and_bytes_that_are_no_text(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceUnreadable, match="not where it was"):
        await FOLDERS.read(tmp_path / "gone")
    info = await FOLDERS.create(tmp_path / "north", "North")
    settings = (info.path / "workspace.toml").read_bytes()
    (info.path / "workspace.toml").write_bytes(b"\xef\xbb\xbf" + settings)  # as some editors save it
    assert await FOLDERS.read(info.path) == info
    (info.path / "workspace.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(WorkspaceUnreadable, match="damaged"):
        await FOLDERS.read(info.path)


async def test_unknown_settings_are_kept(tmp_path: Path) -> None:
    info = await FOLDERS.create(tmp_path / "north", "North")
    file = info.path / "workspace.toml"
    file.write_text(file.read_text() + '\ncolour = "blue"\n[later]\nthing = [1, 2]\n')
    await FOLDERS.rename(info.path, "South")
    settings = tomllib.loads(file.read_text())
    assert (settings["name"], settings["colour"], settings["later"]) == ("South", "blue", {"thing": [1, 2]})


async def filled(path: Path) -> dict[str, bytes]:
    await FOLDERS.create(path, "North")
    (path / "memory" / "Ärzte.md").write_text("# Ärzte")
    (path / "artifacts" / "sha256" / "aa").mkdir()
    (path / "artifacts" / "sha256" / "aa" / "x").write_bytes(os.urandom(3_000_000))
    (path / "memory" / "link").symlink_to("Ärzte.md")
    before = content(path)
    (path / ".run" / "lock").write_bytes(b"belongs to this place")
    return before


async def test_moving_to_another_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = await filled(tmp_path / "north")
    monkeypatch.setattr(folder_module, "_one_disk", lambda *paths: False)
    info = await FOLDERS.move(tmp_path / "north", tmp_path / "other disk" / "north")
    assert content(info.path) == before
    assert (info.path / "memory" / "link").is_symlink()
    assert not (info.path / ".run").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["other disk"]
    assert stat.S_IMODE(info.path.stat().st_mode) == 0o700


@pytest.mark.parametrize("failing", ["fsync", "digest", "rename"])
async def test_a_move_that_fails_leaves_the_old_one_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    before = await filled(tmp_path / "north")
    monkeypatch.setattr(folder_module, "_one_disk", lambda *paths: False)

    def fault(*args: object) -> None:
        raise OSError(28, "No space left on device")

    if failing == "fsync":
        monkeypatch.setattr(os, "fsync", fault)
    elif failing == "digest":
        monkeypatch.setattr(folder_module, "_digest", lambda path, stop: str(path).encode())
    else:
        monkeypatch.setattr(Path, "rename", fault)
    with pytest.raises(MunimentError):
        await FOLDERS.move(tmp_path / "north", tmp_path / "target" / "north")
    monkeypatch.undo()
    now = content(tmp_path / "north")
    now.pop(".run/lock")
    assert now == before
    assert list((tmp_path / "target").iterdir()) == []
