"""Manifests in folders, archives and git checkouts (ManifestFilesPort)."""

import asyncio
import io
import posixpath
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.adapters.files.disk import said, shown, write_whole
from core.adapters.files.manifest_listing import (
    FILE_LIMIT,
    Listed,
    archive_listing,
    folder_listing,
    read_file,
    too_large,
)
from core.domain.catalog import Problem
from core.domain.manifest_reading import AGENT_FILES, SKILL_FILE, Bundle, Layout
from core.errors import UserError
from core.ports.manifests import LeftOutFile, WrittenFiles

MOST_IN_BUNDLE, BUNDLE_LIMIT = 200, 4 << 20  # files, bytes of one manifest's folder
ONLY_OF_AGENTS = ("persona.md", "starters.json")
ZIPPED_AT = (1980, 1, 1, 0, 0, 0)  # the same files make the same archive
_COMMIT = re.compile(r"[0-9a-f]{40,64}")


@dataclass(slots=True)
class _Plan:
    place: str
    layout: Layout
    folder: str  # what comes before the files' own paths, with its slash
    members: list[Listed] = field(default_factory=list[Listed])
    missing: str = ""


class FileScan:
    """See ManifestScan."""

    def __init__(
        self,
        origin: str,
        revision: str,
        plans: list[_Plan],
        left: Sequence[LeftOutFile],
        archive: zipfile.ZipFile | None,
    ) -> None:
        self.origin = origin
        self.revision = revision
        self.left_out = left
        self._plans = plans
        self._archive = archive

    @property
    def count(self) -> int:
        return len(self._plans)

    async def read(self, first: int, count: int) -> list[Bundle]:
        return await asyncio.to_thread(lambda: [_read(plan) for plan in self._plans[first : first + count]])

    async def close(self) -> None:
        if self._archive is not None:
            await asyncio.to_thread(self._archive.close)


class ManifestFiles:
    async def scan(self, source: Path) -> FileScan:
        return await asyncio.to_thread(_scan, source)

    async def write(self, target: Path, files: Mapping[str, bytes], *, replace: bool = False) -> WrittenFiles:
        work = _write_archive if target.suffix.lower() == ".zip" else _write_folder
        try:
            return await asyncio.to_thread(work, target, files, replace)
        except OSError as error:
            raise said(error, shown(target)) from error


def _scan(source: Path) -> FileScan:
    left: list[LeftOutFile] = []
    name, archive = shown(source), None
    if source.is_dir():
        listing = folder_listing(source, left)
    elif source.name.lower() == SKILL_FILE or source.name in AGENT_FILES:
        return _scan(source.resolve().parent)
    elif source.suffix.lower() == ".json":
        listing = [Listed(name, _size(source), source.stat().st_mtime, lambda: read_file(source))]
    else:
        archive = _opened(source)
        try:
            listing = archive_listing(archive, name)
        except BaseException:
            archive.close()
            raise
    own = shown(source.resolve()) if source.is_dir() else source.stem
    return FileScan(
        name if name not in (".", "..") else own, _revision(source), _plans(listing, own, left), left, archive
    )


def _opened(source: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(source)
    except OSError as error:
        raise said(error, shown(source)) from error
    except zipfile.BadZipFile:
        raise UserError(f"“{shown(source)}” is no folder, ZIP archive or JSON file with agents and skills.") from None


def _size(source: Path) -> int:
    try:
        return source.stat().st_size
    except OSError as error:
        raise said(error, shown(source)) from error


# ---- which files belong together -------------------------------------------------------------------------------------


def _plans(listing: Sequence[Listed], own: str, left: list[LeftOutFile]) -> list[_Plan]:
    """One plan for each manifest, by place. Files that belong to none are left."""
    roots: dict[str, _Plan] = {}

    def begun(folder: str, layout: Layout, missing: str = "") -> _Plan:
        roots[folder] = _Plan(folder or own, layout, folder and f"{folder}/", missing=missing)
        return roots[folder]

    for listed in listing:
        folder, name = posixpath.split(listed.path)
        if name in AGENT_FILES:
            begun(folder, Layout.AGENT_FOLDER)
    for listed in listing:
        folder, name = posixpath.split(listed.path)
        if name.lower() == SKILL_FILE:
            if folder in roots:
                left.append(LeftOutFile(listed.path, "Its folder is an agent’s or another skill’s already."))
            else:
                begun(folder, Layout.SKILL_FOLDER)
    alone: list[_Plan] = []
    for listed in listing:
        folder, name = posixpath.split(listed.path)
        root = _root_of(folder, roots)
        if root is None and name in ONLY_OF_AGENTS:
            root = begun(folder, Layout.AGENT_FOLDER, missing="agent.yaml")
        if root is not None:
            root.members.append(listed)
        elif name.lower().endswith(".json"):
            _alone(listed, alone, left)
    return sorted((*roots.values(), *alone), key=lambda plan: plan.place)


def _root_of(folder: str, roots: Mapping[str, _Plan]) -> _Plan | None:
    while folder not in roots:
        if not folder:
            return None
        folder = posixpath.dirname(folder)
    return roots[folder]


def _alone(listed: Listed, alone: list[_Plan], left: list[LeftOutFile]) -> None:
    if listed.trouble or listed.size > FILE_LIMIT:
        left.append(LeftOutFile(listed.path, f"It {listed.trouble or too_large()}."))
        return
    folder = posixpath.dirname(listed.path)
    alone.append(_Plan(listed.path, Layout.JSON_FILE, folder and f"{folder}/", [listed]))


def _read(plan: _Plan) -> Bundle:
    troubles: list[Problem] = []
    files: dict[str, bytes] = {}
    if plan.missing:
        troubles.append(Problem(plan.missing, None, "", "is missing"))
    if len(plan.members) > MOST_IN_BUNDLE:
        troubles.append(Problem(plan.place, None, "", f"holds more than {MOST_IN_BUNDLE} files"))
    for listed in plan.members[:MOST_IN_BUNDLE]:
        path = listed.path.removeprefix(plan.folder)
        try:
            if listed.trouble:
                raise ValueError(listed.trouble)
            files[path] = listed.read()
        except ValueError as error:
            troubles.append(Problem(path, None, "", str(error)))
        except OSError as error:
            troubles.append(Problem(path, None, "", f"can't be read ({error.strerror or type(error).__name__})"))
        if sum(map(len, files.values())) > BUNDLE_LIMIT:
            troubles.append(Problem(plan.place, None, "", f"is larger than {BUNDLE_LIMIT >> 20} MB together"))
            break
    modified = max((listed.modified for listed in plan.members), default=0.0)
    return Bundle(plan.place, plan.layout, files, modified, tuple(troubles))


def _revision(source: Path) -> str:
    """The commit of the git checkout around a folder; "" where there is none or nobody can say."""
    git = next((at / ".git" for at in (source.resolve(), *source.resolve().parents) if (at / ".git").is_dir()), None)
    if git is None:
        return ""
    try:
        head = (git / "HEAD").read_text("utf-8").strip()
        name = head.removeprefix("ref: ")
        if name == head:
            return head if _COMMIT.fullmatch(head) else ""
        if ".." in name or not name.startswith("refs/"):
            return ""
        loose = git / name
        packed = git / "packed-refs"
        found = [loose.read_text("utf-8").strip()] if loose.is_file() else []
        if not found and packed.is_file():
            found = [line.split(" ")[0] for line in packed.read_text("utf-8").splitlines() if line.endswith(f" {name}")]
        return next((each for each in found if _COMMIT.fullmatch(each)), "")
    except (OSError, UnicodeDecodeError):
        return ""


# ---- writing ---------------------------------------------------------------------------------------------------------


def _write_folder(target: Path, files: Mapping[str, bytes], replace: bool) -> WrittenFiles:
    changed: list[tuple[Path, bytes]] = []
    for path, data in files.items():
        place = target.joinpath(*_parts(path))
        _refuse_links(target, place)
        if place.exists():
            if place.is_file() and place.stat().st_size == len(data) and place.read_bytes() == data:
                continue
            if not replace or not place.is_file():
                raise UserError(
                    f"“{path}” is in “{shown(target)}” already and says something else. "
                    "Nothing was written. Choose another folder, or say that files may be replaced."
                )
        changed.append((place, data))
    for place, data in changed:
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, data)
    return WrittenFiles(len(changed), len(files) - len(changed))


def _refuse_links(target: Path, place: Path) -> None:
    inside = place
    while inside != target:
        if inside.is_symlink():
            raise UserError(f"“{shown(inside)}” in “{shown(target)}” is a link. Nothing was written.")
        inside = inside.parent


def _write_archive(target: Path, files: Mapping[str, bytes], replace: bool) -> WrittenFiles:
    if target.exists() and not replace:
        raise UserError(f"“{shown(target)}” is there already. Choose another name.")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in sorted(files.items()):
            info = zipfile.ZipInfo("/".join(_parts(path)), ZIPPED_AT)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
    write_whole(target, packed.getvalue(), mode=0o666)  # less what the system takes away, as of any file of a person's
    return WrittenFiles(len(files), 0)


def _parts(path: str) -> list[str]:
    parts = path.split("/")
    if any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts) or ":" in parts[0]:
        raise UserError(f"“{path}” can't be written: it would lie outside.")
    return parts
