"""The artifact store on disk: never half a file, nothing left behind, private."""

import asyncio
import errno
import hashlib
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.adapters.files import artifacts, disk
from core.adapters.files.artifacts import FileArtifacts
from core.errors import EnvironmentFault, UserError

LIMIT = 1024**3
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def store(folder: Path) -> FileArtifacts:
    return FileArtifacts(folder, time.time)


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


async def test_the_place_and_its_permissions(store: FileArtifacts, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x")
    artifact = await store.take(tmp_path / "a", LIMIT)
    place = folder / "artifacts" / "sha256" / artifact.digest[:2] / artifact.digest
    assert files(folder) == [place]
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert {stat.S_IMODE(parent.stat().st_mode) for parent in (place.parent, folder / ".run" / "staging")} == {0o700}


async def test_cancelling_leaves_nothing(store: FileArtifacts, folder: Path, tmp_path: Path) -> None:
    source = tmp_path / "large"
    with source.open("wb") as file:
        file.truncate(400 * 1024 * 1024)
    for delay in (0.0, 0.03, 0.15):
        taking = asyncio.ensure_future(store.take(source, LIMIT))
        await asyncio.sleep(delay)
        started = time.perf_counter()
        taking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await taking
        assert time.perf_counter() - started < 0.5
        assert files(folder) == []


async def test_a_file_that_grows_while_it_is_copied_is_refused(
    store: FileArtifacts, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "scan.pdf"
    source.write_bytes(b"half")
    copy = artifacts._copy

    def growing(*args: object) -> tuple[str, int]:
        with source.open("ab") as file:
            file.write(b" and the other half")
        return copy(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(artifacts, "_copy", growing)
    with pytest.raises(UserError, match=r"scan\.pdf.*changed while"):
        await store.take(source, LIMIT)
    assert files(folder) == []


async def test_a_full_disk_is_the_computers_fault_and_leaves_nothing(
    store: FileArtifacts, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.pdf").write_bytes(b"x" * 100)

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(EnvironmentFault, match="no room left"):
        await store.take(tmp_path / "a.pdf", LIMIT)
    with pytest.raises(EnvironmentFault, match="no room left"):
        await store.export(await _kept(folder), tmp_path / "out.pdf")
    monkeypatch.undo()
    assert not (tmp_path / "out.pdf").exists()
    assert len(files(folder)) == 1
    assert {path.name for path in tmp_path.iterdir()} == {"workspace", "a.pdf"}


async def _kept(folder: Path) -> str:
    digest = hashlib.sha256(b"kept").hexdigest()
    place = folder / "artifacts" / "sha256" / digest[:2] / digest
    place.parent.mkdir(parents=True)
    place.write_bytes(b"kept")
    return digest


async def test_a_copy_that_came_out_different_is_not_kept(
    store: FileArtifacts, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.pdf").write_bytes(b"x" * 100)
    monkeypatch.setattr(artifacts, "hash_of", lambda file, stop: "0" * 64)
    with pytest.raises(EnvironmentFault, match="came out different"):
        await store.take(tmp_path / "a.pdf", LIMIT)
    assert files(folder) == []


async def test_damage_is_seen_and_repaired_by_the_same_bytes(store: FileArtifacts, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"x" * 100)
    artifact = await store.take(tmp_path / "a.pdf", LIMIT)
    place = await store.path(artifact.digest)
    place.write_bytes(b"x" * 60)
    assert not await store.verify(artifact.digest)
    with pytest.raises(EnvironmentFault, match="damaged"):
        await store.export(artifact.digest, tmp_path / "out.pdf")
    assert not (tmp_path / "out.pdf").exists()
    await store.take(tmp_path / "a.pdf", LIMIT)
    assert await store.verify(artifact.digest)


async def test_a_link_in_the_store_is_not_followed_out_of_it(store: FileArtifacts, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"x")
    (tmp_path / "secret").write_bytes(b"secret")
    artifact = await store.take(tmp_path / "a.pdf", LIMIT)
    place = await store.path(artifact.digest)
    place.unlink()
    place.symlink_to(tmp_path / "secret")
    assert not await store.verify(artifact.digest)
    with pytest.raises(UserError):
        await store.export(artifact.digest, tmp_path / "out")
    assert not (tmp_path / "out").exists()


TAKING = (
    "import asyncio, sys, time; from pathlib import Path; from core.adapters.files.artifacts import FileArtifacts; "
    "store = FileArtifacts(Path(sys.argv[1]), time.time); asyncio.run(store.take(Path(sys.argv[2]), 2**40))"
)


def test_what_a_killed_process_left_is_cleared(store: FileArtifacts, folder: Path) -> None:
    large = folder.parent / "large"
    with large.open("wb") as file:
        file.truncate(2 * 1024**3)
    process = subprocess.Popen([sys.executable, "-c", TAKING, str(folder), str(large)], cwd=ROOT)
    try:
        deadline = time.monotonic() + 20
        while not files(folder) and time.monotonic() < deadline:
            time.sleep(0.01)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert len(files(folder)) == 1
    assert asyncio.run(store.clear_staging()) == 1
    assert files(folder) == []
    assert asyncio.run(store.clear_staging()) == 0


@pytest.mark.parametrize("name", ["unreadable.pdf", "folder"])
async def test_an_unreadable_file_is_named(
    store: FileArtifacts, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*args: object, **kwargs: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "open", refused)  # root may read everything, so the system can't be asked
    with pytest.raises(UserError, match=name):
        await store.take(tmp_path / name, LIMIT)


def test_a_sentence_for_each_refusal_of_the_system() -> None:
    for number in (
        errno.ENOSPC,
        errno.EROFS,
        errno.ENOENT,
        errno.EACCES,
        errno.EIO,
        errno.ENAMETOOLONG,
        errno.ELOOP,
        9999,
    ):
        sentence = disk.said(OSError(number, os.strerror(number)), "a.pdf").sentence
        assert "a.pdf" in sentence
        assert "Errno" not in sentence
