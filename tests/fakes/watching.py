"""Watched folders in memory."""

import os
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.domain.changes import Operation
from core.domain.papers import Artifact, Paper, PaperState
from core.domain.watching import (
    FolderState,
    Keep,
    KnownFile,
    LookReport,
    Place,
    Settled,
    Signature,
    TakenFile,
    WatchedFolder,
)
from core.errors import NotFound, UserError
from tests.fakes.papers import FakePapers
from tests.fakes.store import FakeStore


@dataclass
class Shelf:
    """One folder with its files."""

    folder: WatchedFolder
    files: dict[str, KnownFile] = field(default_factory=dict[str, KnownFile])


class FakeWatching:
    """WatchedFoldersPort over fake papers."""

    def __init__(self, store: FakeStore, papers: FakePapers) -> None:
        self._store, self._papers = store, papers
        self._shelves: dict[str, Shelf] = {}

    def _shelf(self, id: str) -> Shelf:
        if id not in self._shelves:
            raise NotFound("This folder is not watched any more.")
        return self._shelves[id]

    def _set(self, shelf: Shelf, operation: Operation, **values: object) -> WatchedFolder:
        version = shelf.folder.version + 1
        shelf.folder = replace(shelf.folder, version=version, **values)  # type: ignore[arg-type]
        self._store.changed("folder", shelf.folder.id, version, operation, "person")
        return self._shown(shelf)

    def _shown(self, shelf: Shelf) -> WatchedFolder:
        files = [self._known(each) for each in shelf.files.values()]
        refused, gone = sum(bool(each.trouble) for each in files), sum(each.gone for each in files)
        troubles = tuple(each.trouble for each in files if each.trouble)
        return replace(
            shelf.folder,
            files=len(files) - refused - gone,
            refused=refused,
            gone=gone,
            problems=(*shelf.folder.problems, *troubles),
        )

    def _known(self, file: KnownFile) -> KnownFile:
        paper = self._papers.held(file.paper)
        return replace(file, linked=paper is not None and paper.linked)

    async def add(self, path: str, keep: Keep, rules: str, subfolders: bool) -> WatchedFolder:
        for shelf in self._shelves.values():
            if shelf.folder.path == path:
                if shelf.folder.removed_at is None:
                    raise UserError(f"“{path}” is watched already.")
                values = {"keep": keep, "rules": rules, "subfolders": subfolders, "removed_at": None}
                return self._set(shelf, Operation.CREATED, state=FolderState.CATCHING_UP, trouble="", **values)
        id, number = uuid.uuid4().hex, len(self._shelves) + 1
        now = self._store.clock()
        folder = WatchedFolder(id, number, path, keep, rules, subfolders, FolderState.CATCHING_UP, now)
        self._shelves[id] = Shelf(folder)
        self._store.changed("folder", id, 1, Operation.CREATED, "person")
        return folder

    async def get(self, id: str) -> WatchedFolder | None:
        return self._shown(self._shelves[id]) if id in self._shelves else None

    async def list(self) -> Sequence[WatchedFolder]:
        return [self._shown(each) for each in self._shelves.values() if each.folder.removed_at is None]

    async def change(self, id: str, keep: Keep, rules: str, subfolders: bool) -> WatchedFolder:
        return self._set(self._shelf(id), Operation.UPDATED, keep=keep, rules=rules, subfolders=subfolders)

    async def remove(self, ids: Sequence[str]) -> Sequence[WatchedFolder]:
        here = [
            self._shelves[id]
            for id in dict.fromkeys(ids)
            if id in self._shelves and not self._shelves[id].folder.removed_at
        ]
        return [self._set(each, Operation.DELETED, removed_at=self._store.clock()) for each in here]

    async def restore(self, ids: Sequence[str]) -> Sequence[WatchedFolder]:
        gone = [
            self._shelves[id]
            for id in dict.fromkeys(ids)
            if id in self._shelves and self._shelves[id].folder.removed_at
        ]
        values = {"removed_at": None, "state": FolderState.CATCHING_UP, "trouble": ""}
        return [self._set(each, Operation.CREATED, **values) for each in gone]

    async def note(self, id: str, state: FolderState, trouble: str = "", look: LookReport | None = None) -> None:
        shelf = self._shelf(id)
        shelf.folder = replace(shelf.folder, state=state, trouble=trouble)
        if look is not None:
            shelf.folder = replace(
                shelf.folder,
                problems=look.problems,
                skipped=look.skipped,
                device=look.device,
                looked_at=self._store.clock(),
            )

    async def known(self, id: str, paths: Sequence[str]) -> Mapping[str, KnownFile]:
        files = self._shelf(id).files
        return {path: self._known(files[path]) for path in paths if path in files}

    async def known_below(self, id: str, below: str, after: str, limit: int) -> Mapping[str, KnownFile]:
        found = sorted(
            (os.fsencode(path), file)
            for path, file in self._shelf(id).files.items()
            if os.fsencode(path) > os.fsencode(after) and (not below or path == below or path.startswith(f"{below}/"))
        )
        return {file.path: self._known(file) for _, file in found[:limit]}

    def _files_of(self, paper: str) -> Sequence[tuple[Shelf, KnownFile]]:
        return [
            (shelf, file) for shelf in self._shelves.values() for file in shelf.files.values() if file.paper == paper
        ]

    def _live(self, paper: str) -> Sequence[KnownFile]:
        return [file for _, file in self._files_of(paper) if not file.gone]

    async def settle(self, id: str, files: Sequence[TakenFile], lengths: Mapping[str, int]) -> Settled:
        shelf, to_read, renamed = self._shelf(id), dict[str, None](), dict[str, str]()
        for file in files:
            before = shelf.files.get(file.path)
            former = before.paper if before is not None else None
            paper = None if file.digest is None else self._paper_of(shelf, file, lengths[file.digest], former)
            owner = former if paper is None else paper.id
            shelf.files[file.path] = KnownFile(file.path, file.signature, file.digest, owner, trouble=file.trouble)
            if paper is not None and paper.removed_at is None:
                paper = self._papers.there(paper, file.linked)
                for other, gone in [each for each in self._files_of(paper.id) if each[1].gone]:
                    del other.files[gone.path]
                    self._rename(paper, gone.path, renamed)
                if paper.state is PaperState.WAITING:
                    to_read[paper.id] = None
            if former is not None and former != owner:
                self._check_gone(former)
        return Settled(tuple(to_read), tuple(renamed.items()))

    def _paper_of(self, shelf: Shelf, file: TakenFile, length: int, before: str | None) -> Paper:
        assert file.digest is not None
        artifact = Artifact(file.digest, length, self._store.clock())
        origin, name = str(Path(shelf.folder.path, file.path)), file.path.rpartition("/")[2]
        known, former = self._papers.with_bytes(file.digest), self._papers.held(before)
        if known is None:
            others = [each for each in self._live(former.id) if each.path != file.path] if former else []
            if former is not None and former.removed_at is None and not others and former.origin in ("", origin):
                return self._papers.follow(former, artifact, file.linked)
            return self._papers.make(artifact, name, origin, file.linked)
        if known.removed_at is not None and not self._files_of(known.id):
            return self._papers.again(known, name, origin)
        return known

    def _rename(self, paper: Paper, left: str, renamed: dict[str, str]) -> None:
        names = [each.path.rpartition("/")[2] for each in self._live(paper.id)]
        if paper.name == left.rpartition("/")[2] and names and paper.name not in names:
            renamed[paper.id] = names[0]

    def _check_gone(self, id: str) -> None:
        paper = self._papers.held(id)
        if paper is not None and paper.removed_at is None and paper.linked and not self._live(id):
            self._papers.gone(paper)

    async def lose(self, id: str, paths: Sequence[str]) -> Settled:
        shelf, renamed, lost = self._shelf(id), dict[str, str](), 0
        for path in paths:
            file = shelf.files.get(path)
            if file is None or file.gone:
                continue
            lost += 1
            if file.paper is None or len(self._live(file.paper)) > 1:
                del shelf.files[path]
                if (paper := self._papers.held(file.paper)) is not None:
                    self._rename(paper, path, renamed)
            else:
                shelf.files[path] = replace(file, gone=True, trouble="")
                self._check_gone(file.paper)
        return Settled((), tuple(renamed.items()), lost)

    async def in_store(self, digest: str) -> bool:
        paper = self._papers.with_bytes(digest)
        return paper is not None and not paper.linked

    async def linked_at(self, digest: str) -> Sequence[tuple[Path, Signature]]:
        found = [(shelf, file) for shelf in self._shelves.values() for file in shelf.files.values()]
        found = sorted((each for each in found if each[1].digest == digest), key=lambda each: each[1].gone)
        return [(Path(shelf.folder.path, file.path), file.signature) for shelf, file in found]

    async def places(self, paper: str) -> Sequence[Place]:
        watched = {
            str(Path(shelf.folder.path, file.path)): Place(
                str(Path(shelf.folder.path, file.path)), shelf.folder.removed_at is None, file.gone
            )
            for shelf, file in self._files_of(paper)
        }
        return [*watched.values(), *(Place(each) for each in self._papers.brought(paper) if each not in watched)]
