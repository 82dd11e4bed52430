"""ArtifactPort."""

import hashlib
import os
from pathlib import Path

import pytest

from core.errors import NotFound, UserError
from tests.contracts.conftest import Setting

LIMIT = 10 * 1024 * 1024


def written(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("content", [b"", b"a letter", os.urandom(3_000_001)], ids=["empty", "small", "large"])
async def test_bytes_are_kept_exactly(setting: Setting, tmp_path: Path, content: bytes) -> None:
    source = written(tmp_path, "Ärztebrief 🦷.pdf", content)
    before = source.stat()
    artifact = await setting.artifacts.take(source, LIMIT)
    assert artifact.digest == hashlib.sha256(content).hexdigest()
    assert (artifact.byte_length, artifact.added_at) == (len(content), setting.clock.now)
    assert (await setting.artifacts.path(artifact.digest)).read_bytes() == content
    assert await setting.artifacts.verify(artifact.digest)
    after = source.stat()
    assert source.read_bytes() == content
    assert (before.st_mtime_ns, before.st_mode, before.st_size) == (after.st_mtime_ns, after.st_mode, after.st_size)


async def test_the_same_bytes_are_kept_once(setting: Setting, tmp_path: Path) -> None:
    one = await setting.artifacts.take(written(tmp_path, "a", b"same"), LIMIT)
    two = await setting.artifacts.take(written(tmp_path, "b", b"same"), LIMIT)
    assert one.digest == two.digest
    assert await setting.artifacts.discard(one.digest)
    assert not await setting.artifacts.discard(one.digest)
    with pytest.raises(NotFound):
        await setting.artifacts.path(one.digest)
    assert not await setting.artifacts.verify(one.digest)


async def test_what_is_stored_is_listed_and_kept_while_it_is_wanted(setting: Setting, tmp_path: Path) -> None:
    assert await setting.artifacts.stored() == []
    one = await setting.artifacts.take(written(tmp_path, "a", b"one"), LIMIT)
    two = await setting.artifacts.take(written(tmp_path, "b", b"two"), LIMIT)
    assert await setting.artifacts.stored() == sorted([one.digest, two.digest])
    assert not await setting.artifacts.discard(one.digest, unused_for=60)
    assert await setting.artifacts.discard(one.digest)
    assert await setting.artifacts.stored() == [two.digest]


async def test_what_is_no_ordinary_file_is_refused(setting: Setting, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name in ("pipe", "folder", "dangling", "loop", "missing"):
        with pytest.raises(UserError, match=name):
            await setting.artifacts.take(tmp_path / name, LIMIT)
    with pytest.raises(UserError):
        await setting.artifacts.take(Path("/dev/zero"), LIMIT)


async def test_a_link_that_a_person_dropped_is_followed(setting: Setting, tmp_path: Path) -> None:
    source = written(tmp_path, "real.txt", b"behind the link")
    (tmp_path / "link.txt").symlink_to(source)
    artifact = await setting.artifacts.take(tmp_path / "link.txt", LIMIT)
    assert (await setting.artifacts.path(artifact.digest)).read_bytes() == b"behind the link"


async def test_a_limit_is_kept(setting: Setting, tmp_path: Path) -> None:
    source = written(tmp_path, "large.pdf", b"x" * 101)
    with pytest.raises(UserError, match=r"large\.pdf"):
        await setting.artifacts.take(source, 100)
    assert (await setting.artifacts.take(source, 101)).byte_length == 101


async def test_names_that_are_not_utf8(setting: Setting, tmp_path: Path) -> None:
    source = written(tmp_path, os.fsdecode(b"M\xfcller.txt"), b"latin name")
    artifact = await setting.artifacts.take(source, LIMIT)
    assert artifact.byte_length == 10
    with pytest.raises(UserError) as caught:
        await setting.artifacts.take(source, 5)
    caught.value.sentence.encode()


async def test_a_copy_is_exported(setting: Setting, tmp_path: Path) -> None:
    artifact = await setting.artifacts.take(written(tmp_path, "a", b"content"), LIMIT)
    target = tmp_path / "exported.txt"
    await setting.artifacts.export(artifact.digest, target)
    assert target.read_bytes() == b"content"
    other = written(tmp_path, "precious", b"keep me")
    target.unlink()
    target.symlink_to(other)
    await setting.artifacts.export(artifact.digest, target)
    assert other.read_bytes() == b"keep me"
    assert not target.is_symlink()
    with pytest.raises(UserError):
        await setting.artifacts.export(artifact.digest, tmp_path / "missing" / "x")
    with pytest.raises(NotFound):
        await setting.artifacts.export("0" * 64, tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()


@pytest.mark.parametrize("digest", ["", "x", "../../etc/passwd", "A" * 64, "0" * 63, "0" * 64 + "/"])
async def test_what_is_no_digest_is_not_found(setting: Setting, tmp_path: Path, digest: str) -> None:
    with pytest.raises(NotFound):
        await setting.artifacts.path(digest)
    with pytest.raises(NotFound):
        await setting.artifacts.export(digest, tmp_path / "x")
