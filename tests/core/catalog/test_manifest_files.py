"""Manifests on disk: what is found in folders and archives, what is refused, and what is written."""

import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from core.adapters.files import manifest_listing, manifests
from core.adapters.files.manifests import FileScan, ManifestFiles
from core.domain.manifest_reading import Bundle, Layout
from core.errors import UserError
from tests.core.catalog.making import AGENT, SKILL, folder_of

FILES = ManifestFiles()


async def everything(source: Path) -> tuple[FileScan, dict[str, Bundle]]:
    scan = await FILES.scan(source)
    bundles = {bundle.place: bundle for bundle in await scan.read(0, scan.count)}
    await scan.close()
    return scan, bundles


def zipped(path: Path, files: dict[str, bytes | str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


LAID_OUT: dict[str, bytes | str] = {
    "agents/a/agent.yaml": AGENT, "agents/a/persona.md": "Kind.", "agents/a/images/face.png": b"\x89PNG\0",
    "skills/s/SKILL.md": SKILL, "skills/s/references/r.md": "more", "skills/two.json": "{}", "README.md": "hello",
    "agents/half/persona.md": "no agent.yaml beside it", "agents/.git/config": "x", "other/package.json": "{}",
}  # fmt: skip


@pytest.mark.parametrize("kind", ["folder", "zip"])
async def test_a_folder_and_an_archive_hold_the_same(tmp_path: Path, kind: str) -> None:
    source = folder_of(tmp_path / "ours", LAID_OUT) if kind == "folder" else zipped(tmp_path / "ours.zip", LAID_OUT)
    scan, bundles = await everything(source)
    assert scan.origin == ("ours" if kind == "folder" else "ours.zip")
    assert list(bundles) == ["agents/a", "agents/half", "other/package.json", "skills/s", "skills/two.json"]
    assert bundles["agents/a"].layout is Layout.AGENT_FOLDER
    assert dict(bundles["agents/a"].files) == {
        "agent.yaml": AGENT.encode(), "persona.md": b"Kind.", "images/face.png": b"\x89PNG\0",
    }  # fmt: skip
    assert dict(bundles["skills/s"].files) == {"SKILL.md": SKILL.encode(), "references/r.md": b"more"}
    assert dict(bundles["skills/two.json"].files) == {"two.json": b"{}"}
    assert [trouble.rule for trouble in bundles["agents/half"].troubles] == ["is missing"]
    assert bundles["agents/a"].modified > 0


async def test_one_folder_or_one_file_may_be_chosen(tmp_path: Path) -> None:
    folder_of(tmp_path / "mine", {"agent.yaml": AGENT})
    for source in (tmp_path / "mine", tmp_path / "mine" / "agent.yaml"):
        _, bundles = await everything(source)
        assert {place: dict(bundle.files) for place, bundle in bundles.items()} == {
            "mine": {"agent.yaml": AGENT.encode()},
        }  # fmt: skip
    single = tmp_path / "one.json"
    single.write_text("{}")
    _, bundles = await everything(single)
    assert list(bundles) == ["one.json"]


@pytest.mark.parametrize(
    "name", ["../evil.json", "a/../../evil.json", "/etc/evil.json", "C:evil.json", "a\\..\\evil.json", "a/.."]
)
async def test_an_archive_that_reaches_outside_is_refused_whole(tmp_path: Path, name: str) -> None:
    source = zipped(tmp_path / "x.zip", {"good/agent.yaml": AGENT, name: "{}"})
    with pytest.raises(UserError, match="Nothing was taken"):
        await FILES.scan(source)


async def test_archives_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = zipped(tmp_path / "bomb.zip", {f"a/{n}.md": b"\0" * 1_000_000 for n in range(5)})
    monkeypatch.setattr(manifest_listing, "MOST_BYTES", 4_000_000)
    with pytest.raises(UserError, match="unpacks to more"):
        await FILES.scan(bomb)
    monkeypatch.setattr(manifest_listing, "MOST_FILES", 3)
    with pytest.raises(UserError, match="unpacks to more"):
        await FILES.scan(zipped(tmp_path / "many.zip", dict.fromkeys("abcd", b"")))
    with pytest.raises(UserError, match="more than 3 files"):
        await FILES.scan(folder_of(tmp_path / "many", dict.fromkeys("abcd", b"")))


async def test_an_archive_whose_sizes_lie_is_bounded_when_it_is_read(tmp_path: Path) -> None:
    source = zipped(tmp_path / "x.zip", {"a/agent.yaml": AGENT, "a/large.md": b"\0" * 3_000_000})
    data = source.read_bytes()
    source.write_bytes(data.replace((3_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    _, bundles = await everything(source)
    assert bundles["a"].troubles[0].file == "large.md"


async def test_locked_damaged_and_other_files_are_named(tmp_path: Path) -> None:
    for name, data in (("x.zip", b"PK\x03\x04 broken"), ("y.txt", b"hello")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(UserError, match="no folder, ZIP"):
            await FILES.scan(tmp_path / name)
    for name in ("none", "none.zip", "none.json"):
        with pytest.raises(UserError, match="not there"):
            await FILES.scan(tmp_path / name)
    locked = zipped(tmp_path / "locked.zip", {"a/agent.yaml": AGENT})
    data = bytearray(locked.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    locked.write_bytes(data)
    with pytest.raises(UserError, match="password"):
        await FILES.scan(locked)


async def test_links_are_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("zebrafinch")
    source = folder_of(tmp_path / "ours", {"agents/a/agent.yaml": AGENT, "agents/b/agent.yaml": AGENT})
    (source / "agents/a/persona.md").symlink_to(secret)
    (source / "agents/up").symlink_to(tmp_path)
    (source / "one.json").symlink_to(secret)
    scan, bundles = await everything(source)
    assert [(trouble.file, trouble.rule) for trouble in bundles["agents/a"].troubles] == [
        ("persona.md", manifest_listing.LINK),
    ]  # fmt: skip
    assert not bundles["agents/b"].troubles
    assert [left.place for left in scan.left_out] == ["one.json"]
    assert not any(b"zebrafinch" in data for bundle in bundles.values() for data in bundle.files.values())
    info = zipfile.ZipInfo("a/persona.md")
    info.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("a/agent.yaml", AGENT)
        archive.writestr(info, "/etc/passwd")
    _, bundles = await everything(tmp_path / "x.zip")
    assert [trouble.rule for trouble in bundles["a"].troubles] == [manifest_listing.LINK]


async def test_one_manifest_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifests, "MOST_IN_BUNDLE", 3)
    _, bundles = await everything(
        folder_of(tmp_path / "x", {
            "many/agent.yaml": AGENT, **{f"many/{n}": "" for n in range(3)},
            "large/agent.yaml": AGENT, "large/b": b"x" * (manifest_listing.FILE_LIMIT + 1),
        })
    )  # fmt: skip
    assert bundles["many"].troubles[0].rule == "holds more than 3 files"
    assert bundles["large"].troubles[0].rule == "is larger than 1 MB"


async def test_pipes_and_folders_that_may_not_be_read(tmp_path: Path) -> None:
    source = folder_of(tmp_path / "x", {"a/agent.yaml": AGENT})
    os.mkfifo(source / "a" / "pipe")
    _, bundles = await everything(source)
    assert bundles["a"].troubles[0].rule == "is no ordinary file"


async def test_a_workspace_inside_is_left_alone(tmp_path: Path) -> None:
    source = folder_of(tmp_path / "x", {"a/agent.yaml": AGENT, "w/workspace.toml": "", "w/b/agent.yaml": AGENT})
    scan, bundles = await everything(source)
    assert list(bundles) == ["a"]
    assert [left.place for left in scan.left_out] == ["w"]


def git(source: Path, *arguments: str) -> str:
    command = ["git", "-C", str(source), "-c", "user.name=t", "-c", "user.email=t@t", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=30).stdout.strip()


async def test_the_commit_of_a_git_checkout(tmp_path: Path) -> None:
    source = folder_of(tmp_path / "x", {"agents/a/agent.yaml": AGENT})
    assert (await FILES.scan(source)).revision == ""
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        git(source, *command)
    commit = git(source, "rev-parse", "HEAD")
    assert (await FILES.scan(source / "agents")).revision == commit
    git(source, "pack-refs", "--all")
    scan, bundles = await everything(source)
    assert scan.revision == commit
    assert list(bundles) == ["agents/a"]
    (source / ".git" / "HEAD").write_text("ref: refs/../../../secret")
    assert (await FILES.scan(source)).revision == ""


async def test_files_are_written_once(tmp_path: Path) -> None:
    files = {"agents/a/agent.yaml": b"x", "skills/s/SKILL.md": b"\xff"}
    target = tmp_path / "out"
    done = await FILES.write(target, files)
    assert (done.written, done.same) == (2, 0)
    before = (target / "agents/a/agent.yaml").stat().st_mtime_ns
    done = await FILES.write(target, files | {"new/SKILL.md": b""})
    assert (done.written, done.same) == (1, 2)
    assert (target / "agents/a/agent.yaml").stat().st_mtime_ns == before
    with pytest.raises(UserError, match="says something else"):
        await FILES.write(target, {"agents/a/agent.yaml": b"y", "another": b""})
    assert not (target / "another").exists()
    await FILES.write(target, {"agents/a/agent.yaml": b"y"}, replace=True)
    assert (target / "agents/a/agent.yaml").read_bytes() == b"y"


async def test_the_same_files_make_the_same_archive(tmp_path: Path) -> None:
    files = {"b/agent.yaml": b"x", "a/SKILL.md": b"\xff"}
    await FILES.write(tmp_path / "one.zip", files)
    await FILES.write(tmp_path / "two.zip", dict(reversed(files.items())))
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with pytest.raises(UserError, match="there already"):
        await FILES.write(tmp_path / "one.zip", files)
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("path", ["../x", "a/../x", "/x", "a//b", "a\\b", "C:x", "."])
async def test_nothing_is_written_outside(tmp_path: Path, path: str) -> None:
    for target in (tmp_path / "out", tmp_path / "out.zip"):
        with pytest.raises(UserError):
            await FILES.write(target, {path: b"x"})
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "link").symlink_to(tmp_path)
    with pytest.raises(UserError, match="is a link"):
        await FILES.write(tmp_path / "out", {"link/x": b"x"})
    assert not (tmp_path / "x").exists()
