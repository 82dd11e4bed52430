"""The list of known workspaces on disk."""

import asyncio
import stat
import tomllib
from pathlib import Path

import pytest

from core.adapters.files.known import KnownList
from core.errors import EnvironmentFault


async def test_the_file_holds_paths_and_names_and_is_private(tmp_path: Path) -> None:
    file = tmp_path / "data" / "workspaces.toml"
    known = KnownList(file)
    assert await known.read() == []
    assert not file.exists()
    await known.change(lambda _: [(Path("/a/North"), "North")])
    await known.set_last_opened(Path("/a/North"))
    entries = [{"path": "/a/North", "name": "North"}]
    assert tomllib.loads(file.read_text()) == {"workspaces": entries, "last_opened": "/a/North"}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert await KnownList(file).read() == [(Path("/a/North"), "North")]


@pytest.mark.parametrize(
    "damage",
    [
        b"\xff\xff",
        b"[[workspaces]\n",
        b"workspaces = 3",
        b"[[workspaces]]\npath = 3\nname = 'x'",
        b'last_opened = "hex:zz"',
    ],
)
async def test_a_damaged_file_is_set_aside(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / "workspaces.toml"
    file.write_bytes(damage)
    known = KnownList(file)
    assert await known.read() == []
    assert (tmp_path / "workspaces.damaged-1.toml").read_bytes() == damage
    await known.change(lambda _: [(Path("/a"), "A")])
    file.write_bytes(damage)
    assert await known.read() == []
    assert (tmp_path / "workspaces.damaged-2.toml").read_bytes() == damage


async def test_changes_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    file = tmp_path / "workspaces.toml"
    one, other = KnownList(file), KnownList(file)  # as two programs have it

    async def add(known: KnownList, number: int) -> None:
        await known.change(lambda entries: [*entries, (Path(f"/{number}"), str(number))])
        await known.set_last_opened(Path(f"/{number}"))

    await asyncio.gather(*(add(known, number) for number, known in enumerate([one, other] * 10)))
    assert sorted(int(name) for _, name in await one.read()) == list(range(20))
    assert await one.last_opened() is not None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["workspaces.lock", "workspaces.toml"]


async def test_a_folder_that_can_not_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(EnvironmentFault):
        await KnownList(tmp_path / "file" / "workspaces.toml").change(lambda _: [])
